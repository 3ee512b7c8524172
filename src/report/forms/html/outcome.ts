import { type FailureReport, sentenceOf } from "../../failure/report.js";
import type { OutcomeReport, StepOutcome } from "../../outcome/report.js";
import { listedSteps, OUTCOMES, verdictOf, wordOf } from "../../outcome/verdict.js";
import { ofRank, type Statement, sentencesOf } from "../../statement.js";
import { factsOf, plainFact } from "../../view/facts.js";
import { diagnosticsList, messageOf, placeLink } from "./diagnostics.js";
import { type Html, html, NOTHING, proseHtml } from "./html.js";
import { pageOf, titleOf } from "./page.js";

/** The result of an apply as one page: those steps first that need help. */
export function renderOutcomeHtml(
  report: OutcomeReport,
  { linkBase }: { readonly linkBase: string | null },
): string {
  const { effect, statements } = report;
  const steps = listedSteps(report);
  const facts = factsOf(report);
  return pageOf({
    title: titleOf("apply", facts),
    header: html`<h1>Apply</h1>
<p class="sum">${verdictOf(report).text}</p>
<p class="dim">${facts.map(plainFact).join(" · ")}</p>
<p class="dim"><code>${effect}</code></p>`,
    main: html`${ofRank(statements, "top").map(boxOf)}<ul>${ofRank(statements, "end", "detail").flatMap(
      (one) => sentencesOf(one).map((text) => html`<li>${proseHtml(text)}</li>`),
    )}</ul>${
      steps.length === 0
        ? NOTHING
        : html`<table><thead><tr><th scope="col">Result</th><th scope="col">Resource</th></tr></thead><tbody>
${steps.map((step) => rowOf(step, linkBase))}</tbody></table>
`
    }`,
    data: null,
  });
}

function boxOf(one: Statement): Html {
  return html`<div class="stop">${sentencesOf(one).map((text) => html`<p>${proseHtml(text)}</p>`)}</div>`;
}

function rowOf(step: StepOutcome, linkBase: string | null): Html {
  const { address, outcome, title, place, diagnostics } = step;
  const where = place === null ? NOTHING : html` <span class="dim">${placeLink(place, linkBase)}</span>`;
  return html`<tr><td>${OUTCOMES[outcome].sign} ${wordOf(step)}</td><td>${address}${where}${
    title === "" ? NOTHING : html`<br><span class="dim">${title}</span>`
  }${diagnostics.map(messageOf)}</td></tr>
`;
}

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
