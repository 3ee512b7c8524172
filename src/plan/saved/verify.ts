import { kinds } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { same } from "../../model/json.js";
import { formatKey, unfitCharacter } from "../../model/key.js";
import { parseReference } from "../../model/meaning.js";
import { pendingId } from "../../model/pending.js";
import type { SpecShape } from "../../schema/shape.js";
import { say } from "../../words/say.js";
import { rebuildCalls } from "../calls.js";
import { awaitedBy, pendingOf } from "../pendingStep.js";
import type { Plan } from "../plan.js";
import { type Reference, referencesAt, referencesIn } from "../references.js";
import { isWriting, nameOfStep } from "./effect.js";
import { isForgedReference } from "./forgedReference.js";
import { carriesOver, isDriftAlone, isNamedByKey, showsAll } from "./showsAll.js";
import type { StoredPlan, StoredStep } from "./stored.js";

/**
 * Where a plan shows something else than its steps would do. Everything is derived again from each step's `before` and
 * `after`: what is shown is what is sent. `claimed` are the calls that the plan says its steps make, in the order of its
 * steps and of those that are pending; null where it says nothing of them.
 */
export function verifyPlan(
  { steps, since, interface: found }: Pick<StoredPlan, "steps" | "since" | "interface">,
  claimed: readonly unknown[] | null,
): readonly Diagnostic[] {
  const names = new Set<string>();
  const addresses = new Set(steps.map(({ address }) => formatAddress(address)));
  const pending = new Set(since?.pending ?? []);
  return [...steps, ...pending].flatMap((step, place) => {
    const { address, key } = step;
    const about = formatAddress(address);
    const its = [nameOfStep(step), ...(key === null ? [] : [formatKey(address.kind, key)])];
    const isRepeated = its.some((name) => names.has(name));
    for (const name of its) names.add(name);
    const calls = claimed === null ? null : { calls: claimed[place] };
    const problem = isRepeated
      ? say("plan/repeated-step")
      : (stepFault(step, found, calls) ??
        forgedReference(step, steps) ??
        (pending.has(step) ? null : missingNeed(step, addresses)));
    return problem === null ? [] : [{ ...problem, message: `${about}: ${problem.message}` }];
  });
}

function stepFault(
  step: StoredStep,
  found: Plan["interface"],
  claimed: { readonly calls: unknown } | null,
): Diagnostic | null {
  const kind = kinds.find((one) => one.name === step.address.kind);
  const on = found.kinds[step.address.kind]?.interface;
  if (kind === undefined || on === undefined) {
    return say("plan/unknown-kind");
  }
  const unfit = unfitKey(step, kind);
  if (unfit !== null) return say("plan/unfit-key", { unfit });
  if ((step.action === "replace") !== (step.replaces !== null)) return say("plan/other-changes");
  if (!meansWhatItSays(step, kind)) return say("plan/other-changes");
  if (claimed !== null && !same(claimed.calls, rebuildCalls(step, kind))) {
    return say("plan/other-calls");
  }
  // Drift may have another choice of a group than the owned one; `showsAll` says that nothing of it changes.
  const isCarried = isDriftAlone(step) || carriesOver(step, kind);
  if (isNamedByKey(step, kind) && isCarried && showsAll(step, kind)) return null;
  return say("plan/other-changes");
}

/** Whether every name that the state would record leads to an id that the step contains. */
function meansWhatItSays(step: StoredStep, { shape }: Kind): boolean {
  if (!isWriting(step) || step.after === null) return true;
  const known = new Set([
    ...referencesIn({ ...step.managed.identity, ...step.after }, shape),
    ...lost(step, shape),
  ]);
  const pending = new Set(pendingOf(step).map(pendingId));
  return Object.entries(step.managed.meanings).every(([reference, id]) => {
    const { of, app } = parseReference(reference) ?? { of: "", app: "" };
    return pending.has(id) || known.has(app === "" ? `${of}:${id}` : `${of}:${app}/${id}`);
  });
}

/** What the ids point at that drift took away: the manifest still names it, and `after` is what the tenant has. */
function lost(step: StoredStep, shape: SpecShape): readonly Reference[] {
  const whole = step.after;
  if (whole === null || !isDriftAlone(step)) return [];
  return step.changes.flatMap(({ change }) => {
    const isMember = change.type === "choice" && change.from !== null;
    const path = isMember ? [...change.path, change.from] : change.path;
    return referencesAt(change.before, path, whole, shape);
  });
}

/** What is wrong with a key that a manifest could not have; it would become part of a URL. */
function unfitKey(step: StoredStep, { shape }: Kind): string | null {
  const { key } = step;
  const { identity } = step.managed;
  if (key !== null && key.length !== shape.identity.length) {
    return `its key has ${key.length} parts instead of ${shape.identity.length}`;
  }
  const named = shape.identity.map((name) => identity[name]).filter((id) => typeof id === "string");
  const pending = new Set(pendingOf(step).map(pendingId));
  const id = [...(key ?? []), ...named].find((one) => !pending.has(one) && unfitCharacter(one) !== null);
  return id === undefined ? null : `its key contains ${JSON.stringify(id)}, which cannot be an id`;
}

/** What is wrong with the ids that are pending in a step. */
function forgedReference(step: StoredStep, steps: readonly StoredStep[]): Diagnostic | null {
  const kind = kinds.find(({ name }) => name === step.address.kind);
  return kind !== undefined && isForgedReference(step, steps, kind)
    ? say("plan/forged-reference#step")
    : null;
}

function missingNeed(step: StoredStep, addresses: ReadonlySet<string>): Diagnostic | null {
  const awaited = new Set(awaitedBy(step));
  const follows = step.follows.filter((one) => !awaited.has(one));
  const need = [...step.needs, ...follows].map(formatAddress).find((name) => !addresses.has(name));
  if (need === undefined) return null;
  return say("plan/missing-need", { need });
}
