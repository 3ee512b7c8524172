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

/** What a text has in the gaps of a generalised one. */
export function gapsOf(general: string, text: string): readonly string[] {
  const parts = general.split(GAP);
  if (parts.length > MOST_GAPS) return [];
  const found: string[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [place, part] of parts.slice(1).entries()) {
    const isLast = place === parts.length - 2;
    const end = isLast ? text.length - part.length : text.indexOf(part, at);
    if (end < at) return [];
    found.push(text.slice(at, end));
    at = end + part.length;
  }
  return found;
}

/** A text with more gaps has little in common with another. */
const MOST_GAPS = 4;

const GAP = "…";
// Between two gaps, spaces and short joints say nothing.
const BETWEEN = /…(?:[ -]…)+/gu;

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|[\s\S]/gu) ?? [];
}
