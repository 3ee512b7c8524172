import type { Diagnostic } from "../../model/diagnostic.js";
import { type Paint, plain } from "../text/paint.js";
import { tame } from "../text/tame.js";

/** The first line of a diagnostic: how grave it is, its code, and what it is. */
export function headline({ severity, code, message }: Diagnostic, paint: Paint = plain): string {
  return `${paint(severity, `${severity}[${tame(code)}]`)}${paint("strong", `: ${tame(message)}`)}`;
}

/** A diagnostic that is in no file, in two lines. It loads nothing that measures text, so that any command can begin with it. */
export function formatNotice(diagnostic: Diagnostic & { readonly hint: string }): string {
  return `${headline(diagnostic)}\n  = ${tame(diagnostic.hint)}`;
}
