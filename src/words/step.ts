import type { Section } from "./saying.js";

/** The part of a plan's sentences that are about one object or one step. */
export const STEP_ROWS = {
  "plan/managed-elsewhere": {
    severity: "warning",
    title: "Another object of the service manages this one; remit does not change it",
    message: "{by} manages it, so it is left alone",
    hint: "Remove the manifest, or release the object in the service.",
  },
  "plan/contested": {
    severity: "note",
    title: "A connector put back a value that remit wrote",
    help: "The connector writes the field at each sync, so remit does not write it again until the manifest changes.",
    message: "a connector put back {fields`}, which the manifest writes otherwise",
    hint: "Remove {fields`} from the manifest: the connector writes {fields?it/them} at each sync.",
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
  "plan/part-unread": {
    severity: "warning",
    title: "A part of an object cannot be read; the rest is planned without it",
    help: "Give the client a role that may read it. Where the tenant does not offer it, remove the field.",
    message: "the {parts} of the {noun} cannot be read, so remit leaves them as they are: {why}",
    hint: "Give the client a role that may read the {parts}. Where the tenant does not offer them, remove the field.",
  },
  "plan/settling": {
    severity: "note",
    title: "A part was written not long ago, and the service does not show it yet",
    message: "the {parts} of the {noun} were written and are not shown yet; remit does not write them again",
    hint: "Plan again later. `ownersLag` in remit.yaml says how long the service may take.",
  },
  "plan/usual-unknown": {
    severity: "error",
    title: "The role of an owner is not known: the service has no list of roles",
    help: "Write `role:`, or add one owner in the browser, from whom remit takes it.",
    cases: {
      none: {
        message:
          "the {noun} cannot be written: no {parts} that remit read have a {member}, and the manifest writes none",
        hint: "Write `{member}:` beside each of the {parts}, or add one of them in the browser: remit takes it from there.",
      },
      several: {
        message:
          "the {noun} cannot be written: the {parts} that remit read have several of {member}: {values`}",
        hint: "Write `{member}:` beside each of the {parts}.",
      },
    },
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
  "plan/rewritten": {
    severity: "error",
    title: "The service would write a field again that the manifest writes",
    help: "Lock the object against the defaults of its app, or leave the field to them.",
    cases: {
      own: {
        message: "the request defaults of {by} would write its {fields&}, too",
        hint: "Write `{lock}: true`, or leave {fields&} out.",
      },
      others: {
        message: "its request defaults would write what the manifests of {others&} write, too",
        hint: "Write `{lock}: true` there.",
      },
    },
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
    message: "{from} is not in the state, so it has moved already",
    hint: "This line can go.",
  },
  "plan/prune-no-state": {
    severity: "error",
    title: "`--prune` needs a state, and none exists",
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
  "plan/deleted-by-entry": {
    severity: "warning",
    title: "Only an entry under `removed:` deletes an object of this kind, so it is kept",
    help: "Add an entry for it under `removed:`.",
    message: "the {noun} is kept: `--prune` deletes no {noun}",
    hint: "To delete it, add `{ address: {name}, then: delete }` under `removed:` in remit.yaml; `remit state forget {name}` leaves it in the tenant for good.",
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
  "plan/ring": {
    severity: "error",
    title: "Objects that would be created name each other",
    help: "Apply one of them without the field that names the other; then add the field.",
    cases: {
      fields: {
        message: "it needs the id of {others&}, which needs its own",
        hint: "Leave one of the two fields out, apply, then write it.",
      },
      // docs/service/whole-tenant.md, section 5.8: the service skips a step that asks owners where there are none.
      owners: {
        message:
          "it needs the id of {others&}, which it would own. remit writes all owners before what needs the object, so that a policy never asks too few",
        hint: "Leave it out of `owners` of {others&}, apply, then write it.",
      },
    },
  },
  "plan/still-needed": {
    severity: "error",
    title: "An object would be deleted that a manifest still names, or that has others under it",
    help: "Remove that manifest, too, or decide about what is under it with an entry under `removed:`.",
  },
  "plan/still-named": {
    severity: "error",
    title: "An object would be deleted that other objects of the tenant name",
    help: "Let those objects name another one first: a delete leaves its id on them.",
    message: "{count:object} of the tenant {count?names/name} the {noun}, so it is not deleted: {named&}",
    hint: "Let them name another one, or remove the line that deletes the {noun}.",
  },
  "plan/dependents-unread": {
    severity: "error",
    title: "An object would be deleted, and remit could not read what names it",
    message: "the {dependents} that name the {noun} could not be read, so it is not deleted: {why}",
    hint: "Plan again with a credential that may read them.",
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
    message: "it needs {needs,}, which {needs?is/are} blocked",
    hint: "Fix that first.",
  },
  "plan/need-pending": {
    severity: "error",
    title: "With `--since`, a step needs what only an earlier change would do",
    message: "it needs {needs,}, which this change does not create and no apply created yet",
    hint: "Apply the earlier change first, or plan without --since.",
  },
  "plan/not-read": {
    severity: "error",
    title: "The object was not read for this plan",
    message: "the {noun} was not read",
    hint: "Plan again.",
  },
} as const satisfies Section["rows"];
