import type { Section } from "./saying.js";

export const REFERENCE = {
  heading: "reference: names instead of ids",
  rows: {
    "get/no-values": {
      severity: "error",
      title: "The values of an attribute cannot be shown",
      help: "Name an attribute that users have; `remit get values` lists them.",
      cases: {
        refused: {
          message: "the users could not be read: {why}",
          hint: "`remit doctor` says what this token may read.",
        },
        none: {
          message: "the service shows no users to this token",
          hint: "`remit doctor` says what this token may read.",
        },
        attribute: { message: "no user has an attribute {name}" },
      },
    },
    "reference/not-found": {
      severity: "error",
      title: "No object has the name",
      help: "Use one of the candidates, or write the id.",
      cases: {
        app: {
          message: "no app has the id or the name {text!}",
          hint: "Write the app's name exactly, or its id.{near}",
        },
        unknownNow: {
          message: "the state has no record of {kind}/{name}",
          hint: "Name the object with its key.",
        },
        notFound: { message: "no {noun} has the {finder} {wanted!}" },
      },
    },
    "reference/not-selected": {
      severity: "error",
      title: "A name means an object that an unselected manifest creates",
      help: "Add the `--target` that the message names, or apply it first.",
      message: "{message}; {target} would create it and is not selected",
      hint: "Add --target {target}, or apply it first.",
    },
    "reference/remembered": {
      severity: "warning",
      title: "Several objects have the name, and one of them was meant at the last apply",
      help: "Write its id to keep it.",
      cases: {
        twins: {
          message:
            "{others}{where} {count?has/have} the same displayName; remit uses the one that it managed before",
          hint: "Write its id {id} to keep it. The others: {names}.",
        },
        stillMeant: {
          message:
            "{have} the {finder} {wanted!}; remit uses the one that it meant at the last apply: {known}",
          hint: "Write the id {id} to keep it. The others: {others}.",
        },
      },
    },
    "reference/moved": {
      severity: "warning",
      title: "A name means another object than at the last apply",
      help: "Write the id of the object that is meant.",
      message: "{moved}",
      hint: "To keep the old one, write its id: {was}.",
    },
    "reference/own-app": {
      severity: "error",
      title: "No app, or more than one, is the tenant's own app",
      help: "Access profiles belong to the app C1. Write its id as `appId`.",
      message: "no app, or more than one, is the tenant's own app C1, and {noun} belong to it",
      hint: "Write the app's id as `appId` into a manifest by hand.",
    },
    "reference/ambiguous": {
      severity: "error",
      title: "Several objects have the name",
      help: "Write the id of the right one.",
      cases: {
        apps: {
          message: "{count} apps have the name {text!}",
          hint: "Write the id of the right one: {known}.",
        },
        mistaken: {
          message: "{alike} apps in apps: have the name {name!}, apart from case and spaces",
          hint: "Write the id of the right one: {listed}.",
        },
        ambiguous: {
          message: "{count} {nouns} have the {finder} {wanted!}",
          hint: "Write the id of the right one: {matching}.",
        },
        unclear: {
          message: "{count} {nouns}{kind} could be meant",
          hint: "Write the id of the right one: {objects}.",
        },
      },
    },
    "reference/no-manifest": {
      severity: "error",
      title: "No manifest of the project has the name",
      help: "Write the name of a manifest, or an id.",
      message: "no manifest of the kind {kind} has the name {name!}",
      hint: "The project has {count} manifests of the kind {kind}.",
    },
    "reference/other-kind": {
      severity: "error",
      title: "The manifest of that name is of another kind",
      help: "Write the name of a manifest of the right kind.",
      message: "{address} is not a manifest of the kind {kind}",
      hint: "Write the name of a manifest of the kind {kind}.",
    },
    "reference/other-app": {
      severity: "error",
      title: "The manifest of that name belongs to another app",
      message: "{address} belongs to another app",
      hint: "Write the same app in both manifests.",
    },
    "reference/look-alike": {
      severity: "warning",
      title: "A name is almost the name of an app",
      help: "Write the name exactly as `remit.yaml` has it under `apps:`.",
      message: "no app in apps: has the name {name!}; a similar name differs only in case or spaces",
      hint: "Write it as remit.yaml has it: {listed}.",
    },
    "reference/contradicted": {
      severity: "error",
      title: "`apps:` in `remit.yaml` contradicts the service",
      message: "remit.yaml gives the name {name!} to the app {id}, and the service {instead}",
      hint: "Remove the name from `apps:` in remit.yaml, or correct its id.",
    },
    "reference/unseen": {
      severity: "warning",
      title: "The service has no list to search for a name; the plan blocks what needs it",
      help: "Write the id, or the app under `apps:` in `remit.yaml`.",
      cases: {
        chosenApps: {
          severity: "error",
          message: "the list of apps could not be read, so no app can be chosen",
          hint: "Give the client a permission to read apps, or import without --app.",
        },
        get: {
          severity: "error",
          message: "the list of apps could not be read, so remit does not know the apps of the tenant",
          hint: "Name an app by its id, or write names and ids under `apps:` in remit.yaml.",
        },
        fullList: {
          message: "{noun} {wanted!} could not be looked up: {why}",
          hint: "Write its id, or name it under `apps:` in remit.yaml.",
        },
        list: {
          message: "{noun} {wanted!} could not be looked up: {why}",
          hint: "Write its id, or plan where the service can be asked.",
        },
      },
    },
  },
} as const satisfies Section;
