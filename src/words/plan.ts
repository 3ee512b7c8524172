import type { Section } from "./saying.js";

export const PLAN = {
  heading: "plan: problems of a plan",
  rows: {
    "plan/bad-selector": {
      severity: "error",
      title: "The selector after `-l` has the wrong form",
      help: "Write `name=value`, `name in (a, b)`, `!name`, with commas between.",
      message: '"{term}" is not a label selector',
      hint: "Write `name=value`, `name!=value`, `name in (a, b)`, `name notin (a, b)`, `name` or `!name`, with commas between.",
    },
    "plan/after-merge": {
      severity: "note",
      title: "The change goes into a branch that is not applied, or the base lacks the context",
      help: "Merge it; the plan is made then.",
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
      help: "Nothing to do: the next apply records it.",
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
      help: "Make the plan again.",
      message: "the plan shows other changes than it makes",
      hint: "Make the plan again.",
      cases: {
        apply: {
          message: "the plan shows values that the object does not have, so it stays as it is",
          hint: "Make the plan again.",
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
      help: "Plan again when that run has ended.",
      message: "{address} is being changed by {by}",
      hint: "This plan may not contain the result. Plan again when that run has ended.",
    },
    "plan/not-recorded": {
      severity: "note",
      title: "The state does not yet contain what a killed run did",
      help: "The next apply records it.",
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
      help: "Plan without `--refresh-only`.",
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
    "plan/managed-elsewhere": {
      severity: "warning",
      title: "Another object of the service manages this one; remit does not change it",
      help: "Remove the manifest.",
      message: "{by} manages it, so it is left alone",
      hint: "Remove the manifest, or release the object in the service.",
    },
    "plan/wider": {
      severity: "note",
      title: "A criterion restricts less than before",
      help: "It has more of what it asks for, or less time, so that more is reviewed. The schema says for which criteria this is known.",
      message: "{paths,} {paths?restricts/restrict} less than before",
      hint: "Compare the values before and after: more is reviewed from the next campaign on.",
    },
    "plan/sets-off": {
      severity: "warning",
      title: "A value sets something off in the service, such as campaigns that start by themselves",
      help: "Apply it only if that is meant. The schema says which values do so.",
      message: "`{field}: {is}` sets something off: {effect}",
      hint: "Apply it only if that is meant.",
    },
    "plan/run-failed": {
      severity: "warning",
      title: "The service says that its last run of a rule failed",
      help: "The members may not be those whom the rule matches. Look at the automation in the service.",
      message: "{trouble}",
      hint: "Its members may not be those whom the rule matches. Look at the automation in the service.",
    },
    "plan/gone": {
      severity: "warning",
      title: "`--refresh-only`: an applied object is no longer in the tenant; the state keeps its record",
      help: "`remit apply` creates it again, or `remit accept` removes its manifest. Without a manifest, the next `remit apply` removes the record.",
      cases: {
        record: {
          message: "it was applied before, and is no longer in the tenant; the state keeps its record",
          hint: "The next `remit apply` removes the record.",
        },
        manifest: {
          message: "it was applied before, and is no longer in the tenant; the state keeps its record",
          hint: "`remit apply` creates it again. `remit accept {address}` removes its manifest instead.",
        },
      },
    },
    "plan/managed-otherwise": {
      severity: "warning",
      title: "Another object of the service manages this one, and its values are not those of the manifest",
      help: "Remove the manifest, write what the object contains, or release the object in the service.",
      message: "{by} manages it, so remit leaves it as it is; the manifest has another value for {fields`}",
      hint: "Remove the manifest, write what the object contains, or release the object in the service.",
    },
    "plan/may-exist": {
      severity: "error",
      title: "The state has no record of the manifest, and the object may have another name in the tenant",
      help: "Write its `id`, or acknowledge `unknown-current` for it.",
      message:
        "the state has no record of it, so remit cannot tell whether this {noun} is new, or one of the app that has another name now",
      hint: "If it is one of these, write its `{identity}`: {strangers}. If it is new, add --acknowledge unknown-current={address}.",
    },
    "plan/namesake": {
      severity: "error",
      title:
        "The tenant has an object with the displayName of a manifest without an id, and the state does not have it by this address",
      help: "Write its `id` to manage it, write `moved:` for a renamed manifest, or give the manifest another `displayName`.",
    },
    "plan/parent-missing": {
      severity: "error",
      title: "The object that contains it does not exist",
      help: "Check the ids.",
      message: "{missing}",
      hint: "Check {fields`} in the manifest: the object must exist before remit can change it.",
      cases: {
        alone: {
          message: "the service has no {parent}, which contains the {noun}",
          hint: "Check the id in the manifest. If it is right, plan again.",
        },
      },
    },
    "plan/other-app": {
      severity: "error",
      title: "The service takes objects of this kind only in the tenant's own app",
      help: "Write a rule for an entitlement of the app C1, such as the membership of a group.",
      message: "the service takes {nouns} only in the tenant's own app {name}",
      hint: "Write `appId: { name: {name} }`{more}.",
    },
    "plan/refused-by-service": {
      severity: "error",
      title: "The service would refuse what the manifest says",
      help: "Change the field that the message names.",
      message: "{why}",
      hint: "{next}",
    },
    "plan/cannot-create": {
      severity: "error",
      title: "The object does not exist, and the manifest is not enough to create it",
      help: "Write what is missing, or create it in the service.",
      cases: {
        written: {
          message: "the {noun} does not exist, and cannot be created as it is written",
          hint: "To create it, write {needed`} and leave out `{id}`, which the service chooses.",
        },
        interface: {
          message: "this interface cannot create a {noun}",
          hint: "Write its `{id}`. If it does not exist yet, create it in the service first.",
        },
      },
    },
    "plan/create-only-edited": {
      severity: "error",
      title: "A field that only a create can set was edited",
      help: "Write the value that the object was created with, or replace the object by a new one.",
      message:
        "the {noun} was created with `{field}` {was}, and the manifest writes {now}; only a create can set it",
      hint: "To keep the {noun}, write `{field}: {was}`. A replacement requires a new one: give the manifest another `metadata.name` and `displayName`, and leave out `{id}`. The plan then creates it and lists {key} as removed. To delete that one deletes the {noun}{under}.",
    },
    "plan/create-only-unverified": {
      severity: "warning",
      title: "A field that only a create can set was edited, and remit did not create the object",
      help: "The object stays as it is; a new one is needed for another value.",
      message:
        "`{field}` was edited from {before} to {written}; only a create can set it, and remit cannot compare it, because it did not create the {noun}",
      hint: "The {noun} stays as it is. If it must be {written}, create a new one: give the manifest another `metadata.name` and `displayName`.",
    },
    "plan/create-only-unknown": {
      severity: "note",
      title: "A field that only a create can set cannot be compared",
      help: "No action is needed.",
      message:
        "`{field}` ({written}) cannot be compared: remit did not create the {noun} with it, and the service does not show the field",
      hint: "It is used only to create the {noun} again after a delete.",
    },
    "plan/unknown-half": {
      severity: "error",
      title: "The write would replace a field that cannot be seen",
      help: "Write that field too.",
      message: "the write also replaces {names}, and the tenant's value cannot be read",
      hint: "Write {names} under `spec`; an empty one (`[]`, `null`) clears it on purpose. Or add --acknowledge unknown-current={address}: remit then sends the recorded value, or clears the field.",
    },
    "plan/unseen-half": {
      severity: "warning",
      title: "A write replaces a field that was not seen",
      help: "Write the field under `spec`.",
      message: "the write replaces `{name}`, which was not seen; it {how}",
      hint: "Write `{name}` under `spec` to decide what it contains.",
    },
    "plan/create-again": {
      severity: "warning",
      title: "`core` has no update, so remit creates the object again",
      help: "Check the object in the service after the apply.",
      message:
        "the {noun} is created again: the service offers no update, and decides whether this replaces the first",
      hint: "Look at it in the service after the apply.",
    },
    "plan/no-delete": {
      severity: "error",
      title: "A removed object cannot be deleted here",
      help: "Use `then: forget` under `removed:`, and delete it in the service.",
      cases: {
        kind: {
          message: "remit cannot delete a {noun} here",
          hint: "Add `{ address: {address}, then: forget }` under `removed:` in remit.yaml to stop managing it, and delete it in the service.",
        },
        object: {
          message: "people did not make this {noun}, so it cannot be deleted",
          hint: "Add `{ address: {address}, then: forget }` under `removed:` in remit.yaml to stop managing it.",
        },
      },
    },
    "plan/removal-needs-key": {
      severity: "error",
      title: "An entry under `removed:` does not tell which object it means",
      help: "Add its `key:`.",
      cases: {
        none: { message: "{address}: {why}", hint: "Add `key:` with the ids of the object." },
        names: { message: "{address}: {why}", hint: "Add `key:`: {names,}." },
      },
    },
    "plan/removal-idle": {
      severity: "note",
      title: "An entry under `removed:` matches no removed object",
      help: "Remove the line.",
      message: "{address}{key} is not a removed object",
      hint: "This line can go.",
    },
    "plan/moved": {
      severity: "error",
      title: "A line of `moved:` does not fit the project",
      help: "Name the old address, which no manifest has, and the new one.",
      cases: {
        stillThere: {
          message: "{from} is still in the project, so it did not move to {to}",
          hint: "Remove its manifest, or this line.",
        },
        noManifest: {
          message: "no manifest has the address {to}",
          hint: "Write the address that the manifest has now.",
        },
      },
    },
    "plan/moved-idle": {
      severity: "note",
      title: "A line of `moved:` was applied",
      help: "The line can go.",
      message: "{from} is not in the state, so it has moved already",
      hint: "This line can go.",
    },
    "plan/prune-no-state": {
      severity: "error",
      title: "`--prune` needs a state, and none exists",
      help: "Use the state of the last apply, or add `--since REF`.",
      exit: "refused",
      message: "without a state, remit cannot know what was removed",
      hint: "Nothing is deleted. Use the state of the last apply, or add --since REF: remit then compares the project with its manifests at that commit.",
    },
    "plan/departed-differs": {
      severity: "error",
      title: "Only `--since` shows that the object is removed, and the object differs from its manifest",
      help: "Look at the object. To delete it, name it with its key under `removed:`.",
      message:
        "its manifest was removed since {ref}, and the tenant has other values than that manifest: {fields,}",
      hint: "remit deletes it only as it was reviewed. To delete it as it is, write `key: {key}` and `then: delete` for it under `removed:` in remit.yaml.",
    },
    "plan/departed-unseen": {
      severity: "error",
      title: "Only `--since` shows that the object is removed, and it cannot be read",
      help: "Plan with the state of the last apply.",
      message:
        "its manifest was removed since {ref}, and remit cannot read whether the tenant still has its values",
      hint: "Plan with the state of the last apply, or where the service can be read.",
    },
    "plan/holds-others": {
      severity: "warning",
      title: "Deleting the object would delete everything under it, so it is kept",
      help: "Name it under `prune.resourceTypes`, or add an entry for it under `removed:`.",
      message: "the {noun} is kept: the service would delete everything under it",
      hint: "To delete it, {how}; `remit state forget {name}` leaves it in the tenant for good.",
    },
    "plan/rename-unclear": {
      severity: "error",
      title: "With `--prune`, a create may be a removed object under a new name",
      help: "Write `moved:` for a rename, or decide about the removed object under `removed:`.",
      message:
        "remit cannot tell whether {address} is new or {pruned} under a new name, so --prune neither creates it nor deletes {pruned2?that one/those}",
      hint: "If it was renamed, add `{ from: {from}, to: {address} }` under `moved:` in remit.yaml. If it is new, add `{ address: {from}, then: delete }` under `removed:`{pruned2?/, and one for each of the others}.",
    },
    "plan/rename-possible": {
      severity: "note",
      title: "A create may be a removed object under a new name",
      help: "For a rename, write `moved:` before the apply. Otherwise there is nothing to do.",
      message: "{address} may be {siblings} under a new name",
      hint: "If it was renamed, add `{ from: {from}, to: {address} }` under `moved:` in remit.yaml before you apply.",
    },
    "plan/still-needed": {
      severity: "error",
      title: "An object would be deleted that a manifest still names, or that has others under it",
      help: "Remove that manifest, too, or decide about what is under it with an entry under `removed:`.",
    },
    "plan/blocked": {
      severity: "error",
      title: "A step is blocked",
      help: "The plan says why. Other steps are applied; an apply exits 3.",
      message: "{address} is blocked: {reason}",
    },
    "plan/drift": {
      severity: "warning",
      title: "The tenant changed since the last apply",
      help: "Apply to revert it, or write the new value into the manifest.",
      cases: {
        field: { message: "{address}: {path} was changed in the tenant since the last apply{step}" },
        object: { message: "{address}: {reason}" },
      },
    },
    "plan/need-blocked": {
      severity: "error",
      title: "A step that this one needs is blocked",
      help: "Fix that step first.",
      message: "it needs {needs,}, which {needs?is/are} blocked",
      hint: "Fix that first.",
    },
    "plan/need-pending": {
      severity: "error",
      title: "With `--since`, a step needs what only an earlier change would do",
      help: "Apply the earlier change first.",
      message: "it needs {needs,}, which this change does not create and no apply created yet",
      hint: "Apply the earlier change first, or plan without --since.",
    },
    "plan/not-read": {
      severity: "error",
      title: "The object was not read for this plan",
      help: "Plan again.",
      message: "the {noun} was not read",
      hint: "Plan again.",
    },
  },
} as const satisfies Section;
