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
  const calls = kind.calls(awaits.length === 0 ? work : { ...work, awaits });
  return step.caller === undefined ? calls : lastOf(calls, step.caller);
}

/** The step with its calls; what removes the caller from a list goes last, because the service may refuse the others after it. */
export function withCalls(step: Omit<Step, "calls" | "caller">, kind: Kind, caller: string | null): Step {
  const calls = rebuildCalls(step, kind);
  if (caller === null || !calls.some((call) => removes(call, caller))) return { ...step, calls };
  return { ...step, caller, calls: lastOf(calls, caller) };
}

function lastOf(calls: readonly Call[], caller: string): readonly Call[] {
  const isLast = (call: Call) => removes(call, caller);
  return [...calls.filter((call) => !isLast(call)), ...calls.filter(isLast)];
}

function removes({ person, item }: Call, user: string): boolean {
  return person === user && item?.isAdded === false;
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
