import type { NamedPerson, PeopleCount } from "../../../plan/people/impact.js";

/** The most people that a step names. */
const MOST_NAMED = 20;
/** Up to this many are named inside the sentence; more would separate its numbers. */
const FEW = 3;

/** Whether a count is certainly zero. */
export function isNone({ high }: PeopleCount): boolean {
  return high === 0;
}

/** A number with how far it can be trusted: `3`, `at most 3`, `2 to 5`, `an unknown number`. */
export function numberOf({ certainty, low, high }: Pick<PeopleCount, "certainty" | "low" | "high">): string {
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
export function namesOf({ people }: PeopleCount): string {
  return people === null || people.length === 0 || people.length > FEW
    ? ""
    : ` (${people.map(nameOf).join(", ")})`;
}

/** More names than a sentence has room for, on lines of their own; those of the first count come first. */
export function namesBelow(
  counts: readonly (readonly [what: string, count: PeopleCount])[],
): readonly string[] {
  const isLong = ({ people }: PeopleCount) => people !== null && people.length > FEW;
  const inSentence = counts.filter(([, count]) => !isLong(count));
  let left = inSentence.reduce((rest, [, { people }]) => rest - (people?.length ?? 0), MOST_NAMED);
  return counts.flatMap(([what, count]) => {
    const { people, high } = count;
    const named = isLong(count) ? (people ?? []).slice(0, left) : [];
    left -= named.length;
    if (people === null || named.length === 0) return [];
    const rest = (high ?? people.length) - named.length;
    return [`${what}: ${[...named.map(nameOf), ...(rest > 0 ? [`${grouped(rest)} more`] : [])].join(", ")}`];
  });
}

/** `1 person`, `1,830 people`. */
export function peopleIn(count: number): string {
  return count === 1 ? "1 person" : `${grouped(count)} people`;
}

/** A number with its thousands set apart. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 grant`, `1,830 grants`. */
export function manyOf(count: number, one: string): string {
  return `${grouped(count)} ${count === 1 ? one : `${one}s`}`;
}

/** More and fewer for a narrow column: `+0, at most −3`. */
export function briefOf(more: PeopleCount, fewer: PeopleCount): string {
  return isNone(more) && isNone(fewer) ? "the same" : `${signed("+", more)}, ${signed("−", fewer)}`;
}

function signed(sign: string, { certainty, low, high }: PeopleCount): string {
  if (high === null) return low > 0 ? `at least ${sign}${grouped(low)}` : `${sign}?`;
  if (certainty === "between") return `${sign}${grouped(low)} to ${sign}${grouped(high)}`;
  return certainty === "exact" ? `${sign}${grouped(low)}` : `at most ${sign}${grouped(high)}`;
}

function nameOf({ id, name, email }: NamedPerson): string {
  return name || email || id;
}
