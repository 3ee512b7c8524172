import { byPlace, type Diagnostic, formatLine, type Line, lineAt } from "../../../model/diagnostic.js";
import { count, formatCounts } from "../../diagnostics/counts.js";
import { addressOfLine } from "../../text/escape.js";
import { type Html, html, NOTHING } from "./html.js";
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
    const place = lineAt(span);
    return html`<section>${place === null ? NOTHING : html`<p>${placeLink(place, linkBase)}</p>`}${
      excerpt === undefined ? NOTHING : html`<pre>${excerpt.text}</pre>`
    }${messageOf(diagnostic)}</section>
`;
  })}`;
}

/** A line of a manifest, linked where the files have a web address. */
export function placeLink(place: Line, base: string | null): Html {
  const text = html`<code>${formatLine(place)}</code>`;
  const address = addressOfLine(place, base);
  return address === null ? text : html`<a href="${address}">${text}</a>`;
}

const CLASSES = { error: html`stop`, warning: html`note`, note: html`ok` } as const;

/** A diagnostic in a box of its own, and what to do. */
export function messageOf({ severity, code, message, hint }: Diagnostic): Html {
  const next = hint === undefined ? NOTHING : html`<br>${hint}`;
  return html`<div class="${CLASSES[severity]}"><b>${severity}</b> <code>${code}</code> ${message}${next}</div>`;
}
