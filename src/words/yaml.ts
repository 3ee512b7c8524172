import type { Section } from "./saying.js";

export const YAML = {
  heading: "yaml: the text",
  rows: {
    "yaml/syntax": {
      severity: "error",
      title: "The text is not YAML",
      help: "Fix it at the caret; remit cannot read what follows.",
      cases: {
        block: {
          message: "{said}",
          hint: "Write it in braces, as in `appId: { name: GitHub }`, or on a line of its own, indented. Put the text in quotes if it is meant as it stands.",
        },
        lines: {
          message: "a name and its colon are not on one line",
          hint: "Write `name: value`. The colon or closing quote may be missing in a line before this one.",
        },
        start: { message: "{said}", hint: "Put the text in quotes if it is meant as it stands." },
        escape: {
          message: "{said}",
          hint: "Write a backslash twice in double quotes, or use single quotes: '\\d' is \"\\\\d\".",
        },
        missing: { message: "{said}", hint: "Add what is missing, here or on a line before." },
        list: { message: "this {sign} is never closed", hint: "Close it with ] where its list ends." },
        map: { message: "this {sign} is never closed", hint: "Close it with } where its fields end." },
        quote: {
          message: "this {sign} is never closed",
          hint: "Close it at the end of its text. Put a text that contains a quote into the other kind of quotes.",
        },
        other: {
          message: "{said}",
          hint: "Check this line and the one before it. Put the text in quotes if it is meant as it stands.",
        },
      },
    },
    "yaml/merge-conflict": {
      severity: "error",
      title: "A merge conflict is not resolved",
      help: "Keep one version and remove the marks.",
      message: "unresolved merge conflict, lines {first}–{last}",
      hint: "Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.",
    },
    "yaml/indentation": {
      severity: "error",
      title: "A line starts in the wrong column",
      message: "{said}",
      hint: "Start it in the same column as the other lines of its group.",
    },
    "yaml/tab": {
      severity: "error",
      title: "A tab indents a line",
      message: "a tab is used as indentation",
      hint: "Indent with spaces: YAML does not allow tabs there.",
    },
    "yaml/carriage-return": {
      severity: "error",
      title: "A carriage return has no line feed",
      message: "a carriage return (CR) without a line feed (LF) is in the file; remit does not read the file",
      hint: 'End lines with LF or CRLF. Write a carriage return inside a text as "\\r" in double quotes.',
    },
    "yaml/control-character": {
      severity: "error",
      title: "A control character is in the text",
      help: "Remove it.",
      message:
        "the file holds the control character U+{code}, which YAML does not allow; remit does not read the file",
      hint: 'Remove it, or write it as "\\u{code}" in double quotes.',
    },
    "yaml/duplicate-name": {
      severity: "error",
      title: "A field is written twice",
      message: "{name} is written twice in the same place",
      hint: "Remove one of them.",
    },
    "yaml/name": {
      severity: "error",
      title: "The name of a field is not plain text",
      help: "Write a plain name before the colon.",
      cases: {
        absent: {
          message: "a value without a name before its colon",
          hint: "Write a name before the colon.",
        },
        form: { message: "the name of a field is not a text", hint: "Write a plain name before the colon." },
      },
    },
    "yaml/tag": {
      severity: "error",
      title: "A tag is not known",
      hint: "Remove the tag.",
      cases: {
        unknown: {
          message: "a manifest can only use the tags !!str, !!seq and !!map",
        },
        unfit: {
          message: "the tag does not fit the value",
        },
        two: {
          message: "a value has two tags",
          hint: "Remove them.",
        },
      },
    },
    "yaml/directive": {
      severity: "error",
      title: "A directive is not known",
      help: "Remove it.",
      cases: {
        unknown: {
          message: "a manifest is YAML 1.2: its only directives are %TAG and %YAML 1.2",
          hint: "Remove the line.",
        },
        old: {
          message: "a manifest is YAML 1.2, where yes, no, on and off are texts",
          hint: "Remove the %YAML line, and write true or false for yes and no.",
        },
      },
    },
    "yaml/alias": {
      severity: "error",
      title: "An alias has no anchor before it",
      help: "Correct its name.",
      cases: {
        together: { message: "{said}", hint: "Write the alias alone." },
        form: { message: "{said}", hint: "Put the text in quotes if it is meant as it stands." },
        two: {
          message: "a value has two anchors",
          hint: "Remove one of them.",
        },
        unknown: {
          message: "*{name} has no anchor &{name} before it in this document",
          hint: "Write the anchor above it, or put the text in quotes if it is not an alias.",
        },
        inside: {
          message: "*{name} is inside the value that it refers to",
          hint: "Write the value out.",
        },
      },
    },
    "yaml/alias-bomb": {
      severity: "error",
      title: "Aliases expand to too many values",
      message: "the aliases of this document expand to more than {most} values",
      hint: "Use fewer aliases of values that contain aliases themselves.",
    },
    "yaml/merge": {
      severity: "error",
      title: "A merge key adds no fields",
      help: "Give `<<` an alias of a map, or a list of such aliases.",
      message: "`<<` can only add the fields of a map",
      hint: "Give it an alias of a map, or a list of such aliases.",
    },
    "yaml/too-deep": {
      severity: "error",
      title: "Lists and maps are nested too deep",
      message: "lists and maps are nested more than {deepest} levels deep; remit does not read further",
      hint: "A manifest needs fewer than ten levels. Check the brackets and the indentation.",
    },
    "yaml/too-large": {
      severity: "error",
      title: "A document is too large",
      help: "Split it.",
      cases: {
        document: {
          message: "this document is too large; remit does not read further",
          hint: "One document may have about 50,000 lines. Split it into several, with --- between them.",
        },
        documents: {
          message: "the file holds more than {most} documents; remit does not read further",
          hint: "Split it into several files.",
        },
      },
    },
  },
} as const satisfies Section;
