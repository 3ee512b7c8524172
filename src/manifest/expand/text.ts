import type { Json } from "../../model/json.js";
import type { Written } from "../locate.js";
import { lookUp, mistakeAt, type Part, type Scope, type Tell } from "./scope.js";

/** What `$text` consists of: texts as they are, and names in braces. */
type Piece = { readonly is: "text"; readonly text: string } | { readonly is: "name"; readonly name: string };

const BRACES = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/** The text that `$text` makes; null where it cannot be made, which is reported. */
export function composed(template: Json, scope: Scope, at: Written, tell: Tell): Part | null {
  if (typeof template !== "string") {
    tell(mistakeAt(at, "value/marker", "$text takes a text", 'Write { $text: "… {NAME} …" }.'));
    return null;
  }
  const pieces = piecesOf(template);
  if (pieces === null) {
    const hint = "A name stands in braces: {d.name}. For a brace itself, write {{ or }}.";
    tell(mistakeAt(at, "value/marker", "a brace of $text has no partner", hint));
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
  if (typeof part.value === "string" || typeof part.value === "number") return part;
  const what = Array.isArray(part.value) ? "a list" : part.value === null ? "null" : `a ${typeof part.value}`;
  const hint = "A text consists of texts and numbers.";
  tell(mistakeAt(at, "value/marker", `${name} is ${what === "a object" ? "a map" : what}`, hint));
  return null;
}
