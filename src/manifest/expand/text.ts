import type { Json } from "../../model/json.js";
import { say } from "../../words/say.js";
import { locate, type Written, writtenAt } from "../locate.js";
import { lookUp, type Part, type Scope, type Tell } from "./scope.js";

/** What `$text` consists of: texts as they are, and names in braces. */
type Piece = { readonly is: "text"; readonly text: string } | { readonly is: "name"; readonly name: string };

const BRACES = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/** The text that `$text` makes; null where it cannot be made, which is reported. */
export function composed(template: Json, scope: Scope, at: Written, tell: Tell): Part | null {
  if (typeof template !== "string") {
    tell(say("value/marker#aText", {}, locate(at, [])));
    return null;
  }
  const pieces = piecesOf(template);
  if (pieces === null) {
    tell(say("value/marker#brace", {}, locate(at, [])));
    return null;
  }
  const parts: Written[] = [];
  const texts = pieces.map((piece) => {
    if (piece.is === "text") return piece.text;
    const part = textOf(piece.name, scope, at, tell);
    if (part !== null) parts.push(part.written);
    return part === null ? null : String(part.value);
  });
  if (!texts.every((text) => text !== null)) return null;
  return { value: texts.join(""), written: { ...at, made: "text", parts } };
}

/** The pieces of a text; null where a brace is open. */
export function piecesOf(template: string): readonly Piece[] | null {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of template.matchAll(BRACES)) {
    const [all, name] = found;
    if (all === "{" || all === "}") return null;
    pieces.push({ is: "text", text: template.slice(from, found.index) });
    pieces.push(name === undefined ? { is: "text", text: all.charAt(0) } : { is: "name", name: name.trim() });
    from = found.index + all.length;
  }
  return [...pieces, { is: "text", text: template.slice(from) }];
}

function textOf(name: string, scope: Scope, at: Written, tell: Tell): Part | null {
  const part = lookUp(name, scope, at, tell);
  if (part === null) return null;
  if (typeof part.value === "string") return part;
  if (typeof part.value === "number") {
    const { source, range } = writtenAt(part.written, []);
    const written = source.text.slice(...range);
    // YAML reads 007 as 7, and 1.10 as 1.1.
    if (written === String(part.value)) return part;
    tell(say("value/marker#respelled", { name, written, value: part.value }, locate(part.written, [])));
    return null;
  }
  const is = typeof part.value === "boolean" ? "a boolean" : part.value === null ? "null" : "a map";
  const what = Array.isArray(part.value) ? "a list" : is;
  tell(say("value/marker#notText", { name, what }, locate(at, [])));
  return null;
}
