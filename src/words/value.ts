import type { Section } from "./saying.js";

export const VALUE = {
  heading: "value and shape: named values and shapes",
  rows: {
    "value/unknown": {
      severity: "error",
      title: "A manifest uses a value, or a member of one, that does not exist",
      help: "Correct the name; the nearest one is shown.",
      cases: {
        unknownValue: { message: "no named value is called {name}" },
      },
    },
    "value/marker": {
      severity: "error",
      title: "`$value`, `$values` or `$text` is not used as it can be",
      help: 'Write `{ $value: NAME }` for a whole value, `- { $values: NAME }` for the items of a list, and `{ $text: "… {NAME} …" }` for a text.',
    },
    "value/text-field": {
      severity: "error",
      title: "`$text` stands where the text is an id, a choice, a time or an expression",
      help: "Write the whole value, or use `with` for an expression.",
      message: "$text makes texts for readers, and {path} is {which}",
    },
    "value/with": {
      severity: "error",
      title: "`with` names something that cannot be replaced",
      help: "Only names that stand alone are replaced: never fields, functions, variables of macros, or names that every rule knows.",
    },
    "value/name": {
      severity: "error",
      title: "A value cannot have this name",
      help: "Use letters, digits, `_` and `-`; each name once in a file.",
    },
    "value/too-much": {
      severity: "error",
      title: "Named values and rows make more than a project may",
      help: "Name shorter lists, or split the shape: 100,000 values and 10,000,000 characters of one manifest, and 1,000,000 pairs of rows and items.",
      message: "named values and rows make more than {over} here",
      hint: "Name shorter lists, or split the shape; `limits:` in remit.yaml permits more. Nothing more of the project is made.",
    },
    "value/circle": {
      severity: "error",
      title: "A value uses itself",
      help: "Break the circle.",
    },
    "value/file": {
      severity: "error",
      title: "A file of `values:` is not one of named values",
      help: "Write `kind: Values`, and the values under `spec`.",
      message: "{file} has no named values",
      hint: "Write apiVersion: {version}, kind: {kind}, and the values by their names under spec.",
    },
    "value/unnamed-file": {
      severity: "warning",
      title: "No setting names a file with values",
      help: "Add it to `values:` in `remit.yaml`.",
      message: "no setting names this file, so nothing can use its values",
      hint: "Add {file} to `values:` in remit.yaml.",
    },
    "shape/for-each": {
      severity: "error",
      title: "`forEach` is not written as it can be",
      help: "Write `forEach: { in: NAME, as: d }`, or a list of rows behind `in`.",
    },
    "shape/row": {
      severity: "error",
      title: "A row has no id, or an id that another row has",
      help: "Give each row an `id` of its own.",
    },
    "shape/empty": {
      severity: "error",
      title: "The list of rows is empty",
      help: "Add `mayBeEmpty: true` if that is meant.",
    },
  },
} as const satisfies Section;
