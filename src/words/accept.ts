import type { Section } from "./saying.js";

export const ACCEPT = {
  heading: "accept: what the tenant has, written into a manifest",
  intro:
    "`remit accept` changes a value exactly where it is written. Where that is not possible, it leaves the value as it is and says why.",
  rows: {
    "accept/alias": {
      severity: "error",
      title: "The value is an alias: it is written at an anchor",
      message: "{path} is an alias: its value is written at the anchor &{anchor}",
      hint: "Change the value at the anchor by hand, or write the value here in place of the alias.",
    },
    "accept/anchor": {
      severity: "error",
      title: "The value has an anchor that another place uses",
      hint: "Write the value out at the other places first: they would change with it.",
      cases: {
        own: { message: "{path} has the anchor &{anchor}, which is used elsewhere" },
        inside: { message: "{path} contains the anchor &{anchor}, which is used elsewhere" },
      },
    },
    "accept/named-value": {
      severity: "warning",
      title: "A value is put in by a named value or a shape, so `accept` does not write it",
      help: "Change it where it is written; `remit render --values NAME` lists who reads it.",
      hint: "Write the tenant's value by hand; `remit plan` shows it.",
      cases: {
        shape: { message: "a shape makes it: change its row or the shape" },
        marker: { message: "{path} does not have a value of its own: it is written with {marker}" },
        names: {
          message: "{path} does not have a value of its own: names are put into its expression",
        },
      },
    },
    "accept/merge": {
      severity: "error",
      title: "The value comes from a merge key",
      message: "{path} comes from a merge key",
      hint: "Write the field here, or change it where the merge key takes it from.",
    },
    "accept/unwritable": {
      severity: "error",
      title: "The tenant's value cannot be written there",
      help: "A manifest with it would not be valid, remit has no name for a part of it, or a reference by name has no name that is sure. The message says which.",
      message: "{why}",
      hint: "Write the tenant's value by hand; `remit plan` shows it.",
      cases: {
        noManifest: { message: "the manifest is not in the file" },
        unread: { message: "the manifest could not be read afterwards" },
        whole: { message: "the manifest itself cannot be replaced" },
        missing: { message: "{path} is not written in the manifest" },
        same: { message: "{path} would still differ" },
      },
    },
    "accept/edited": {
      severity: "warning",
      title: "The manifest was edited since the last apply, so the field stays as it is",
      help: "Name the field (`Kind/name#field`) to give up the edit.",
      hint: "To give up the edit, run: remit accept {name}#{field}",
      cases: {
        both: {
          message:
            "{name}: {field} was edited in the manifest and changed in the tenant, so it is not accepted",
        },
        alone: {
          severity: "note",
          message: "{name}: {field} was edited in the manifest alone, so it stays as it is",
        },
      },
    },
    "accept/deleted": {
      severity: "error",
      title: "A field is named, and the tenant no longer has its object",
      help: "Name the object alone to remove its manifest.",
      message: "{name} was deleted in the tenant, so it has no fields there",
      hint: "To remove its manifest, run: remit accept {name}",
    },
    "accept/not-seen": {
      severity: "error",
      title: "remit does not know the values of the object in the tenant",
      help: "Follow the message: it says why the object was not read.",
      message: "{address} cannot be accepted: {why}",
      hint: "Apply it first.",
    },
    "accept/no-such-target": {
      severity: "error",
      title: "No manifest has the address, or its kind does not have the field",
      help: "Write `Kind/name` or `Kind/name#field`, with the field as a plan shows it.",
      hint: "{meant}Write Kind/name, or Kind/name#field.",
      cases: {
        address: {
          message: "no manifest has the address {name}",
        },
        field: {
          message: "{kind} has no field {field}",
        },
        noTarget: {
          message: "{text!} is neither an address nor a field of one",
          hint: "Write Kind/name, or Kind/name#field.",
        },
      },
    },
    "accept/changed-file": {
      severity: "error",
      title: "A file was changed after the plan was made",
      help: "Nothing is written to it. Make the plan again, or accept without `--from`.",
      cases: {
        atApply: {
          message: "{file} is not as it was when the plan was made, so nothing is written to it",
          hint: "Make the plan again, or run remit accept without --from.",
        },
        changed: {
          message: "{file} changed while remit was reading, so nothing is written to it",
          hint: "Run the command again.",
        },
      },
    },
    "accept/outside": {
      severity: "error",
      title: "A manifest is not in the folder of the project",
      message: "{file} is not a file of the project, so remit does not write to it",
      hint: "Accept writes only files below the folder of remit.yaml. Change the manifest where it is kept.",
    },
    "accept/not-approved": {
      severity: "error",
      title: "Standard input is not a terminal, so remit cannot ask",
      message: "remit cannot ask: standard input is not a terminal",
      hint: "Nothing was written. Add --yes.",
    },
    "accept/restored": {
      severity: "note",
      title: "`--restore`: where a value comes from, and that the record proves it",
      help: "Nothing to do: it is written.",
      hint: "To see that run: remit history {id}",
      cases: {
        manifest: { message: "{what}: proved by the record" },
        unset: {
          message: "{what} was not set before {run}, as the record proves",
        },
        value: {
          message: "{what} as before {run}, from {origin}: proved by the record",
        },
      },
    },
    "accept/not-proved": {
      severity: "warning",
      title: "`--restore`: the record of the run does not know the value before it",
      help: "Compare the value with what you know of that time.",
      cases: {
        manifest: {
          message: "{what}. The record does not show that the object had these values then: {fields,}",
          hint: "To see that run: remit history {id}",
        },
        value: {
          message: "{what} from {origin}, and the record of {run} does not show what was there before",
          hint: "Compare it with what you know of that time before you merge it.",
        },
      },
    },
    "accept/not-restored": {
      severity: "error",
      title: "`--restore`: no value is known that the object had before the run",
      help: "Follow the message: it says why. Write the value by hand.",
      cases: {
        created: {
          message: "{address} was not there before {run}: that run created it",
          hint: "To have it removed, remove its manifest.",
        },
        unchanged: {
          message: "{name}: {run} changed {changed}",
          hint: "To see what each run changed: remit history {name}",
        },
        notAlone: {
          message: "{address}: its manifest at {commit} is not a YAML document of its own",
          hint: "A shape makes it, or it stands in JSON. Take it from git: git show {whole}",
        },
        unclearName: {
          message: "{address}: remit cannot tell what a name in its manifest at {commit} meant",
          hint: "Write the values by hand, with the names of today.",
        },
        otherThen: {
          message: "{address}: {name} had another value before {run} than any manifest that remit knows",
          hint: "It was changed in the tenant before that run. The record has a hash of that value and not the value: write it by hand.",
        },
      },
    },
    "accept/no-run": {
      severity: "error",
      title: "`--restore`: no run in the history changed the object or the field",
      help: "`remit history Kind/name` lists the runs that were about it.",
      hint: "To see the runs that were about it: remit history {name}",
      cases: {
        any: {
          message: "no run in the history changed {what}",
        },
        named: {
          message: "the run {run} was not about {name}",
        },
      },
    },
    "accept/no-commit": {
      severity: "error",
      title: "`--restore`: the manifest from before the run cannot be read",
      help: "Fetch the commit, or write the value by hand.",
      cases: {
        outsideGit: {
          message:
            "the project is in no checkout of git, so its manifests of an earlier commit are not known",
          hint: "Run the command in a checkout of the project with the history of git.",
        },
        unknown: {
          message: "this checkout does not have the commit {name}",
          hint: "Fetch it: {fetch}",
        },
        noCheckout: {
          message: "this checkout does not have the commit {name}",
          hint: "Run the command in the checkout of the project.",
        },
        partial: {
          message: "this checkout is a partial clone, and lacks files of {commit}",
          hint: "To fetch the files: {fetch}",
        },
        ofRun: {
          message: "{address}: neither {run} nor the run before it was made from a commit",
          hint: "Write the values by hand. A run names its commit where nothing in its folder differs from it.",
        },
        noManifest: {
          message: "{address} has no manifest of that address at {commit}",
          hint: "To find its manifest under another address: git log -p -S '{name}'",
        },
        ofDelete: {
          message: "{address}: neither {run}, which deleted it, nor the run before it was made from a commit",
          hint: "Write the manifest by hand. To see what the history has of its values: remit history {id}",
        },
      },
    },
  },
} as const satisfies Section;

export const IGNORE = {
  heading: "ignore: objects that are not managed",
  intro:
    "`ignore:` in `remit.yaml` names objects that `plan` does not report as unmanaged, with a reason and a last day.",
  rows: {
    "ignore/expired": {
      severity: "warning",
      title: "The last day of an entry has passed",
      help: "Its objects are reported again. Write a manifest for them, delete them in the tenant, or give the entry a new `until`.",
      message: "the entry {objects} under ignore: {why}, so its objects are reported again",
    },
    "ignore/until": {
      severity: "error",
      title: "The last day of an entry is not a day, or is too far away",
      help: "Write a day of the calendar, at most `guards.acknowledgeDays` from today.",
      message: "the entry {objects} under ignore: {why}",
    },
    "ignore/unused": {
      severity: "note",
      title: "No unmanaged object fits an entry",
      message: "no unmanaged object fits {objects} under ignore:",
      hint: "This line of remit.yaml can go.",
    },
  },
} as const satisfies Section;
