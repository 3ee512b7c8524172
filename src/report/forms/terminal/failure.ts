import { type FailureReport, sentenceOf } from "../../failure/report.js";
import { usable, wrap } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { toText } from "./diagnostics.js";

/** A run without a result, for a person at a terminal. */
export function renderFailureText(report: FailureReport, { columns, paint }: Page): string {
  const width = usable(columns);
  const end = wrap(paint("error", sentenceOf(report)), width, "", "  ").join("\n");
  return `${toText(report.diagnostics, { paint, columns: width })}${end}\n`;
}
