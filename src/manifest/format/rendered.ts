import { isObject, type Json, type JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { locate, type Written, writtenAt } from "../locate.js";
import type { Collection, Item, Value } from "./layout.js";
import { plantTree } from "./plant.js";
import { print } from "./print.js";

/**
 * A plain manifest as text. Where nothing was put in, it stays as its author wrote it. Otherwise it has the canonical
 * layout, and a comment says of each part that was put in where it is written.
 */
export function rendered(value: JsonObject, written: Written): string {
  if (written.members === undefined) {
    const {
      source: { text },
      range: [start, end],
    } = writtenAt(written, []);
    // A block of lines ends with its last line break.
    if (text[end - 1] === "\n") return text.slice(start, end);
    // A comment may stand behind the last value.
    const lineEnd = text.indexOf("\n", end);
    return `${text.slice(start, lineEnd < 0 ? text.length : lineEnd).trimEnd()}\n`;
  }
  const root = noted(plantTree(value), value, written);
  return print([{ above: [], text: "", beside: [], root }]);
}

/** The same tree with a comment at each part that is written elsewhere. */
function noted(tree: Collection, value: JsonObject | readonly Json[], written: Written): Collection {
  const { members } = written;
  if (members === undefined) return tree;
  const items = tree.items.map((item, at): Item => {
    const name = item.key === null ? at : item.key.name;
    const part = members.get(name);
    if (part === undefined) return item;
    const inside = memberIn(value, name);
    if (part.use !== undefined || part.made !== undefined) return { ...item, beside: [`# ${placeOf(part)}`] };
    return { ...item, value: deeper(item.value, inside, part) };
  });
  return { ...tree, items };
}

function deeper(tree: Value, value: Json, written: Written): Value {
  if (tree.type === "leaf" || !(Array.isArray(value) || isObject(value))) return tree;
  return noted(tree, value, written);
}

function memberIn(value: JsonObject | readonly Json[], name: string | number): Json {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(name)] ?? null;
  return (value as JsonObject)[name] ?? null;
}

const WHOLE: Path = [];

/** Where a part is written, as a comment names it. */
function placeOf(written: Written): string {
  const { file, start } = locate(written, WHOLE).span;
  return `${file.replace(/\p{Cc}/gu, "?")}:${start.line}`;
}
