import { kindNamed } from "../../kinds/index.js";
import type { Shape } from "../../schema/shape.js";
import type { Collection, Item, Value } from "./layout.js";

const MERGE = "<<";

/** The same document with the fields of every mapping in the order of their schema; lists keep theirs. */
export function order(root: Collection): Collection {
  const named = (name: string) => root.items.find((item) => item.key?.name === name)?.value;
  const [version, kind] = [named("apiVersion"), named("kind")];
  if (version?.type !== "leaf" || version.value?.startsWith("remit/") !== true) return root;
  const spec = kind?.type === "leaf" && kind.value !== null ? kindNamed(kind.value)?.shape : undefined;
  const sorted = orderCollection(root, envelope(spec));
  const first = root.items[0];
  // What stands at the top of a document speaks of all of it.
  const items = sorted.items.map((item) => (item.key === first?.key ? { ...item, above: [] } : item));
  const result = { ...sorted, items, head: [...root.head, ...(first?.above ?? [])] };
  return aliasesFollow(result) ? result : root;
}

function envelope(spec: Shape | undefined): Shape {
  const text: Shape = { type: "string", form: { is: "plain" } };
  const metadata: Shape = {
    type: "object",
    groups: [],
    fields: new Map<string, Shape>([
      ["name", text],
      ["row", text],
      ["labels", { type: "map", value: text }],
      ["annotations", { type: "map", value: text }],
    ]),
  };
  const forEach: Shape = {
    type: "object",
    groups: [],
    fields: new Map<string, Shape>(["in", "as", "mayBeEmpty"].map((name) => [name, text])),
  };
  return {
    type: "object",
    groups: [],
    fields: new Map<string, Shape>([
      ["apiVersion", text],
      ["kind", text],
      ["metadata", metadata],
      ["forEach", forEach],
      ["spec", spec ?? { type: "map", value: text }],
    ]),
  };
}

function orderValue(value: Value, shape: Shape | undefined): Value {
  return value.type === "leaf" || shape === undefined ? value : orderCollection(value, shape);
}

function orderCollection(collection: Collection, shape: Shape): Collection {
  if (collection.type === "list") {
    if (shape.type !== "list") return collection;
    return { ...collection, items: collection.items.map((item) => within(item, shape.item)) };
  }
  if (shape.type === "map") {
    return { ...collection, items: collection.items.map((item) => within(item, shape.value)) };
  }
  if (shape.type !== "object") return collection;
  const ranks = new Map([MERGE, ...shape.fields.keys()].map((name, index) => [name, index]));
  const rank = (item: Item) => ranks.get(item.key?.name ?? "") ?? ranks.size;
  const items = collection.items.map((item) => within(item, shape.fields.get(item.key?.name ?? "")));
  return { ...collection, items: items.sort((one, other) => rank(one) - rank(other)) };
}

function within(item: Item, shape: Shape | undefined): Item {
  return { ...item, value: orderValue(item.value, shape) };
}

/** Whether every alias still stands after the one anchor it means. */
function aliasesFollow(root: Collection): boolean {
  const seen = new Set<string>();
  const follows = (value: Value): boolean => {
    if (value.anchor !== null) {
      if (seen.has(value.anchor)) return false;
      seen.add(value.anchor);
    }
    if (value.type === "leaf") return value.alias === null || seen.has(value.alias);
    return value.items.every((item) => follows(item.value));
  };
  return follows(root);
}
