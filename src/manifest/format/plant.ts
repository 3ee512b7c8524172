import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { arrange } from "./arrange.js";
import type { Collection, Item, Leaf, Value } from "./layout.js";
import { spellPlain } from "./scalar.js";
import { EMPTY } from "./tree.js";
import { doubleQuoted, isEscaped } from "./unseen.js";
import { yamlOf } from "./yamlOf.js";

/** The layout tree of an object, as `growTree` would grow it from the object's YAML, without writing and reading that. */
export function plantTree(value: JsonObject): Collection {
  const items = Object.entries(value).map(([name, member]) => itemOf(keyOf(name), plant(member)));
  return collection("map", items);
}

function plant(value: Json): Value {
  if (Array.isArray(value))
    return collection(
      "list",
      value.map((item) => itemOf(null, plant(item))),
    );
  if (isObject(value)) return plantTree(value);
  if (typeof value !== "string")
    return { ...EMPTY, text: String(value), flowText: String(value), value: String(value) };
  const plain = isEscaped(value) ? null : spellPlain(value);
  return plain === null ? quoted(value) : { ...EMPTY, ...plain, value };
}

function collection(type: Collection["type"], items: readonly Item[]): Collection {
  return { type, properties: "", flow: items.length === 0, items, head: [], foot: [], anchor: null };
}

function itemOf(key: Item["key"], value: Value): Item {
  return { above: [], key, value, beside: [], below: [] };
}

function keyOf(name: string): Item["key"] {
  if (isEscaped(name)) return { text: doubleQuoted(name), flowText: doubleQuoted(name), name };
  const { text, flowText } = spellPlain(name) ?? keyIn({ [name]: "" });
  return { text, flowText, name };
}

/** A text that needs quotes or a block: YAML's own writer chooses, but it escapes only what JSON does. */
function quoted(value: string): Leaf {
  if (isEscaped(value)) {
    const text = doubleQuoted(value);
    return { ...EMPTY, text, flowText: text, value };
  }
  const [item] = itemsIn({ text: value });
  if (item?.value.type !== "leaf") throw new Error("a text is written as a scalar");
  return item.value;
}

function keyIn(value: JsonObject): { readonly text: string; readonly flowText: string } {
  const [item] = itemsIn(value);
  if (item?.key == null) throw new Error("a member is written with its name");
  return item.key;
}

function itemsIn(value: JsonObject): readonly Item[] {
  const [part] = arrange(yamlOf(value));
  return part?.root?.items ?? [];
}
