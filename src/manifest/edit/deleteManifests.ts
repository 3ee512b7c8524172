import { Lexer, Parser } from "yaml";
import { type Address, formatAddress } from "../../model/address.js";
import { eolOf } from "../lines.js";
import { addressIn, documentsOf } from "./opened.js";

/** A stretch of a text that is one document: from its marker or its first line to the next document. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly isEmpty: boolean;
}

/**
 * A text without the documents of some manifests, their markers and the comments in them. Null where no document is left,
 * so that the file can go.
 */
export function deleteManifests(text: string, addresses: readonly Address[]): string | null {
  if (addresses.length === 0) return text;
  const gone = new Set(addresses.map(formatAddress));
  const documents = documentsOf(text);
  const parts = partsOf(text);
  const isGone = parts.map((_, at) => {
    const root = documents[at]?.contents ?? null;
    const address = root === null ? undefined : addressIn(root);
    return address !== undefined && gone.has(formatAddress(address));
  });
  const kept = parts.filter((_, at) => isGone[at] !== true);
  if (kept.every(({ isEmpty }) => isEmpty)) return kept.length < parts.length ? null : text;
  const rest = kept.map(({ start, end }) => text.slice(start, end)).join("");
  // The document that is now the first needs no marker.
  return isGone[0] === true ? rest.replace(/^---[ \t]*\r?\n/, "") : rest;
}

/**
 * The document of one manifest as a text of its own, with the comments in it. Null where the text has none of that address:
 * a shape may make it.
 */
export function manifestAlone(text: string, address: Address): string | null {
  const name = formatAddress(address);
  const documents = documentsOf(text);
  const parts = partsOf(text);
  const at = parts.findIndex((_, place) => {
    const root = documents[place]?.contents ?? null;
    const own = root === null ? undefined : addressIn(root);
    return own !== undefined && formatAddress(own) === name;
  });
  const part = parts[at];
  if (part === undefined) return null;
  return text.slice(part.start, part.end).replace(/^---[ \t]*\r?\n/, "");
}

/** A text with one more document at its end; no other byte changes, as a text may end with line breaks that count. */
export function withManifest(text: string, manifest: string): string {
  if (text.trim() === "") return manifest;
  const eol = eolOf(text);
  return `${text}${text.endsWith("\n") ? "" : eol}---${eol}${manifest.replace(/\r?\n/g, eol)}`;
}

/** Where each document of a text is. */
function partsOf(text: string): readonly Part[] {
  const found: { readonly start: number; readonly isEmpty: boolean }[] = [];
  let directives: number | null = null;
  for (const token of tokensOf(text)) {
    if (token.type === "directive") directives ??= token.offset;
    if (token.type !== "document") continue;
    const marker = token.start.find(({ type }) => type === "doc-start")?.offset;
    const start = found.length === 0 ? 0 : (directives ?? marker ?? token.offset);
    found.push({ start, isEmpty: token.value === undefined });
    directives = null;
  }
  return found.map(({ start, isEmpty }, at) => ({
    start,
    end: found[at + 1]?.start ?? text.length,
    isEmpty,
  }));
}

function* tokensOf(text: string) {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) yield* parser.next(lexeme);
  yield* parser.end();
}
