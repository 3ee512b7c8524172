import type { Diagnostic } from "../../../model/diagnostic.js";
import { wrap } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { withNames } from "../../text/paint.js";
import { tame } from "../../text/visible.js";

const INDENT = "    ";

/** A diagnostic below the step that it is about, and what to do. */
export function renderBelow(
  { severity, code, message, hint }: Diagnostic,
  { columns, paint }: Page,
): readonly string[] {
  const head = `${paint(severity, `${severity}[${tame(code)}]`)} ${withNames(tame(message), paint)}`;
  return [
    ...wrap(head, columns, INDENT, `${INDENT}  `),
    ...(hint === undefined
      ? []
      : wrap(withNames(tame(hint), paint), columns, `${INDENT}${paint("frame", "=")} `, `${INDENT}  `)),
  ];
}
