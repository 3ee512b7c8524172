import type { Json } from "../model/json.js";

const NUMBER =
  /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["", null],
  ["~", null],
  ["null", null],
  ["Null", null],
  ["NULL", null],
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
]);

const LONGEST_WORD = 5;

/** What a text without quotes or tag means in YAML 1.2 (its core schema): `yes`, `on` and dates are texts. */
export function resolvePlain(text: string): Json {
  if (text.length <= LONGEST_WORD) {
    const word = WORDS.get(text);
    if (word !== undefined) return word;
  }
  const first = text.charCodeAt(0);
  // A number begins with a digit, a sign or a point: + - . 0…9.
  const mayBeNumber = first <= 57 && (first >= 48 || first === 43 || first === 45 || first === 46);
  return mayBeNumber && NUMBER.test(text) ? Number(text) : text;
}
