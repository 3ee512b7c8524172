import { formatLine, type Line } from "../../model/diagnostic.js";
import { visible } from "./visible.js";

// Every character that has a meaning in Markdown, HTML, a table or a mention; an entity never has one.
const STRUCTURE = /[&<>\\`*_[\]#|~$@]|:(?!\s)|(?<=www)\./gi;
// A mention or a reference is found after entities are resolved, but not across elements: @team and #12; GH-12 of GitHub;
// !12, $12, %12, &12 and ~12 of GitLab.
const REFERENCE = /&#(?:64|35|36|126);(?=\w)|(?:&#38;|[!%])(?=\d)|\bG[HL](?=-\d)/gi;

/** Plain text: it never becomes mark-up, a link, a mention or a line of its own. */
export function inline(text: string): string {
  return entities(text).replace(REFERENCE, "<span>$&</span>");
}

/** A name or value, in a fixed-width font. */
export function code(text: string): string {
  return `<code>${entities(text)}</code>`;
}

/** A sentence that remit wrote: text between back-ticks is a name or a value. */
export function prose(text: string): string {
  return text
    .split(/`([^`]+)`/)
    .map((part, place) => (place % 2 === 1 ? code(part) : inline(part)))
    .join("");
}

/** Lines in a block that no line of theirs can end. */
export function fence(lines: readonly string[], language: string): string {
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length)));
  const bar = "`".repeat(longest + 1);
  return [`${bar}${language}`, ...lines, bar].join("\n");
}

/** The place of a line, linked where there is a base. */
export function placeLink(place: Line, base: string | null): string {
  return link(code(formatLine(place)), place, base);
}

/** A link to a line of a file below a base, `https://host/owner/repo/blob/SHA/`; plain `file:line` where there is none. */
export function link(text: string, place: Line, base: string | null): string {
  const address = addressOfLine(place, base);
  return address === null ? text : `[${text}](${address})`;
}

/** The web address of a line of a file; null for a file that is not below the base, or without a base. */
export function addressOfLine(place: Line, base: string | null): string | null {
  if (base === null || place.file === "-" || /^(?:\/|[A-Za-z]:|\.\.)/.test(place.file)) return null;
  const path = place.file.split(/[/\\]/).map(segment).join("/");
  const root = base.replace(/[\s()<>"\\|]/g, percent);
  return `${root}${root.endsWith("/") ? "" : "/"}${path}#L${place.line}`;
}

function segment(name: string): string {
  const whole = name.replace(/\p{Surrogate}/gu, "\ufffd");
  return encodeURIComponent(whole).replace(/[!'()*]/g, percent);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

function entities(text: string): string {
  return visible(text).replace(STRUCTURE, (character) => `&#${character.charCodeAt(0)};`);
}

/** A sentence with its first letter in upper case. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
