import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { columnOf } from "../lines.js";
import type { Gatherer, Growing, GrowingCollection } from "./comments.js";
import type { Item, Leaf } from "./layout.js";
import { spell } from "./scalar.js";

/** Thrown for legal YAML that has no place in a manifest: the file is then left as it is. */
export class Unsupported extends Error {}

/** What a tree is grown from: a document of a source, and the comments around its nodes. */
interface Ground {
  readonly source: string;
  readonly document: Document.Parsed;
  readonly gather: Gatherer;
}

type CollectionNode = YAMLMap.Parsed | YAMLSeq.Parsed;

/** Where nothing is written. */
export const EMPTY: Leaf = {
  type: "leaf",
  properties: "",
  text: "",
  flowText: "",
  more: [],
  block: false,
  keeps: false,
  value: null,
  alias: null,
  anchor: null,
};

/** The layout tree of a document; comments at the end of its marker's line are added to `beside`. */
export function growTree(ground: Ground, beside: string[]): GrowingCollection {
  const root = ground.document.contents;
  if (!isMap(root) && !isSeq(root)) throw new Unsupported("a document that is neither a mapping nor a list");
  const head: string[] = [];
  const collection = growCollection(
    root,
    { above: head, beside, below: [], key: null, value: EMPTY },
    ground,
  );
  return { ...collection, head };
}

function growCollection(node: CollectionNode, owner: Growing, ground: Ground): GrowingCollection {
  const { source, gather } = ground;
  const flow = node.flow === true;
  const first = startOf(node, 0);
  const collection: GrowingCollection = {
    type: isMap(node) ? "map" : "list",
    ...propertiesOf(node, ground.document),
    flow,
    items: [],
    head: [],
    foot: [],
    column: flow ? Number.POSITIVE_INFINITY : columnOf(source, first),
  };
  for (const [index, entry] of node.items.entries()) {
    const above = gather.above(startOf(node, index), collection, collection.column);
    const item: Growing = { above, beside: [], below: [], key: keyOf(entry, ground), value: EMPTY };
    collection.items.push(item);
    gather.follow(item.beside);
    item.value = growValue((isPair(entry) ? entry.value : entry) as ParsedNode | null, item, ground);
  }
  if (flow) {
    gather.into(collection.items.length === 0 ? owner.above : collection.foot, node.range[1]);
    gather.follow(owner.beside);
  }
  return collection;
}

function growValue(node: ParsedNode | null, item: Growing, ground: Ground): GrowingCollection | Leaf {
  if (isMap(node) || isSeq(node)) return growCollection(node, item, ground);
  if (node !== null && node.range[1] > node.range[0]) ground.gather.into(item.above, node.range[0]);
  return leafOf(node, ground);
}

function leafOf(node: ParsedNode | null, { source, document }: Ground): Leaf {
  if (isAlias(node)) {
    const text = `*${node.source}`;
    return { ...EMPTY, text, flowText: text, alias: node.source };
  }
  if (!isScalar(node)) return EMPTY;
  return { ...EMPTY, ...spell(node, source), ...propertiesOf(node, document), value: String(node.value) };
}

function keyOf(entry: unknown, ground: Ground): Item["key"] {
  if (!isPair<ParsedNode, ParsedNode | null>(entry)) return null;
  if (isMap(entry.key) || isSeq(entry.key)) throw new Unsupported("a name that is a mapping or a list");
  const { text, flowText, more, block, properties, alias, value } = leafOf(entry.key, ground);
  if (more.length > 0 || block || text === "")
    throw new Unsupported("a name that is empty or has several lines");
  const before = properties === "" ? "" : `${properties} `;
  // The colon after an alias would be a part of its name.
  const after = alias === null ? "" : " ";
  return { text: `${before}${text}${after}`, flowText: `${before}${flowText}${after}`, name: value ?? text };
}

/** What may stand before an item's own text, on its line. */
const BEFORE = ["seq-item-ind", "explicit-key-ind", "anchor", "tag"];

/** The offset an item begins at: of its dash, or of its key with what stands before that. */
function startOf(node: CollectionNode, index: number): number {
  const token = node.srcToken;
  if (token?.type === "block-seq" || token?.type === "block-map") {
    const before = token.items[index]?.start.find((part) => BEFORE.includes(part.type));
    if (before !== undefined) return before.offset;
  }
  const entry = node.items[index];
  const first = (isPair(entry) ? entry.key : entry) as ParsedNode | null | undefined;
  return first?.range[0] ?? node.range[0];
}

function propertiesOf(
  node: { readonly anchor?: string; readonly tag?: string },
  { directives }: Document.Parsed,
): Pick<Leaf, "properties" | "anchor"> {
  const anchor = node.anchor === undefined ? [] : [`&${node.anchor}`];
  const tag = node.tag === undefined ? [] : [directives.tagString(node.tag)];
  return { properties: [...anchor, ...tag].join(" "), anchor: node.anchor ?? null };
}
