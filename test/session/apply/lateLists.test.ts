import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kinds } from "../../../src/kinds/index.js";
import type { Answer } from "../../../src/model/exchange.js";
import type { Json, JsonObject } from "../../../src/model/json.js";
import { isPending } from "../../../src/plan/calls.js";
import type { Plan } from "../../../src/plan/plan.js";
import { typeIdOf } from "../../../src/sandbox/tenant/builtin.js";
import { C1_APP_ID, EMPTY_TENANT, type Tenant } from "../../../src/sandbox/tenant/tenant.js";
import { apply, type SessionResult } from "../../../src/session/apply/apply.js";
import { plan } from "../../../src/session/plan/plan.js";
import { memoryContents, memoryStore } from "../../../src/state/memory.js";
import { cases } from "../../fakes/cases.js";
import { fakeClock } from "../../fakes/clock.js";
import { directClient } from "../../fakes/directClient.js";
import { orderFor } from "../order.js";
import { requestFor } from "../request.js";

/** Creates that got no clear answer, before lists that show new objects late: nothing is made twice, and nothing is forgotten. */

const GROUP = { appId: C1_APP_ID, appResourceTypeId: typeIdOf("GROUP") };
const RESOURCE = { id: "resource0000000000000000001", displayName: "Crew" };

const OWNER = { id: "user00000000000000000000001", displayName: "Ana", email: "ana@example.test" };

/** A thing that each kind can make whose names repeat, and where the tenant has it. */
const MADE: Readonly<Record<string, { readonly spec: JsonObject; readonly in: keyof Tenant }>> = {
  Webhook: { spec: { displayName: "Desk", url: "https://desk.example.com" }, in: "webhooks" },
  Resource: { spec: { ...GROUP, displayName: "Engineers" }, in: "resources" },
  Entitlement: {
    spec: { ...GROUP, appResourceId: RESOURCE.id, displayName: "Member", alias: "crew-member" },
    in: "entitlements",
  },
  AccessProfile: { spec: { displayName: "Starter" }, in: "catalogs" },
  ReviewTemplate: { spec: { displayName: "Quarterly", ownerIds: [OWNER.id] }, in: "templates" },
};

const TENANT: Tenant = {
  ...EMPTY_TENANT,
  open: false,
  apps: [{ id: C1_APP_ID, displayName: "C1" }],
  resources: [{ ...GROUP, ...RESOURCE }],
  users: [OWNER],
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
  readonly kind: string;
  readonly answer: string;
  readonly isDone: boolean;
  /** Milliseconds: for how long lists do not show what is new, and for how long remit takes that. */
  readonly listLag: number;
  readonly createLag: number;
  readonly requestTimeout: number;
  /** How long a person waits before each repeated apply. */
  readonly waits: readonly number[];
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  kind: fc.constantFrom(...Object.keys(MADE)),
  answer: fc.constantFrom(...Object.keys(ANSWERS)),
  isDone: fc.boolean(),
  listLag: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300_000 })),
  createLag: fc.integer({ min: 1_000, max: 120_000 }),
  requestTimeout: fc.integer({ min: 1_000, max: 60_000 }),
  waits: fc.array(fc.integer({ min: 0, max: 120_000 }), { maxLength: 3 }),
});

/** A project of one object whose first create is answered so. */
function openCase({ kind, answer, isDone, listLag, ...waiting }: Case) {
  const { spec, in: table } = MADE[kind] ?? { spec: {}, in: "apps" };
  const clock = fakeClock();
  const contents = memoryContents();
  let isStruck = false;
  const direct = directClient(
    {
      tenant: TENANT,
      quirks: { listLag },
      instead({ effect }) {
        if (effect !== "once" || isStruck) return null;
        isStruck = true;
        return { isDone, answer: ANSWERS[answer] as Answer };
      },
    },
    clock,
  );
  const session = { store: memoryStore(contents, clock), client: direct.client, clock, ...waiting };
  const manifest = { apiVersion: "remit/v1", kind, metadata: { name: "one" }, spec };
  const request = requestFor(JSON.stringify(manifest), { interface: "full" });
  const isThere = (row: Json) => (row as JsonObject).deletedAt === undefined;
  const count = () => (direct.tenant()[table] as readonly Json[]).filter(isThere).length;
  const before = count();
  return {
    clock,
    contents,
    applied: () => apply(orderFor(request), session),
    async planned(): Promise<Plan> {
      const { value, diagnostics } = await plan(request, session);
      if (value === null) throw new Error(JSON.stringify(diagnostics));
      return value;
    },
    /** How many objects were made. */
    made: () => count() - before,
    creates: () => direct.writes.filter(({ effect }) => effect === "once").length,
    /** Whether the state has the object. */
    isRecorded: () => Object.keys(contents.snapshot?.entries ?? {}).length === 1,
    isUncertain: () => Object.keys(contents.snapshot?.uncertain ?? {}).length === 1,
  };
}

/** Whether a run says that everything is as wanted. */
function isContent(result: SessionResult): boolean {
  if (result.as !== "applied") return result.as === "unchanged" && !result.plan.steps.some(isBlocked);
  const { done, ...others } = result.summary.outcomes;
  return result.fault === null && Object.values(others).every((count) => count === 0);
}

const isBlocked = ({ action }: Plan["steps"][number]) => action === "blocked";

describe("a create whose names may repeat, and that got no clear answer", () => {
  it("is tried for every such kind", () => {
    const repeating = kinds.filter(({ namesRepeat }) => namesRepeat === true).map(({ name }) => name);
    expect(Object.keys(MADE).sort()).toEqual([...repeating].sort());
  });

  it("makes no second object, is never said to be done while it is missing, and is adopted once a list shows it", async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (one) => {
        const scene = openCase(one);
        const { clock, made } = scene;
        const isListed = kinds.find(({ name }) => name === one.kind)?.reads.list !== undefined;

        for (const [place, wait] of [0, ...one.waits].entries()) {
          clock.advance(wait);
          const result = await scene.applied();
          const isInTime = one.listLag <= one.createLag;
          if (place === 0) expect(isContent(result), "found").toBe(one.isDone && isListed && isInTime);
          expect(made(), "objects").toBe(one.isDone ? 1 : 0);
          expect(scene.creates(), "creates").toBe(1);
          expect(scene.isRecorded(), "recorded").toBe(isContent(result));
          expect(scene.isUncertain(), "uncertain").toBe(!isContent(result));
        }

        clock.advance(one.listLag + 1);
        const next = await scene.planned();
        if (one.isDone && isListed) {
          expect(next.steps.filter(isBlocked)).toEqual([]);
          expect(isContent(await scene.applied()), "adopted").toBe(true);
        } else {
          // Only a person knows that nothing was made.
          expect(next.steps.map(({ reason }) => reason)).toEqual(["outcome uncertain"]);
          if (one.isDone) return;
          const { snapshot } = scene.contents;
          if (snapshot !== null) scene.contents.snapshot = { ...snapshot, uncertain: {} };
          expect(isContent(await scene.applied()), "created").toBe(true);
        }
        expect(made()).toBe(1);
        expect(scene.isRecorded()).toBe(true);
        clock.advance(one.listLag + 1);
        expect((await scene.planned()).steps.filter(({ action }) => isPending(action))).toEqual([]);
      }),
      { numRuns: cases(300) },
    );
  });
});
