import type { Section } from "./saying.js";
import { STEP_ROWS } from "./step.js";

export const PLAN = {
  heading: "plan: problems of a plan",
  rows: {
    "plan/bad-selector": {
      severity: "error",
      title: "The selector after `-l` has the wrong form",
      message: '"{term}" is not a label selector',
      hint: "Write `name=value`, `name!=value`, `name in (a, b)`, `name notin (a, b)`, `name` or `!name`, with commas between.",
    },
    "plan/after-merge": {
      severity: "note",
      title: "The change goes into a branch that is not applied, or the base lacks the context",
      help: "Merge it; the plan is made then.",
      message: "{why}, so this change is planned after the merge",
      hint: "`remit validate` checks it before. To apply another branch, set the variable REMIT_BRANCH.",
    },
    "plan/idle-target": {
      severity: "error",
      title: "A `--target` matches nothing",
      help: "Write `Kind/name`; `*` stands for any letters.",
      message: "nothing is called {target}",
    },
    "plan/same-object": {
      severity: "error",
      title: "Two manifests lead to one object",
      help: "Remove one manifest.",
      cases: {
        one: { message: "{both} are the same object", hint: "Remove one of the two manifests." },
        shared: {
          message: "{both} have {shared}, so they are the same object",
          hint: "Remove one of the two manifests, or write the ids of both.",
        },
      },
    },
    "plan/other-server": {
      severity: "error",
      title: "The state or the saved plan belongs to another server",
      help: "Give each server its own state; apply a plan where it was made.",
      cases: {
        state: {
          message: "the state belongs to {server}, and the server is {server2}",
          hint: "Give each server its own `state` in remit.yaml.",
        },
        plan: {
          message: "the plan is for {server}, and this project's server is {configured}",
          hint: "A plan never chooses its server. Apply it in the project it was made in, or make it again.",
        },
      },
    },
    "plan/uncertain": {
      severity: "error",
      title: "The result of an earlier create is unknown",
      help: "Check the object in the service, then follow the hint.",
      cases: {
        step: { message: "{uncertain}: {why}", hint: "{next}" },
        renamed: {
          message: "the create of {address} may have made it; {create}",
          hint: "If you renamed the manifest, give it the name {name} again until a plan has adopted the object. {next}",
        },
      },
    },
    "plan/found-again": {
      severity: "note",
      title: "A create of unknown result made the object",
      message: "{create} until now: this object is what it made",
      hint: "The next apply records it.",
    },
    "plan/other-findings": {
      severity: "error",
      title: "A saved plan says of a guard of your own what does not belong to its steps",
      help: "Someone changed the file. Make the plan again.",
      message: "the plan says of the guard {guard} what does not follow from its steps",
      hint: "Make the plan again.",
    },
    "plan/other-changes": {
      severity: "error",
      title: "A saved plan shows other changes than it makes",
      message: "the plan shows other changes than it makes",
      hint: "Make the plan again.",
      cases: {
        apply: {
          message: "the plan shows values that the object does not have, so it stays as it is",
        },
      },
    },
    "plan/idle-selector": {
      severity: "warning",
      title: "`-l` selects no resource",
      help: "Labels are under `metadata.labels`.",
      message: "the selector {selector} selects no resource",
      hint: "{selector2} Nothing is planned.",
    },
    "plan/being-changed": {
      severity: "warning",
      title: "Another run writes this object now",
      message: "{address} is being changed by {by}",
      hint: "This plan may not contain the result. Plan again when that run has ended.",
    },
    "plan/not-recorded": {
      severity: "note",
      title: "The state does not yet contain what a killed run did",
      message: "the state does not contain yet what a killed run did",
      hint: "The next apply will record this.",
    },
    "plan/not-settled": {
      severity: "warning",
      title: "A killed run wrote this object, and the result is unknown",
      help: "Plan without `--offline`.",
      message: "a run was killed while it wrote {address}, and the result is unknown",
      hint: "A plan that may read the service finds out the result.",
    },
    "plan/no-state": {
      severity: "warning",
      title: "`--refresh-only` needs a state, and none exists",
      message: "no state: remit cannot tell what changed since an apply",
      hint: "Plan without `--refresh-only` to compare the tenant with the manifests.",
    },
    "plan/lost-create": {
      severity: "warning",
      title: "The result of an earlier create is unknown, and no manifest describes it now",
      help: "Look for the object in the service. `remit state settle` records it, and `remit state forget` forgets the create.",
      message: "{address} was created on {at}, its result is unknown, and no manifest means it now",
      hint: "Look for it in the service. `{settling}` records it, and `remit state forget {address}` forgets the create.",
    },
    ...STEP_ROWS,
    "plan/run-failed": {
      severity: "warning",
      title: "The service says that its last run of a rule failed",
      message: "{trouble}",
      hint: "Its members may not be those whom the rule matches. Look at the automation in the service.",
    },
    "plan/defaults-failed": {
      severity: "warning",
      title: "The service did not write the request defaults of an app into all of its entitlements",
      message:
        "the service's last run over the entitlements did not end well: some may not have the request defaults",
      hint: "Look at the app in the service, and let its defaults be written again there.",
    },
    "plan/defaults-running": {
      severity: "note",
      title: "The service is still writing the request defaults of an app into its entitlements",
      help: "What an unlocked entitlement of the app has is not known until the run ends. Plan again then.",
      message:
        "the service is still writing the request defaults: what unlocked entitlements have is not known yet",
      hint: "Plan again once the run has ended, before you rely on what entitlements show.",
    },
    "plan/defaults-rewriting": {
      severity: "note",
      title: "The service is still writing the request defaults of an app into an entitlement",
      help: "What it has is not known until the run ends, so remit neither compares nor writes it. Plan again then.",
      hint: "Plan again once the run has ended.",
      cases: {
        fields: {
          message:
            "the service is still writing the defaults of {by} into it: {fields&} are not known, and not compared",
        },
        write: {
          severity: "error",
          message:
            "the service is still writing the defaults of {by} into it, so remit writes nothing there yet",
        },
      },
    },
    "plan/no-usage-data": {
      severity: "warning",
      title: "An app takes access from people who do not use it, and the service does not know who uses it",
      help: "Without usage data everyone may count as inactive. Connect a source of usage data first, or leave `revoke` out.",
      message:
        "`usageControls.revoke` is on, and the service has no usage data of the app: everyone may count as inactive",
      hint: "Set `revoke: false` until the service shows usage data of the app.",
    },
    "plan/switched-off": {
      severity: "warning",
      title: "An object does nothing until a person switches it on in the browser",
      help: "Switch it on in the browser: no call of the service does.",
      message:
        "the {noun} finds nothing until a person switches it on in the browser; no call of the service does",
      hint: "Switch it on in the browser after the apply. Each plan says so until a read shows it switched on.",
    },
    "plan/items-unlisted": {
      severity: "note",
      title: "The service does not list what is in a group, so that it may have more than the manifest",
      help: "Compare the group in the browser: remit sees of it only what the manifest names or what it recorded.",
      message: "{fields`} may have more than remit knows of: the service lists no {noun}'s groups",
      hint: "Compare them in the browser. What remit did not add stays as it is.",
    },
  },
} as const satisfies Section;
