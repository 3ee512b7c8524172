import type { Diagnostic, Related } from "../../model/diagnostic.js";
import { type Paint, plain, withNames } from "../text/paint.js";
import { tame } from "../text/visible.js";

/** The first line of a diagnostic: its severity, its code and its message. */
export function headline({ severity, code, message }: Diagnostic, paint: Paint = plain): string {
  return `${paint(severity, `${severity}[${tame(code)}]`)}${paint("strong", `: ${withNames(tame(message), paint)}`)}`;
}

/** What happened and what to do next, as one text. */
export function withHint({ message, hint }: Pick<Diagnostic, "message" | "hint">): string {
  if (hint === undefined) return message;
  return `${message}${/[.!?]$/.test(message) ? "" : "."} ${hint}`;
}

/** Another place of a diagnostic, and why: `groups.yaml:4:7: it is defined here`. */
export function relatedLine({ span: { file, start }, message }: Related): string {
  return `${file}:${start.line}:${start.column}: ${message}`;
}

/** A diagnostic that is in no file, in two lines. It loads no library that measures text, so every command can start quickly. */
export function formatNotice(diagnostic: Diagnostic & { readonly hint: string }): string {
  return `${headline(diagnostic)}\n  = ${tame(diagnostic.hint)}`;
}
