import type { Audience, Holdings, PeopleCount, PlanImpact, StepImpact } from "../../plan/people/impact.js";
import type { Extent } from "../../tenant/peopleReads.js";
import type { PeopleReport } from "./report.js";
import { briefOf, grouped, isNone, manyOf, namesBelow, namesOf, numberOf, peopleIn } from "./words/people.js";
import { accountLines, campaignLines, ofReview, reviewedLines } from "./words/reviews.js";
import type { Names } from "./words/values.js";

type Members = Extract<StepImpact, { as: "members" }>;
/** What a step means for people, in words. */
export function describePeople(
  impact: StepImpact,
  { users }: Pick<PlanImpact, "users">,
  names: Names,
): PeopleReport {
  switch (impact.as) {
    case "members":
      return describeMembers(impact, users);
    case "audience":
      return describeAudience(impact, users, names);
    case "holdings":
      return describeHoldings(impact);
    case "enrolled":
      return describeEnrolled(impact);
  }
}

/** Whether a change of a review concerns no one yet: the same users, nothing that anyone holds, and no campaign. */
export function isIdle(impact: StepImpact): boolean {
  if (impact.as !== "audience" || !impact.isStill || impact.campaigns === null) return false;
  if (impact.accounts !== undefined) return false;
  const { last, open } = impact.campaigns;
  const isHeld = [...impact.added, ...impact.removed].some(({ grants }) => grants !== 0);
  return last === null && open.length === 0 && !isHeld;
}

/** All lines of a report, for a reader with no right edge. */
export function sentencesOf({ lines, aside }: Pick<PeopleReport, "lines" | "aside">): readonly string[] {
  const [first = "", ...rest] = lines;
  return [aside === "" ? first : `${first}, ${aside}`, ...rest];
}

/** The same for one step that stands alone: with the users that were asked about, and what its numbers rest on. */
export function describeAlone(
  impact: StepImpact,
  { users }: Pick<PlanImpact, "users">,
  names: Names,
): readonly string[] {
  const [first = "", ...rest] = sentencesOf(describePeople(impact, { users }, names));
  const isCounted = impact.as === "members" && !matchesNoOne(impact);
  return [
    isCounted ? `${first}, of ${usersIn(users)}` : first,
    ...rest,
    ...basisLine(undocumentedIn([impact])),
  ];
}

/** Whom a rule that the plan leaves as it is matches today, or whose access a review covers. */
export function describeToday(impact: StepImpact, { users }: Pick<PlanImpact, "users">): readonly string[] {
  if (impact.as !== "members" && impact.as !== "audience") return [];
  const { after, unknown } = impact;
  const verb = impact.as === "members" ? "matches" : "asks for";
  const others =
    impact.as !== "members" || isNone(impact.others) || impact.others.high === null
      ? []
      : [`${numberOf(impact.others)} have it otherwise`];
  return [
    [`${verb} ${numberOf(after)} of ${usersIn(users)}${namesOf(after)} today`, ...others].join("; "),
    ...namesBelow([[verb, after]]),
    ...unknownLines(unknown),
    ...basisLine(assumed([after])),
  ];
}

function describeMembers(impact: Members, users: PlanImpact["users"]): PeopleReport {
  const { before, after, gains, loses, keeps, both, others, unknown } = impact;
  return {
    lines: [
      ofMembers(impact, users),
      ...namesBelow([
        ["lose it", loses],
        ["gain it", gains],
      ]),
      ...unknownLines(unknown),
    ],
    aside: "",
    brief: matchesNoOne(impact) && isNone(loses) ? "0 match" : briefOf(gains, loses),
    mostLosing: loses.high,
    counts: { before, after, gains, loses, keeps, ...(both === undefined ? {} : { both }), others },
    unknown,
    review: null,
    holdings: null,
  };
}

function describeAudience(impact: Audience, users: PlanImpact["users"], names: Names): PeopleReport {
  const { before, after, enters, leaves, unknown, accounts, notCounted, campaigns, added, removed } = impact;
  const counts = { before, after, enters, leaves };
  return {
    lines: [
      ofReview(impact, usersIn(users)),
      ...namesBelow([
        ["leave the review", leaves],
        ["enter the review", enters],
      ]),
      ...accountLines(impact),
      ...reviewedLines(impact, names),
      ...campaignLines(campaigns),
      ...unknownLines(unknown),
    ],
    aside: notCounted.length === 0 ? "" : `unknown: ${notCounted.join(", ")}`,
    brief: `review: ${briefOf(enters, leaves)}`,
    mostLosing: leaves.high,
    counts,
    unknown,
    review: { ...(accounts === undefined ? {} : { accounts }), notCounted, campaigns, added, removed },
    holdings: null,
  };
}

/** What those get who are enrolled. */
function describeEnrolled({ gains, loses, unknown }: Extract<StepImpact, { as: "enrolled" }>): PeopleReport {
  const moved = [
    ...(isNone(gains) ? [] : [`${numberOf(gains)} of those enrolled may gain what is added`]),
    ...(isNone(loses) ? [] : [`${numberOf(loses)} of those enrolled may lose what is removed`]),
  ];
  return {
    lines: [moved.length === 0 ? "no one is enrolled" : moved.join(", ")],
    aside: "",
    brief: briefOf(gains, loses),
    mostLosing: loses.high,
    counts: { gains, loses },
    ...{ unknown, review: null, holdings: null },
  };
}

