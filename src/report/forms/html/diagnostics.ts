import { byPlace, type Diagnostic } from "../../../model/diagnostic.js";
import { count, formatCounts } from "../../diagnostics/counts.js";
import { type Html, html, NOTHING } from "./html.js";
import { placeLink } from "./link.js";
import { messageOf } from "./message.js";
import { pageOf } from "./page.js";

/** Diagnostics as one page. */
export function toHtml(
  diagnostics: readonly Diagnostic[],
  options: { readonly linkBase: string | null },
): string {
  return pageOf({
    title: "remit validate",
    header: html`<h1>Validate</h1>
<p class="sum">${formatCounts(count(diagnostics))}</p>`,
    main: diagnosticsList(diagnostics, options),
    data: null,
  });
}

/** Diagnostics below each other, each with its place and its line. */
export function diagnosticsList(
  diagnostics: readonly Diagnostic[],
  { linkBase }: { readonly linkBase: string | null },
): Html {
  return html`${[...diagnostics].sort(byPlace).map((diagnostic) => {
    const { span, excerpt } = diagnostic;
    const place = span === undefined ? null : { file: span.file, line: span.start.line };
    return html`<section>${place === null ? NOTHING : html`<p>${placeLink(place, linkBase)}</p>`}${
      excerpt === undefined ? NOTHING : html`<pre>${excerpt.text}</pre>`
    }${messageOf(diagnostic)}</section>
`;
  })}`;
}
