/** A choice of a one-of group: `users`, and its members. */
interface Choice {
  readonly group: string;
  readonly to: string;
  readonly from: string;
}

/** A switch to another member, as a report says it. */
export function choiceSentence({ group, to, from }: Choice): string {
  return `${group}: ${to} instead of ${from}`;
}

/** What such a sentence says; null for any other text. */
export function choiceIn(sentence: string): Choice | null {
  const [, group, to, from] = /^([^:]*): (.*) instead of (.*)$/s.exec(sentence) ?? [];
  return group === undefined || to === undefined || from === undefined ? null : { group, to, from };
}
