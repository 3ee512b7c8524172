/**
 * Where each character of a text is in its YAML, counted from the start of `raw`, and last where the text ends.
 * Undefined where the two do not belong together.
 *
 * @param raw the text as written: with its quotes, escapes and folds, or from the `|` or `>` of a block on
 */
export function offsetsIn(raw: string, text: string): readonly number[] | undefined {
  const first = raw[0];
  if (first === "|" || first === ">") return blockOffsets(raw, text);
  if (first === '"') return flowOffsets(raw, text, 1, readEscape);
  if (first === "'") return flowOffsets(raw, text, 1, readQuote);
  return flowOffsets(raw, text, 0, () => undefined);
}

/** How many characters of `raw` stand for how many of the text, where that is not one for one. */
type Special = (raw: string, at: number) => { readonly taken: number; readonly given: number } | undefined;

const FOLD = /[ \t]*\r?\n[ \t\r\n]*/y;
const ESCAPED_BREAK = /\\\r?\n[ \t]*/y;
const ESCAPE = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/sy;

function flowOffsets(
  raw: string,
  text: string,
  from: number,
  special: Special,
): readonly number[] | undefined {
  const offsets: number[] = [];
  let at = from;
  while (offsets.length < text.length) {
    const start = at;
    const found = special(raw, at) ?? fold(raw, at);
    if (found === undefined && raw[at] !== text[offsets.length]) return undefined;
    at += found?.taken ?? 1;
    for (let given = found?.given ?? 1; given > 0; given -= 1) offsets.push(start);
  }
  return [...offsets.slice(0, text.length), at];
}

/** Line ends with the blanks around them: one is a space, several are one line end less. */
function fold(raw: string, at: number) {
  const taken = match(FOLD, raw, at);
  if (taken === undefined) return undefined;
  return { taken: taken.length, given: Math.max(1, taken.split("\n").length - 2) };
}

function readEscape(raw: string, at: number) {
  const lineBreak = match(ESCAPED_BREAK, raw, at);
  if (lineBreak !== undefined) return { taken: lineBreak.length, given: 0 };
  const code = match(ESCAPE, raw, at);
  if (code === undefined) return undefined;
  const isWide = code[1] === "U" && Number.parseInt(code.slice(2), 16) > 0xffff;
  return { taken: code.length, given: isWide ? 2 : 1 };
}

function readQuote(raw: string, at: number) {
  return raw.startsWith("''", at) ? { taken: 2, given: 1 } : undefined;
}

/** Tries each indentation the block may have: the one it has reproduces the text. */
function blockOffsets(raw: string, text: string): readonly number[] | undefined {
  const content = raw.indexOf("\n") + 1;
  const lines = raw.slice(content).split("\n");
  const first =
    lines.find((line) => line.trim() !== "") ??
    lines.reduce((one, other) => (other.length > one.length ? other : one));
  const widest = first.length - first.trimStart().length;
  for (let indent = widest; indent >= 0; indent -= 1) {
    const offsets = indentedOffsets(raw, text, content, indent);
    if (offsets !== undefined) return offsets;
  }
  return undefined;
}

function indentedOffsets(
  raw: string,
  text: string,
  from: number,
  indent: number,
): readonly number[] | undefined {
  const offsets: number[] = [];
  let at = afterIndent(raw, from, indent);
  while (offsets.length < text.length) {
    const char = text[offsets.length];
    const lineEnd = match(LINE_END, raw, at);
    if (lineEnd !== undefined) {
      // Folding drops the line end of an empty line; every other one stays or becomes a space.
      if (char === "\n" || char === " ") offsets.push(at);
      at = afterIndent(raw, at + lineEnd.length, indent);
    } else if (raw[at] === char || (at === raw.length && char === "\n")) {
      offsets.push(at);
      at = Math.min(at + 1, raw.length);
    } else return undefined;
  }
  return [...offsets, at];
}

const LINE_END = /\r?\n/y;

function afterIndent(raw: string, at: number, indent: number): number {
  let after = at;
  while (after < at + indent && raw[after] === " ") after += 1;
  return after;
}

function match(pattern: RegExp, raw: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(raw)?.[0];
}
