/**
 * Whether a pattern with `*` for any letters fits a text. No regular expression is made of it: every part between the
 * stars is looked for in turn.
 */
export function globbed(pattern: string, text: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  if (!text.startsWith(head)) return false;
  if (rest.length === 0) return text === pattern;
  const tail = rest.at(-1) ?? "";
  let at = head.length;
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - tail.length >= at && text.endsWith(tail);
}

/** Whether a text is a pattern for `globbed` and not one name. */
export function isPattern(text: string | null): boolean {
  return text?.includes("*") === true;
}
