/**
 * The regular expression of RE2, which rules are written in, as one of JavaScript that finds the same. Null where remit
 * cannot say that it does: the two read many signs differently.
 */
export function patternOf(written: string): RegExp | null {
  const isCaseless = written.startsWith("(?i)");
  const parts = partsOf(isCaseless ? written.slice(4) : written);
  // Without regard to case, JavaScript counts two letters beyond ASCII as parts of a word.
  if (parts === null || (isCaseless && /\\[wWbB]/.test(parts))) return null;
  try {
    return new RegExp(parts, isCaseless ? "iu" : "u");
  } catch {
    return null;
  }
}

/** What one sign, or several that belong together, mean in JavaScript; null for those that remit does not translate. */
interface Piece {
  readonly from: RegExp;
  readonly to: (text: string) => string | null;
}

const SPACE = "\\t\\n\\f\\r ";

// Tried in turn at each place. RE2 refuses to look around and to refer back.
const PIECES: readonly Piece[] = [
  { from: /^\\A/, to: () => "^" },
  { from: /^\\z/, to: () => "$" },
  { from: /^\\s/, to: () => `[${SPACE}]` },
  { from: /^\\S/, to: () => `[^${SPACE}]` },
  { from: /^\\[dDwWbBnrtf]/, to: same },
  { from: /^\\[^A-Za-z0-9]/u, to: (text) => escaped(text.slice(1)) },
  { from: /^\\/, to: () => null },
  { from: /^\[\^?(?:[^\]\\[]|\\.)(?:[^\]\\]|\\.)*\]/u, to: classOf },
  { from: /^\[/, to: () => null },
  { from: /^\((\?:|\?P?<[A-Za-z_]\w*>)/, to: () => "(?:" },
  { from: /^\(\?/, to: () => null },
  { from: /^\{\d{1,3}(,\d{0,3})?\}/, to: same },
  { from: /^\{/, to: () => null },
  { from: /^[}\]]/, to: escaped },
  { from: /^\./, to: () => "[^\\n]" },
  { from: /^[\s\S]/u, to: same },
];

function partsOf(written: string): string | null {
  let [rest, found] = [written, ""];
  while (rest !== "") {
    for (const { from, to } of PIECES) {
      const [text] = from.exec(rest) ?? [];
      if (text === undefined) continue;
      const part = to(text);
      if (part === null) return null;
      found += part;
      rest = rest.slice(text.length);
      break;
    }
  }
  return found;
}

/** A class of signs: with plain signs, ranges and the escapes that both read alike. */
function classOf(text: string): string | null {
  const inner = text.slice(1, -1).replace(/\\s/g, SPACE);
  const isPlain = /^(?:[^\\[]|\\[dwnrtf\\\].^$*+?()[{}|/-])*$/u.test(inner) && !inner.includes("[");
  return isPlain && !/[-&]{2}/.test(inner) ? `[${inner}]` : null;
}

function same(text: string): string {
  return text;
}

function escaped(sign: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(sign) ? `\\${sign}` : sign;
}
