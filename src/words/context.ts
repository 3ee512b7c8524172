import type { Section } from "./saying.js";

export const CONTEXT = {
  heading: "context: several tenants of one project",
  rows: {
    "context/none": {
      severity: "error",
      title: "The project has several contexts, and the run names none",
      help: "Name one: `--context NAME`, or `REMIT_CONTEXT`.",
      message: "this project has the contexts {known,}, and none is named",
      hint: "Name one: --context {only}, or REMIT_CONTEXT.",
    },
    "context/same-twice": {
      severity: "error",
      title: "`remit contexts diff` names one context twice",
      help: "Name two contexts.",
      message: "{name!} is named twice: a context is compared with another one",
      hint: "Name two of {known,}.",
    },
    "context/unknown": {
      severity: "error",
      title: "No context of `remit.yaml` has this name",
      help: "The hint names the nearest one.",
      cases: {
        other: { message: "no context is called {named!}", hint: "The contexts are {known,}." },
        none: {
          message: "no context is called {named!}: this project has none",
          hint: "Remove --context and REMIT_CONTEXT, or add `contexts:` to remit.yaml.",
        },
      },
    },
    "context/invalid": {
      severity: "error",
      title: "A context has a name that it cannot have, or two have one server, one state or one variable",
      help: "Give each context its own.",
      cases: {
        taken: {
          message: "a context cannot be called {name}",
          hint: "Choose another name: remit uses this one itself.",
        },
        name: {
          message: "{name!} cannot be the name of a context",
          hint: "Use a-z, 0-9 and -; 40 characters at most.",
        },
        state: {
          message: "the contexts {first} and {name} have one state",
          hint: "Give each context its own `state`: the objects of one tenant mean nothing in another.",
        },
        server: {
          message: "the contexts {first} and {name} have one server, {what}",
          hint: "Two states of one tenant do not know of each other. Give each context its own `server`.",
        },
        variable: {
          message: "the contexts {first} and {name} would both read {what}",
          hint: "Rename one of them, so that no credential of one is sent to the other's server.",
        },
      },
    },
    "context/proposed": {
      severity: "error",
      title: "Only the working tree has the context, and `--settings-from` names settings without it",
      help: "It is in force once it is merged.",
      cases: {
        all: {
          message: "only remit.yaml of the working tree has contexts ({written,}), so none is in force",
          hint: "They are in force once they are merged. Where the project has a state already, give it to the context of its server then: `remit state move --context NAME`.",
        },
        one: {
          message: "only remit.yaml of the working tree has the context {current}, so it is not in force",
          hint: "It is in force once it is merged.",
        },
      },
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
      message: "the project has a state that belongs to no context: {value} ({name}), of {server}",
      hint: "Give it to the context of that server: `remit state move --context {context}`.",
    },
    "context/departed": {
      severity: "error",
      title: "The working tree no longer has the context, and its state has objects",
      help: "Remove its manifests in a change of their own first, or give its state to another context.",
      exit: "refused",
      message:
        "remit.yaml of the working tree no longer has the context {current}, and its state ({name}) has {count:object}",
      hint: "Remove its manifests first, in a change of its own, and decide on their objects; or give its state to another context: `remit state move --context NAME --from-project '{context}'`.",
    },
    "context/given-away": {
      severity: "warning",
      title: "The working tree no longer has the context, and another one has its state",
      message: "the working tree no longer has the context {current}: {givenTo}, and its objects with it",
      hint: "Nothing of it counts as removed here. The plan of the context that has the state shows its objects.",
    },
  },
} as const satisfies Section;
