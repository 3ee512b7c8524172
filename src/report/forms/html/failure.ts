import { type FailureReport, sentenceOf } from "../../failure/report.js";
import { diagnosticsList } from "./diagnostics.js";
import { html } from "./html.js";
import { pageOf } from "./page.js";

/** A run without a result as one page. */
export function renderFailureHtml(
  report: FailureReport,
  options: { readonly linkBase: string | null },
): string {
  return pageOf({
    title: `remit ${report.command}`,
    header: html`<h1>${report.command === "plan" ? "Plan" : "Apply"}</h1>
<p class="sum">${sentenceOf(report)}</p>`,
    main: diagnosticsList(report.diagnostics, options),
    data: null,
  });
}
