import { audienceOf, usersPartOf } from "../impact/audience.js";
import { conditionOf } from "../impact/automation.js";
import { answersFrom } from "../impact/census.js";
import { holding } from "../impact/holding.js";
import { decidingPart } from "../impact/rule/deciding.js";
import { languageFor } from "../impact/rule/language.js";
import { byAddress } from "../model/address.js";
import type { Checked } from "../model/diagnostic.js";
import { isObject, type JsonObject } from "../model/json.js";
import type { Counting, NamedPerson } from "../plan/people/impact.js";
import { allQuestionsOf, isAboutUsers, isUnchanged, questionsOf } from "../plan/people/question.js";
import type { RuleForPerson, Why } from "../plan/people/why.js";
import type { Plan } from "../plan/plan.js";
import { readPeople } from "../tenant/people.js";
import type { Remote } from "../tenant/reads.js";
import { makeTenant } from "../tenant/tenant.js";
import { personAndFacts, spelled, whyOf } from "./explain.js";

/** What the plan means for one person, and every managed rule, with whether it matches them today. */
interface PersonMatches {
  readonly user: NamedPerson;
  /** By each rule and each review that the plan changes. */
  readonly changes: readonly Why[];
  readonly rules: readonly RuleForPerson[];
}

/** The longest that one answer may take, in milliseconds. */
const DEADLINE = 5_000;

/** What the plan changes for a person, and which managed rules match as the tenant has them today. */
export async function matchesOf(
  plan: Plan,
  email: string,
  remote: Remote,
  counting: Counting,
): Promise<Checked<PersonMatches | null>> {
  const changes = questionsOf(plan.steps);
  const all = allQuestionsOf(plan.steps)
    .filter(isAboutUsers)
    .toSorted((one, other) => byAddress(one.step.address, other.step.address));
  const questions = all.filter(({ before }) => before !== null);
  const reader = makeTenant(remote).reader();
  const reads = readPeople(reader, counting.calls);
  const { value, diagnostics } = await personAndFacts(email, all, reader, reads, counting);
  if (value === null) return { value: null, diagnostics };
  const { person, facts } = value;
  const changed = all.filter((question) => !isUnchanged(question));
  const whys = await Promise.all(changed.map((question) => whyOf(question, changes, value, reads, counting)));
  const language = languageFor("User", answersFrom(value.all), counting.today);
  const inTime = <T>(work: () => T): T | null => counting.evaluate(work, DEADLINE)?.value ?? null;
  const rules = questions.map(({ as, before, step }): RuleForPerson => {
    const question =
      as === "members"
        ? conditionOf(before, language, facts.members)
        : audienceOf(before ?? undefined, language);
    const answer = inTime(() => question.about(person)) ?? holding(null, "the expression takes too long");
    const expression = expressionOf(before);
    const part = expression === null ? null : inTime(() => decidingPart(expression, language, person));
    const matches = answer.under(new Set());
    return {
      address: step.address,
      matches,
      why: matches === null ? answer.why : null,
      decidedBy: part?.text ?? spelled(as === "audience" && isObject(before) ? usersPartOf(before) : before),
    };
  });
  const { id, displayName } = person;
  const user = { id, name: displayName, email: person.email };
  return { value: { user, changes: whys, rules }, diagnostics: [] };
}

function expressionOf(rule: JsonObject | null | undefined): string | null {
  for (const member of Object.values(rule ?? {}))
    if (isObject(member) && typeof member.expression === "string") return member.expression;
  return null;
}
