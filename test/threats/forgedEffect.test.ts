import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apply } from "../../src/apply/run.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { settleByHand } from "../../src/commands/state/settleByHand.js";
import { formatAddress } from "../../src/model/address.js";
import { guardNames } from "../../src/plan/guards/guards.js";
import type { Planned } from "../../src/plan/plan.js";
import { effectOf, stepHashes } from "../../src/plan/saved/effect.js";
import { typeIdOf } from "../../src/sandbox/tenant/builtin.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { FORMAT } from "../../src/state/format.js";
import { type Applying, type CreatedObject, newSnapshot, type Snapshot } from "../../src/state/snapshot.js";
import { planned, sessionScene } from "../apply/sessionScene.js";
import { cases } from "../fakes/cases.js";

/**
 * A state in a shared store is written by everyone who may write there. It decides neither which object an approved
 * effect means, nor which step is done.
 */

const ACKNOWLEDGED = guardNames.map((guard) => ({ by: "flag", guard, address: null }) as const);
const TYPE = { appId: C1_APP_ID, appResourceTypeId: typeIdOf("GROUP") };
const SEED = {
  apps: [
    {
      name: "C1",
      types: [{ name: "Group", kind: "GROUP", resources: ["Admins"], entitlements: ["Member"] }],
    },
  ],
};

/** A membership of a group that is there, and its rule; with `member`, the one that is there. */
function group(resource: string, member: string | null): string {
  const own = { displayName: "Viewer", description: "Views.", alias: "viewers", slug: "viewer" };
  const documents = [
    [
      "Entitlement",
      "viewers",
      {
        ...{ ...TYPE, appResourceId: resource },
        ...(member === null ? own : { id: member, displayName: "Admins Member" }),
      },
    ],
    [
      "EntitlementAutomation",
      "viewers",
      {
        appId: C1_APP_ID,
        appEntitlementId: { manifest: "viewers" },
        cel: { expression: 'subject.department == "Sales"' },
      },
    ],
  ] as const;
  return documents
    .slice(0, member === null ? 2 : 1)
    .map(([kind, name, spec]) => JSON.stringify({ apiVersion: "remit/v1", kind, metadata: { name }, spec }))
    .join("\n---\n");
}

interface Forged {
  readonly done: readonly boolean[];
  readonly created: boolean;
  readonly unfinished: boolean;
  readonly isComplete: boolean;
  /** Which addresses the state gives to the objects that are there. */
  readonly taken: "all" | "none";
  /** Whether the state says it, or the journal of a run that was cut off. */
  readonly by: "state" | "journal";
  /** How long before the group was made the change was merged; null where that is not known. */
  readonly mergedAfter: number | null;
}

const forged: fc.Arbitrary<Forged> = fc.record({
  done: fc.tuple(fc.boolean(), fc.boolean()),
  created: fc.boolean(),
  unfinished: fc.boolean(),
  isComplete: fc.boolean(),
  taken: fc.constantFrom("all", "all", "none"),
  by: fc.constantFrom("state", "journal"),
  mergedAfter: fc.constantFrom(1, 3_600_000, null),
});

/** A tenant with a group that was there before, and its membership. */
async function adminsScene() {
  const { tenant } = readSeed(JSON.stringify(SEED), "seed.yaml");
  const scene = await sessionScene("full", { sandbox: { tenant } });
  const { store } = scene.sandbox;
  const resource = store.resources.all().find(({ displayName }) => displayName === "Admins");
  const member = store.entitlements.all().find((row) => row.appResourceId === resource?.id);
  if (resource === undefined || member === undefined) throw new Error("the seed has a group");
  return { scene, resource, member };
}

/** The journal of a run that was cut off, as it says the same. */
function journalOf(how: Forged, plan: Planned, { address, key }: CreatedObject, snapshot: Snapshot | null) {
  const { lineage, server, serial } = snapshot ?? { lineage: "forged", server: plan.server, serial: 0 };
  const at = "2026-01-01T00:00:00.000Z";
  const head = { type: "run", formatVersion: FORMAT, run: "forged", server, lineage, serial };
  const hashes = [...stepHashes(plan).values()];
  const ended = plan.steps.map((step, place) => {
    const { action } = step;
    const isMade = formatAddress(step.address) === formatAddress(address);
    const isDone = how.done[place] === true;
    const outcome = isMade && how.created && how.unfinished ? "failed" : isDone ? "done" : "left";
    const record = { applied: step.after ?? {}, answered: null, rewritten: [], protected: false };
    return {
      ...{ at, type: "step finished", address: step.address, action, outcome, diagnostics: [] },
      step: isDone ? (hashes[place] ?? null) : null,
      ...{ key: isMade && how.created ? key : step.key, record },
    };
  });
  return [{ at, ...head, effect: effectOf(plan) }, ...ended].map((line) => JSON.stringify(line));
}

