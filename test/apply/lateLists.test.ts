import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Order } from "../../src/apply/order.js";
import { plan } from "../../src/apply/preview.js";
import type { SessionResult } from "../../src/apply/result.js";
import { apply } from "../../src/apply/run.js";
import { kinds } from "../../src/kinds/index.js";
import type { Answer } from "../../src/model/exchange.js";
import type { JsonObject } from "../../src/model/json.js";
import { isPending } from "../../src/plan/calls.js";
import { guardNames } from "../../src/plan/guards/guards.js";
import type { Planned } from "../../src/plan/plan.js";
import { hashesOf } from "../../src/plan/saved/effect.js";
import { typeIdOf } from "../../src/sandbox/tenant/builtin.js";
import { C1_APP_ID, EMPTY_TENANT, type NamedRow, type Tenant } from "../../src/sandbox/tenant/tenant.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import { cases } from "../fakes/cases.js";
import { fakeClock } from "../fakes/clock.js";
import { directClient } from "../fakes/directClient.js";
import { orderFor } from "./order.js";
import { requestFor } from "./request.js";

/** Creates that got no clear answer, before lists that show new objects late: nothing is made twice, and nothing is forgotten. */

const GROUP = { appId: C1_APP_ID, appResourceTypeId: typeIdOf("GROUP") };
const RESOURCE = { id: "resource0000000000000000001", displayName: "Crew" };

const OWNER = { id: "user00000000000000000000001", displayName: "Ana", email: "ana@example.test" };

interface Thing {
  readonly kind: string;
  readonly spec: JsonObject;
  /** Where the tenant has it. */
  readonly in: keyof Tenant;
}

const MEMBER = { ...GROUP, appResourceId: RESOURCE.id, displayName: "Member", alias: "crew-member" };
const BY_HAND = { manual: { instructions: "Ask the desk.", assignee: { appOwners: {} } } };

/** Things of each kind whose names repeat; some take several calls, or have fields that only a create sets. */
const THINGS: Readonly<Record<string, Thing>> = {
  webhook: {
    kind: "Webhook",
    spec: { displayName: "Desk", url: "https://desk.example.com" },
    in: "webhooks",
  },
  resource: { kind: "Resource", spec: { ...GROUP, displayName: "Engineers" }, in: "resources" },
  entitlement: { kind: "Entitlement", spec: MEMBER, in: "entitlements" },
  "entitlement of two calls": {
    kind: "Entitlement",
    spec: { ...MEMBER, deprovisionerPolicy: BY_HAND },
    in: "entitlements",
  },
  profile: { kind: "AccessProfile", spec: { displayName: "Starter" }, in: "catalogs" },
  "profile with parts": {
    kind: "AccessProfile",
    spec: {
      displayName: "Starter",
      description: "For all.",
      requestableEntries: [{ appId: C1_APP_ID, id: "entitlement0000000000000001" }],
      published: true,
    },
    in: "catalogs",
  },
  "risk level": { kind: "RiskLevel", spec: { value: "Critical" }, in: "attributes" },
  framework: { kind: "ComplianceFramework", spec: { value: "SOC 2" }, in: "attributes" },
  policy: {
    kind: "Policy",
    spec: {
      displayName: "By the manager",
      policyType: "POLICY_TYPE_GRANT",
      policySteps: { grant: { steps: [{ approval: { manager: {} } }] } },
    },
    in: "policies",
  },
  app: {
    kind: "App",
    spec: { displayName: "Badges", usageControls: { notify: true } },
    in: "apps",
  },
  template: {
    kind: "ReviewTemplate",
    spec: { displayName: "Quarterly", ownerIds: [OWNER.id] },
    in: "templates",
  },
};

const TENANT: Tenant = {
  ...EMPTY_TENANT,
  open: false,
  apps: [{ id: C1_APP_ID, displayName: "C1" }],
  resources: [{ ...GROUP, ...RESOURCE }],
  users: [OWNER],
  entitlements: [{ appId: C1_APP_ID, id: "entitlement0000000000000001", displayName: "Badge" }],
};

