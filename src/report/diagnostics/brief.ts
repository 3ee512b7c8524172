import type { Diagnostic } from "../../model/diagnostic.js";
import { type Paint, plain } from "../text/paint.js";
import { tame } from "../text/tame.js";

/** The first line of a finding: how grave it is, its code, and what it is. */
export function headline({ severity, code, message }: Diagnostic, paint: Paint = plain): string {
  return `${paint(severity, `${severity}[${tame(code)}]`)}${paint("strong", `: ${tame(message)}`)}`;
}

/** A finding that is in no file, in two lines. It loads nothing that measures text, so that any command can begin with it. */
export function formatNotice(notice: Diagnostic & { readonly hint: string }): string {
  return `${headline(notice)}\n  = ${tame(notice.hint)}`;
}
