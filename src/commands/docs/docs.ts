import { posix } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { codeOf } from "../../cli/exitCode.js";
import { columns as inColumns } from "../../cli/print/columns.js";
import { endWith, paintFor } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { fileNameOf } from "../../kinds/spelling.js";
import { usable, wrap } from "../../report/text/layout.js";
import type { Paint } from "../../report/text/paint.js";
import { didYouMean, nearestInWords } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import { pages } from "./pages.js";

const COLUMNS = 80;

/** Prints a page, or the list of them. */
export default function docs(this: Context, _flags: object, name?: string): number {
  const { stdout } = this.world;
  const all = pages();
  if (name === undefined) {
    stdout.write(list(all));
    return codeOf("done");
  }
  const [page, text] = pageOf(name, all) ?? [];
  if (page !== undefined && text !== undefined) {
    const { columns } = stdout;
    // Pages that are made begin with a comment for those who edit them.
    const markdown = text.replace(/^<!--.*-->\n+/, "");
    const paint = paintFor(this.world, stdout);
    stdout.write(stdout.isTerminal ? pageText(page, markdown, { columns, paint }) : markdown);
    return codeOf("done");
  }
  const names = [...all.keys()].map((known) => known.replace(/^.*\//, ""));
  const meant = didYouMean(name, names) ?? nearestInWords(name, names).trim();
  const hint = `${meant} \`remit docs\` lists the pages.`;
  return endWith(this.world, "not found", [say("command/no-such-page", { name }, { hint })]);
}

/** A page in a folder is found by its own name, too, and by that of its kind: `Policy`, `access-profile`, `AccessProfile`. */
function pageOf(
  name: string,
  all: ReadonlyMap<string, string>,
): readonly [page: string, text: string] | undefined {
  const path = fileNameOf(name).replace(/\.md$/, "");
  return [...all].find(([page]) => page === path) ?? [...all].find(([page]) => page.endsWith(`/${path}`));
}

function list(all: ReadonlyMap<string, string>): string {
  const width = Math.max(...[...all.keys()].map((name) => name.length));
  const lines = [...all].flatMap(([name, text]) => {
    const title = /^# (.+)$/m.exec(text)?.[1] ?? "";
    return wrap(title, COLUMNS, `${name.padEnd(width)}  `, " ".repeat(width + 2));
  });
  const { homepage } = packageFile as { readonly homepage?: string };
  return `${[...lines, ...(homepage === undefined ? [] : ["", homepage])].join("\n")}\n`;
}

/** Where a page is printed. */
interface Printed {
  readonly columns: number;
  readonly paint: Paint;
}

/** A block of a page: lines that are printed together. */
type Block = readonly [sort: "code" | "table" | "words", lines: readonly string[]];

/** A page for a terminal: its text in words, code as it is, tables in columns, links by the command that prints their page. */
export function pageText(page: string, markdown: string, to: Printed): string {
  return `${blocksOf(markdown)
    .map((block) => printed(block, page, to))
    .filter((text) => text !== "")
    .join("\n\n")}\n`;
}

function blocksOf(markdown: string): readonly Block[] {
  const blocks: [Block[0], string[]][] = [];
  let fence: string | null = null;
  let isOpen = false;
  for (const line of markdown.replaceAll(/<!--.*?-->/gs, "").split("\n")) {
    const [, marks = null] = /^\s*(`{3,})/.exec(line) ?? [];
    if (marks !== null && (fence === null || marks.length >= fence.length)) {
      isOpen = fence === null;
      if (isOpen) blocks.push(["code", []]);
      fence = isOpen ? marks : null;
    } else if (fence !== null) blocks.at(-1)?.[1].push(line);
    else if (line.trim() === "") isOpen = false;
    else {
      const sort = line.startsWith("|") ? "table" : "words";
      if (isOpen && blocks.at(-1)?.[0] === sort) blocks.at(-1)?.[1].push(line);
      else blocks.push([sort, [line]]);
      isOpen = true;
    }
  }
  return blocks;
}

function printed([sort, lines]: Block, page: string, to: Printed): string {
  if (sort === "code") return lines.map((line) => `  ${line}`.trimEnd()).join("\n");
  if (sort === "table")
    return table(
      lines.map((line) => plainWords(line, page)),
      to,
    );
  return itemsOf(lines)
    .map((item) => words(plainWords(item, page), to))
    .join("\n");
}

/** The narrowest last column of a table. */
const NARROWEST = 20;

/** A table without its rule, or each row as a list where the screen is too narrow; a `|` within a cell has a backslash before it. */
function table(lines: readonly string[], { columns, paint }: Printed): string {
  const [head = [], ...rows] = lines
    .filter((line) => !/^[|\s:-]+$/.test(line))
    .map((line) => line.replace(/^\||\|$/g, "").split(/(?<!\\)\|/))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll("\\|", "|")));
  const widest = Math.max(...rows.map((cells) => cells.slice(0, -1).join("  ").length));
  if (widest + NARROWEST <= usable(columns)) return inColumns([head, ...rows], columns).trimEnd();
  const listed = rows.map(([first = "", ...rest]) => {
    const shown = rest.filter((cell) => cell !== "").flatMap((cell) => wrap(cell, usable(columns), "    "));
    return [paint("strong", first), ...shown].join("\n");
  });
  return listed.join("\n");
}

const ITEM = /^(\s*(?:[-*]|\d+\.|>) +)/;

/** The items of a list and the paragraphs in a block, each as one line. */
function itemsOf(lines: readonly string[]): readonly string[] {
  const items: string[] = [];
  for (const line of lines)
    if (items.length === 0 || ITEM.test(line)) items.push(line);
    else items.push(`${items.pop()} ${line.trim()}`);
  return items;
}

function words(text: string, { columns, paint }: Printed): string {
  const [, title] = /^#+ (.+)$/.exec(text) ?? [];
  if (title !== undefined) return paint("strong", title);
  const [mark = ""] = ITEM.exec(text) ?? [];
  const lines = wrap(text.slice(mark.length), usable(columns), mark, " ".repeat(mark.length));
  return lines.join("\n");
}

/** Words without the marks of Markdown: a link to a page names the command that prints it. */
function plainWords(text: string, page: string): string {
  return text
    .replaceAll("**", "")
    .replaceAll(/!?\[((?:[^[\]]|\[\])*)\]\(([^()\s]+)\)/g, (_all, label: string, target: string) => {
      if (/^[a-z]+:/.test(target)) return target === label ? label : `${label} (${target})`;
      const [file = ""] = target.split("#");
      const linked = posix.join(posix.dirname(page), file);
      if (!linked.endsWith(".md") || linked.startsWith("..") || linked === `${page}.md`) return label;
      return `${label} (remit docs ${linked.replace(/(?:\/README)?\.md$/, "")})`;
    });
}
