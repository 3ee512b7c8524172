import { isLaxer, type Least, type PolicyLookup, type Way, waysBy, waysThrough } from "../../impact/ways.js";
import { kindOf } from "../../kinds/index.js";
import type { JsonObject } from "../../model/json.js";
import { say } from "../../words/say.js";
import type { Step } from "../step.js";
import type { Guard, Watch } from "./findings.js";
import { concernsPolicies, idOf, policyFields, writesPolicy } from "./policies.js";

type PerStep = (rule: (step: Step) => string | null) => Guard;

type Asking = "guard/auto-approval" | "guard/machine-approval" | "guard/self-approval";

/** The guards over who has to agree, as policies say it. A step is asked as it is written, or as it takes over a change. */
export function approvalGuards(perStep: PerStep) {
  const whereDecided = (guard: Guard): Guard => {
    return (steps, watch) => (concernsPolicies(steps) ? guard(steps, watch) : []);
  };
  const asking = (code: Asking, least: Least) =>
    whereDecided((steps, watch) => {
      const worlds = { before: worldOf("before", steps, watch), after: worldOf("after", steps, watch) };
      const trips = perStep((step) => laxerWays(step, least, code, worlds))(steps, watch);
      // The ways are those of other policies, too.
      return trips.map((trip) => ({ ...trip, decidedBy: trip.message }));
    });
  return {
    "auto-approval": asking("guard/auto-approval", "nobody"),
    "machine-approval": asking("guard/machine-approval", "a machine"),
    "self-approval": asking("guard/self-approval", "the requester"),
    "falls-to-default": whereDecided(perStep(fallsToDefault)),
  };
}

/** Before a plan, or after it. */
interface World {
  /** The policies as they are then, those of the plan and those behind it. */
  readonly lookup: PolicyLookup;
  /** The policies that the plan writes. */
  readonly written: ReadonlyMap<string, JsonObject | null>;
}

type Side = "before" | "after";
type Worlds = Readonly<Record<Side, World>>;

/** The policies before or after a plan. */
export function worldOf(side: Side, steps: readonly Step[], { policies }: Pick<Watch, "policies">): World {
  const written = new Map(
    steps.filter(writesPolicy).map((step) => [idOf(step), specOf(step, side)] as const),
  );
  return { written, lookup: (id) => written.get(id) ?? policies[id] ?? undefined };
}

/** The fields of an object, before or after a step. */
export function specOf(step: Step, side: Side): JsonObject | null {
  const fields = step[side];
  return fields === null ? null : { ...step.managed.identity, ...fields };
}

/** The ways to access by an object before and after a step, or by its fields that then name another policy. */
function waysOf(step: Step, { before, after }: Worlds): Readonly<Record<Side, readonly Way[]>> {
  const { shape, firstRule } = kindOf(step.address);
  const [was, is] = [specOf(step, "before") ?? {}, specOf(step, "after") ?? {}];
  if (firstRule !== undefined) {
    const through = (spec: JsonObject, { lookup }: World) => waysThrough(firstRule, spec, lookup);
    return { before: through(was, before), after: through(is, after) };
  }
  const [named, names] = [policyFields(was, shape), policyFields(is, shape)];
  const moved = [...names].filter(([field, id]) => named.get(field) !== id);
  const through = (id: string | undefined, field: string, { lookup }: World) =>
    id === undefined ? [] : waysBy(field, id, lookup);
  return {
    before: moved.flatMap(([field]) => through(named.get(field), field, before)),
    after: moved.flatMap(([field, id]) => through(id, field, after)),
  };
}

/** The ways that ask no more than this after a step, and asked more before it: those that do, then those that may. */
function laxerWays(step: Step, least: Least, code: Asking, worlds: Worlds): string | null {
  const { before: known, after: ways } = waysOf(step, worlds);
  const laxer = (of: Asked) => {
    const isKnown = (way: Way) =>
      known.some((one) => one.by?.field === way.by?.field && covers(one, way, of));
    return ways.filter(
      (way) => of(way) === least && !isKnown(way) && !isSaidByPolicy(way, worlds.before, of),
    );
  };
  const sure = laxer((way) => way.least);
  const maybe = laxer((way) => way.may).filter((way) => !sure.includes(way));
  const said = (some: readonly Way[], unless: string) => {
    const many = ways.length === 1 ? "" : ` on ${some.length} of ${ways.length} ways`;
    return some.length === 0 ? [] : [say(code, { unless, many, ways: inWords(some) }).message];
  };
  const all = [
    ...said(sure, ""),
    ...said(maybe, "where app owners, an expression or a commenting agent ask no one, "),
  ];
  return all.length === 0 ? null : all.join("; ");
}

/** What a way asks: where there are app owners, or where there may be none. */
type Asked = (way: Way) => Least;

/** Whether the step of the policy that a way leads to says that it asks less. */
function isSaidByPolicy(way: Way, { written, lookup }: World, of: Asked): boolean {
  const spec = way.by === null ? undefined : written.get(way.by.policy);
  if (spec === undefined) return false;
  return spec === null || !waysThrough(OF_POLICY, spec, lookup).some((one) => covers(one, way, of));
}

/** Whether all who come another way now came this way before, and it asked no more of them. */
function covers(before: Way, now: Way, of: Asked): boolean {
  return (
    !isLaxer(of(now), of(before)) &&
    before.holds.every((condition) => now.holds.includes(condition)) &&
    before.fails.every((condition) => now.fails.includes(condition))
  );
}

const OF_POLICY = { by: "steps" } as const;

function inWords(ways: readonly Way[]): string {
  const each = ways.map(({ by, holds, fails }) => {
    const whom = holds.length > 0 ? `where ${holds.join(" and ")}` : "for all others";
    if (by === null) return whom;
    return holds.length + fails.length === 0 ? `by ${by.field}` : `by ${by.field} ${whom}`;
  });
  return each.join("; ");
}

/** The fields that named a policy and name none from now on: what a default says then decides. */
function fallsToDefault({ address, before, after }: Step): string | null {
  const { shape, firstRule } = kindOf(address);
  // What a policy itself names is another way through it.
  if (firstRule !== undefined || before === null || after === null) return null;
  const named = policyFields(after, shape);
  const fields = [...policyFields(before, shape).keys()].filter((field) => !named.has(field));
  return fields.length === 0 ? null : say("guard/falls-to-default", { fields }).message;
}
