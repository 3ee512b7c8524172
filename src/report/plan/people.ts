import type { NamedPerson, PeopleCount, PlanImpact, StepImpact } from "../../plan/impact.js";
import { many } from "../text/layout.js";
import type { PeopleReport } from "./report.js";

type Members = Extract<StepImpact, { as: "members" }>;
type Audience = Extract<StepImpact, { as: "audience" }>;

/** The most people that a line names. */
const MOST_NAMED = 20;
/** Up to this many are named inside the sentence; more would separate its numbers. */
const FEW = 3;

/** What a step means for people, in words. */
export function describePeople(impact: StepImpact, { users }: PlanImpact): PeopleReport {
  const read = `${grouped(users.read)} user${users.read === 1 ? "" : "s"}`;
  const of = users.areAll ? `of ${read}` : `of ${read} that were read`;
  const { unknown } = impact;
  const rest = unknown.map(({ why, people }) => `unknown for ${peopleIn(people)}: ${why}`);
  if (impact.as === "members") {
    const { gains, loses, keeps, others } = impact;
    return {
      lines: [
        `${ofMembers(impact)}, ${of}`,
        ...namesBelow("gain it", gains),
        ...namesBelow("lose it", loses),
        ...rest,
        ...undocumented(shownOf(impact)),
      ],
      brief: briefOf(gains, loses),
      mostLosing: loses.high,
      counts: { gains, loses, keeps, others },
      unknown,
    };
  }
  const { before, after, enters, leaves } = impact;
  const counts = { before, after, enters, leaves };
  return {
    lines: [
      `${ofAudience(impact)}, ${of}`,
      ...namesBelow("enter the review", enters),
      ...namesBelow("leave the review", leaves),
      ...reviewed(impact),
      ...rest,
      ...undocumented(Object.values(counts)),
    ],
    brief: briefOf(enters, leaves),
    mostLosing: leaves.high,
    counts,
    unknown,
  };
}

function ofMembers({ gains, loses, keeps, ends }: Members): string {
  if (ends) {
    if (isNone(loses)) return "no one loses it";
    const most = loses.high === null ? "any number of people" : `0 to ${peopleIn(loses.high)}`;
    return `${most} lose it: the service does not document whether members stay`;
  }
  if (isNone(gains) && isNone(loses)) return "the same people";
  const both =
    keeps.certainty === "exact"
      ? [`${grouped(keeps.low)} keep it`]
      : keeps.high === null
        ? []
        : [`${grouped(keeps.high)} match both rules`];
  return [
    `${numberOf(gains)} gain it${namesOf(gains)}`,
    `${numberOf(loses)} lose it${namesOf(loses)}`,
    ...both,
  ].join(", ");
}

function ofAudience({ before, after, enters, leaves }: Audience): string {
  if (isNone(enters) && isNone(leaves)) return "the review asks for the same users";
  const moves = [
    ...(isNone(enters) ? [] : [`${numberOf(enters)} enter the review${namesOf(enters)}`]),
    ...(isNone(leaves) ? [] : [`${numberOf(leaves)} leave it${namesOf(leaves)}`]),
  ];
  const match = `${numberOf(after)} users match (was ${numberOf(before)})`;
  return `${match}: ${moves.join(", ")}, from the next campaign on`;
}

function reviewed({ added, removed }: Audience): readonly string[] {
  const part = (refs: Audience["added"], what: string) =>
    refs.length === 0 ? [] : [`${many(refs.length, "entitlement")} ${what} (${grantsOf(refs)})`];
  const parts = [...part(added, "added"), ...part(removed, "removed")];
  return parts.length === 0 ? [] : [`reviewed: ${parts.join(", ")}`];
}

function grantsOf(refs: Audience["added"]): string {
  const known = refs.flatMap(({ grants }) => (grants === null ? [] : [grants]));
  const sum = known.reduce((total, grants) => total + grants, 0);
  return `${known.length === refs.length ? "" : "at least "}${grouped(sum)} grant${sum === 1 ? "" : "s"}`;
}

/** The numbers that the sentence shows. */
function shownOf({ gains, loses, keeps }: Members): readonly PeopleCount[] {
  return isNone(gains) && isNone(loses) ? [gains, loses] : [gains, loses, keeps];
}

function undocumented(counts: readonly PeopleCount[]): readonly string[] {
  const all = [...new Set(counts.flatMap(({ assumptions }) => assumptions))].sort();
  return all.length === 0 ? [] : [`not documented: ${all.join(", ")}`];
}

function isNone({ high }: PeopleCount): boolean {
  return high === 0;
}

/** A number with how far it can be trusted: `3`, `at most 3`, `2 to 5`, `an unknown number`. */
function numberOf({ certainty, low, high }: PeopleCount): string {
  switch (certainty) {
    case "exact":
      return grouped(low);
    case "at most":
      return `at most ${grouped(high ?? low)}`;
    case "at least":
      return `at least ${grouped(low)}`;
    case "between":
      return `${grouped(low)} to ${grouped(high ?? low)}`;
    case "unknown":
      return "an unknown number";
    default:
      return certainty satisfies never;
  }
}

/** A few names in brackets. */
function namesOf({ people }: PeopleCount): string {
  return people === null || people.length === 0 || people.length > FEW
    ? ""
    : ` (${people.map(nameOf).join(", ")})`;
}

/** More names than a sentence has room for, on a line of their own. */
function namesBelow(what: string, { people, high }: PeopleCount): readonly string[] {
  if (people === null || people.length <= FEW) return [];
  const shown = people.slice(0, MOST_NAMED).map(nameOf);
  const rest = (high ?? people.length) - shown.length;
  return [`${what}: ${[...shown, ...(rest > 0 ? [`${grouped(rest)} more`] : [])].join(", ")}`];
}

function nameOf({ id, name, email }: NamedPerson): string {
  return name || email || id;
}

function peopleIn(count: number): string {
  return count === 1 ? "1 person" : `${grouped(count)} people`;
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

function briefOf(more: PeopleCount, fewer: PeopleCount): string {
  return isNone(more) && isNone(fewer) ? "the same" : `${signed("+", more)}, ${signed("−", fewer)}`;
}

function signed(sign: string, { certainty, low, high }: PeopleCount): string {
  if (high === null) return low > 0 ? `at least ${sign}${grouped(low)}` : `${sign}?`;
  return certainty === "exact" ? `${sign}${grouped(low)}` : `at most ${sign}${grouped(high)}`;
}

/** How people were counted, where something is missing: one line each. */
export function countingGaps({
  uncounted,
  failed,
}: Pick<PlanImpact, "failed"> & {
  readonly uncounted: readonly { readonly why: string }[];
}): readonly string[] {
  const [first] = uncounted;
  return [
    ...failed.map(({ what, why }) => `People: ${what} unknown: ${why}`),
    ...(first === undefined
      ? []
      : [`People: not counted for ${many(uncounted.length, "step")}: ${first.why}`]),
  ];
}
