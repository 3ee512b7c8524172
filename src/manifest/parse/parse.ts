import {
  Composer,
  type Document,
  isCollection,
  isScalar,
  Lexer,
  type ParsedNode,
  Parser,
  Schema,
  visit,
  type YAMLError,
} from "yaml";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import type { Json } from "../../model/json.js";
import { say } from "../../words/say.js";
import { placeAt, type Source } from "../source.js";
import type { Marks, Range } from "./marks.js";
import { controlCharacter, loneReturn, mergeConflicts, syntaxFault } from "./syntax.js";
import { readValue } from "./value.js";
import { REPEATED, type ValueFault } from "./valueDiagnostics.js";

/** One document of a text that is not empty: its value, and where each part of it is. */
export interface Parsed {
  readonly value: Json;
  readonly marks: Marks;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the value is what the text means; otherwise do not check it. */
  readonly legible: boolean;
}

/** Lists and maps may stand inside each other this deep. */
const DEEPEST = 100;

/** How much one text may hold. */
interface Capacity {
  /** Pieces of text (names, values, marks, line ends) of one document. */
  readonly pieces: number;
  readonly documents: number;
}

/** A million pieces are some 50,000 lines. */
const CAPACITY: Capacity = { pieces: 1_000_000, documents: 50_000 };

/** The most problems reported for one document; a text that is not YAML would have one in every line. */
const MOST_FAULTS = 50;

/** The most parser errors that are examined: there can be one for every few characters of a line. */
const MOST_ERRORS = 1_000;

/** Every text stays a text here: what one without quotes means is decided by `plain.ts`. */
const SCHEMA = new Schema({ schema: "failsafe", resolveKnownTags: false });

/** What YAML does not allow in a file: the control characters but tab, line feed, carriage return and next line. */
const CONTROL = /[^\P{Cc}\t\n\r\u0085]/u;

/** Reads the documents of a text; an empty document, or one of comments alone, does not count. */
export function parse(source: Source, capacity = CAPACITY): Checked<readonly Parsed[]> {
  const value: Parsed[] = [];
  const documents = parseEach(source, capacity);
  for (;;) {
    const next = documents.next();
    if (next.done === true) return { value, diagnostics: next.value };
    value.push(next.value);
  }
}

/** Documents one by one, as they are asked for; the return is what is wrong with the text as a whole. */
export type Documents = Generator<Parsed, readonly Diagnostic[]>;

/** The documents of a text that was parsed before, one by one. */
export function* parsedBefore({ value, diagnostics }: Checked<readonly Parsed[]>): Documents {
  yield* value;
  return diagnostics;
}

/** The same as `parse`, one by one. */
export function* parseEach(source: Source, capacity = CAPACITY): Documents {
  const control = source.text.search(CONTROL);
  if (control >= 0) return tell(source, [controlCharacter(source.text, [control, control + 1])]);
  const carriage = loneReturn(source.text);
  if (carriage !== undefined) return tell(source, [carriage]);
  const conflicts = mergeConflicts(source.text);
  if (conflicts.length > 0) return tell(source, conflicts);

  const parser = new Parser();
  const composer = new Composer({ schema: SCHEMA, uniqueKeys: false, logLevel: "silent" });
  let [pieces, documents, errors] = [0, 0, 0];
  for (const lexeme of new Lexer().lex(source.text)) {
    pieces += 1;
    for (const token of parser.next(lexeme)) {
      if (token.type === "document") {
        documents += 1;
        pieces = 0;
      }
      if (token.type === "error") errors += 1;
      if (errors > MOST_FAULTS && token.type === "error") continue;
      for (const document of composer.next(token)) yield* parsed(source, document);
    }
    // Checked piece by piece, because what comes after recurses into a document and holds all of it at once.
    const isWithin =
      parser.stack.length <= DEEPEST && pieces <= capacity.pieces && documents <= capacity.documents;
    if (isWithin) continue;
    for (const document of composer.end()) yield* parsed(source, document);
    const here: Range = [Math.max(0, parser.offset - 1), Math.max(1, parser.offset)];
    if (parser.stack.length > DEEPEST)
      return tell(source, [say("yaml/too-deep", { deepest: DEEPEST }, { range: here })]);
    return tell(source, [
      pieces > capacity.pieces
        ? say("yaml/too-large#document", {}, { range: here })
        : say("yaml/too-large#documents", { most: capacity.documents }, { range: here }),
    ]);
  }
  for (const token of parser.end())
    for (const document of composer.next(token)) yield* parsed(source, document);
  for (const document of composer.end()) yield* parsed(source, document);
  return [];
}

/** A document as its value; nothing where it is empty. */
function* parsed(source: Source, document: Document.Parsed<ParsedNode>): Generator<Parsed> {
  const syntax = syntaxFaults(source, document);
  if (syntax.length === 0 && isEmpty(document.contents)) return;
  const { faults, ...read } = readValue(document.contents);
  const all = [...syntax, ...faults];
  yield { ...read, legible: all.every(({ code }) => code === REPEATED), diagnostics: tell(source, all) };
}

function syntaxFaults(source: Source, document: Document.Parsed<ParsedNode>): readonly ValueFault[] {
  const { errors, warnings, directives } = document;
  const faults = [...errors, ...warnings]
    .slice(0, MOST_ERRORS)
    .map((error) => syntaxFault(error, source.text, openingOf(document, error)));
  if (directives?.yaml.explicit === true && directives.yaml.version !== "1.2") {
    const at = source.text.lastIndexOf("%YAML", document.range[0]);
    const range: Range = [at, at + "%YAML".length];
    if (at >= 0) faults.push(say("yaml/directive#old", {}, { range }));
  }
  return faults;
}

/** Where the quote or bracket stands that an error at the end of what it opens is about. */
function openingOf(
  document: Document.Parsed<ParsedNode>,
  { code, pos: [end] }: YAMLError,
): number | undefined {
  if (code !== "MISSING_CHAR" && code !== "BAD_INDENT") return undefined;
  let opening: number | undefined;
  visit(document, {
    Node: (_key, node) => {
      if (node.range?.[1] !== end) return undefined;
      const isQuoted = isScalar(node) && QUOTED.has(node.type);
      if (isQuoted || (isCollection(node) && node.flow === true && opening === undefined))
        opening = node.range[0];
      // A quote that is open leaves the brackets around it open as well.
      return isQuoted ? visit.BREAK : undefined;
    },
  });
  return opening;
}

const QUOTED: ReadonlySet<unknown> = new Set(["QUOTE_DOUBLE", "QUOTE_SINGLE"]);

function isEmpty(contents: ParsedNode | null): boolean {
  return contents === null || (isScalar(contents) && contents.type === "PLAIN" && contents.source === "");
}

/** The problems with their places: only the first of each line, and at most as many as a reader can use. */
function tell(source: Source, faults: readonly ValueFault[]): readonly Diagnostic[] {
  if (faults.length === 0) return [];
  const told = new Map<number, Diagnostic>();
  for (const { range, related, ...fault } of faults) {
    const place = placeAt(source, ...range);
    const { line } = place.span.start;
    if (told.has(line) || told.size >= MOST_FAULTS) continue;
    const placed = { severity: "error" as const, ...fault, ...place };
    told.set(line, related === undefined ? placed : { ...placed, related: [relate(source, related)] });
  }
  return [...told.values()];
}

function relate(source: Source, { message, range }: { readonly message: string; readonly range: Range }) {
  return { message, span: placeAt(source, ...range).span };
}