/** Applies the reviewed effect with a forged state: what was written to the objects that were there before. */
async function attack(how: Forged, isOwn = false): Promise<readonly string[]> {
  const { scene, resource, member } = await adminsScene();
  const there = [String(resource.id), String(member.id)] as const;
  const reviewed = group(there[0], null);
  const honest: Planned = await planned(scene, reviewed, { acknowledgements: ACKNOWLEDGED });
  const effect = effectOf(honest);
  const hashes = [...stepHashes(honest).values()];
  const more = { acknowledgements: ACKNOWLEDGED };
  if (how.taken === "all") {
    const taken = await apply(scene.order(scene.request(group(...there), more)), scene.session);
    expect(taken.as).toBe("applied");
  }
  const one: CreatedObject = {
    address: { kind: "Entitlement", name: "viewers" },
    key: [C1_APP_ID, there[1]],
    ...(how.unfinished && { isUnfinished: true }),
  };
  const applying: Applying = {
    effect,
    done: hashes.filter((_, at) => how.done[at]),
    isComplete: how.isComplete,
    ...(how.created && { created: [one] }),
  };
  const { snapshot } = scene.contents;
  if (how.by === "journal") scene.contents.journal.push(...journalOf(how, honest, one, snapshot));
  else if (snapshot !== null) scene.contents.snapshot = { ...snapshot, applying } as Snapshot;
  scene.sandbox.log.clear();
  const madeAt = Date.parse(String(member.createdAt));
  const order = scene.order(scene.request(reviewed, more), {
    expected: effect,
    mergedAt: how.mergedAfter === null ? null : madeAt + how.mergedAfter,
  });
  await apply(order, { ...scene.session, store: { ...scene.session.store, isOwn } });
  return scene.sandbox.log
    .entries({ written: true })
    .map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`)
    .filter((call) => call.includes(there[1]));
}

/**
 * The same with a state that says that the create of the effect may have been sent long ago: an object of before the
 * merge looks like what it sends.
 */
async function attackByUncertain(mergedAfter: number | null, since: string, isOwn: boolean) {
  const { scene, resource, member } = await adminsScene();
  const reviewed = group(String(resource.id), null);
  const more = { acknowledgements: ACKNOWLEDGED };
  const honest = await planned(scene, reviewed, more);
  const effect = effectOf(honest);
  const address = { kind: "Entitlement", name: "viewers" };
  const create = honest.steps.find((step) => formatAddress(step.address) === formatAddress(address));
  const [step = ""] = [...stepHashes(honest)].flatMap(([name, hash]) =>
    name.startsWith(formatAddress(address)) ? [hash] : [],
  );
  const alike = { displayName: "Viewer", description: "Views.", alias: "viewers", slug: "viewer" };
  scene.sandbox.store.entitlements.put(C1_APP_ID, member.id, { ...member, ...alike });
  const applied = Object.fromEntries(
    (create?.managed.owned ?? []).map((name) => [name, create?.after?.[name] ?? null]),
  );
  const sent = { at: since, since, why: "no reply came", sent: true, of: { effect, step } };
  scene.contents.snapshot = {
    ...newSnapshot("forged", scene.sandbox.url),
    serial: 1,
    wasRead: true,
    uncertain: { [formatAddress(address)]: { address, key: null, applied, ...sent } },
    applying: { effect, done: [], isComplete: false },
  };
  const mergedAt = mergedAfter === null ? null : Date.parse(String(member.createdAt)) + mergedAfter;
  const order = scene.order(scene.request(reviewed, more), { expected: effect, mergedAt });
  const { as } = await apply(order, { ...scene.session, store: { ...scene.session.store, isOwn } });
  return { as, written: scene.sandbox.log.entries({ written: true }).length };
}

describe("an approved effect", () => {
  it("adopts no object of before the merge, though a shared state calls its create uncertain", async () => {
    const long = "1970-01-01T00:00:00.000Z";
    expect(await attackByUncertain(1, long, true)).toMatchObject({ as: "applied" });
    for (const mergedAfter of [1, 3_600_000, null])
      expect(await attackByUncertain(mergedAfter, long, false)).toEqual({ as: "refused", written: 0 });
  });

  it("means another object where a state of this user's own says so: the attack is real", async () => {
    const how = { done: [false, false], created: true, unfinished: true } as const;
    for (const by of ["state", "journal"] as const) {
      const whole = { ...how, by, isComplete: false, taken: "all", mergedAfter: 1 } as const;
      expect(await attack(whole, true)).not.toEqual([]);
      expect(await attack(whole)).toEqual([]);
    }
  });

  it("is finished by a repeat, where the tenant shows that an earlier run began it after the merge", async () => {
    const { tenant } = readSeed(JSON.stringify(SEED), "seed.yaml");
    const rules = [{ fault: "error", status: 403, operation: "CreateAutomation", times: 1 } as const];
    const scene = await sessionScene("full", { sandbox: { tenant }, rules });
    const resource = scene.sandbox.store.resources.all().find(({ displayName }) => displayName === "Admins");
    const text = group(String(resource?.id), null);
    const more = { acknowledgements: ACKNOWLEDGED };
    const expected = effectOf(await planned(scene, text, more));
    const session = { ...scene.session, store: { ...scene.session.store, isOwn: false } };
    const run = (mergedAt: number | null) =>
      apply(scene.order(scene.request(text, more), { expected, mergedAt }), session);
    const before = scene.session.clock.now() - 1_000;
    expect(await run(before)).toMatchObject({ as: "applied", summary: { outcomes: { failed: 1 } } });
    const later = await run(scene.session.clock.now() + 3_600_000);
    expect(later).toMatchObject({
      as: "refused",
      diagnostics: [
        { code: "apply/unconfirmed-object", message: expect.stringContaining("before the merge") },
        { code: "plan/unexpected" },
      ],
    });
    expect((await run(null)).as).toBe("refused");
    expect(await run(before)).toMatchObject({ as: "applied", summary: { outcomes: { failed: 0 } } });
    expect((await run(before)).as).toBe("already applied");
  });

  it("is not continued where the tenant shows no time: once a person settles the object, the rest is reviewed", async () => {
    const { tenant } = readSeed(JSON.stringify(SEED), "seed.yaml");
    const rules = [{ fault: "error", status: 403, operation: "CreateAutomation", times: 1 } as const];
    const scene = await sessionScene("full", { sandbox: { tenant }, rules });
    const { store } = scene.sandbox;
    const resource = store.resources.all().find(({ displayName }) => displayName === "Admins");
    const text = group(String(resource?.id), null);
    const more = { acknowledgements: ACKNOWLEDGED };
    const reviewed = effectOf(await planned(scene, text, more));
    const session = { ...scene.session, store: { ...scene.session.store, isOwn: false } };
    const mergedAt = scene.session.clock.now() - 1_000;
    const run = (expected: string) =>
      apply(scene.order(scene.request(text, more), { expected, mergedAt }), session);
    expect(await run(reviewed)).toMatchObject({ as: "applied", summary: { outcomes: { failed: 1 } } });
    const made = store.entitlements.all().find(({ displayName }) => displayName === "Viewer");
    if (made === undefined) throw new Error("the run made an entitlement");
    const { id } = made;
    store.entitlements.put(C1_APP_ID, id, { ...made, createdAt: null });

    const command = `remit state settle Entitlement/viewers --key ${C1_APP_ID}/${id}`;
    expect(await run(reviewed)).toMatchObject({
      as: "refused",
      diagnostics: [
        {
          code: "apply/unconfirmed-object",
          message: expect.stringContaining("does not say when it was made"),
          hint: expect.stringMatching(new RegExp(`\`${command}\`.*start the manual job`)),
        },
        { code: "plan/unexpected" },
      ],
    });
    const order = { address: "Entitlement/viewers", key: [C1_APP_ID, id], ...scene.request(text, more) };
    const owner = scene.order(scene.request(text)).owner;
    const by = { run: "by hand", project: null, owner, clock: scene.session.clock };
    const settled = await settleByHand(order, session, by, 0);
    expect(settled?.key).toEqual([C1_APP_ID, id]);
    expect(scene.contents.snapshot?.applying).not.toHaveProperty("created");

    expect(await run(reviewed)).toMatchObject({ as: "refused", diagnostics: [{ code: "plan/unexpected" }] });
    const rest = await planned(scene, text, more);
    expect(await run(effectOf(rest))).toMatchObject({ as: "applied", summary: { outcomes: { failed: 0 } } });
    expect(store.entitlements.all().filter(({ displayName }) => displayName === "Viewer")).toHaveLength(1);
  });

  it("means no object that was there before it was merged, whatever a shared state says", async () => {
    await fc.assert(
      fc.asyncProperty(forged, async (how) => {
        expect(await attack(how)).toEqual([]);
      }),
      { numRuns: cases(60) },
    );
  }, 120_000);
});
