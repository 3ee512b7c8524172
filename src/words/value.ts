import type { Section } from "./saying.js";

export const VALUE = {
  heading: "value and shape: named values and shapes",
  rows: {
    "value/unknown": {
      severity: "error",
      title: "A manifest uses a value, or a member of one, that does not exist",
      help: "Correct the name; the nearest one is shown.",
      cases: {
        unknownValue: {
          message: "no named value is called {name}",
          hint: "This project has no named values.",
        },
        noMember: { message: "{path} has no member {member}" },
        noMembers: { message: "{path} has no members" },
      },
    },
    "value/marker": {
      severity: "error",
      title: "`$value`, `$values` or `$text` is not used as it can be",
      help: 'Write `{ $value: NAME }` for a whole value, `- { $values: NAME }` for the items of a list, and `{ $text: "… {NAME} …" }` for a text.',
      cases: {
        beside: {
          message: "{other} cannot stand beside {marker}",
          hint: "Write { {marker}: … } alone.",
        },
        aList: {
          message: "$values puts the items of a list into a list",
          hint: "Write it as an item of a list, or { $value: … } for the list itself.",
        },
        aName: {
          message: "{marker} takes a name",
          hint: "Write { {marker}: NAME } or { {marker}: NAME.MEMBER }.",
        },
        notList: { message: "{name} is not a list", hint: "Write { $value: … } for a single item." },
        aText: { message: "$text takes a text", hint: () => 'Write { $text: "… {NAME} …" }.' },
        brace: {
          message: "a brace of $text has no partner",
          hint: () => "A name stands in braces: {d.name}. For a brace itself, write {{ or }}.",
        },
        notText: { message: "{name} is {what}", hint: "A text consists of texts and numbers." },
        respelled: {
          message: "{name} is written {written}, and a text would say {value}: it is a number",
          hint: "Put it in quotes.",
        },
      },
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
      cases: {
        declared: { message: "{name} has a meaning in every expression", hint: "Choose another name." },
        unused: {
          message: "the expression has no name {name}",
          hint: "Only a name that stands alone is replaced, never a field or a function.",
        },
        notLiteral: {
          message: "{name} is not a text, a boolean, a whole number or a list of these",
          hint: "Give it such a value.",
        },
      },
    },
    "value/name": {
      severity: "error",
      title: "A value cannot have this name",
      help: "Use letters, digits, `_` and `-`; each name once in a file.",
      cases: {
        wrong: {
          message: "{name} cannot name a value",
          hint: "Use letters, digits, _ and -, begin with a letter; 63 characters at most.",
        },
        twice: { message: "two values of this file have the name {name}", hint: "Rename one." },
      },
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
      message: "a value uses itself: {way}",
      hint: "Break the circle.",
    },
    "value/file": {
      severity: "error",
      title: "A file of `values:` is not one of named values",
      help: "Write `kind: Values`, and the values under `spec`.",
      message: "{file} has no named values",
      hint: "Write apiVersion: {version}, kind: {kind}, and the values by their names under spec.",
      cases: {
        otherKind: { message: "a file of `values` holds documents of kind Values" },
        version: { message: "this version of values is unknown", hint: "Write apiVersion: {version}." },
        member: { message: "values have no member {member}", hint: "Named values stand under spec." },
        notMap: { message: "spec is a map of names and values" },
      },
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
      hint: "Write forEach: { in: NAME, as: d }, or a list of rows behind `in`.",
      cases: {
        notMap: { message: "forEach says which rows, and what a row is called" },
        member: { message: "forEach has no member {member}" },
        as: { message: "`as` says what a row is called" },
        taken: {
          message: "{as} is the name of a value already",
          hint: "Choose another name for the row.",
        },
        in: { message: "`in` is the name of a list, or a list of rows" },
        notList: { message: "{name} is not a list" },
      },
    },
    "shape/row": {
      severity: "error",
      title: "A row has no id, or an id that another row has",
      help: "Give each row an `id` of its own.",
      cases: {
        ofShape: {
          message: "a shape has no row of its own: each row of forEach makes a manifest",
          hint: "Remove metadata.row.",
        },
        notMap: { message: "a row is a map with an id", hint: "Write { id: NAME, … }." },
        noId: {
          message: "the row has no id",
          hint: "Add `id`: it is part of the address, and stays when the row moves.",
        },
        wrongId: {
          message: "this cannot be the id of a row",
          hint: "Use a-z, 0-9 and -; 63 characters at most.",
        },
        twice: { message: "two rows have the id {id}", hint: "Give each row its own id." },
      },
    },
    "shape/empty": {
      severity: "error",
      title: "The list of rows is empty",
      message: "the list of rows is empty",
      hint: "Add mayBeEmpty: true to forEach if that is meant: then no manifest is made, and all are removed.",
    },
  },
} as const satisfies Section;
