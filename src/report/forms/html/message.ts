import type { Diagnostic } from "../../../model/diagnostic.js";
import { type Html, html, NOTHING } from "./html.js";

const CLASSES = { error: html`stop`, warning: html`note`, note: html`ok` } as const;

/** A diagnostic in a box of its own, and what to do. */
export function messageOf({ severity, code, message, hint }: Diagnostic): Html {
  const next = hint === undefined ? NOTHING : html`<br>${hint}`;
  return html`<div class="${CLASSES[severity]}"><b>${severity}</b> <code>${code}</code> ${message}${next}</div>`;
}