function describeHoldings(impact: Holdings): PeopleReport {
  const { resources, entitlements, automations, grants, people, unknown } = impact;
  const number = (extent: Extent | null, one: string) => {
    if (extent === null) return `an unknown number of ${one}s`;
    return `${extent.isAll ? "" : "at least "}${manyOf(extent.low, one)}`;
  };
  const objects = [
    [resources, "resource"],
    [entitlements, "entitlement"],
    [automations, "automation"],
  ] as const;
  const parts = [
    ...objects.filter(([extent]) => !isNothing(extent)).map(([extent, one]) => number(extent, one)),
    ...(isNothing(grants) && isNone(people) ? [] : [`${number(grants, "grant")} of ${peopleOf(people)}`]),
  ];
  const all = [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" and ");
  return {
    lines: [parts.length === 0 ? "nothing goes with it" : `deleted with it: ${all}`],
    aside: "",
    brief: number(grants, "grant"),
    mostLosing: people.high,
    counts: {},
    unknown,
    review: null,
    holdings: { resources, entitlements, automations, grants, people },
  };
}

function peopleOf(count: PeopleCount): string {
  if (count.certainty === "unknown") return "an unknown number of people";
  return count.certainty === "exact" ? peopleIn(count.low) : `${numberOf(count)} people`;
}

function isNothing(extent: Extent | null): boolean {
  return extent?.isAll === true && extent.low === 0;
}

/** Whether a rule is there, and no user matches it. */
function matchesNoOne({ after, ends }: Members): boolean {
  return !ends && isNone(after);
}

function ofMembers(impact: Members, users: PlanImpact["users"]): string {
  const { before, gains, loses, keeps, both = keeps, ends } = impact;
  if (matchesNoOne(impact)) {
    // They match, and no one loses it: without the reason, the two contradict each other.
    const unheld = !isNone(loses)
      ? ""
      : before.high === 1
        ? ", who does not have it"
        : ", none of whom has it";
    const was = isNone(before) ? "" : ` (was ${numberOf(before)}${unheld})`;
    const leaves = isNone(loses) ? "" : `: ${numberOf(loses)} lose it${namesOf(loses)}`;
    const of =
      users.read === 0 && users.where !== null
        ? `no user has ${valuesIn(users)}, 0`
        : `0 of ${usersIn(users)}`;
    return `${of} match${was}${leaves}`;
  }
  if (ends) {
    if (isNone(loses)) return "no one loses it";
    const most = loses.high === null ? "any number of people" : `0 to ${peopleIn(loses.high)}`;
    return `${most}: the service does not document whether members stay`;
  }
  if (isNone(gains) && isNone(loses)) return "the same people";
  const stay =
    keeps.certainty === "exact"
      ? [`${grouped(keeps.low)} keep it`]
      : both.high === null && both.low === 0
        ? []
        : [`${numberOf(both)} match both rules`];
  return [
    `${numberOf(gains)} gain it${namesOf(gains)}`,
    `${numberOf(loses)} lose it${namesOf(loses)}`,
    ...stay,
  ].join(", ");
}

/** `1,830 users`, with what they have in common where only some were asked for. */
export function usersIn({ read, areAll, where }: PlanImpact["users"]): string {
  const users = manyOf(read, "user");
  const asked = where === null ? users : `${users} with ${valuesIn({ where })}`;
  return areAll ? asked : `the ${asked} that remit read`;
}

/** What the users have in common who were asked for: `department Tax or Law`. */
function valuesIn({ where }: Pick<PlanImpact["users"], "where">): string {
  return Object.entries(where ?? {})
    .map(([field, values]) => `${field} ${values.join(" or ")}`)
    .join(" and ");
}

function unknownLines(unknown: StepImpact["unknown"]): readonly string[] {
  return unknown.map(({ why, people }) => `unknown for ${peopleIn(people)}: ${why}`);
}

/** What the service does not document, and the numbers of some steps rest on: a plan says it once. */
export function undocumentedIn(impacts: readonly StepImpact[]): readonly string[] {
  const shown = impacts.flatMap((impact): readonly PeopleCount[] => {
    if (impact.as === "members") return countsShown(impact);
    return impact.as === "audience" ? [impact.before, impact.after, impact.enters, impact.leaves] : [];
  });
  return assumed(shown);
}

function assumed(counts: readonly PeopleCount[]): readonly string[] {
  return [...new Set(counts.flatMap(({ assumptions }) => assumptions))].sort();
}

/** The numbers that the sentence shows. */
function countsShown({ gains, loses, keeps, both = keeps }: Members): readonly PeopleCount[] {
  if (isNone(gains) && isNone(loses)) return [gains, loses];
  return [gains, loses, keeps.certainty === "exact" ? keeps : both];
}

/** The same as a line; nothing where the numbers rest on nothing else. */
function basisLine(basis: readonly string[]): readonly string[] {
  return basis.length === 0 ? [] : [`not documented: ${basis.join(", ")}`];
}