const JSON_TYPE = "application/json";

function reply(status: number, body: string, type = JSON_TYPE): Answer {
  return { as: "reply", status, headers: { "content-type": type }, body: Buffer.from(body), took: 0 };
}

/** The answers after which a create may have been done. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  "500": reply(500, '{"code":2,"message":"unknown"}'),
  "409 exists": reply(409, '{"code":6,"message":"it exists"}'),
  "200 with a web page": reply(200, "<html></html>", "text/html"),
  "200 without a body": reply(200, ""),
  "200 of another form": reply(200, "{}"),
  lost: { as: "lost", sent: true, untrusted: false, code: "ECONNRESET" },
};

interface Case {
  readonly thing: string;
  readonly answer: string;
  readonly isDone: boolean;
  /** Milliseconds: for how long lists do not show what is new, and for how long remit takes that. */
  readonly listLag: number;
  readonly createLag: number;
  readonly requestTimeout: number;
  /** Whether the object was there, and a person deleted it, so that it is created again. */
  readonly isAgain: boolean;
  /** How long a person waits before each repeated apply. */
  readonly waits: readonly number[];
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  thing: fc.constantFrom(...Object.keys(THINGS)),
  answer: fc.constantFrom(...Object.keys(ANSWERS)),
  isDone: fc.boolean(),
  listLag: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300_000 })),
  createLag: fc.integer({ min: 1_000, max: 120_000 }),
  requestTimeout: fc.integer({ min: 1_000, max: 60_000 }),
  isAgain: fc.boolean(),
  waits: fc.array(fc.integer({ min: 0, max: 120_000 }), { maxLength: 3 }),
});

function manifestOf(kind: string, name: string, spec: JsonObject): string {
  return JSON.stringify({ apiVersion: "remit/v1", kind, metadata: { name }, spec });
}

/** A project of one object whose first create is answered so; `struck` hears of it. */
function openCase(
  { thing, answer, isDone, listLag, ...waiting }: Omit<Case, "waits" | "isAgain">,
  struck: () => void = () => undefined,
) {
  const { kind, spec, in: table } = THINGS[thing] as Thing;
  const clock = fakeClock();
  const contents = memoryContents();
  let isStruck = false;
  let isCalm = false;
  const direct = directClient(
    {
      tenant: TENANT,
      quirks: { listLag },
      instead({ effect }) {
        const reply = ANSWERS[answer];
        if (effect !== "once" || isStruck || isCalm || reply === undefined) return null;
        isStruck = true;
        struck();
        return { isDone, answer: reply };
      },
    },
    clock,
  );
  const session = { store: memoryStore(contents, clock), client: direct.client, clock, ...waiting };
  const acknowledgements = guardNames.map((guard) => ({ by: "flag", guard, address: null }) as const);
  const asked = (text: string) => requestFor(text, { interface: "full", acknowledgements });
  let request = asked(manifestOf(kind, "one", spec));
  const isThere = ({ deletedAt }: JsonObject) => deletedAt === undefined;
  const there = () => (direct.tenant()[table] as readonly NamedRow[]).filter(isThere);
  const before = there().length;
  /** What the state has of an object that is there. */
  const recorded = () => {
    const ids = new Set(there().map(({ id }) => id));
    return Object.values(contents.snapshot?.entries ?? {}).find(({ key }) => ids.has(key.at(-1) ?? ""));
  };
  let creates = 0;
  const sent = () => direct.writes.filter(({ effect }) => effect === "once").length;
  return {
    clock,
    contents,
    /** Replaces the manifest by one with another name, or with other fields; null takes it away. */
    write(name: string | null, more: JsonObject = {}) {
      request = asked(name === null ? "" : manifestOf(kind, name, { ...spec, ...more }));
    },
    applied: (more: Partial<Order> = {}) => apply(orderFor(request, more), session),
    async planned(): Promise<Planned> {
      const { value, diagnostics } = await plan(request, session);
      if (value === null) throw new Error(JSON.stringify(diagnostics));
      return value;
    },
    /** How many objects were made. */
    made: () => there().length - before,
    creates: () => sent() - creates,
    /** An apply that is killed: that many events after the first look, nothing of it is recorded any more. */
    async killed(moment: number) {
      let left: string[] | null = null;
      let since = -1;
      const listener: Order["listener"] = async ({ type }) => {
        if (type === "looking" || since >= 0) since += 1;
        if (since === moment) left = [...contents.journal];
      };
      const { snapshot } = contents;
      await apply(orderFor(request, { listener }), session);
      if (left === null) return;
      contents.snapshot = snapshot;
      contents.journal.splice(0, contents.journal.length, ...(left as string[]));
    },
    /** Creates the object without trouble, and deletes it as a person does. */
    async makeAndDelete() {
      isCalm = true;
      await apply(orderFor(request), session);
      isCalm = false;
      clock.advance(listLag + 1);
      const { key = null, applied = {} } = recorded() ?? {};
      const own = kinds.find(({ name }) => name === kind);
      const work = { verb: "delete", key, identity: {}, before: applied, after: {}, fields: [] } as const;
      for (const call of own?.calls(work) ?? []) await direct.client.send(call);
      clock.advance(listLag + 1);
      creates = sent();
    },
    /** What the state has of the object, but its id, its times, and what a late list may not have shown. */
    record() {
      const { key: _, at: __, createdAt: ___, answered: ____, ...record } = recorded() ?? {};
      return record;
    },
    isListed: () => kinds.find(({ name }) => name === kind)?.reads.list !== undefined,
    isRecorded: () => recorded() !== undefined,
    isUncertain: () => Object.keys(contents.snapshot?.uncertain ?? {}).length === 1,
  };
}

