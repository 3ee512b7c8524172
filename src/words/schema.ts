import type { Section } from "./saying.js";

export const SCHEMA = {
  heading: "schema, rule, expression: the values",
  rows: {
    "schema/unknown-field": {
      severity: "error",
      title: "A field is not known",
      help: "Use the suggestion, or see `remit schema KIND`.",
    },
    "schema/required": {
      severity: "error",
      title: "A field is missing",
      help: "Write it.",
      cases: {
        missingField: {
          message: "{where} has no {name}",
        },
        noAlternative: {
          message: "{where} needs {needs}",
          hint: "Add what is missing.",
        },
      },
    },
    "schema/type": {
      severity: "error",
      title: "A value is of the wrong type",
      help: "Quote a text that looks like a number or a truth value.",
      message: "{where} must be {wanted}, and is {value}",
      cases: {
        noUnit: { message: "{text} has no unit, and this field takes a duration" },
        unquoted: {
          message: "without quotes, {text} is {what}, and this field takes a text",
          hint: 'Put it in quotes: "{text}".',
        },
      },
    },
    "schema/empty": {
      severity: "error",
      title: "A value is empty where that means nothing or no restriction",
      help: "Write what the message shows, or remove the field.",
      cases: {
        wrongType: {
          message: "{where} has no value",
          hint: "Write `{where}: {}` to choose it, or remove {where}.",
        },
        restrictsNothing: {
          message: "{where} is empty, and the service reads that as no restriction",
          hint: "Write what it restricts to, for instance `{where}: {shownInFlow}`, or remove {where}.",
        },
      },
    },
    "schema/value": {
      severity: "error",
      title: "A value has the wrong form",
      help: "See `remit schema KIND`.",
      message: "{where} {message}",
    },
    "schema/format": {
      severity: "error",
      title: "A duration or time has the wrong form",
      help: "Write `90d` or `2026-01-31T00:00:00Z`.",
      message: "{value} is not a {noun}",
    },
    "schema/enum": {
      severity: "warning",
      title: "A value is not one of the known values",
      help: "Use the suggestion, or keep the value if the service knows it.",
      message: "{value} is not a known value of {where}",
      hint: "Known are {known,}.",
    },
    "schema/one-of": {
      severity: "error",
      title: "Two fields exclude each other",
      help: "Remove one.",
      message: "{first} and {name} cannot both be set: {path} has {group}",
      hint: "Remove one of them.",
    },
    "schema/too-many": {
      severity: "error",
      title: "A list is too long",
      message: "{where} has {value} items; at most {demand} are allowed",
      hint: "Remove some, or select by another criterion.",
    },
    "rule/dates-reversed": {
      severity: "error",
      title: "A period ends before it begins",
      message: "startDate {start} is after endDate {end}",
      hint: "Swap them.",
    },
    "rule/empty-id": {
      severity: "error",
      title: "An id is empty",
      message: "an id is empty",
      hint: "Write the id, or remove the field.",
    },
    "rule/not-an-id": {
      severity: "warning",
      title: "A text that looks like an alias or a name stands where an id belongs",
      help: "Write it as an object: `{ name: GitHub }`, `{ alias: github-admin }`.",
      message: "{id!} does not look like an id, which has 27 letters and digits",
      hint: "To find it by its {finder}, write `{ {finder}: {id} }`.",
    },
    "rule/reserved-text": {
      severity: "error",
      title: "A text has the form of an id that a plan does not know yet",
      help: "Name the other manifest with `{ manifest: NAME }`.",
      message: "this text stands for an id that a plan does not know yet, so a manifest cannot have it",
      hint: "To name the object of another manifest, write `{ manifest: {name} }`.",
    },
    "rule/unfit-id": {
      severity: "error",
      title: "An id would change the address of a request",
      help: "Copy the id alone, or write a name as an object: `{ name: Quarterly review }`.",
      message: "an id cannot contain {found!}: it would change the URL of a request",
      hint: "Copy only the id, without the rest of the URL.",
      cases: {
        named: {
          message: "{id!} is not an id: an id cannot contain {found!}",
          hint: "To find it by its {finder}, write `{ {finder}: {id} }`.",
        },
      },
    },
    "rule/repeated-item": {
      severity: "warning",
      title: "A list contains something twice",
      message: "this is already in the list",
      hint: "Remove one of them.",
    },
    "rule/too-many-owners": {
      severity: "error",
      title: "An object has more owners of one sort than the service takes",
      message: "the service takes at most {most} {many} as owners of an object",
      hint: "Let an entitlement own the object, and give it to the others.",
    },
    "rule/unused-ids": {
      severity: "error",
      title: "A list of ids is not read",
      help: "Change the filter, or remove the list.",
      message: "{list} is not read when filterType is {filterType}",
      hint: "Remove {list}, or set filterType to {filter}.",
    },
    "rule/everyone-and-bindings": {
      severity: "error",
      title: "A profile that everyone sees has no visibilityBindings",
      message: "a profile that everyone sees has no visibilityBindings",
      hint: "Write `visibleToEveryone: false`, or remove visibilityBindings.",
    },
    "expression/syntax": {
      severity: "error",
      title: "An expression is not CEL",
      help: "Fix it at the caret.",
      hint: "Expressions are CEL: && (and), || (or), ! (not), == (equals), and texts in quotes.",
      cases: {
        incomplete: { message: "the expression ends before it is complete" },
        unexpected: { message: "unexpected {found}" },
        meant: { message: "unexpected {found}; did you mean {meant!}?" },
        other: { message: "{what}" },
      },
    },
    "expression/unknown-name": {
      severity: "error",
      title: "An expression has a name that no rule has",
      help: "Correct the name; the nearest one is shown. Write a text in quotes.",
      message: "no rule has a name {name}",
      cases: { here: { message: "an expression of this field has no name {name}" } },
    },
    "expression/unknown-function": {
      severity: "error",
      title: "An expression calls a function that no rule has",
      help: "Correct the name; the nearest one is shown. A function of one of CEL's extensions is a warning: the service may have it.",
      message: "no rule has a function {name}",
      hint: "{near}",
      cases: {
        extension: {
          severity: "warning",
          message: "{name} is a function of a CEL extension, which the service may not have",
          hint: "The service checks it.",
        },
      },
    },
    "expression/unknown-value": {
      severity: "warning",
      title: "An expression names a value that an enum does not have",
      help: "Correct the name; the nearest one is shown. The service may know more values.",
    },
    "expression/unknown-attribute": {
      severity: "warning",
      title: "An expression names an attribute that the documentation does not have",
      help: "Correct the name; the nearest one is shown. Attributes of your own are written `subject.profile.NAME`.",
      message: "{who} has no documented attribute {name}",
      hint: "Attributes of your own are written subject.profile.NAME.",
    },
    "expression/type": {
      severity: "error",
      title: "A value of an expression has a type that does not fit",
      help: "Correct the expression at the caret. [The types of expressions](expressions.md) lists what is known. What has no known type is never an error.",
      hint: "Compare it, convert it, or take a field of it.",
      cases: {
        compare: { message: "{operator} cannot compare {left} with {right}" },
        within: { message: "in does not find {left} in {right}" },
        operator: {
          message: "{operator} does not take {left} and {right}",
          hint: "Write values of one type.",
        },
        unary: { message: "{operator} does not take {what}" },
        logic: { message: "{operator} takes conditions, and here is {what}" },
        condition: { message: "a condition is expected, and here is {what}" },
        branches: {
          message: "a value of ? : is {one}, and the other is {other}",
          hint: "Write two values of one type.",
        },
        range: { message: "a list or a map is expected, and here is {what}" },
        members: { message: "{what} has no fields", hint: "Remove what stands behind it." },
        index: { message: "{index} is not a place in {what}", hint: "Write a number: 0 is the first place." },
        method: { message: "{name}() is not a function of {what}", hint: "{name}() is a function of {of}." },
        arguments: { message: "{name}() does not take {given}", hint: "It takes {taken}." },
        has: {
          message: "has() does not take this value",
          hint: "has() takes a field, such as has(subject.department).",
        },
        other: { message: "{what}" },
        conditionResult: {
          message: "a condition is expected, and the expression gives {what}",
          hint: 'Write a comparison, such as subject.department == "Engineering".',
        },
        usersResult: {
          message: "a list of users is expected, and the expression gives {what}",
          hint: 'Write users, such as appOwners or [c1.directory.users.v1.FindByEmail("ana@example.com")].',
        },
      },
    },
    "expression/too-large": {
      severity: "warning",
      title: "An expression is too long to be checked",
      message: "the expression is too large or too deeply nested for remit to check",
      hint: "Make it shorter. Only the service can check it as it is.",
    },
  },
} as const satisfies Section;
