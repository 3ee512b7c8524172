import type { Section } from "./saying.js";

/** What a store keeps: whether it is whole, its history, and the objects of the state. */
export const KEPT_ROWS = {
  "state/unsettled": {
    severity: "error",
    title: "A run was cut off, and is not settled yet",
    message: "a run of the state ({name}) was cut off, and is not settled yet",
    hint: "Run `remit apply` with the key that the run had, or without one where it had none. Then run this command again.",
  },
  "state/unreadable": {
    severity: "error",
    title: "remit may not read the state file",
    message: "{name} could not be read ({cause})",
    hint: "Give this user the right to read it. remit does not continue without its state.",
  },
  "state/unwritable": {
    severity: "error",
    title: "The state file cannot be written",
    help: "Free some space or change the permissions, then run the command again.",
    cases: {
      full: {
        message: "{name} could not be written: the disk is full ({code})",
        hint: "Make room, and run the same command again. What was saved before is untouched.",
      },
      forbidden: {
        message: "{name} could not be written: it may not be written ({code})",
        hint: "Give this user the right to write to its folder, and run the same command again. What was saved before is untouched.",
      },
      failed: {
        message: "{name} could not be written: the system refused ({code})",
        hint: "Fix that, and run the same command again. What was saved before is untouched.",
      },
      unstored: {
        message: "{name} could not store what was pushed{saying}",
        hint: "Its disk may be full, a quota used up or the size of a push limited, or its files may not be written. Make room there, and run the same command again.",
      },
      git: {
        message: "git could not prepare the state ({name}){saying}",
        hint: "The store needs git 2.31 or newer, and room in the folder of temporary files.",
      },
    },
  },
  "state/damaged": {
    severity: "error",
    title: "The state file is damaged",
    help: "Copy the backup over it if the hint names one; otherwise follow the hint.",
    exit: "refused",
    cases: {
      irreplaceable: {
        message: "{message}",
        hint: "The backup beside it is damaged or missing, too. {next}",
      },
      replaceable: {
        message: "{message}",
        hint: "The version before it is {backup}. Check it, then copy it over {name} to continue from there.",
      },
      why: {
        message: "{name} is damaged: {why}",
        hint: "Put a copy of your own in its place. If you have none, move {name} away: the next plan works without a state and reads what the service can show.",
      },
      foreign: {
        message: "{ref} is not a state of remit ({name})",
        hint: "Name another ref. remit never writes to a ref that it has not made.",
      },
    },
  },
  "state/lost": {
    severity: "warning",
    title: "The state is missing, and something that was kept beside it exists",
    help: "Restore it as the hint says, or remove what is left to start without it.",
    message: "the state is missing, but {what} shows that a state existed",
    hint: "{remedy}",
  },
  "state/foreign-lock": {
    severity: "error",
    title: "The ref where the lock of the state goes has something else",
    exit: "refused",
    message: "{lock} is not a lock of remit, and the lock of the state goes there ({name})",
    hint: "Rename that ref, or give the state another name. remit never moves or removes a ref that it has not made.",
  },
  "state/history": {
    severity: "error",
    title: "A record of the history of runs is missing or was changed",
    message: "the history of {name} is not whole: {why}",
    hint: "Find out who changed it. A copy of the store from before may have the record. Plans and applies do not need it.",
  },
  "state/no-history": {
    severity: "note",
    title: "The store keeps no history of runs",
    help: "To have one, keep the state in a file, git, S3 or PostgreSQL.",
    cases: {
      accept: {
        severity: "error",
        message: "{name} keeps no history of runs, so remit does not know what an object had before one",
        hint: "Restore the manifest with git. To have a history, keep the state in a file, git, S3 or PostgreSQL (docs/stores.md).",
      },
      history: {
        message: "{name} keeps no history of runs: `remit history` has nothing to show of this state.",
        hint: "To have one, keep the state in a file, git, S3 or PostgreSQL (docs/stores.md).",
      },
      keepsNone: {
        severity: "error",
        message: "{name} keeps no history of runs",
        hint: "Keep the state in a file, git, S3 or PostgreSQL to have one: `remit state move` takes it there (docs/stores.md).",
      },
    },
  },
  "state/not-uncertain": {
    severity: "error",
    title: "`state settle`: the state has no create of unknown result of that address",
    message: "the state has no create of {address} whose result is unknown",
    hint: "`remit state list` shows the creates whose result is unknown. Nothing was changed.",
  },
  "state/other-ids": {
    severity: "error",
    title: "`state settle`: the ids cannot be those of the object that the create made",
    help: "Write all ids of the kind, in the order of the hint.",
    cases: {
      form: {
        message: "--key of {name} has the form {form}, and {key} was given",
        hint: "Write each id of the object, with `/` between them. Nothing was changed.",
      },
      create: {
        message: "the create of {name} was of {known}, not of {key}",
        hint: "Settle {known}, or run `remit state forget {name}`. Nothing was changed.",
      },
    },
  },
  "state/taken": {
    severity: "error",
    title: "`state settle`: another address of the state, or another manifest, has the object",
    exit: "refused",
    message: "{place} is the object of {owner}",
    hint: "Look for the object that this create made. Nothing was changed.",
  },
  "state/gone": {
    severity: "error",
    title: "`state settle`: the service does not have the object",
    help: "Check the ids. If the create made nothing, run `remit state forget`.",
    message: "the service does not have {key}",
    hint: "If the create made nothing, `remit state forget {address}` lets the next apply create it. Nothing was changed.",
  },
  "state/own-journal": {
    severity: "error",
    title: "The journal belongs to the state beside it",
    message: "the journal of {name} belongs to its state",
    hint: "Apply or plan: the next apply settles it. The journal was not changed.",
  },
  "state/rescue": {
    severity: "error",
    title: "A file is not a rescue file of this state",
    help: "Name the file that the apply printed last, and the state that it wrote to.",
    cases: {
      ofAnother: {
        message: "the rescue file belongs to another state than {name}",
        hint: "Name the state that the run wrote to in --state. Nothing was changed.",
      },
      noRescue: {
        message: "{file} is not a rescue file of remit",
        hint: "Name the file on the last line of the apply that could not write its state.",
      },
    },
  },
  "state/rolled-back": {
    severity: "error",
    title: "The state is older than its lock or its journal says",
    help: "Put the newer state back, as the hint says.",
    exit: "refused",
    message: "the state has serial {serial}, and a run that was cut off began with serial {later}",
    hint: "Put the newer state back. To continue with the older one, run `remit state unlock --set-aside`; where the service cannot be read, what was created in between is then created again.",
    cases: {
      commit: {
        message: "{ref} was moved while a run held its lock: the lock names commit {commit} ({name})",
        hint: "Push that commit to {ref} again: a clone may have it. To continue with what is there, run `remit state unlock`; where the service cannot be read, what was created since is then created again.",
      },
    },
  },
  "state/lost-ref": {
    severity: "error",
    title: "The ref of the state is missing, and its lock names a commit of it",
    help: "Push that commit to the ref again, or run `remit state unlock` to start without it.",
    exit: "refused",
    message: "{ref} is missing, and its lock names commit {commit} of it ({name})",
    hint: "Push that commit, or the last one that a clone has, to {ref} again. To start without it, run `remit state unlock`.",
  },
  "state/newer-format": {
    severity: "error",
    title: "A newer remit wrote the state",
    help: "Use that version.",
    exit: "refused",
    cases: {
      unversioned: {
        message: "{name} was written by a newer remit, in a newer format",
        hint: "Use a newer remit. This version would lose what it does not know.",
      },
      versioned: {
        message: "{name} was written by remit {version}, in a newer format",
        hint: "Use remit {version} or newer. This version would lose what it does not know.",
      },
    },
  },
  "state/unreleased-format": {
    severity: "error",
    title: "The state has a format that was never released",
    exit: "refused",
    message: "{name} has a format that was never released: {why}",
    hint: "If a newer remit wrote it, use that one. Otherwise give the state another name in `state:` and begin with `--first-run`: `remit import` writes manifests of what the tenant has.",
  },
  "state/uncertain": {
    severity: "warning",
    title: "The result of a create is unknown",
    help: "Check the object in the service, then follow the hint.",
    message: "{address}: {uncertain}",
  },
  "state/tracked": {
    severity: "error",
    title: "git tracks the state",
    help: "A state in the repository is written by the author of each change. Remove it from git, and add it to `.gitignore`.",
    exit: "refused",
    message: "git tracks {path}, so remit does not use it as a state",
    hint: "A state in the repository is written by the author of each change. Run `git rm --cached {path}`, and add it to .gitignore.",
  },
  "state/place": {
    severity: "error",
    title: "A project file puts the state where another program may run it, or read it as its configuration",
    message:
      "the state {value} ({from}) is at a place that another program may run or read as its configuration",
    hint: "Name a .json file in .remit, such as .remit/prod.json, or one whose name ends with state.json. Give any other path in REMIT_STATE or --state.",
  },
  "state/ambiguous": {
    severity: "error",
    title: "Several objects in the state have that address",
    help: "Name one of them with its key: `Kind/name@APP/ID`.",
    message: "{count} objects in the state have the address {address}",
    hint: "Name one of them: {entries,}.",
  },
  "state/unknown": {
    severity: "error",
    title: "The state has no entry for that address",
    help: "`remit state list` prints the entries.",
    cases: {
      unknown: { message: "the state does not contain {address}" },
      noState: { message: "no state exists at {name}", hint: "Name the store that has it in --state." },
    },
  },
} as const satisfies Section["rows"];
