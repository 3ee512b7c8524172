import type { Environment } from "@marcbachmann/cel-js";
import { onceFor } from "../model/onceFor.js";
import type { Evaluate } from "./census.js";
import type { AskedEntitlement } from "./entitlement.js";
import type { Person } from "./person.js";
import { type Match, readRuleAbout } from "./rule/rule.js";
import { isLaxer, type Way } from "./ways.js";

/** Who may request something: those who certainly may, and all who may perhaps. */
export interface Requesters {
  readonly certain: ReadonlySet<string>;
  readonly possible: ReadonlySet<string>;
}

/** The ways to access by one of the policies that may decide; null where what it says is not known. */
type PolicyWays = readonly Way[] | null;

/** Something that people may request, and what may decide about it, before and after. */
export interface Requested {
  readonly entitlement: AskedEntitlement;
  readonly audience: Requesters;
  readonly before: readonly PolicyWays[];
  readonly after: readonly PolicyWays[];
}

/** At least and at most so many people. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/** How many people may request some entitlements, and how many of them would get one of them with no one else agreeing. */
export interface Agreement {
  readonly people: Range;
  readonly before: Range;
  readonly after: Range;
  /** Why some of it is not known, each reason once. */
  readonly unknown: readonly string[];
}

// Conditions that take longer count as unknown.
const DEADLINE = 5_000;

/** Who may request some entitlements, and for whom no one else would have to agree. */
export function agreementOf(
  requested: readonly Requested[],
  people: readonly Person[],
  language: Environment,
  evaluate: Evaluate,
): Agreement | null {
  const work = () => countAgreement(requested, people, language);
  return evaluate(work, DEADLINE)?.value ?? null;
}

function countAgreement(
  requested: readonly Requested[],
  people: readonly Person[],
  language: Environment,
): Agreement {
  const unknown = new Set<string>();
  const ask = asking(language);
  const all = distinct(requested);
  const tally = () => ({ low: 0, high: 0 });
  const [some, before, after] = [tally(), tally(), tally()];
  for (const person of people) {
    const offered = all.filter(({ audience }) => audience.possible.has(person.id));
    if (offered.length === 0) continue;
    const isSure = ({ audience }: Requested) => audience.certain.has(person.id);
    some.high++;
    if (offered.some(isSure)) some.low++;
    for (const [side, count] of [["before", before] as const, ["after", after] as const]) {
      const alone = offered.map((one) => ({ one, is: isAlone(person, one, one[side], ask, unknown) }));
      if (alone.some(({ is }) => is !== false)) count.high++;
      if (alone.some(({ one, is }) => is === true && isSure(one))) count.low++;
    }
  }
  return { people: some, before, after, unknown: [...unknown].sort() };
}

type Ask = (condition: string, person: Person, entitlement: AskedEntitlement) => Match;

/** Whether no one else would have to agree that a person gets something; null where that is not known. */
function isAlone(
  person: Person,
  { entitlement }: Requested,
  policies: readonly PolicyWays[],
  ask: Ask,
  unknown: Set<string>,
): boolean | null {
  const outcomes = new Set<boolean | null>();
  for (const ways of policies) {
    if (ways === null) {
      unknown.add(NOT_READ);
      outcomes.add(null);
      continue;
    }
    for (const way of ways) {
      if (!isPossible(way, (condition) => ask(condition, person, entitlement), unknown)) continue;
      const [least, may] = [isLaxer(way.least, "another person"), isLaxer(way.may, "another person")];
      if (may && !least) unknown.add(NO_ONE_FOUND);
      outcomes.add(may && !least ? null : least);
    }
  }
  const [only = null] = outcomes;
  if (outcomes.size === 0) return false;
  return outcomes.size === 1 ? only : null;
}

const NOT_READ = "remit did not read a policy";
const NO_ONE_FOUND = "app owners, an expression or a commenting agent may ask no one";

/** Whether a person may come a way: no condition is known to lead elsewhere. */
function isPossible({ holds, fails }: Way, ask: (condition: string) => Match, unknown: Set<string>): boolean {
  const open: string[] = [];
  const mayBe = (condition: string, wanted: boolean) => {
    const answer = ask(condition);
    if ("is" in answer) return answer.is === wanted;
    const [of] = OF_REQUEST.exec(condition) ?? [];
    open.push(of === undefined ? answer.unknown : `a condition asks for \`${of}\``);
    return true;
  };
  const is = holds.every((condition) => mayBe(condition, true)) && fails.every((one) => mayBe(one, false));
  if (is) for (const why of open) unknown.add(why);
  return is;
}

const OF_ENTITLEMENT = /\bentitlement\b/;
const OF_PERSON = /\bsubject\b/;

/** Answers conditions. What is about the person alone, or about the entitlement alone, is asked once of each. */
function asking(language: Environment): Ask {
  const readingOf = onceFor((condition: string) => reading(condition, language));
  return (condition, person, entitlement) => readingOf(condition)(condition, person, entitlement);
}

function reading(condition: string, language: Environment): Ask {
  type Asked = { readonly person: Person; readonly entitlement: AskedEntitlement };
  const rule = readRuleAbout(condition, language, ({ person, entitlement }: Asked) => {
    return { subject: person, entitlement };
  });
  if (rule.as === "unreadable") return () => ({ unknown: rule.why });
  const [isOfEntitlement, isOfPerson] = [OF_ENTITLEMENT.test(condition), OF_PERSON.test(condition)];
  const answers = new WeakMap<object, Match>();
  return (_, person, entitlement) => {
    const asked = { person, entitlement };
    if (isOfEntitlement && isOfPerson) return rule.ask(asked);
    const about = isOfEntitlement ? entitlement : person;
    const answer = answers.get(about) ?? rule.ask(asked);
    answers.set(about, answer);
    return answer;
  };
}

/** What no plan knows: nothing is requested yet. */
const OF_REQUEST = /\b(task|account)\b/;

/** One of all for which the same people are asked about in the same way. */
function distinct(requested: readonly Requested[]): readonly Requested[] {
  const audiences = [...new Set(requested.map(({ audience }) => audience))];
  const kept = new Map<string, Requested>();
  for (const [at, one] of requested.entries()) {
    const asked = JSON.stringify([one.before, one.after]);
    const name = OF_ENTITLEMENT.test(asked) ? String(at) : `${audiences.indexOf(one.audience)} ${asked}`;
    if (!kept.has(name)) kept.set(name, one);
  }
  return [...kept.values()];
}
