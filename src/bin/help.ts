import type { Command, RouteMap } from "@stricli/core";
import type { Context } from "../cli/run/context.js";
import { wrap } from "../report/text/layout.js";

type Target = Command<Context> | RouteMap<Context>;
type HelpParameters = Command<Context>["parameters"];
type Flag = NonNullable<HelpParameters["flags"]>[string];
type Row = readonly [left: string, right: string];

/** The columns of a help page; every terminal is at least as wide. */
const COLUMNS = 80;

const AFTER_COMMANDS = `\`remit COMMAND --help\` explains a command, with examples.
\`remit -C DIR COMMAND\` runs a command as if it was started in DIR.

Exit codes: 0 done, 1 error or wrong usage, 2 changes pending (only with
--detailed-exitcode), 3 applied in part, 4 refused, 5 invalid manifests or
settings. After a signal: 129, 130 or 143.`;

/** The page of `--help` for a command or a group of commands: usage, purpose, examples, flags. */
export function helpPage(target: Target, prefix: readonly string[]): string {
  const sections = "parameters" in target ? aboutCommand(target, prefix) : aboutGroup(target, prefix);
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function aboutGroup(group: RouteMap<Context>, prefix: readonly string[]): readonly string[] {
  const rows = group
    .getAllEntries()
    .filter(({ hidden }) => !hidden)
    .map(({ name, target }): Row => [name["convert-camel-to-kebab"], target.brief]);
  return [
    `Usage: ${prefix.join(" ")} COMMAND`,
    paragraph(`${group.brief}.`),
    `Commands:\n${table(rows)}`,
    prefix.length === 1 ? AFTER_COMMANDS : "",
  ];
}

function aboutCommand(
  { brief, fullDescription, parameters }: Command<Context>,
  prefix: readonly string[],
): readonly string[] {
  const [text = "", ...examples] = (fullDescription ?? "").split("\n\n");
  const usage = [...prefix, ...argumentsOf(parameters), "[FLAGS]"].join(" ");
  return [
    `Usage: ${usage}`,
    paragraph(`${brief}. ${text}`.trim()),
    ...examples,
    `Flags:\n${table([...flagRows(parameters), ["-h, --help", "Print this help"]])}`,
  ];
}

function argumentsOf({ positional }: HelpParameters): readonly string[] {
  if (positional === undefined) return [];
  const nameOf = (placeholder: string | undefined) => (placeholder ?? "value").toUpperCase();
  if (positional.kind === "array") return [`[${nameOf(positional.parameter.placeholder)}…]`];
  return positional.parameters.map(({ placeholder, optional }) =>
    optional === true ? `[${nameOf(placeholder)}]` : nameOf(placeholder),
  );
}

function flagRows({ flags = {}, aliases = {} }: HelpParameters): readonly Row[] {
  const letters = new Map(Object.entries(aliases).map(([letter, name]) => [name, letter]));
  return Object.entries(flags)
    .filter(([, flag]) => flag.hidden !== true)
    .map(([name, flag]) => {
      const letter = letters.get(name);
      const left = `${letter === undefined ? "    " : `-${letter}, `}${longName(name, flag)}`;
      return [left, `${flag.brief}${choices(flag)}`];
    });
}

function longName(name: string, flag: Flag): string {
  const kebab = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (flag.kind === "boolean") return flag.default === undefined ? `--[no-]${kebab}` : `--${kebab}`;
  return `--${kebab} ${(flag.placeholder ?? kebab).toUpperCase()}`;
}

function choices(flag: Flag): string {
  if (flag.kind === "enum") return `: ${flag.values.join(", ")}`;
  return flag.kind === "parsed" && typeof flag.default === "string" ? ` (${flag.default})` : "";
}

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.flatMap(([left, right]) =>
    wrap(right, COLUMNS, `  ${left.padEnd(width)}  `, " ".repeat(width + 4)),
  );
  return lines.join("\n");
}

function paragraph(text: string): string {
  return wrap(text, COLUMNS, "").join("\n");
}
