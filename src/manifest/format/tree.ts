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
import { blankBefore, type Comment, columnOf } from "./comments.js";
import type { Collection, Item, Leaf } from "./layout.js";
import { spell } from "./scalar.js";

/** Thrown for legal YAML that has no place in a manifest: the file is then left as it is. */
export class Unsupported extends Error {}

/** An item while comments may still be found to belong to it. */
interface Growing extends Item {
  readonly above: string[];
  readonly beside: string[];
  readonly below: string[];
  value: GrowingList | Leaf;
}

interface GrowingList extends Collection {
  readonly items: Growing[];
  readonly foot: string[];
  /** Where its items begin on their lines; infinite where it is written with `{}` or `[]`. */
  readonly column: number;
}

const EMPTY: Leaf = {
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

/** Turns the nodes of one file into its layout, handing each comment to what it speaks of. */
export class Planter {
  readonly #source: string;
  readonly #comments: readonly Comment[];
  #next = 0;
  /** Where a comment at the end of a line goes. */
  #beside: string[] = [];

  constructor(source: string, comments: readonly Comment[]) {
    this.#source = source;
    this.#comments = comments;
  }

  /** Takes the comments before an offset that belong to no document, and says where those after it on its line go. */
  between(until: number, beside: string[]): string[] {
    const above: string[] = [];
    for (const comment of this.#take(until)) this.#push(above, comment);
    if (until > 0 && blankBefore(this.#source, until)) above.push("");
    this.#beside = beside;
    return above;
  }

  /** The collection a document is. */
  plant(document: Document.Parsed): GrowingList {
    const root = document.contents;
    if (!isMap(root) && !isSeq(root))
      throw new Unsupported("a document that is neither a mapping nor a list");
    const owner: Growing = { above: [], beside: this.#beside, below: [], key: null, value: EMPTY };
    owner.value = this.#collection(root, document, owner);
    return { ...owner.value, head: owner.above };
  }

  /** Takes the comments after a document's last line, up to an offset. */
  close(root: GrowingList, until: number): string[] {
    return this.#sort(this.#take(until), root, -1);
  }

  #value(node: ParsedNode | null, document: Document.Parsed, owner: Growing): GrowingList | Leaf {
    if (isMap(node) || isSeq(node)) return this.#collection(node, document, owner);
    if (node === null || node.range[0] === node.range[1])
      return { ...EMPTY, ...propertiesOf(node ?? {}, document) };
    for (const comment of this.#take(node.range[0])) this.#push(owner.above, comment);
    return this.#leaf(node, document);
  }

  #leaf(node: ParsedNode | null, document: Document.Parsed): Leaf {
    if (isAlias(node))
      return { ...EMPTY, text: `*${node.source}`, flowText: `*${node.source}`, alias: node.source };
    if (!isScalar(node)) return EMPTY;
    const value = typeof node.value === "string" ? node.value : null;
    return { ...EMPTY, ...spell(node, this.#source), ...propertiesOf(node, document), value };
  }

  #collection(node: YAMLMap.Parsed | YAMLSeq.Parsed, document: Document.Parsed, owner: Growing): GrowingList {
    const flow = node.flow === true;
    const starts = node.items.map((_, index) => startOf(node, index));
    const column = flow ? Number.POSITIVE_INFINITY : columnOf(this.#source, starts[0] ?? 0);
    const list: GrowingList = {
      type: isMap(node) ? "map" : "list",
      ...propertiesOf(node, document),
      flow,
      items: [],
      head: [],
      foot: [],
      column,
    };
    node.items.forEach((entry, index) => {
      const start = starts[index] ?? 0;
      const above = this.#sort(this.#take(start), list, column);
      if (blankBefore(this.#source, start)) above.push("");
      const item: Growing = { above, beside: [], below: [], key: this.#key(entry, document), value: EMPTY };
      list.items.push(item);
      this.#beside = item.beside;
      item.value = this.#value((isPair(entry) ? entry.value : entry) as ParsedNode | null, document, item);
    });
    if (flow) {
      const foot = list.items.length === 0 ? owner.above : list.foot;
      for (const comment of this.#take(node.range[1])) this.#push(foot, comment);
      this.#beside = owner.beside;
    }
    return list;
  }

  #key(entry: unknown, document: Document.Parsed): Item["key"] {
    if (!isPair<ParsedNode, ParsedNode | null>(entry)) return null;
    if (isMap(entry.key) || isSeq(entry.key)) throw new Unsupported("a key that is a mapping or a list");
    const { text, flowText, more, block, properties, alias } = this.#leaf(entry.key, document);
    if (more.length > 0 || block || text === "")
      throw new Unsupported("a key that is empty or has several lines");
    const [before, after] = [properties === "" ? "" : `${properties} `, alias === null ? "" : " "];
    const name = isScalar(entry.key) ? String(entry.key.source ?? "") : text;
    return { text: `${before}${text}${after}`, flowText: `${before}${flowText}${after}`, name };
  }

  /** Shares comments out: the deeper ones to what ends here, from the first shallow one on to what comes next. */
  #sort(comments: readonly Comment[], list: GrowingList, column: number): string[] {
    const above: string[] = [];
    for (const comment of comments) {
      const ended = above.length === 0 ? endedBefore(list, comment.column, column) : undefined;
      this.#push(ended ?? above, comment);
    }
    return above;
  }

  #push(lines: string[], comment: Comment): void {
    if (!comment.alone) {
      this.#beside.push(comment.text);
      return;
    }
    if (blankBefore(this.#source, comment.offset)) lines.push("");
    lines.push(comment.text);
  }

  #take(until: number): readonly Comment[] {
    const from = this.#next;
    while ((this.#comments[this.#next]?.offset ?? Number.POSITIVE_INFINITY) < until) this.#next += 1;
    return this.#comments.slice(from, this.#next);
  }
}

/** Where the comments go that stand at `column`, after what is in a list and before its next item at `next`. */
function endedBefore(list: GrowingList, column: number, next: number): string[] | undefined {
  let place: string[] | undefined = list.column > next && list.column <= column ? list.foot : undefined;
  let here = list;
  while (column > next) {
    const last = here.items.at(-1);
    if (last === undefined) return place;
    if (last.value.type === "leaf") {
      const empty = last.value.text === "" && last.value.properties === "" && column > here.column;
      return empty ? last.below : place;
    }
    if (last.value.column > column) return place;
    here = last.value;
    if (here.column > next) place = here.foot;
  }
  return place;
}

/** The offset an item begins at: of its dash, or of its key. */
function startOf(node: YAMLMap.Parsed | YAMLSeq.Parsed, index: number): number {
  const token = node.srcToken;
  if (token?.type === "block-seq") {
    const dash = token.items[index]?.start.find((part) => part.type === "seq-item-ind");
    if (dash !== undefined) return dash.offset;
  }
  const entry = node.items[index];
  const first = (isPair(entry) ? entry.key : entry) as ParsedNode | null | undefined;
  return first?.range[0] ?? node.range[0];
}

function propertiesOf(
  node: { readonly anchor?: string; readonly tag?: string },
  document: Document.Parsed,
): Pick<Leaf, "properties" | "anchor"> {
  const anchor = node.anchor === undefined ? [] : [`&${node.anchor}`];
  const tag = node.tag === undefined ? [] : [document.directives.tagString(node.tag)];
  return { properties: [...anchor, ...tag].join(" "), anchor: node.anchor ?? null };
}
