import { addressOfLine } from "../../text/escape.js";
import { type Html, html } from "./html.js";

/** A line of a manifest, linked where the files have a web address. */
export function placeLink(
  place: { readonly file: string; readonly line: number },
  base: string | null,
): Html {
  const text = html`<code>${place.file}:${place.line}</code>`;
  const address = addressOfLine(place, base);
  return address === null ? text : html`<a href="${address}">${text}</a>`;
}
