import type { Section } from "./saying.js";

export const APPLY = {
  heading: "apply: problems of an apply",
  rows: {
    "apply/other-intent": {
      severity: "error",
      title: "The working tree decides otherwise than the settings in force",
      message: "the working tree decides otherwise than {from}: {names}",
      hint: "Nothing was applied. Merge the change, and apply the merged commit: --settings-from HEAD. At a terminal, remit asks instead.",
    },
    "apply/not-approved": {
      severity: "error",
      title: "remit cannot ask without a terminal",
      help: "Add `--yes`, or apply a saved plan.",
      cases: {
        notApplied: { message: "the plan was not approved", hint: "Nothing was applied." },
        noTerminal: {
          message: "remit cannot ask: standard input is not a terminal",
          hint: "Nothing was applied. Add --yes, or save the plan with `remit plan --out plan.json` and apply that.",
        },
      },
    },
    "apply/failed": {
      severity: "error",
      title: "The server refused the request; the message and the request id are the server's",
      help: "Follow the hint.",
      message: "{message}{id}",
      hint: "{next}",
    },
    "apply/not-read": {
      severity: "error",
      title: "The object could not be read just before its write; nothing was sent",
      message: "the {noun} could not be read: {why}",
      hint: "Nothing was changed. Plan again.",
    },
    "apply/skipped": {
      severity: "error",
      title: "A step that this one needs failed",
      message: "it needs {need}, which is {outcome}",
      hint: "Fix that, and apply again.",
    },
    "apply/left": {
      severity: "warning",
      title: "Not started, because the run ended",
      message: "not started: {why}",
      hint: "Apply again.",
    },
    "apply/pending": {
      severity: "error",
      title: "The id of an object that another step creates is not known",
      message: "it needs the id of {object}, which no step of this apply created",
      hint: "Plan again.",
    },
    "apply/all-or-nothing": {
      severity: "error",
      title: "A step is blocked, and `--all-or-nothing` is given",
      message: "{count:step} {count?is/are} blocked, and --all-or-nothing is given: {names}",
      hint: "Nothing was applied. The plan shows what blocks a step. Fix that, or select the other resources.",
    },
    "apply/leaves-blocked": {
      severity: "warning",
      title: "Blocked steps are left out of the apply",
      help: "Nothing, if the rest may be applied alone. Otherwise use `--all-or-nothing`.",
      message: "{count:step} {count?is/are} blocked, so an apply leaves out {names}",
      hint: "remit applies the rest and exits 3. With --all-or-nothing, it applies nothing and exits 4.",
    },
    "apply/already-so": {
      severity: "note",
      title: "The object is already as desired; nothing was sent",
      hint: "No action is needed.",
      cases: {
        values: {
          message: "the object is already as desired, so nothing was sent",
        },
        there: {
          message:
            "the service refused its create because the object exists; it is as desired, so remit records it",
        },
        gone: {
          message: "the service no longer had the object, so nothing was deleted",
        },
        partGone: {
          message: "the service no longer had a part that the step deletes",
        },
      },
    },
    "apply/settled": {
      severity: "note",
      title: "The create got no reply; remit read the object, and it is as desired",
      message: "its create got no good reply; remit read the object back, and it is as desired",
      hint: "No action is needed.",
    },
    "apply/different": {
      severity: "error",
      title: "The create got no reply; the object exists with other values",
      message: "its create got no good reply; the object exists, with other values in {fields}",
      hint: "Plan again: the plan shows what differs.",
    },
    "apply/uncertain": {
      severity: "error",
      title: "The create got no clear answer, and no read shows whether it was done",
      help: "Follow the hint: plan again where lists show such objects, else look in the service.",
      cases: {
        created: {
          message: "{why}",
          hint: "The result of its create is unknown, so remit does not send it again. {next}",
        },
        still: {
          message: "the result of an earlier create is unknown, so remit does not send it again",
          hint: "{next}",
        },
      },
    },
    "apply/same-name": {
      severity: "error",
      title: "An object was created, and another one of the app has the same name",
      message:
        "this run created the {noun} {id}, and the app has another one with the same displayName: {others}",
      hint: "Another run may have created it at the same time. Write the `id` of the one to keep in the manifest, and delete the other one in the service.",
    },
    "apply/not-looked": {
      severity: "warning",
      title: "remit could not look for another object of the same name",
      message: "remit could not look whether the app has another {noun} with the same displayName: {why}",
      hint: "Plan again: the plan looks once more.",
    },
    "apply/unfinished": {
      severity: "warning",
      title: "The object was created, but a later call of the step was not sent",
      message: "the object was created, and its later calls did not succeed",
      hint: "The state records the object as it is. Plan and apply again: the rest is an update.",
    },
    "apply/strange-reply": {
      severity: "warning",
      title: "The write was accepted, and its reply is not the documented one",
      message: "the service accepted the write, and its reply is not the documented one: {problem}",
      hint: "remit records what the reply shows, and the rest as it was sent. Look at the object in the service.",
    },
    "apply/not-kept": {
      severity: "error",
      title: "The service accepted the write and keeps another value",
      exit: "partial",
      message: "the service accepted the write, and keeps `{field}` with another value than remit sent",
      hint: "Plan again: the plan shows what the service keeps. Write that value in the manifest, or change the object in the service.",
    },
    "apply/replaced": {
      severity: "error",
      title: "A create replaced an object that remit had not seen",
      exit: "partial",
      message: "the create replaced the {noun} that was made on {madeAt}; remit had not seen it",
      hint: "The tenant now contains what the manifest says. Find out who made the earlier one, and write what it needs in the manifest.",
    },
    "apply/recovered": {
      severity: "note",
      title: "An earlier run was killed; remit checked what happened to its writes",
      message: "{address}: an earlier run was cut off while it wrote this; {what}",
      hint: "No action is needed: the plan starts from what remit found.",
    },
    "apply/damaged-journal": {
      severity: "warning",
      title: "Lines of the journal cannot be read",
      message: "{lines} lines of the journal of {name} cannot be read",
      hint: "The plan reads what the service can show of these writes.",
    },
    "apply/unreadable-journal": {
      severity: "error",
      title: "Lines of the journal cannot be read, and the service does not show what they were about",
      hint: "Look in the service for what that run created. Where it is there, write its `id` in the manifest, or take the manifest away. Then `remit state unlock --set-aside` keeps the journal in a file and leaves out what cannot be read.",
      cases: {
        headless: {
          message: "the first line of the journal of {store} cannot be read: nothing says which run wrote it",
        },
        unreadable: {
          message:
            "{count} of the journal of {store} cannot be read, and the run that was cut off created objects that the service does not show: {hidden,}",
        },
      },
    },
    "apply/unconfirmed-object": {
      severity: "error",
      title: "A shared state says that the effect made an object, and the tenant does not confirm it",
      help: "Look at the object. If it is the one, run `remit state settle`. Then review a new plan, and start the manual job for it.",
      message:
        "{address}: the state says that an apply of this effect made {key}, and the tenant does not confirm it: {why}",
      hint: "Nothing was applied. Look at the object. If this apply made it, run `{settling}`. Then review a new plan, and {plan}.",
    },
    "apply/unconfirmed-step": {
      severity: "error",
      title: "A shared state says that a step of the effect is done, and the tenant does not show it",
      help: "Compare the state with the tenant. Review a new plan, and apply it with its own effect by the manual workflow.",
      message: "the state says of this effect that {why}",
      hint: "Nothing was applied. Compare the state with the tenant. Then review a new plan, and {plan}.",
    },
    "apply/foreign-journal": {
      severity: "error",
      title: "The journal belongs to another server or state",
      message: "a run that was cut off wrote to {server} with another state",
      hint: "Recover it with the server and the state it had. If that state is gone for good, `remit state unlock --set-aside` keeps the journal in a file and takes it out of the store.",
    },
  },
} as const satisfies Section;
