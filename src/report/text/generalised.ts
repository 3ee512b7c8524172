import { diffArrays } from "diff";

/** Longer texts are not compared. */
const LONGEST = 400;

/** What texts have in common, word by word, with `…` for what differs. */
export function generalised(texts: readonly string[]): string {
  const [first = "", ...others] = new Set(texts);
  if (others.length === 0) return first;
  if (texts.some((one) => one.length > LONGEST)) return GAP;
  let common = wordsOf(first);
  for (const one of others)
    common = diffArrays(common, wordsOf(one)).flatMap(({ value, added, removed }) =>
      added || removed ? [GAP] : value,
    );
  const text = common.filter((word, at) => word !== GAP || common[at - 1] !== GAP).join("");
  return text.replaceAll(BETWEEN, GAP);
}

const GAP = "…";
// Between two gaps, spaces and short joints say nothing.
const BETWEEN = /…(?:[ -]…)+/gu;

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|[\s\S]/gu) ?? [];
}
