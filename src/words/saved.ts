import type { Section } from "./saying.js";

export const SAVED = {
  heading: "plan: problems of a saved plan",
  rows: {
    "plan/unreadable": {
      severity: "error",
      title: "The file is not a saved plan",
      help: "Save one with `remit plan --out plan.json`.",
      cases: {
        form: {
          message: "this is not a saved plan",
          hint: "Save one with `remit plan --out plan.json`.",
        },
        unreadable: {
          message: "{file} cannot be read: {why}",
          hint: "Save a plan with `remit plan --out plan.json`, and an outcome with `remit apply --report json=outcome.json`.",
        },
        aboutPage: {
          message: "{file} is the page of a plan, for people to read, and not the plan itself",
          hint: "Save the plan with `remit plan --out plan.json`, and name that file. `remit show` prints a page's plan.",
        },
        unreadableFile: {
          message: "{file} cannot be read as a saved plan: {why}",
          hint: "Save a plan with `remit plan --out plan.json`.",
        },
      },
    },
    "plan/newer-format": {
      severity: "error",
      title: "A newer remit made the plan",
      message: "the plan has format {formatVersion}, and this version reads {own}",
      hint: "Use the version of remit that made it, or make the plan again.",
    },
    "plan/unreleased-format": {
      severity: "error",
      title: "The plan has a format that was never released",
      message: "the plan has a format that was never released: {why}",
      hint: "Make the plan again.",
    },
    "plan/unknown-kind": {
      severity: "error",
      title: "The plan contains a kind that this version does not know",
      message: "this version does not know the kind",
      hint: "Use the version of remit that made it.",
    },
    "plan/malformed": {
      severity: "error",
      title: "The plan is damaged",
      message: "the plan is damaged at {problem}",
      hint: "Make the plan again.",
    },
    "plan/tampered": {
      severity: "error",
      title: "The plan was edited after remit wrote it",
      help: "Find out who edited it, then make the plan again.",
      hint: "Make the plan again.",
      cases: {
        seal: {
          message: "the plan is not what was saved: its seal does not match",
        },
        effect: {
          message: "the plan does something else than its effect says",
        },
        changed: {
          message: "the plan is not what was saved: its seal does not match",
          hint: "Nothing was applied. Make the plan again.",
        },
      },
    },
    "plan/other-interface": {
      severity: "error",
      title: "The saved plan was made on another interface than the one in force",
      help: "Make the plan again with the interface that is in force, or set `interface` as it was.",
      message: "the plan was made on the interface {made} for {name}, and {now} is in force",
      hint: "Nothing was applied. Make the plan again.",
    },
    "plan/undecided-forget": {
      severity: "error",
      title: "The saved plan stops managing objects, and the project does not say so",
      message: "the plan stops managing {forgets}, and remit.yaml does not say so",
      hint: "Nothing was applied. Add an entry under `removed:` in remit.yaml, with `then: forget`.",
    },
    "plan/unprotected": {
      severity: "note",
      title: "An object is no longer protected: its annotation was removed",
      message:
        "the object is no longer protected: the manifest does not have the annotation `remit/protect` any more",
      hint: 'To keep the protection, write `remit/protect: "true"` under `metadata.annotations`.',
    },
    "plan/other-calls": {
      severity: "error",
      title: "The plan contains calls that its steps do not explain",
      help: "Find out who edited it, then make the plan again.",
      message: "the plan contains calls that its step does not lead to",
      hint: "Make the plan again.",
      cases: {
        apply: {
          message: "the plan contains calls that do not follow from its step",
          hint: "The plan was edited after remit wrote it. Make the plan again.",
        },
      },
    },
    "plan/unfit-key": {
      severity: "error",
      title: "The plan contains a key that no manifest can have",
      help: "Find out who edited it, then make the plan again.",
      message: "{unfit}",
      hint: "Make the plan again.",
    },
    "plan/repeated-step": {
      severity: "error",
      title: "The plan has two steps for one object",
      help: "Find out who edited it, then make the plan again.",
      message: "the plan has two steps for one object",
      hint: "Make the plan again.",
    },
    "plan/missing-need": {
      severity: "error",
      title: "A step needs a step that is not in the plan",
      help: "Find out who edited it, then make the plan again.",
      message: "it needs {need}, which is not a step of the plan",
      hint: "Make the plan again.",
    },
    "plan/forged-reference": {
      severity: "error",
      title: "A plan refers to an object that it does not create",
      hint: "Make the plan again.",
      cases: {
        text: {
          message: "a text of the plan has the form of an id that is not known yet",
        },
        step: {
          message: "it refers to an object that the plan does not create",
        },
        parent: {
          message: "{address}: it refers to an object that neither the plan nor an apply of it created",
          hint: "Nothing was applied. Make the plan again.",
        },
      },
    },
    "plan/undecided-delete": {
      severity: "error",
      title: "The plan deletes objects, and `--prune` is not given",
      message: "the plan deletes {deletes}, and --prune is not given",
      hint: "Nothing was applied. Add --prune, or an entry under `removed:` in remit.yaml, to delete them.",
    },
    "plan/unexpected": {
      severity: "error",
      title: "The effect of the plan is not the one in `--expect`",
      message: "the effect of the plan is {effect}, and {expected} was expected",
      hint: "Nothing was applied. Review this plan, or apply the plan that was reviewed.",
    },
    "plan/other-state": {
      severity: "error",
      title: "The plan was made from another state",
      hint: "Nothing was applied. Make the plan again.",
      cases: {
        none: {
          message: "the plan was made from a state, and there is none now",
        },
        other: {
          message: "the plan was made from another state",
        },
      },
    },
    "plan/stale": {
      severity: "error",
      title: "The object, or its record in the state, changed after the plan was made",
      help: "Make the plan again, and review what changed.",
      cases: {
        object: {
          message: "the object has changed since the plan was made, so remit did not write it",
          hint: "Plan again, and look at what changed.",
        },
        record: {
          message: "the state's record of it has changed since the plan was made, so it stays as it is",
          hint: "Make the plan again.",
        },
      },
    },
  },
} as const satisfies Section;
