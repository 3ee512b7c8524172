import packageFile from "../../../package.json" with { type: "json" };
import { writtenCode } from "../../cli/exitCode.js";
import { paintFor, printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { fileNameOf } from "../../kinds/spelling.js";
import { wrap } from "../../report/text/layout.js";
import { didYouMean, nearestInWords } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import { pages } from "./pages.js";
import { pageText } from "./text.js";

const COLUMNS = 80;

/** Prints a page, or the list of them. */
export default function docs(this: Context, _flags: object, name?: string): void {
  const { stdout, stderr } = this.world;
  const all = pages();
  if (name === undefined) {
    stdout.write(list(all));
    return;
  }
  const [page, text] = pageOf(name, all) ?? [];
  if (page !== undefined && text !== undefined) {
    const { columns } = stdout;
    // Pages that are made begin with a comment for those who edit them.
    const markdown = text.replace(/^<!--.*-->\n+/, "");
    const paint = paintFor(this.world, stdout);
    stdout.write(stdout.isTerminal ? pageText(page, markdown, { columns, paint }) : markdown);
    return;
  }
  const names = [...all.keys()].map((known) => known.replace(/^.*\//, ""));
  const meant = didYouMean(name, names) ?? nearestInWords(name, names).trim();
  const diagnostics = [
    say("command/no-such-page", { name }, { hint: `${meant} \`remit docs\` lists the pages.` }),
  ];
  printDiagnostics(this.world, stderr, diagnostics);
  this.process.exitCode = writtenCode(diagnostics);
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
