import { carryOver } from "../../diff/own.js";
import { kindNamed } from "../../kinds/index.js";
import { foundFor, type Interface, isLive } from "../../kinds/interface.js";
import { formatAddress } from "../../model/address.js";
import { canonical, type JsonObject, same } from "../../model/json.js";
import { pendingId } from "../../model/pending.js";
import { FORMAT } from "../../state/format.js";
import type { CreatedObject } from "../../state/snapshot.js";
import { rebuildCalls, writes } from "../calls.js";
import type { Estimate, Plan, Planned } from "../plan.js";
import { proofOf } from "../record/proof.js";
import type { Action, Step } from "../step.js";
import { withIds } from "../withIds.js";
import { fingerprint, sealOf, sealOfText, spell } from "./spelling.js";

/** The two hashes of a plan, each as `sha256:…`. */
export interface Hashes {
  /** Covers all of the plan: it shows whether a saved plan was altered. */
  readonly seal: string;
  /** Covers what an apply of the plan would do; not its author, date or commit. `--expect` pins it. */
  readonly effect: string;
}

/** A plan as it is saved, and its hashes. */
export interface WrittenPlan extends Hashes {
  readonly text: string;
}

const IDLE: ReadonlySet<Action> = new Set(["keep", "blocked", "removed"]);

/** Whether a step writes anything, in the tenant or in the state alone. */
export function isWriting({ action }: Pick<Step, "action">): boolean {
  return !IDLE.has(action);
}

/**
 * Writes a plan down in its one spelling: the same plan always gives the same text. A time that was measured stands
 * beside the plan, and no hash covers it.
 */
export function writePlan(plan: Planned, estimate: Estimate | null = null): WrittenPlan {
  const spelling = [...spell(plan)].join("");
  const [seal, effect] = [sealOfText(spelling), effectOf(plan)];
  const time = estimate?.measured === true ? `"estimate":${canonical(estimate)},` : "";
  return {
    text: `{"effect":"${effect}",${time}"formatVersion":${FORMAT},"plan":${spelling},"seal":"${seal}"}\n`,
    seal,
    effect,
  };
}

/** The seal and the effect of a plan. */
export function hashesOf(plan: Planned): Hashes {
  return { seal: sealOf(plan), effect: effectOf(plan) };
}

/**
 * The effect of a plan, together with steps that are done already. It does not depend on the order of the steps, on
 * steps that write nothing, on findings, settings, names, the commit or the state's serial.
 */
export function effectOf(
  plan: Plan,
  done: readonly string[] = [],
  created: readonly CreatedObject[] = [],
): string {
  return effectOfSteps(plan.server, [...hashesIn(plan, created).map(([, hash]) => hash), ...done]);
}

/** The effect of steps with these hashes, in any order. */
export function effectOfSteps(server: string, hashes: readonly string[]): string {
  return `sha256:${fingerprint({ server, steps: [...new Set(hashes)].sort() })}`;
}

/**
 * The hash of each writing step, by address and key. The id of an object that the same effect created counts as the
 * address that stood there before, and what finishes its create counts as the create. So an apply that continues has
 * the steps that it began with.
 */
export function stepHashes(plan: Plan, created: readonly CreatedObject[] = []): ReadonlyMap<string, string> {
  return new Map(hashesIn(plan, created).map(([step, hash]) => [nameOfStep(step), hash]));
}

/** What shows that a step is done: its hash; and of a delete, which no later plan shows, what the hash covers. */
export interface StepMark {
  readonly step: string;
  readonly deleted?: JsonObject;
}

/** The mark of each writing step, as `stepHashes` has its hash. */
export function stepMarks(plan: Plan, created: readonly CreatedObject[]): ReadonlyMap<string, StepMark> {
  return new Map(
    hashesIn(plan, created).map(([step, hash, deleted]): readonly [string, StepMark] => [
      nameOfStep(step),
      deleted === null ? { step: hash } : { step: hash, deleted },
    ]),
  );
}

/** The hash of a delete that is done, from what it covers. */
export function hashOfDelete(covered: JsonObject): string {
  return `${fingerprint(covered)}${UNSHOWN}`;
}

/** Whether no plan that is made later shows that the step with this hash is done. */
export function isUnshown(hash: string): boolean {
  return hash.endsWith(UNSHOWN);
}

