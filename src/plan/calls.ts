import type { Change } from "../diff/change.js";
import { type Unit, unitsOf } from "../diff/own.js";
import type { Kind, Verb } from "../kinds/kind.js";
import type { Address } from "../model/address.js";
import type { Call } from "../model/call.js";
import { awaitedBy } from "./pendingStep.js";
import { type Action, type Deed, deedOf, type Step } from "./step.js";

const VERBS: Readonly<Record<Deed, Verb | null>> = {
  create: "create",
  update: "update",
  set: "set",
  delete: "delete",
  adopt: null,
  forget: null,
  removed: null,
  keep: null,
  blocked: null,
};

/** Whether a plan has something to do or to clear up for an action: a removed object waits until someone decides. */
export function isPending(action: Action): boolean {
  return action !== "keep" && action !== "removed";
}

/** How a step changes the tenant; null where it does not. */
export function verbOf(step: Pick<Step, "action" | "replaces">): Verb | null {
  return VERBS[deedOf(step)];
}

/** Whether a step changes the tenant. */
export function writes(step: Pick<Step, "action" | "replaces">): boolean {
  return verbOf(step) !== null;
}

/** The calls a step makes, from nothing but what the plan shows of it. Those of a ring await others before the last. */
export function rebuildCalls(
  step: Omit<Step, "calls">,
  kind: Kind,
  awaits: readonly Address[] = awaitedBy(step),
): readonly Call[] {
  const verb = verbOf(step);
  if (verb === null) return [];
  const { key, before, after } = step;
  const { identity } = step.managed;
  const fields = fieldsOf(step, kind, verb);
  const work = { verb, key, identity, before, after: after ?? {}, fields };
  return kind.calls(awaits.length === 0 ? work : { ...work, awaits });
}

/** An update of a known object sends what it changes; any other write sends every field that remit manages. */
function fieldsOf(step: Omit<Step, "calls">, kind: Kind, verb: Verb): readonly string[] {
  if (verb !== "update" || step.before === null) return step.managed.owned;
  const changed = unitsOf(kind.shape).filter((unit) => step.changes.some(({ change }) => isIn(unit, change)));
  return step.managed.owned.filter((name) => changed.some(({ members }) => members.includes(name)));
}

function isIn(unit: Unit, change: Change): boolean {
  const [first] = change.path;
  if (first === undefined) return change.type === "choice" && change.group === unit.name;
  return unit.members.includes(String(first));
}
