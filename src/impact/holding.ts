import { type Assumption, choicesOf } from "./assumption.js";
import { USER_STATUS } from "./enums.js";
import type { Person } from "./person.js";
import type { Match, Rule } from "./rule/rule.js";

/** Whether something holds for a person; null where that is unknown. */
export type Truth = boolean | null;

/** Whether something holds for one person, under a choice of assumptions that are false. */
export interface Holding {
  /** The assumptions that the answer for this person depends on. */
  readonly depends: readonly Assumption[];
  readonly under: (isFalse: ReadonlySet<Assumption>) => Truth;
  /** Why it is unknown under the assumptions; null where it is known. */
  readonly why: string | null;
}

/** The same for every assumption. Most answers are one of three, and each of these is one object. */
export function holding(truth: Truth, why: string | null = null): Holding {
  if (why !== null) return { depends: [], under: () => truth, why };
  return truth === null ? UNKNOWN : truth ? YES : NO;
}

const YES: Holding = { depends: [], under: () => true, why: null };
const NO: Holding = { depends: [], under: () => false, why: null };
const UNKNOWN: Holding = { depends: [], under: () => null, why: null };

/** Whether it holds if all assumptions are true. */
export function asAssumed({ under }: Pick<Holding, "under">): Truth {
  return under(NO_CHOICE);
}

const NO_CHOICE: ReadonlySet<Assumption> = new Set();

/** The answer of an expression for one person, under what reading it assumes. */
export function holdingOf(
  { ask, askForValues, assumes }: Extract<Rule, { as: "rule" }>,
  person: Person,
): Holding {
  const answer = plain(ask(person));
  const other = askForValues === null ? answer : plain(askForValues(person));
  const [there, notThere] = [asAssumed(answer), asAssumed(other)];
  const one: Holding =
    there === notThere
      ? answer
      : {
          depends: ["emptyField"],
          under: (isFalse) => (isFalse.has("emptyField") ? notThere : there),
          why: answer.why,
        };
  return assumes.reduce((inner, assumption) => assuming(assumption, inner), one);
}

/** The answer of an expression for one person; null where it has none. */
export function truthOf(answer: Match): Truth {
  return "is" in answer ? answer.is : null;
}

function plain(answer: Match): Holding {
  return "is" in answer ? holding(answer.is) : holding(null, answer.unknown);
}

/** The same for a person of a given status: whether disabled and deleted users count is not documented. */
export function ofStatus(person: Person, inner: Holding): Holding {
  if (inner.depends.length === 0 && asAssumed(inner) === false) return inner;
  if (person.status === USER_STATUS.DISABLED) {
    return {
      ...inner,
      depends: [...inner.depends, "disabled"],
      under: (isFalse) => !isFalse.has("disabled") && inner.under(isFalse),
    };
  }
  if (person.status === USER_STATUS.DELETED) {
    return {
      ...inner,
      depends: [...inner.depends, "deleted"],
      under: (isFalse) => isFalse.has("deleted") && inner.under(isFalse),
    };
  }
  return inner;
}

/** The same, and unknown where an assumption is false. */
export function assuming(assumption: Assumption, inner: Holding): Holding {
  return {
    ...inner,
    depends: [...inner.depends, assumption],
    under: (isFalse) => (isFalse.has(assumption) ? null : inner.under(isFalse)),
  };
}

/** Whether a question about several of them is true for certain, or at all, whatever is unknown. */
export function inclusionOf(
  holdings: readonly Holding[],
  question: (truths: readonly Truth[]) => { readonly certain: boolean; readonly possible: boolean },
): {
  readonly certain: boolean;
  readonly possible: boolean;
  readonly assumed: Truth;
  readonly assumptions: readonly Assumption[];
} {
  if (holdings.every((one) => one.depends.length === 0))
    return withoutAssumptions(question(holdings.map(asAssumed)));
  const depends = [...new Set(holdings.flatMap((one) => one.depends))];
  const [first, ...others] = choicesOf(depends).map((isFalse) => ask(isFalse));
  if (first === undefined) throw new Error("there is always a first choice");
  const all = [first, ...others];
  const isSame = others.every(
    ({ certain, possible }) => certain === first.certain && possible === first.possible,
  );
  return {
    certain: all.every(({ certain }) => certain),
    possible: all.some(({ possible }) => possible),
    assumed: first.certain === first.possible ? first.certain : null,
    assumptions: isSame ? [] : depends.filter(changes),
  };

  function ask(isFalse: ReadonlySet<Assumption>) {
    return question(holdings.map((one) => one.under(isFalse)));
  }

  function changes(assumption: Assumption): boolean {
    const rest = depends.filter((other) => other !== assumption);
    return choicesOf(rest).some((isFalse) => {
      const [one, other] = [ask(isFalse), ask(new Set([...isFalse, assumption]))];
      return one.certain !== other.certain || one.possible !== other.possible;
    });
  }
}

function withoutAssumptions({
  certain,
  possible,
}: {
  readonly certain: boolean;
  readonly possible: boolean;
}) {
  return { certain, possible, assumed: certain === possible ? certain : null, assumptions: [] };
}
