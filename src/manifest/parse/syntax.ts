import type { ErrorCode, YAMLError } from "yaml";
import type { Range } from "./marks.js";
import type { ValueFault } from "./valueDiagnostics.js";

/** How remit reports an error of the YAML parser: its code, its own message where that is clearer, a next step. */
interface Wording {
  readonly code: string;
  readonly message?: string;
  readonly hint: string;
}

const QUOTE = "Put the text in quotes if it is meant as it stands.";

const WORDINGS: Readonly<Partial<Record<ErrorCode, Wording>>> = {
  TAB_AS_INDENT: {
    code: "yaml/tab",
    message: "a tab is used as indentation",
    hint: "Indent with spaces: YAML does not allow tabs there.",
  },
  BAD_INDENT: {
    code: "yaml/indentation",
    hint: "Start it in the same column as the other lines of its group.",
  },
  BLOCK_AS_IMPLICIT_KEY: {
    code: "yaml/syntax",
    hint: `Write it in braces, as in \`appId: { name: GitHub }\`, or on a line of its own, indented. ${QUOTE}`,
  },
  MULTILINE_IMPLICIT_KEY: {
    code: "yaml/syntax",
    message: "a name and its colon are not on one line",
    hint: "Write `name: value`. The colon or closing quote may be missing in a line before this one.",
  },
  BAD_SCALAR_START: { code: "yaml/syntax", hint: QUOTE },
  BAD_DQ_ESCAPE: {
    code: "yaml/syntax",
    hint: "Write a backslash twice in double quotes, or use single quotes: '\\d' is \"\\\\d\".",
  },
  TAG_RESOLVE_FAILED: {
    code: "yaml/tag",
    message: "a manifest can only use the tags !!str, !!seq and !!map",
    hint: "Remove the tag.",
  },
  BAD_COLLECTION_TYPE: {
    code: "yaml/tag",
    message: "the tag does not fit the value",
    hint: "Remove the tag.",
  },
  MULTIPLE_TAGS: { code: "yaml/tag", message: "a value has two tags", hint: "Remove them." },
  MULTIPLE_ANCHORS: { code: "yaml/alias", message: "a value has two anchors", hint: "Remove one of them." },
  BAD_ALIAS: { code: "yaml/alias", hint: QUOTE },
  ALIAS_PROPS: { code: "yaml/alias", hint: "Write the alias alone." },
  BAD_DIRECTIVE: {
    code: "yaml/directive",
    message: "a manifest is YAML 1.2: its only directives are %TAG and %YAML 1.2",
    hint: "Remove the line.",
  },
  MISSING_CHAR: { code: "yaml/syntax", hint: "Add what is missing, here or on a line before." },
};

const OTHERWISE: Wording = { code: "yaml/syntax", hint: `Check this line and the one before it. ${QUOTE}` };

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
  if (tab !== undefined) return { ...worded("TAB_AS_INDENT", ""), range: tab };
  return { ...worded(error.code, error.message), range };
}

/** A quote or bracket without its partner: everything after it may be misread. */
function neverClosed(text: string, at: number): ValueFault {
  const sign = text.charAt(at);
  return {
    code: "yaml/syntax",
    message: `this ${sign} is never closed`,
    hint:
      CLOSING[sign] ??
      "Close it at the end of its text. Put a text that contains a quote into the other kind of quotes.",
    range: [at, at + 1],
  };
}

const CLOSING: Readonly<Record<string, string>> = {
  "[": "Close it with ] where its list ends.",
  "{": "Close it with } where its fields end.",
};

function worded(error: ErrorCode, said: string) {
  const { code, message = lowered(said), hint } = WORDINGS[error] ?? OTHERWISE;
  return { code, message, hint };
}

/**
 * A tab that indents the line of a fault or the next one: the likely cause, even where the parser reports something
 * else.
 */
function tabNear(text: string, offset: number): Range | undefined {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const found = /^(?:[^\n]*\n)? *\t/.exec(text.slice(start, start + NEAR));
  return found === null ? undefined : [start + found[0].length - 1, start + found[0].length];
}

const NEAR = 400;

/** A document in an older YAML version, where `yes` and `on` are not texts. */
export function oldVersion(range: Range): ValueFault {
  return {
    code: "yaml/directive",
    message: "a manifest is YAML 1.2, where yes, no, on and off are texts",
    hint: "Remove the %YAML line, and write true or false for yes and no.",
    range,
  };
}

/** Lists and maps that are nested too deeply. */
export function deepDocument(deepest: number, range: Range): ValueFault {
  return {
    code: "yaml/too-deep",
    message: `lists and maps are nested more than ${deepest} levels deep; remit does not read further`,
    hint: "A manifest needs fewer than ten levels. Check the brackets and the indentation.",
    range,
  };
}

/** A document that is too large to keep in memory. */
export function largeDocument(range: Range): ValueFault {
  return {
    code: "yaml/too-large",
    message: "this document is too large; remit does not read further",
    hint: "One document may have about 50,000 lines. Split it into several, with --- between them.",
    range,
  };
}

/** A text with too many documents. */
export function manyDocuments(most: number, range: Range): ValueFault {
  return {
    code: "yaml/too-large",
    message: `the file holds more than ${most} documents; remit does not read further`,
    hint: "Split it into several files.",
    range,
  };
}

/** The conflicts that a merge left in a text, each from its first mark to its last. */
export function mergeConflicts(text: string): readonly ValueFault[] {
  if (!CONFLICT.test(text)) return [];
  const faults: ValueFault[] = [];
  for (const match of text.matchAll(CONFLICTS)) {
    const first = text.slice(0, match.index).split("\n").length;
    const last = first + match[0].trimEnd().split("\n").length - 1;
    faults.push({
      code: "yaml/merge-conflict",
      message: `unresolved merge conflict, lines ${first}–${last}`,
      hint: "Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.",
      range: [match.index, match.index + "<<<<<<<".length],
    });
  }
  return faults;
}

const CONFLICT = /^<{7} /m;
const CONFLICTS = /^<{7} .*(?:\r?\n(?!<{7} ).*)*?(?:\r?\n>{7} .*|(?![\s\S]))/gm;

/** A character that YAML does not allow, such as NUL. */
export function controlCharacter(text: string, range: Range): ValueFault {
  const code = text.charCodeAt(range[0]).toString(16).toUpperCase().padStart(4, "0");
  return {
    code: "yaml/control-character",
    message: `the file holds the control character U+${code}, which YAML does not allow; remit does not read the file`,
    hint: `Remove it, or write it as "\\u${code}" in double quotes.`,
    range,
  };
}

/** A carriage return that no line feed follows: some programs end a line there, and YAML parsers disagree. */
export function loneReturn(text: string): ValueFault | undefined {
  const at = text.search(LONE_RETURN);
  if (at < 0) return undefined;
  return {
    code: "yaml/carriage-return",
    message: "a carriage return (CR) without a line feed (LF) is in the file; remit does not read the file",
    hint: 'End lines with LF or CRLF. Write a carriage return inside a text as "\\r" in double quotes.',
    range: [at, at + 1],
  };
}

const LONE_RETURN = /\r(?!\n)/;

function lowered(message: string): string {
  const short = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
  return short.charAt(0).toLowerCase() + short.slice(1);
}
