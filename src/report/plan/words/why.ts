import { ASSUMPTIONS } from "../../../impact/assumption.js";
import type { AccessOutcome } from "../../../impact/outcome.js";
import { formatAddress } from "../../../model/address.js";
import type { NamedPerson } from "../../../plan/people/impact.js";
import type { RuleAnswer, RuleForPerson, Why } from "../../../plan/people/why.js";

/** A person as an output shows them; without a name where it may name no one. */
export type ShownPerson = Omit<NamedPerson, "name"> & Partial<Pick<NamedPerson, "name">>;

/** What the plan means for a person, in lines: by each rule that moves them, or may. */
export function describeChanges(user: ShownPerson, changes: readonly Why[]): readonly string[] {
  const name = user.name || user.email || user.id;
  const moving = changes.filter(mayMove);
  if (changes.length === 0) return [`${name}: the plan changes no rule`];
  if (moving.length === 0) return [`${name}: the plan changes nothing for this person`];
  return [
    `${name}, by the plan:`,
    ...moving.flatMap((why) =>
      describeWhy(why, user).map((line, at) =>
        at === 0 ? `  ${formatAddress(why.address)}: ${wordsOf(why)}` : `  ${line}`,
      ),
    ),
  ];
}

function mayMove(why: Why): boolean {
  const { before, after } = why;
  if (why.as === "audience") return before.matches === null || before.matches !== after.matches;
  return why.outcomes.some(({ outcome }) => outcome === "gains" || outcome === "loses");
}

/** Which managed rules match a person, in lines: those that do, and those of which it is unknown. */
export function describeMatches(rules: readonly RuleForPerson[]): readonly string[] {
  const matching = rules.filter(({ matches }) => matches === true);
  const unknown = rules.filter(({ matches }) => matches === null);
  const of = `${matching.length} of ${rules.length} managed rules`;
  return [
    `Today, ${of} ${rules.length === 1 ? "matches" : "match"}`,
    ...matching.flatMap(({ address, decidedBy }) => [`  ${formatAddress(address)}`, `    by ${decidedBy}`]),
    ...(unknown.length === 0 ? [] : ["  unknown:"]),
    ...unknown.map(({ address, why }) => `  ${formatAddress(address)}: ${why ?? "not read"}`),
  ];
}

/** Why one person gains or loses, in lines: the answer, then what it follows from. */
export function describeWhy(
  why: Why,
  user: ShownPerson,
  name = formatAddress(why.address),
): readonly string[] {
  const { before, after } = why;
  const isSame = before.rule === after.rule && before.matches === after.matches;
  const facts: readonly (readonly [string, string])[] = [
    ...(isSame
      ? ([["rule", ruleWords(before)]] as const)
      : ([
          ["rule before", ruleWords(before)],
          ["rule after", ruleWords(after)],
        ] as const)),
    ...(why.as === "members"
      ? ([
          ["has it now", truthWords(why.member)],
          ["excluded", truthWords(why.excluded)],
        ] as const)
      : []),
  ];
  const assumptions = [...new Set([...before.assumptions, ...after.assumptions])].sort();
  return [
    `${name}: ${user.name || user.email || user.id} ${wordsOf(why)}`,
    ...facts.map(([name, value]) => `  ${`${name}:`.padEnd(13)}${value}`),
    ...assumptions.map((one) => `  not documented: ${ASSUMPTIONS[one]}`),
  ];
}

function wordsOf(why: Why): string {
  return why.as === "members" ? accessWords(why.outcomes) : reviewWords(why.before, why.after);
}

const CERTAIN: Readonly<Record<AccessOutcome, string>> = {
  gains: "gains it",
  loses: "loses it",
  keeps: "keeps it",
  stays: "keeps it: neither rule gave it",
};

const POSSIBLE: Readonly<Record<AccessOutcome, string>> = {
  gains: "may gain it",
  loses: "may lose it: a member who was also added by hand stays, and the service does not say who was",
  keeps: "may keep it",
  stays: "may have it by another way, and then keeps it",
};

function accessWords(outcomes: Extract<Why, { as: "members" }>["outcomes"]): string {
  if (outcomes.length === 0) return "neither gains nor loses it";
  return outcomes.map(({ outcome, isCertain }) => (isCertain ? CERTAIN : POSSIBLE)[outcome]).join(", or ");
}

function reviewWords({ matches: before }: RuleAnswer, { matches: after }: RuleAnswer): string {
  if (before === null || after === null) return "may enter or leave the review";
  if (!before && !after) return "stays out of the review";
  const verb =
    before && after
      ? "may be in the review before and after"
      : after
        ? "may enter the review"
        : "may leave the review";
  const when = before && after ? "" : ", from the next campaign on";
  return `${verb}${when}: only those who hold something under review are in it`;
}

function ruleWords({ rule, matches, why }: RuleAnswer): string {
  if (rule === "" && matches === false) return "none";
  const answer = matches === null ? "unknown" : matches ? "matches" : "does not match";
  return [answer, ...(rule === "" ? [] : [`: ${rule}`]), ...(why === null ? [] : [` (${why})`])].join("");
}

function truthWords(truth: boolean | null): string {
  return truth === null ? "unknown" : truth ? "yes" : "no";
}
