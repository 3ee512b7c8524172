import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { confirmedApplying } from "../../src/apply/again/confirmed.js";
import { apply } from "../../src/apply/run.js";
import { type Json, same } from "../../src/model/json.js";
import { guardNames } from "../../src/plan/guards/guards.js";
import type { Planned } from "../../src/plan/plan.js";
import { effectOf, stepHashes, writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import type { AutomationRow, Tenant } from "../../src/sandbox/tenant/tenant.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import type { Applying, Snapshot } from "../../src/state/snapshot.js";
import type { Store } from "../../src/state/store.js";
import { applied, automation, planned, sessionScene } from "../apply/sessionScene.js";
import { cases } from "../fakes/cases.js";
import { applyFrom, BEFORE, type Ending, type Start, NOW as WANTED } from "../fuzz/scene.js";

/** A state in a shared store does not decide which step of an approved effect is done: only the tenant shows that. */

/** A type is found by its name, so that it keeps it. On `core` only a scope changes, and no type is made. */
const withoutType = (manifests: string) => manifests.slice(0, manifests.lastIndexOf("---"));
/** The entitlement whose rule goes. */
const DELETED = "entitlement0000000000000002";
const MANIFESTS = {
  full: { before: BEFORE, now: WANTED.replace("displayName: Group", "displayName: Team") },
  core: { before: withoutType(BEFORE), now: withoutType(BEFORE).replace("ENABLED", "DISABLED") },
} as const;

interface Reviewed {
  readonly start: Start & { readonly snapshot: Snapshot; readonly tenant: Tenant };
  readonly plan: Planned;
  readonly effect: string;
  /** The tenant and the state once the effect is applied. */
  readonly after: Ending;
}

/** A tenant in which BEFORE was applied, and the reviewed effect of NOW: a create, an update, a set, a delete. */
async function reviewed(on: "core" | "full"): Promise<Reviewed> {
  const { before: manifests, now } = MANIFESTS[on];
  const before = await applyFrom({ manifests, snapshot: null, on });
  const { snapshot } = before;
  if (snapshot === null) throw new Error("nothing was applied");
  const start = { manifests: now, snapshot, tenant: before.tenant(), on };
  const after = await applyFrom(start);
  if (after.shown === null) throw new Error("nothing was planned");
  return { start, plan: after.shown, effect: effectOf(after.shown), after };
}

/** What the effect decides of a tenant. */
function decided({ automations, templates, resourceTypes }: Tenant): Json {
  const rule = ({ appEntitlementId, cel }: AutomationRow) => [appEntitlementId, cel];
  const rows = [
    automations
      .filter(({ deletedAt }) => deletedAt === null || deletedAt === undefined)
      .map(rule)
      .sort(),
    templates.map(({ id, scope }) => [id, scope]),
    resourceTypes.map(({ displayName }) => displayName).sort(),
  ];
  return JSON.parse(JSON.stringify(rows)) as Json;
}

/** Whether a run ends with exit 0. */
function isGreen({ result }: Ending): boolean {
  if (result.as === "refused" || result.plan.steps.some(({ action }) => action === "blocked")) return false;
  if (result.as !== "applied") return true;
  const { done: _, ...others } = result.summary.outcomes;
  return result.fault === null && Object.values(others).every((count) => count === 0);
}

interface Forged {
  /** What of the effect was applied. */
  readonly applied: "nothing" | "all but the delete" | "all";
  /** Whether the state began as it was before, or as the effect leaves it. */
  readonly knows: "before" | "after" | "nothing";
  readonly done: readonly boolean[];
  readonly isComplete: boolean;
  /** Manifests whose objects the state does not know. */
  readonly lost: readonly string[];
  readonly isSaved: boolean;
  /** Whether the state says it, or the journal of a run that was cut off. */
  readonly by: "state" | "journal";
}

const forgeries: fc.Arbitrary<Forged> = fc.record({
  applied: fc.constantFrom("nothing", "all but the delete", "all"),
  knows: fc.constantFrom("before", "before", "after", "nothing"),
  done: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  isComplete: fc.boolean(),
  lost: fc.subarray(["a1", "a2", "a2", "a3", "scope", "team"], { maxLength: 2 }),
  isSaved: fc.boolean(),
  by: fc.constantFrom("state", "journal"),
});

function tenantOf({ start, after }: Reviewed, applied: Forged["applied"]): Tenant {
  if (applied === "nothing") return start.tenant;
  const tenant = after.tenant();
  if (applied === "all") return tenant;
  const isGone = (row: AutomationRow) => row.appEntitlementId === DELETED;
  const ofTenant = tenant.automations.filter((row) => !isGone(row));
  return { ...tenant, automations: [...ofTenant, ...start.tenant.automations.filter(isGone)] };
}

async function attack(scene: Reviewed, how: Forged, isOwn = false): Promise<Ending> {
  const { start, plan, effect, after } = scene;
  const hashes = [...stepHashes(plan).values()];
  const done = hashes.filter((_, at) => how.done[at]);
  const applying: Applying | null =
    how.by === "journal" ? null : { effect, done, isComplete: how.isComplete };
  // The lines of an honest run, which never ran here.
  const journal = after.journal.filter((line) => {
    const { type, step } = JSON.parse(line);
    return type === "run" || done.includes(step);
  });
  const known = how.knows === "after" ? (after.snapshot ?? start.snapshot) : start.snapshot;
  const entries = Object.entries(how.knows === "nothing" ? {} : known.entries).filter(
    ([, { address }]) => !how.lost.includes(address.name),
  );
  const snapshot: Snapshot = { ...known, entries: Object.fromEntries(entries), applying };
  const saved = how.isSaved ? readSavedPlan(writePlan(plan).text).value : null;
  return applyFrom({
    ...start,
    tenant: tenantOf(scene, how.applied),
    snapshot,
    expected: effect,
    isOwn,
    ...(how.by === "journal" && { journal }),
    ...(saved !== null && { plan: saved }),
  });
}

describe.each(["full", "core"] as const)("an approved effect on the interface %s", (on) => {
  it("is whole in the tenant after a green run, whatever a shared state says", async () => {
    const scene = await reviewed(on);
    await fc.assert(
      fc.asyncProperty(forgeries, async (how) => {
        const ending = await attack(scene, how);
        if (isGreen(ending)) expect(decided(ending.tenant())).toEqual(decided(scene.after.tenant()));
      }),
      { numRuns: cases(300) },
    );
  }, 120_000);

  it("is not whole where the journal of this user's own says that steps are done: the attack is real", async () => {
    const scene = await reviewed(on);
    const whole = {
      applied: "nothing",
      knows: "before",
      isComplete: false,
      lost: [],
      by: "journal",
    } as const;
    const how = { ...whole, done: [true, true, true, true], isSaved: on === "core" };
    const isSkipped = (ending: Ending) =>
      isGreen(ending) && !same(decided(ending.tenant()), decided(scene.after.tenant()));
    expect(isSkipped(await attack(scene, how, true))).toBe(true);
    expect(isSkipped(await attack(scene, how))).toBe(false);
  });
});

describe("a delete of an approved effect", () => {
  /** The state does not know the rule that goes, and calls its delete, or all of the effect, done. */
  async function skipped(isOwn: boolean, isComplete: boolean): Promise<boolean> {
    const scene = await reviewed("full");
    const snapshot = isComplete ? scene.after.snapshot : scene.start.snapshot;
    if (snapshot === null) throw new Error("nothing was applied");
    const isIt = (name: string) => name.startsWith("EntitlementAutomation/a2");
    const [hash = ""] = [...stepHashes(scene.plan)].flatMap(([name, one]) => (isIt(name) ? [one] : []));
    const entries = Object.entries(snapshot.entries).filter(([, { address }]) => address.name !== "a2");
    const done = isComplete ? [...stepHashes(scene.plan).values()] : [hash];
    const applying: Applying = { effect: scene.effect, done, isComplete };
    const ending = await applyFrom({
      ...scene.start,
      tenant: tenantOf(scene, isComplete ? "all but the delete" : "nothing"),
      snapshot: { ...snapshot, entries: Object.fromEntries(entries), applying },
      expected: scene.effect,
      isOwn,
    });
    return isGreen(ending) && !same(decided(ending.tenant()), decided(scene.after.tenant()));
  }

  it.each([false, true])(
    "is skipped where only this user writes the state: the attack is real (all done: %s)",
    async (isComplete) => {
      expect(await skipped(true, isComplete)).toBe(true);
    },
  );

  it.each([false, true])("is not skipped where others write it, too (all done: %s)", async (isComplete) => {
    expect(await skipped(false, isComplete)).toBe(false);
  });

  it("counts as done in a repeat, where the tenant does not have the object", async () => {
    const rules = [{ fault: "error", status: 403, operation: "UpdateAutomation", times: 1 } as const];
    const scene = await sessionScene("full", { rules });
    const [one, other] = [automation("one"), automation("other", undefined, 2)];
    expect(await applied(scene, [one, other].join("---\n"))).toBe("applied");
    const acknowledgements = guardNames.map((guard) => ({ by: "flag", guard, address: null }) as const);
    const now = automation("one", 'subject.department == "Sales"');
    const more = { acknowledgements, mode: { ...scene.request(now).mode, prune: true } };
    const expected = effectOf(await planned(scene, now, more));
    const session = { ...scene.session, store: { ...scene.session.store, isOwn: false } };
    const run = () => apply(scene.order(scene.request(now, more), { expected }), session);
    expect(await run()).toMatchObject({ as: "applied", summary: { outcomes: { done: 1, failed: 1 } } });
    expect(await run()).toMatchObject({ as: "applied", summary: { outcomes: { done: 1, failed: 0 } } });
    expect((await run()).as).toBe("already applied");

    // Someone makes the rule again by hand: the effect is not whole any more.
    const store = memoryStore(memoryContents(), scene.session.clock);
    const elsewhere = { ...scene, session: { ...scene.session, store } };
    expect(await applied(elsewhere, other)).toBe("applied");
    expect(await run()).toMatchObject({
      as: "refused",
      diagnostics: [
        { code: "apply/unconfirmed-step", message: expect.stringContaining("the tenant has it") },
        { code: "plan/unexpected" },
      ],
    });
  });

  it("does not count where the state says what the change is, too", async () => {
    const scene = await reviewed("full");
    const applying = { effect: scene.effect, done: [...stepHashes(scene.plan).values()], isComplete: true };
    const confirm = (isRecorded: boolean) =>
      confirmedApplying({ plan: scene.plan, isSaved: false, isRecorded, mergedAt: null }, applying, {
        store: { isOwn: false } as Store,
        client: null,
      });
    expect((await confirm(true)).applying).toBeNull();
    expect((await confirm(false)).applying).toMatchObject({ effect: scene.effect });
  });
});
