import type { Kind } from "../../kinds/kind.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isObject, type JsonObject, same } from "../../model/json.js";
import { formatPath, type Path } from "../../model/path.js";
import type { SpecShape } from "../../schema/shape.js";
import type { Desired, Seen } from "../../tenant/known.js";
import { say } from "../../words/say.js";
import { writes } from "../calls.js";
import { deedOf } from "../step.js";
import type { Decision } from "./decision.js";

/** What the service says went wrong with an object that was read: a warning of every plan until it is over. */
export function troubleOf(
  { managed: { span } }: Pick<Decision, "managed">,
  seen: Seen,
): readonly Diagnostic[] {
  const isInTrouble = seen.as === "present" && seen.trouble !== undefined;
  return isInTrouble ? [say("plan/run-failed", { trouble: seen.trouble }, { span })] : [];
}

/**
 * What no call of the service does or shows: that an object is switched off, and what else is in a list without a read.
 * Also what the service itself does with the parts of the object.
 */
export function beyondCalls(
  { managed: { span }, action, replaces, after }: Pick<Decision, "managed" | "action" | "replaces" | "after">,
  seen: Seen,
  {
    noun,
    switchedOnAs,
    reads: { parts = [] },
    warns,
  }: Pick<Kind, "noun" | "switchedOnAs" | "reads" | "warns">,
): readonly Diagnostic[] {
  const isMade = deedOf({ action, replaces }) === "create";
  const isOff = switchedOnAs !== undefined && (isMade || (seen.as === "present" && seen.isOff === true));
  const fields = parts.filter(({ as }) => as === "items").map(({ field }) => field);
  const says = seen.as === "present" ? (warns?.(seen.partsSay ?? {}, after ?? seen.fields) ?? []) : [];
  return [
    ...says.map((code) => say(code, {}, { span })),
    ...(isOff ? [say("plan/switched-off", { noun: noun.one }, { span })] : []),
    ...(fields.length > 0 && seen.as === "present" && !isMade
      ? [say("plan/items-unlisted", { fields, noun: noun.one }, { span })]
      : []),
  ];
}

/** Warns of each value that a write sets and that sets something off in the service: the hint `x-alerts`. */
export function alertsIn(
  { action, replaces, before, after }: Pick<Decision, "action" | "replaces" | "before" | "after">,
  { resource }: Pick<Desired, "resource">,
  { shape }: Pick<Kind, "shape">,
): readonly Diagnostic[] {
  if (after === null || !writes({ action, replaces })) return [];
  return settingOff(before ?? {}, after, shape.fields, []).map(({ path, is, effect }) => {
    const { span } = resource.place(["spec", ...path]);
    return say("plan/sets-off", { field: formatPath(path), is, effect }, { span });
  });
}

/** Each value that is set anew and sets something off, also in the objects of a field. */
function settingOff(
  before: JsonObject,
  after: JsonObject,
  fields: SpecShape["fields"],
  within: Path,
): readonly { readonly path: Path; readonly is: string; readonly effect: string }[] {
  return [...fields].flatMap(([field, shape]) => {
    const [was, is] = [before[field] ?? null, after[field] ?? null];
    const path = [...within, field];
    if (shape.type === "object" && isObject(is))
      return settingOff(isObject(was) ? was : {}, is, shape.fields, path);
    const effect = same(was, is) ? undefined : shape.alerts?.[String(is)];
    return effect === undefined ? [] : [{ path, is: String(is), effect }];
  });
}
