import { byPlace, type Diagnostic, type Severity } from "../../model/diagnostic.js";
import { type CheckoutOptions, inCheckout } from "../diagnostics/checkout.js";
import { tame } from "../text/visible.js";

const COMMAND: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", note: "notice" };

/** A sentence about the whole run as a workflow command. */
export function githubHeadline(text: string): string {
  return `::notice title=remit::${data(tame(text))}\n`;
}

/** Diagnostics as workflow commands, one per line; no value can end its line or start another command. */
export function toGithub(diagnostics: readonly Diagnostic[], { folder = "" }: CheckoutOptions = {}): string {
  return [...diagnostics]
    .sort(byPlace)
    .map((diagnostic) => `${command(diagnostic, folder)}\n`)
    .join("");
}

function command(diagnostic: Diagnostic, folder: string): string {
  const { severity, code, message, hint, related = [] } = diagnostic;
  const properties = [...place(diagnostic, folder), ["title", code]]
    .map(([name, value]) => `${name}=${property(tame(String(value)))}`)
    .join(",");
  const lines = [
    message,
    ...related.map(
      ({ span: { file, start }, message: why }) =>
        `${/^(?:-$|\/|[A-Za-z]:)/.test(file) ? file : inCheckout(file, folder)}:${start.line}:${start.column}: ${why}`,
    ),
    ...(hint === undefined ? [] : [hint]),
  ];
  return `::${COMMAND[severity]} ${properties}::${lines.map((line) => data(tame(line))).join("%0A")}`;
}

function place({ span }: Diagnostic, folder: string): readonly (readonly [string, string | number])[] {
  if (span === undefined || span.file === "-") return [];
  const { file, start, end } = span;
  return [
    ["file", inCheckout(file, folder)],
    ["line", start.line],
    ["endLine", end.line],
    // Columns are shown only for places within one line.
    ...(start.line === end.line
      ? ([
          ["col", start.column],
          ["endColumn", end.column],
        ] as const)
      : []),
  ];
}

// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts says which characters are escaped where.
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
