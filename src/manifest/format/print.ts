import type { Collection, Item, Lines, Part, Value } from "./layout.js";

/** Columns that `{}` and `[]` may take before they become a block. */
const WIDTH = 100;
const STEP = 2;

/** The text of a file laid out: two spaces a level, one blank line at most, a line break at the end. */
export function print(parts: readonly Part[]): string {
  const page = new Page();
  for (const part of parts) {
    page.lines(part.above, 0);
    const head = [part.text, part.root?.properties ?? ""].filter((text) => text !== "").join(" ");
    if (head !== "" || part.beside.length > 0) page.line(ended(head, part.beside), 0);
    if (part.root !== null) printRoot(part.root, page);
  }
  return page.text();
}

function printRoot(root: Collection, page: Page): void {
  page.fresh();
  page.lines(root.head, 0);
  const inline = inlined(root, "");
  if (inline !== null && (root.flow || root.items.length === 0)) page.line(inline, 0);
  else printItems(root, 0, page);
}

function printItems(collection: Collection, indent: number, page: Page): void {
  for (const item of collection.items) printItem(item, indent, page);
  page.lines(collection.foot, indent);
}

function printItem(item: Item, indent: number, page: Page): void {
  page.lines(aboveOf(item), indent);
  const { value } = item;
  const beside = item.beside.slice(-1);
  const start = item.key === null ? "-" : `${item.key.text}:`;
  const head = value.properties === "" ? start : `${start} ${value.properties}`;
  if (value.type === "leaf") {
    const first = value.text === "" ? head : `${head} ${value.text}`;
    const last = value.more.at(-1);
    if (last === undefined || value.block) page.line(ended(first, beside), indent);
    else page.line(first, indent);
    const more =
      last === undefined || value.block ? value.more : [...value.more.slice(0, -1), ended(last, beside)];
    for (const line of more) page.exactly(line, indent + STEP);
    if (value.keeps) page.seal();
    page.lines(item.below, indent + STEP);
    return;
  }
  const inline = inlined(value, value.properties);
  const fits =
    inline !== null && (value.items.length === 0 || indent + start.length + 1 + inline.length <= WIDTH);
  if (fits && (value.flow || value.items.length === 0)) {
    page.line(ended(`${start} ${inline}`, beside), indent);
    return;
  }
  const compact =
    item.key === null &&
    value.properties === "" &&
    beside.length === 0 &&
    aboveOf(value.items[0]).every((line) => line === "");
  if (compact) page.hang("- ");
  else page.line(ended(head, beside), indent);
  page.fresh();
  printItems(value, indent + STEP, page);
}

/** What stands above an item; of several comments at the ends of its lines only the last stays at its line's end. */
function aboveOf(item: Item | undefined): Lines {
  return item === undefined ? [] : [...item.above, ...item.beside.slice(0, -1)];
}

function ended(line: string, comments: Lines): string {
  return [line, ...comments].filter((part) => part !== "").join(" ");
}

/** A value on one line; null where comments or texts of several lines need a block. */
function inlined(value: Value, properties: string): string | null {
  const before = properties === "" ? "" : `${properties} `;
  if (value.type === "leaf")
    return value.more.length > 0 || value.block ? null : `${before}${value.flowText}`.trimEnd();
  const parts: string[] = [];
  if (value.head.length > 0 || value.foot.length > 0) return null;
  for (const item of value.items) {
    if ([...item.above, ...item.beside, ...item.below].some((line) => line !== "")) return null;
    const text = inlined(item.value, item.value.properties);
    if (text === null) return null;
    parts.push(item.key === null ? text : `${item.key.flowText}: ${text}`.trimEnd());
  }
  if (value.type === "list") return `${before}[${parts.join(", ")}]`;
  return parts.length === 0 ? `${before}{}` : `${before}{ ${parts.join(", ")} }`;
}

/** Lines as they are put down. */
class Page {
  readonly #lines: string[] = [];
  #hanging = "";
  /** Whether a blank line here would be none of the author's. */
  #tight = true;
  /** Whether the last line is a blank one that separates. */
  #blank = false;

  text(): string {
    const lines = this.#blank ? this.#lines.slice(0, -1) : this.#lines;
    return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  }

  /** Comments and blank lines; of these never two in a row. */
  lines(lines: Lines, indent: number): void {
    for (const line of lines) {
      if (line !== "") this.line(line, indent);
      else if (!this.#tight) {
        this.#lines.push("");
        this.#tight = true;
        this.#blank = true;
      }
    }
  }

  line(line: string, indent: number): void {
    const margin = " ".repeat(indent);
    this.#lines.push(`${margin.slice(0, Math.max(0, indent - this.#hanging.length))}${this.#hanging}${line}`);
    this.#hanging = "";
    this.#tight = false;
    this.#blank = false;
  }

  /** A line of a text that has several; a blank one is kept. */
  exactly(line: string, indent: number): void {
    this.#lines.push(line === "" ? "" : `${" ".repeat(indent)}${line}`);
    this.#tight = false;
    this.#blank = false;
  }

  /** The next line begins with a dash, in place of its margin's end. */
  hang(dash: string): void {
    this.#hanging += dash;
  }

  /** What follows begins something: no blank line before it. */
  fresh(): void {
    this.#tight = true;
  }

  /** Blank lines after this would change what was written: none until the next line. */
  seal(): void {
    this.#tight = true;
  }
}