/** Whether a run says that everything is as wanted. */
function isContent(result: SessionResult): boolean {
  if (result.as !== "applied") return result.as === "unchanged" && !result.plan.steps.some(isBlocked);
  const { done, ...others } = result.summary.outcomes;
  return result.fault === null && Object.values(others).every((count) => count === 0);
}

/** What a run says of its steps, by its codes. */
function codesOf(result: SessionResult): readonly string[] {
  if (result.as !== "applied") return [];
  return result.summary.notable.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
}

const planCodes = ({ steps }: Planned) =>
  steps.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
const isBlocked = ({ action }: Planned["steps"][number]) => action === "blocked";

describe("a create whose names may repeat, and that got no clear answer", () => {
  it("is tried for every such kind", () => {
    // No list shows an access conflict that no workflow names: its create is uncertain at once.
    const repeating = kinds
      .filter(({ name, namesRepeat }) => namesRepeat === true && name !== "AccessConflict")
      .map(({ name }) => name);
    expect(new Set(Object.values(THINGS).map(({ kind }) => kind))).toEqual(new Set(repeating));
  });

  it("makes no second object, is never said to be done while it is missing, and is adopted once a list shows it", async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (one) => {
        const scene = openCase(one);
        const { clock, made } = scene;
        // A late list shows the parts of a profile as they were.
        const isDoubted = (result: SessionResult) =>
          one.listLag > one.createLag && codesOf(result).includes("apply/not-kept");
        const isListed = scene.isListed();
        if (one.isAgain) await scene.makeAndDelete();

        for (const [place, wait] of [0, ...one.waits].entries()) {
          clock.advance(wait);
          const result = await scene.applied();
          const isInTime = one.listLag <= one.createLag;
          if (place === 0) expect(isContent(result), "found").toBe(one.isDone && isListed && isInTime);
          expect(made(), "objects").toBe(one.isDone ? 1 : 0);
          expect(scene.creates(), "creates").toBe(1);
          expect(codesOf(result), "an object that was there before").not.toContain("apply/already-so");
          expect(scene.isUncertain(), "uncertain or recorded").toBe(!scene.isRecorded());
          expect(isContent(result), "content").toBe(scene.isRecorded() && !isDoubted(result));
        }

        clock.advance(one.listLag + 1);
        const next = await scene.planned();
        if (one.isDone && isListed) {
          expect(next.steps.filter(isBlocked)).toEqual([]);
          const isAdopted = next.steps.some(({ action }) => isPending(action));
          expect(planCodes(next)).toEqual(isAdopted ? ["plan/found-again"] : []);
          const adopted = await scene.applied();
          expect(isContent(adopted) || isDoubted(adopted), "adopted").toBe(true);
        } else {
          // Only a person knows that nothing was made.
          expect(next.steps.map(({ reason }) => reason)).toEqual(["outcome uncertain"]);
          if (one.isDone) return;
          const { snapshot } = scene.contents;
          if (snapshot !== null) scene.contents.snapshot = { ...snapshot, uncertain: {} };
          const created = await scene.applied();
          expect(isContent(created) || isDoubted(created), "created").toBe(true);
        }
        expect(made()).toBe(1);
        const plain = openCase({ ...one, answer: "good", listLag: 0 });
        expect(isContent(await plain.applied()), "undisturbed").toBe(true);
        expect(scene.record()).toEqual(plain.record());
        clock.advance(one.listLag + 1);
        expect((await scene.planned()).steps.filter(({ action }) => isPending(action))).toEqual([]);
      }),
      { numRuns: cases(30, 80) },
    );
  });

  it("makes no second object, whatever its author does while no list shows it", async () => {
    const edit = fc.constantFrom("apply", "apply the saved plan", "rename", "edit", "remove", "add");
    await fc.assert(
      fc.asyncProperty(
        anyCase,
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (one, edits, isSaved) => {
          const scene = openCase({ ...one, isDone: true, listLag: 3_600_000 });
          const value = await scene.planned();
          const saved = { plan: value, ...hashesOf(value) };
          await scene.applied({ plan: saved });
          let name: string | null = "one";
          for (const what of edits) {
            if (what === "rename" && name !== null) name = `${name}-new`;
            if (what === "remove") name = null;
            if (what === "add") name ??= "one";
            scene.write(name, what === "edit" ? { description: "Other." } : {});
            await scene.applied(what === "apply the saved plan" ? { plan: saved } : {});
            expect(scene.made(), what).toBe(1);
          }

          // Whatever was done, the first manifest means the object again.
          scene.clock.advance(3_600_000);
          scene.write("one");
          await scene.applied(isSaved ? { plan: saved } : {});
          const isListed = scene.isListed();
          if (isListed) await scene.applied();
          expect(scene.made(), "later").toBe(1);
          expect(scene.isRecorded()).toBe(isListed);
          scene.clock.advance(3_600_000);
          const last = await scene.planned();
          expect(last.steps.filter(({ action }) => isPending(action))).toHaveLength(isListed ? 0 : 1);
        },
      ),
      { numRuns: cases(20, 50) },
    );
  });

  it("is found by the next run, or left uncertain, where the run was killed while it looked", async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, fc.nat({ max: 10 }), async (one, moment) => {
        const scene = openCase(one);
        await scene.killed(moment);
        for (const wait of [0, ...one.waits]) {
          scene.clock.advance(wait);
          const result = await scene.applied();
          expect(scene.made(), "objects").toBe(one.isDone ? 1 : 0);
          expect(scene.isUncertain(), "uncertain or recorded").toBe(!scene.isRecorded());
          expect(result.as === "refused" || scene.isRecorded() || !isContent(result), "content").toBe(true);
        }
      }),
      { numRuns: cases(30, 80) },
    );
  });

  it("is not waited for after an interrupt, and is adopted later", async () => {
    const waiting = { listLag: 50_000, createLag: 60_000, requestTimeout: 30_000 };
    const stop = new AbortController();
    const one = { thing: "webhook", answer: "500", isDone: true, ...waiting };
    const scene = openCase(one, () => stop.abort("SIGINT"));
    await scene.applied({ interrupt: stop.signal });
    expect(scene.isUncertain()).toBe(true);
    expect(scene.clock.elapsed()).toBeLessThan(waiting.listLag);
    scene.clock.advance(waiting.listLag);
    expect(isContent(await scene.applied())).toBe(true);
    expect(scene.made()).toBe(1);
  });
});
