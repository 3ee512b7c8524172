import { textOf } from "../kinds/spelling.js";
import type { JsonObject } from "../model/json.js";
import { once } from "../model/once.js";
import type { Evaluate } from "./census.js";
import { type AskedEntitlement, entitlementLanguage } from "./entitlement.js";
import { type Match, readRuleAbout } from "./rule/rule.js";

/** Which rules may decide for an entitlement, by their places in the list; null stands for none of them. One is certain. */
type Deciders = readonly (number | null)[];

// A condition that takes longer counts as unknown.
const DEADLINE = 1_000;

/** Which rules decide for each of some entitlements, and why it is not known of each rule whether it holds; null where it is. */
export interface Routing {
  readonly deciders: readonly Deciders[];
  readonly unknown: readonly (string | null)[];
}

/** Which rules of an app decide for each of some entitlements: the first one that is in force and holds. */
export function routingOf(
  rules: readonly JsonObject[],
  entitlements: readonly AskedEntitlement[],
  evaluate: Evaluate,
): Routing {
  const answers = rules.map((rule) => answersOf(rule, entitlements, evaluate));
  const isHeld = (match: Match | undefined) => (match !== undefined && "is" in match ? match.is : null);
  return {
    deciders: entitlements.map((_, of) => firstOf(answers.map((answer) => isHeld(answer[of])))),
    unknown: answers.map(
      (answer) => answer.flatMap((match) => ("unknown" in match ? [match.unknown] : []))[0] ?? null,
    ),
  };
}

/** Of the first answer that is true: each place that may be it, where some answers are not known. */
function firstOf(answers: readonly (boolean | null)[]): Deciders {
  const places: (number | null)[] = [];
  for (const [place, answer] of answers.entries()) {
    if (answer !== false) places.push(place);
    if (answer === true) return places;
  }
  return [...places, null];
}

/** Whether a rule holds for each of some entitlements. */
function answersOf(
  rule: JsonObject,
  entitlements: readonly AskedEntitlement[],
  evaluate: Evaluate,
): readonly Match[] {
  const all = (match: Match) => entitlements.map(() => match);
  if (rule.disabled === true) return all({ is: false });
  const condition = textOf(rule, "condition").trim();
  if (condition === "") return all({ is: true });
  const read = readRuleAbout(condition, language(), (entitlement: AskedEntitlement) => ({ entitlement }));
  if (read.as === "unreadable") return all({ unknown: read.why });
  const ask = () => entitlements.map(read.ask);
  const answers = read.isQuick ? ask() : evaluate(ask, DEADLINE)?.value;
  return answers ?? all({ unknown: "the condition takes too long" });
}

const language = once(entitlementLanguage);