/**
 * Ends the hash of such a step. A later plan compares each manifest with the tenant, so it shows any other step that is
 * not done. The effect covers this mark, so no one can take it away.
 */
const UNSHOWN = "*";

type StepHash = readonly [step: Step, hash: string, deleted: JsonObject | null];

interface KnownHashes {
  readonly interface: Plan["interface"];
  readonly hashes: readonly StepHash[];
}

const known = new WeakMap<Plan["steps"], KnownHashes>();

/** Found once for the steps of a plan: an apply asks for them four times, and the same steps stand in the plan without names. */
function hashesIn(plan: Plan, created: readonly CreatedObject[]): readonly StepHash[] {
  const before = created.length === 0 ? known.get(plan.steps) : undefined;
  if (before?.interface === plan.interface) return before.hashes;
  const pending = new Map(created.map(({ address, key }) => [key.at(-1) ?? "", pendingId(address)]));
  const unfinished = created.filter(({ isUnfinished }) => isUnfinished === true);
  const hashes = plan.steps.filter(isWriting).map((step): StepHash => {
    const on = foundFor(plan.interface.kinds, step.address.kind);
    const covered = coveredBy(withIds(asBegun(step, unfinished), pending), on);
    if (step.action === "delete") return [step, hashOfDelete(covered), covered];
    const isShown = !writes(step) || isLive(plan.interface.kinds, step.address.kind);
    return [step, `${fingerprint(covered)}${isShown ? "" : UNSHOWN}`, null];
  });
  if (created.length > 0) return hashes;
  known.set(plan.steps, { interface: plan.interface, hashes });
  return hashes;
}

/**
 * A step that finishes an unfinished create, as the create that it began as: it leaves the same object, and a create
 * with other content has another hash.
 */
function asBegun(step: Step, unfinished: readonly CreatedObject[]): Step {
  const { address, key, action } = step;
  const isIt = (one: CreatedObject) => same(one.key, key) && same(one.address, address);
  const mayFinish = action === "update" || action === "adopt";
  const kind = mayFinish && unfinished.some(isIt) ? kindNamed(address.kind) : undefined;
  if (kind === undefined) return step;
  const fingerprint = proofOf({ as: "absent" }, null);
  // What the service sets by itself is in what is left, and no create sends it.
  const after = carryOver({}, step.after ?? {}, step.managed.owned, kind.shape);
  const create: Step = {
    ...step,
    key: null,
    action: "create",
    before: null,
    after,
    sight: { ...step.sight, fingerprint },
  };
  return { ...create, calls: rebuildCalls(create, kind) };
}

/** What tells a step from the others of its plan: its address and its key. */
export function nameOfStep({ address, key }: Pick<Step, "address" | "key">): string {
  return `${formatAddress(address)} ${key === null ? "" : key.join("/")}`;
}

/**
 * What one step does, as its hash covers it. The interface is part of it: it decides which calls there are. The names of
 * calls are not part of it: no request has them.
 */
function coveredBy(step: Step, on: Interface): JsonObject {
  const { address, key, action, before, after } = step;
  const { owned } = step.managed;
  const { fingerprint: current } = step.sight;
  const covered = {
    interface: on,
    address: formatAddress(address),
    key: key === null ? null : [...key],
    action,
    calls: whole(step).map(({ operation: _, ...sent }) => sent),
    before: ownedOf(before, owned),
    after: ownedOf(after, owned),
    fingerprint: current,
    protected: step.managed.protected,
    ...(Object.keys(step.managed.meanings).length === 0 ? {} : { meanings: { ...step.managed.meanings } }),
    ...(step.replaces === null ? {} : { replaces: { by: step.replaces.by, key: [...step.replaces.key] } }),
  };
  return covered as unknown as JsonObject;
}

/**
 * The calls of a step, in the order that does not depend on the caller. Those of a ring are as if it awaited none, because a
 * run that goes on after a kill awaits none.
 */
function whole({ caller, ...step }: Step): Step["calls"] {
  const kind = kindNamed(step.address.kind);
  const isOther = caller !== undefined || step.calls.some(({ awaits }) => awaits !== undefined);
  return kind !== undefined && isOther ? rebuildCalls(step, kind, []) : step.calls;
}

function ownedOf(fields: JsonObject | null, owned: readonly string[]): JsonObject | null {
  if (fields === null) return null;
  return Object.fromEntries(owned.map((name) => [name, fields[name] ?? null]));
}
