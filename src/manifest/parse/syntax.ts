import type { ErrorCode, YAMLError } from "yaml";
import { say } from "../../words/say.js";
import { lineStart } from "../lines.js";
import type { Range } from "./marks.js";
import type { ValueFault } from "./valueDiagnostics.js";

/** How remit says an error of the YAML parser; some sentences are the parser's own. */
const SAYINGS = {
  TAB_AS_INDENT: "yaml/tab",
  BAD_INDENT: "yaml/indentation",
  BLOCK_AS_IMPLICIT_KEY: "yaml/syntax#block",
  MULTILINE_IMPLICIT_KEY: "yaml/syntax#lines",
  BAD_SCALAR_START: "yaml/syntax#start",
  BAD_DQ_ESCAPE: "yaml/syntax#escape",
  TAG_RESOLVE_FAILED: "yaml/tag#unknown",
  BAD_COLLECTION_TYPE: "yaml/tag#unfit",
  MULTIPLE_TAGS: "yaml/tag#two",
  MULTIPLE_ANCHORS: "yaml/alias#two",
  BAD_ALIAS: "yaml/alias#form",
  ALIAS_PROPS: "yaml/alias#together",
  BAD_DIRECTIVE: "yaml/directive#unknown",
  MISSING_CHAR: "yaml/syntax#missing",
} as const satisfies Partial<Record<ErrorCode, string>>;

const LONGEST_MESSAGE = 160;

/**
 * An error of the YAML parser in remit's words. Its place is the quote or bracket that is not closed, where one is
 * known; at the end of the text it is the last thing written.
 */
export function syntaxFault(error: YAMLError, text: string, opening?: number): ValueFault {
  if (opening !== undefined) return neverClosed(text, opening);
  const written = text.trimEnd().length;
  const [start, end] = error.pos;
  const range: Range = start < written ? [start, end] : [Math.max(0, written - 1), written];
  const tab = error.code === "TAB_AS_INDENT" ? undefined : tabNear(text, range[0]);
  return tab === undefined ? worded(error, range) : say("yaml/tab", {}, { range: tab });
}

/** A quote or bracket without its partner: everything after it may be misread. */
function neverClosed(text: string, at: number): ValueFault {
  const sign = text.charAt(at);
  const key = sign === "[" ? "yaml/syntax#list" : sign === "{" ? "yaml/syntax#map" : "yaml/syntax#quote";
  return say(key, { sign }, { range: [at, at + 1] });
}

function worded({ code, message }: YAMLError, range: Range): ValueFault {
  const key = Object.hasOwn(SAYINGS, code) ? SAYINGS[code as keyof typeof SAYINGS] : "yaml/syntax#other";
  return say(key, { said: lowered(message) }, { range });
}

/**
 * A tab that indents the line of a fault or the next one: the likely cause, even where the parser reports something
 * else.
 */
function tabNear(text: string, offset: number): Range | undefined {
  const start = lineStart(text, offset);
  const found = /^(?:[^\n]*\n)? *\t/.exec(text.slice(start, start + NEAR));
  return found === null ? undefined : [start + found[0].length - 1, start + found[0].length];
}

const NEAR = 400;

/** The conflicts that a merge left in a text, each from its first mark to its last. */
export function mergeConflicts(text: string): readonly ValueFault[] {
  if (!CONFLICT.test(text)) return [];
  const faults: ValueFault[] = [];
  for (const match of text.matchAll(CONFLICTS)) {
    const first = text.slice(0, match.index).split("\n").length;
    const last = first + match[0].trimEnd().split("\n").length - 1;
    faults.push(
      say("yaml/merge-conflict", { first, last }, { range: [match.index, match.index + "<<<<<<<".length] }),
    );
  }
  return faults;
}

const CONFLICT = /^<{7} /m;
const CONFLICTS = /^<{7} .*(?:\r?\n(?!<{7} ).*)*?(?:\r?\n>{7} .*|(?![\s\S]))/gm;

/** A character that YAML does not allow, such as NUL. */
export function controlCharacter(text: string, range: Range): ValueFault {
  const code = text.charCodeAt(range[0]).toString(16).toUpperCase().padStart(4, "0");
  return say("yaml/control-character", { code }, { range });
}

/** A carriage return that no line feed follows: some programs end a line there, and YAML parsers disagree. */
export function loneReturn(text: string): ValueFault | undefined {
  const at = text.search(LONE_RETURN);
  if (at < 0) return undefined;
  return say("yaml/carriage-return", {}, { range: [at, at + 1] });
}

const LONE_RETURN = /\r(?!\n)/;

function lowered(message: string): string {
  const short = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
  return short.charAt(0).toLowerCase() + short.slice(1);
}
