import type { Collection, Item, LayoutPart, Leaf, Lines, Value } from "./layout.js";
import { order } from "./order.js";

/** Columns that `{}` and `[]` may take before they become a block. */
const WIDTH = 100;
const STEP = 2;

/** The text of a file laid out: fields in order, two spaces a level, one blank line at most, a line break at the end. */
export function print(parts: Iterable<LayoutPart>): string {
  const page = newSheet();
  for (const part of parts) {
    page.lines(part.above, 0);
    const head = [part.text, part.root?.properties ?? ""].filter((text) => text !== "").join(" ");
    if (head !== "" || part.beside.length > 0) page.line(ended(head, part.beside), 0);
    if (part.text === "---") page.tighten();
    if (part.root !== null) printRoot(order(part.root), page);
  }
  return page.text();
}

function printRoot(root: Collection, page: Sheet): void {
  page.tighten();
  page.lines(root.head, 0);
  const inline = root.flow ? inlined(root) : null;
  if (inline !== null && (root.items.length === 0 || inline.length <= WIDTH)) page.line(inline, 0);
  else printItems(root, 0, page);
}

function printItems(collection: Collection, indent: number, page: Sheet): void {
  for (const item of collection.items) printItem(hoisted(item), indent, page);
  page.lines(collection.foot, indent);
}

function printItem(item: Item, indent: number, page: Sheet): void {
  page.lines(aboveOf(item), indent);
  const start = item.key === null ? "-" : `${item.key.text}:`;
  const head = [start, item.value.properties].filter((text) => text !== "").join(" ");
  if (item.value.type === "leaf") printLeaf(head, item.value, item, indent, page);
  else printCollection(head, item.value, item, indent, page);
}

function printLeaf(head: string, leaf: Leaf, item: Item, indent: number, page: Sheet): void {
  const beside = item.beside.slice(-1);
  const first = [head, leaf.text].filter((text) => text !== "").join(" ");
  const last = leaf.more.at(-1);
  // A comment stands beside the header of a block text, and beside the end of any other.
  if (last === undefined || leaf.block) {
    page.line(ended(first, beside), indent);
    for (const line of leaf.more) page.exactly(line, indent + STEP);
  } else {
    page.line(first, indent);
    for (const line of leaf.more.slice(0, -1)) page.exactly(line, indent + STEP);
    page.exactly(ended(last, beside), indent + STEP);
  }
  if (leaf.keeps || leaf.more.at(-1)?.trim() === "") page.tighten();
  page.lines(item.below, indent + STEP);
}

function printCollection(head: string, value: Collection, item: Item, indent: number, page: Sheet): void {
  const beside = item.beside.slice(-1);
  const inline = value.flow ? inlined(value) : null;
  if (inline !== null && (value.items.length === 0 || indent + head.length + 1 + inline.length <= WIDTH)) {
    page.line(ended(`${head} ${inline}`, beside), indent);
    return;
  }
  if (head === "-" && beside.length === 0) page.hang("- ");
  else page.line(ended(head, beside), indent);
  page.tighten();
  printItems(value, indent + STEP, page);
}

/** An item of a list with the comments above its first line, where that line is the one of its dash. */
function hoisted(item: Item): Item {
  const { key, value, beside } = item;
  if (key !== null || value.type === "leaf" || value.properties !== "" || beside.length > 0) return item;
  const [first, ...rest] = value.items;
  if (first === undefined) return item;
  const inner = hoisted(first);
  const above = [...item.above, ...aboveOf(inner).filter((line) => line !== "")];
  return {
    ...item,
    above,
    value: { ...value, items: [{ ...inner, above: [], beside: inner.beside.slice(-1) }, ...rest] },
  };
}

/** What stands above an item; of several comments at the ends of its lines only the last stays at its line's end. */
function aboveOf(item: Item | undefined): Lines {
  return item === undefined ? [] : [...item.above, ...item.beside.slice(0, -1)];
}

function ended(line: string, comments: Lines): string {
  return [line, ...comments].filter((part) => part !== "").join(" ");
}

/** What a value is on one line, its properties aside; null where comments or texts of several lines need a block. */
function inlined(value: Value): string | null {
  if (value.type === "leaf") return value.more.length > 0 || value.block ? null : value.flowText;
  if (value.head.length > 0 || value.foot.length > 0) return null;
  const parts: string[] = [];
  for (const item of value.items) {
    if ([...item.above, ...item.beside, ...item.below].some((line) => line !== "")) return null;
    const text = inlined(item.value);
    if (text === null) return null;
    const start = item.key === null ? "" : `${item.key.flowText}:`;
    parts.push([start, item.value.properties, text].filter((part) => part !== "").join(" "));
  }
  if (value.type === "list") return `[${parts.join(", ")}]`;
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

/** Lines as they are put down, one below the other. */
interface Sheet {
  /** Comments and blank lines; of these never two in a row. */
  lines(lines: Lines, indent: number): void;
  line(line: string, indent: number): void;
  /** A line of a text that has several; a blank one is kept. */
  exactly(line: string, indent: number): void;
  /** The next line begins with a dash, in place of its margin's end. */
  hang(dash: string): void;
  /** A blank line here would say something, or separate nothing: none until the next line. */
  tighten(): void;
  /** All of it; a blank line at the end that only separates is left out. */
  text(): string;
}

/** Makes an empty page. */
function newSheet(): Sheet {
  const written: string[] = [];
  let hanging = "";
  let tight = true;
  let separated = false;

  function put(line: string): void {
    written.push(line);
    tight = false;
    separated = false;
  }

  const page: Sheet = {
    lines(lines, indent) {
      for (const line of lines) {
        if (line !== "") page.line(line, indent);
        else if (!tight) {
          written.push("");
          tight = true;
          separated = true;
        }
      }
    },
    line(line, indent) {
      put(`${" ".repeat(Math.max(0, indent - hanging.length))}${hanging}${line}`);
      hanging = "";
    },
    exactly(line, indent) {
      put(line === "" ? "" : `${" ".repeat(indent)}${line}`);
    },
    hang(dash) {
      hanging += dash;
    },
    tighten() {
      tight = true;
    },
    text() {
      const lines = separated ? written.slice(0, -1) : written;
      return lines.map((line) => `${line}\n`).join("");
    },
  };
  return page;
}
