import { ASSUMPTIONS } from "../../../impact/assumption.js";
import type { AccessOutcome } from "../../../impact/outcome.js";
import { formatAddress } from "../../../model/address.js";
import type { RuleAnswer, Why } from "../../../plan/people/why.js";

/** Why one person gains or loses, in lines: the answer, then what it follows from. */
export function describeWhy(why: Why): readonly string[] {
  const { address, user, before, after } = why;
  const facts: readonly (readonly [string, string])[] = [
    ["rule before", ruleWords(before)],
    ["rule after", ruleWords(after)],
    ...(why.as === "members"
      ? ([
          ["has it now", truthWords(why.member)],
          ["excluded", truthWords(why.excluded)],
        ] as const)
      : []),
  ];
  const assumptions = [...new Set([...before.assumptions, ...after.assumptions])].sort();
  return [
    `${formatAddress(address)}: ${user.name || user.email || user.id} ${why.as === "members" ? accessWords(why.outcomes) : reviewWords(before, after)}`,
    ...facts.map(([name, value]) => `  ${`${name}:`.padEnd(13)}${value}`),
    ...assumptions.map((one) => `  not documented: ${ASSUMPTIONS[one]}`),
  ];
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
