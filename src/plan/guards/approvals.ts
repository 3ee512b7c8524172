import { kindOf } from "../../kinds/kindOf.js";
import { isLaxer, type Least, type Way } from "../../kinds/policyWays.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { onceFor } from "../../model/onceFor.js";
import { pendingId } from "../../model/pending.js";
import type { Shape, SpecShape } from "../../schema/shape.js";
import type { Step } from "../step.js";
import type { Guard } from "./findings.js";

type PerStep = (rule: (step: Step) => string | null) => Guard["trips"];

/** The guards over who has to agree, as manifests say it. A step is asked as it is written, or as it takes over a change. */
export function approvalGuards(perStep: PerStep): readonly Guard[] {
  const asking = (least: Least, message: string): Guard["trips"] => {
    return (steps, watch) => {
      const { before, after } = lookupsIn(steps);
      const rule = (step: Step) => laxerWays(step, least, message, before, after);
      return perStep(rule)(steps, watch);
    };
  };
  return [
    { name: "auto-approval", trips: asking("nobody", "no person would have to agree") },
    { name: "machine-approval", trips: asking("a machine", "a machine could decide alone") },
    { name: "self-approval", trips: asking("the requester", "people could agree to their own access") },
    { name: "falls-to-default", trips: perStep(fallsToDefault) },
  ];
}

type Side = "before" | "after";
type Lookup = (id: string) => JsonObject | undefined;

/** The policies that a plan writes, as they are before or after it: a plan shows no others. */
function lookupIn(steps: readonly Step[], side: Side): Lookup {
  const found = steps.flatMap((step): readonly (readonly [string, JsonObject])[] => {
    if (kindOf(step.address).waysThrough === undefined) return [];
    const spec = specOf(step, side);
    const id = step.key?.at(-1) ?? pendingId(step.address);
    return spec === null ? [] : [[id, spec]];
  });
  const byId = new Map(found);
  return (id) => byId.get(id);
}

/** Three guards ask about the same steps. */
const lookupsIn = onceFor(
  (steps: readonly Step[]) => ({ before: lookupIn(steps, "before"), after: lookupIn(steps, "after") }),
  new WeakMap(),
);

function specOf(step: Step, side: Side): JsonObject | null {
  const fields = step[side];
  return fields === null ? null : { ...step.managed.identity, ...fields };
}

/** The ways that ask no more than this after a step, and asked more before it. */
function laxerWays(step: Step, least: Least, message: string, before: Lookup, after: Lookup): string | null {
  const { waysThrough } = kindOf(step.address);
  const [was, is] = [specOf(step, "before"), specOf(step, "after")];
  if (waysThrough === undefined || is === null) return null;
  const known = was === null ? [] : waysThrough(was, before);
  const ways = waysThrough(is, after);
  const laxer = ways.filter((way) => way.least === least && !known.some((one) => covers(one, way)));
  if (laxer.length === 0) return null;
  const where = laxer.map(({ holds }) =>
    holds.length === 0 ? "for all others" : `where ${holds.join(" and ")}`,
  );
  return `${message} on ${laxer.length} of ${ways.length} ways: ${where.join("; ")}`;
}

/** Whether all who come another way now came this way before, and it asked no more of them. */
function covers(before: Way, now: Way): boolean {
  return (
    !isLaxer(now.least, before.least) &&
    before.holds.every((condition) => now.holds.includes(condition)) &&
    before.fails.every((condition) => now.fails.includes(condition))
  );
}

/** The fields that named a policy and name none from now on: what a default says then decides. */
function fallsToDefault({ address, before, after }: Step): string | null {
  const { shape, waysThrough } = kindOf(address);
  // What a policy itself names is another way through it.
  if (waysThrough !== undefined || before === null || after === null) return null;
  const fields = unnamedIn(before, after, shape, []);
  if (fields.length === 0) return null;
  const named = fields.length === 1 ? "a policy" : `${fields.length} policies`;
  return `${fields.join(" and ")} would no longer name ${named}, so that the default decides`;
}

function unnamedIn(
  before: JsonObject,
  after: JsonObject,
  { fields }: Pick<SpecShape, "fields">,
  path: readonly string[],
): readonly string[] {
  return [...fields].flatMap(([name, field]) => {
    const [was = null, is = null] = [before[name], after[name]];
    const here = [...path, name];
    if (field.type === "object" && isObject(was)) return unnamedIn(was, isObject(is) ? is : {}, field, here);
    return namesPolicy(field) && isNamed(was) && !isNamed(is) ? [here.join(".")] : [];
  });
}

function namesPolicy(field: Shape): boolean {
  return field.type === "string" && field.form.is === "id" && field.form.of === "policy";
}

function isNamed(value: Json): boolean {
  return typeof value === "string" && value !== "";
}
