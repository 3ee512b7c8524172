import { beginningOf, tame } from "../../text/visible.js";

/** A piece of a page, in which every text is escaped already. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | null | readonly Html[];

/**
 * A piece of a page. Each text between the literal parts is escaped here and nowhere else: it never becomes an element, an
 * attribute or an entity. It fits between tags and between double quotes.
 */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = parts.map((part, place) => `${pieceOf(part)}${literals[place + 1] ?? ""}`);
  return { html: `${literals[0] ?? ""}${pieces.join("")}` };
}

/** Nothing of a page. */
export const NOTHING: Html = { html: "" };

/** A sentence that remit wrote: text between back-ticks is a name or a value. */
export function proseHtml(text: string): Html {
  const parts = text.split(/`([^`]+)`/);
  return html`${parts.map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

/** Text of remit itself that a page contains as it is: its style and its script. */
export function verbatim(text: string): Html {
  return { html: text };
}

/** A text of several lines. Its line breaks are entities: a log reads no line of it as a line of its own. */
export function lines(text: string): Html {
  return { html: beginningOf(text).split("\n").map(escaped).join("&#10;") };
}

function pieceOf(part: Part): string {
  if (part === null) return "";
  if (typeof part === "string") return escaped(part);
  if (typeof part === "number") return String(part);
  return "html" in part ? part.html : part.map((one) => one.html).join("");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

// https://html.spec.whatwg.org/#syntax-ambiguous-ampersand: only before a letter, a digit or # can `&` begin an entity.
const MEANT = /&(?=[A-Za-z0-9#])|[<>"]/g;

function escaped(text: string): string {
  return tame(text).replace(MEANT, (character) => ENTITIES[character] ?? "");
}
