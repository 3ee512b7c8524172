import type { Section } from "./saying.js";

export const EXPECTATION = {
  heading: "expectation: made-up people and the project's rules",
  rows: {
    "expectation/failed": {
      severity: "error",
      title: "A rule does not do for a person what a test expects",
      help: "The diagnostic names the rule's line and the part of the expression that decides. Correct the rule or the test.",
      message: "{test}: {said}",
    },
    "expectation/unknown": {
      severity: "error",
      title: "What a rule does for a person is unknown, so no expectation about it holds",
      help: "Say under `entitlements:` of the test who holds what the rule asks for. Some parts of a rule only the service can answer.",
      message: "{test}: {said}",
    },
    "expectation/no-such-rule": {
      severity: "error",
      title: "A test names a rule that the project does not have",
      help: "Correct the address; the nearest one is shown.",
      message: "{name}: the project has no rule {rule}",
      hint: "Write Kind/name, or Kind/name[row].",
    },
    "expectation/mistake": {
      severity: "error",
      title: "A test says nothing, contradicts itself, or names a person that it does not have",
      help: "The hint shows the forms of an expectation.",
      cases: {
        document: { message: "{problem}", hint: "{hint}" },
        person: { message: "{name}: {problem}" },
      },
    },
    "expectation/holds": {
      severity: "note",
      title: "An expectation of a test holds",
      help: "Only a report of JUnit names it.",
      message: "{check}",
    },
    "expectation/none": {
      severity: "error",
      title: "`remit test` finds no test",
      hint: "Write documents of kind Test in the folder tests, or name their files under `tests:` in remit.yaml.",
      cases: {
        tests: {
          message: "No tests found in {folder}",
          hint: "Write a document of kind Test there, in a file that ends in .yaml, .yml or .json. remit also reads the folders below it.",
        },
        project: {
          message: "the project has no tests",
        },
        paths: {
          message: "no tests found in {paths,}",
        },
      },
    },
    "expectation/unnamed-file": {
      severity: "warning",
      title: "No setting names a file with tests",
      help: "Add it to `tests:` in `remit.yaml`.",
      message: "no setting names this file, so `remit test` does not run its tests",
      hint: "Add {file} to `tests:` in remit.yaml.",
    },
  },
} as const satisfies Section;

export const OWN_GUARD = {
  heading: "guard: the files and tests of guards of your own",
  intro: "The finding of a guard of your own has the code `own/NAME`.",
  rows: {
    "guard/expression": {
      severity: "error",
      title: "The expression of a guard names a field that does not exist, or is not true or false",
      help: "The caret is at the characters. [docs/guards.md](guards.md) lists what a guard may read.",
      hint: 'For example: size(people.gain) > 10 && step.action == "update".',
      cases: {
        reserved: { message: "a name that begins with remit_ is not known" },
        tooLarge: { message: "the expression makes values that are too large" },
        unread: { message: "remit does not read {misread}" },
        dyn: { message: "dyn() hides which fields there are", hint: "Name the fields without it." },
        notBool: { message: "a guard is true or false, and this is {type}" },
        noField: { message: "{what} has no field {name}", hint: "The fields are {fields,}." },
        noName: { message: "a guard about a {about} has no {word}", hint: "The names are {known,}." },
        noFunction: { message: "a guard has no function {called}" },
        noWord: { message: "no step has the {field} {word}", hint: "They are {known,}." },
        other: { message: "{what}" },
      },
    },
    "guard/repeated": {
      severity: "error",
      title: "Two guards have one name",
      help: "Rename one of them: an acknowledgement names a guard.",
      message: "the project has two guards {name}",
      hint: "The other one is in {file}, line {line}. Rename one of them.",
    },
    "guard/unnamed-file": {
      severity: "warning",
      title: "No setting names a file with guards",
      help: "Add it to `own:` under `guards:` in `remit.yaml`.",
      message: "no setting names this file, so no plan is asked by its guards",
      hint: "Add {file} to `guards.own:` in remit.yaml.",
    },
    "guard/unread": {
      severity: "error",
      title: "The guards of the settings in force cannot be read",
      help: "Fetch the commit that `--settings-from` names with all its files.",
      message: "the {what} of {named} cannot be read: this checkout does not contain them",
      hint: "Fetch the commit with all its files: {fetch}",
    },
    "guard/test-failed": {
      severity: "error",
      title: "A guard says something else of a made-up step than its test expects",
      help: "Correct the guard or the test.",
      message: "{guard}: {what} in {name}",
    },
    "guard/test-unknown": {
      severity: "error",
      title: "What a guard says of a made-up step is unknown",
      help: "The hint says what is not known. Write it in the test, or expect it with `trips: unknown`.",
      message: "{guard}: {what} in {name}",
    },
    "guard/test-mistake": {
      severity: "error",
      title: "The step of a test of a guard has no kind, or a field that its kind does not have",
      help: "The hint names the field that is nearest.",
      message: "{name}: {problem}",
    },
  },
} as const satisfies Section;
