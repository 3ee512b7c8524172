import { isObject, type Json } from "../model/json.js";
import type { FreeSpelling, Shape, SpecShape } from "../schema/shape.js";
import { type Change, touches } from "./change.js";
import { compare } from "./compare.js";

/** The differences between two values, those of spelling apart: what the schema declares free has no meaning. */
export interface Meaning {
  readonly differs: readonly Change[];
  readonly spells: readonly Change[];
}

/** Divides the differences between two normalised values into those that mean something and those of spelling. */
export function divide(
  changes: readonly Change[],
  before: Json,
  after: Json,
  shape: Shape | SpecShape,
): Meaning {
  if (changes.length === 0) return { differs: [], spells: [] };
  const meant = compare(respell(before, shape), respell(after, shape), shape);
  return {
    differs: changes.filter((change) => touches(meant, change)),
    spells: changes.filter((change) => !touches(meant, change)),
  };
}

/** Whether two normalised values differ in nothing but spelling that the schema declares free. */
export function meansTheSame(one: Json, other: Json, shape: Shape | SpecShape): boolean {
  return compare(respell(one, shape), respell(other, shape), shape).length === 0;
}

/** The value with one spelling for all that are free. */
function respell(value: Json, shape: Shape | SpecShape): Json {
  switch (shape.type) {
    case "object":
      if (!isObject(value)) return value;
      return respellMembers(value, (name) => shape.fields.get(name));
    case "map":
      return isObject(value) ? respellMembers(value, () => shape.value) : value;
    case "list":
      return Array.isArray(value) ? value.map((item) => respell(item, shape.item)) : value;
    case "string":
      return typeof value === "string" && shape.free !== undefined ? SPELLINGS[shape.free](value) : value;
    case "marker":
    case "boolean":
    case "number":
      return value;
    default:
      return shape satisfies never;
  }
}

function respellMembers(
  value: Readonly<Record<string, Json>>,
  shapeOf: (name: string) => Shape | undefined,
): Json {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const shape = shapeOf(name);
      return [name, shape === undefined ? member : respell(member, shape)];
    }),
  );
}

const SPELLINGS: Readonly<Record<FreeSpelling, (text: string) => string>> = {
  "white space": withoutSpace,
  precision: (time) => time.replace(/\.\d+(?=Z$)/, ""),
};

// Of CEL: a comment to the end of its line, a text in three quotes or in one, white space, anything else.
const TOKEN =
  /\/\/[^\n]*|[rR]?"""[\s\S]*?"""|[rR]?'''[\s\S]*?'''|[rR]"[^"\n]*"|[rR]'[^'\n]*'|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\s+|\w+|[\s\S]/g;

/** An expression without the white space that separates nothing; texts and comments keep theirs. */
function withoutSpace(expression: string): string {
  const tokens = expression.match(TOKEN) ?? [];
  return tokens
    .map((token, at) => (/^\s/.test(token) ? between(tokens[at - 1], tokens[at + 1]) : token))
    .join("");
}

const WORDS = [/\w$/, /^\w/] as const;
const OPERATORS = [/[^\w\s()[\]{},]$/, /^[^\w\s()[\]{},]/] as const;

/** What must stay between two tokens so that they do not run together. */
function between(before: string | undefined, after: string | undefined): string {
  if (before === undefined || after === undefined) return "";
  if (before.startsWith("//")) return "\n";
  const wouldMeet = [WORDS, OPERATORS].some(([end, start]) => end.test(before) && start.test(after));
  return wouldMeet ? " " : "";
}
