import type { Section } from "./saying.js";

export const CONTEXT = {
  heading: "context: several tenants of one project",
  rows: {
    "context/none": {
      severity: "error",
      title: "The project has several contexts, and the run names none",
      help: "Name one: `--context NAME`, or `REMIT_CONTEXT`.",
    },
    "context/unknown": {
      severity: "error",
      title: "No context of `remit.yaml` has this name",
      help: "The hint names the nearest one.",
    },
    "context/invalid": {
      severity: "error",
      title: "A context has a name that it cannot have, or two have one server, one state or one variable",
      help: "Give each context its own.",
    },
    "context/proposed": {
      severity: "error",
      title: "Only the working tree has the context, and `--settings-from` names settings without it",
      help: "It is in force once it is merged.",
    },
    "context/other-place": {
      severity: "error",
      title: "A flag or a variable names another server or state than the context",
      help: "Leave it out: the context names both.",
    },
    "context/nameless-state": {
      severity: "error",
      title: "The project has a state from the time before it had contexts",
      help: "Give it to the context of its server: `remit state move --context NAME`.",
      exit: "refused",
    },
    "context/departed": {
      severity: "error",
      title: "The working tree no longer has the context, and its state has objects",
      help: "Remove its manifests in a change of their own first, or give its state to another context.",
      exit: "refused",
    },
    "context/given-away": {
      severity: "warning",
      title: "The working tree no longer has the context, and another one has its state",
      help: "The plan of that context shows the objects.",
    },
  },
} as const satisfies Section;
