import type { Section } from "./saying.js";

export const PLAN = {
  heading: "plan: problems of a plan",
  rows: {
    "plan/bad-selector": {
      severity: "error",
      title: "The selector after `-l` has the wrong form",
      help: "Write `name=value`, `name in (a, b)`, `!name`, with commas between.",
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
    },
    "plan/same-object": {
      severity: "error",
      title: "Two manifests lead to one object",
      help: "Remove one manifest.",
    },
    "plan/other-server": {
      severity: "error",
      title: "The state or the saved plan belongs to another server",
      help: "Give each server its own state; apply a plan where it was made.",
    },
    "plan/uncertain": {
      severity: "error",
      title: "The result of an earlier create is unknown",
      help: "Check the object in the service, then follow the hint.",
    },
    "plan/found-again": {
      severity: "note",
      title: "A create of unknown result made the object",
      help: "Nothing to do: the next apply records it.",
    },
    "plan/other-findings": {
      severity: "error",
      title: "A saved plan says of a guard of your own what does not belong to its steps",
      help: "Someone changed the file. Make the plan again.",
    },
    "plan/other-changes": {
      severity: "error",
      title: "A saved plan shows other changes than it makes",
      help: "Make the plan again.",
    },
    "plan/idle-selector": {
      severity: "warning",
      title: "`-l` selects no resource",
      help: "Labels are under `metadata.labels`.",
    },
    "plan/being-changed": {
      severity: "warning",
      title: "Another run writes this object now",
      help: "Plan again when that run has ended.",
    },
    "plan/not-recorded": {
      severity: "note",
      title: "The state does not yet contain what a killed run did",
      help: "The next apply records it.",
    },
    "plan/not-settled": {
      severity: "warning",
      title: "A killed run wrote this object, and the result is unknown",
      help: "Plan without `--offline`.",
    },
    "plan/no-state": {
      severity: "warning",
      title: "`--refresh-only` needs a state, and none exists",
      help: "Plan without `--refresh-only`.",
    },
    "plan/lost-create": {
      severity: "warning",
      title: "The result of an earlier create is unknown, and no manifest describes it now",
      help: "Look for the object in the service. `remit state settle` records it, and `remit state forget` forgets the create.",
    },
    "plan/managed-elsewhere": {
      severity: "warning",
      title: "Another object of the service manages this one; remit does not change it",
      help: "Remove the manifest.",
    },
    "plan/wider": {
      severity: "note",
      title: "A criterion restricts less than before",
      help: "It has more of what it asks for, or less time, so that more is reviewed. The schema says for which criteria this is known.",
    },
    "plan/sets-off": {
      severity: "warning",
      title: "A value sets something off in the service, such as campaigns that start by themselves",
      help: "Apply it only if that is meant. The schema says which values do so.",
    },
    "plan/run-failed": {
      severity: "warning",
      title: "The service says that its last run of a rule failed",
      help: "The members may not be those whom the rule matches. Look at the automation in the service.",
    },
    "plan/gone": {
      severity: "warning",
      title: "`--refresh-only`: an applied object is no longer in the tenant; the state keeps its record",
      help: "`remit apply` creates it again, or `remit accept` removes its manifest. Without a manifest, the next `remit apply` removes the record.",
    },
    "plan/managed-otherwise": {
      severity: "warning",
      title: "Another object of the service manages this one, and its values are not those of the manifest",
      help: "Remove the manifest, write what the object contains, or release the object in the service.",
    },
    "plan/may-exist": {
      severity: "error",
      title: "The state has no record of the manifest, and the object may have another name in the tenant",
      help: "Write its `id`, or acknowledge `unknown-current` for it.",
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
    },
    "plan/other-app": {
      severity: "error",
      title: "The service takes objects of this kind only in the tenant's own app",
      help: "Write a rule for an entitlement of the app C1, such as the membership of a group.",
    },
    "plan/refused-by-service": {
      severity: "error",
      title: "The service would refuse what the manifest says",
      help: "Change the field that the message names.",
    },
    "plan/cannot-create": {
      severity: "error",
      title: "The object does not exist, and the manifest is not enough to create it",
      help: "Write what is missing, or create it in the service.",
    },
    "plan/create-only-edited": {
      severity: "error",
      title: "A field that only a create can set was edited",
      help: "Write the value that the object was created with, or replace the object by a new one.",
    },
    "plan/create-only-unverified": {
      severity: "warning",
      title: "A field that only a create can set was edited, and remit did not create the object",
      help: "The object stays as it is; a new one is needed for another value.",
    },
    "plan/create-only-unknown": {
      severity: "note",
      title: "A field that only a create can set cannot be compared",
      help: "No action is needed.",
    },
    "plan/unknown-half": {
      severity: "error",
      title: "The write would replace a field that cannot be seen",
      help: "Write that field too.",
    },
    "plan/unseen-half": {
      severity: "warning",
      title: "A write replaces a field that was not seen",
      help: "Write the field under `spec`.",
    },
    "plan/create-again": {
      severity: "warning",
      title: "`core` has no update, so remit creates the object again",
      help: "Check the object in the service after the apply.",
    },
    "plan/no-delete": {
      severity: "error",
      title: "A removed object cannot be deleted here",
      help: "Use `then: forget` under `removed:`, and delete it in the service.",
    },
    "plan/removal-needs-key": {
      severity: "error",
      title: "An entry under `removed:` does not tell which object it means",
      help: "Add its `key:`.",
    },
    "plan/removal-idle": {
      severity: "note",
      title: "An entry under `removed:` matches no removed object",
      help: "Remove the line.",
    },
    "plan/moved": {
      severity: "error",
      title: "A line of `moved:` does not fit the project",
      help: "Name the old address, which no manifest has, and the new one.",
    },
    "plan/moved-idle": {
      severity: "note",
      title: "A line of `moved:` was applied",
      help: "The line can go.",
    },
    "plan/prune-no-state": {
      severity: "error",
      title: "`--prune` needs a state, and none exists",
      help: "Use the state of the last apply, or add `--since REF`.",
      exit: "refused",
    },
    "plan/departed-differs": {
      severity: "error",
      title: "Only `--since` shows that the object is removed, and the object differs from its manifest",
      help: "Look at the object. To delete it, name it with its key under `removed:`.",
    },
    "plan/departed-unseen": {
      severity: "error",
      title: "Only `--since` shows that the object is removed, and it cannot be read",
      help: "Plan with the state of the last apply.",
    },
    "plan/holds-others": {
      severity: "warning",
      title: "Deleting the object would delete everything under it, so it is kept",
      help: "Name it under `prune.resourceTypes`, or add an entry for it under `removed:`.",
    },
    "plan/rename-unclear": {
      severity: "error",
      title: "With `--prune`, a create may be a removed object under a new name",
      help: "Write `moved:` for a rename, or decide about the removed object under `removed:`.",
    },
    "plan/rename-possible": {
      severity: "note",
      title: "A create may be a removed object under a new name",
      help: "For a rename, write `moved:` before the apply. Otherwise there is nothing to do.",
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
    },
    "plan/drift": {
      severity: "warning",
      title: "The tenant changed since the last apply",
      help: "Apply to revert it, or write the new value into the manifest.",
    },
    "plan/need-blocked": {
      severity: "error",
      title: "A step that this one needs is blocked",
      help: "Fix that step first.",
    },
    "plan/need-pending": {
      severity: "error",
      title: "With `--since`, a step needs what only an earlier change would do",
      help: "Apply the earlier change first.",
    },
    "plan/not-read": {
      severity: "error",
      title: "The object was not read for this plan",
      help: "Plan again.",
    },
  },
} as const satisfies Section;
