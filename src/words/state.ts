import type { Section } from "./saying.js";

export const STATE = {
  heading: "state: the recorded objects",
  rows: {
    "state/link": {
      severity: "error",
      title: "A link is in the place of the lock",
      help: "Remove the link. remit never takes a link for a lock.",
    },
    "state/address": {
      severity: "error",
      title: "The address of the state cannot be used",
      help: "Name a path or an address that `docs/stores.md` lists, and give keys and passwords in the environment.",
      exit: "invalid",
      cases: {
        hasNone: {
          message: "the state at {address} has no history",
          hint: "Only a state in a repository has one: `git:`.",
        },
        noPlace: {
          message: "no place is named that the state moves to",
          hint: "Name a path or an address: `remit state move s3://my-bucket/remit/prod`. To give the state to this project where it is, add --from-project.",
        },
        noName: {
          message: "this project has no name that the state could take",
          hint: "Write `project: NAME` in remit.yaml.",
        },
        namesNoKeys: {
          message: "the state is kept at {shown}, and no keys are named",
          hint: "Give them in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role in AWS_ROLE_ARN and the file of an identity token in AWS_WEB_IDENTITY_TOKEN_FILE.",
        },
        namesNoRegion: {
          message: "the state is kept at {shown}, and no region is named",
          hint: "Write `?region=eu-central-1` after the address, or set AWS_REGION.",
        },
        namesNoUser: {
          message: "the state is kept at {shown}, and no user is named",
          hint: "Give the user in PGUSER, and the password in PGPASSWORD.",
        },
        isShown: {
          message: "the address of the state contains a password ({from})",
          hint: "Others can read it there. Give the password in PGPASSWORD, or the whole address in REMIT_STATE.",
        },
        listStates: {
          message: "the server of {value} lists no states",
          hint: "Its protocol has one address for each state. In GitLab, look under Operate, Terraform states.",
        },
      },
    },
    "state/unreachable": {
      severity: "error",
      title: "The server that keeps the state did not answer",
      help: "Check its address, then run the command again.",
    },
    "state/refused": {
      severity: "error",
      title: "The server that keeps the state refused",
      help: "Follow the hint: the user, its rights or the database is not right.",
      cases: {
        readToken: {
          message: "the file that AWS_WEB_IDENTITY_TOKEN_FILE names cannot be read: {file}",
          hint: "The pipeline writes the token of its job to that file before remit starts.",
        },
      },
    },
    "state/no-swap": {
      severity: "error",
      title: "The server that keeps the state ignores the conditions of writes",
      help: "Two runs could hold the lock at once. Keep the state elsewhere: `docs/stores.md` compares the stores.",
    },
    "state/too-large": {
      severity: "error",
      title: "The state is too large for a store that sends all of it with each write",
      help: "Keep it in another store, for example `s3://`.",
    },
    "state/moved": {
      severity: "error",
      title: "The state was moved to another store",
      help: "Name that store in `state:` or `REMIT_STATE`.",
      exit: "invalid",
    },
    "state/other-project": {
      severity: "error",
      title: "The state belongs to another project",
      help: "Give each project its own state. After a rename, write `project:` in `remit.yaml`, or run `remit state move --from-project`.",
      exit: "refused",
      cases: {
        notNameless: {
          message: "the state ({name}) belongs to the project {project}",
          hint: "To give it to this context, name that project: `--from-project '{project}'`.",
        },
        ofOtherServer: {
          message: "the state belongs to {server}, and the context {current} has {own}",
          hint: "Nothing was moved. Name the context of that server in --context.",
        },
      },
    },
    "state/unnamed": {
      severity: "error",
      title: "The state names no project, so its objects may be another project's",
      help: "Check that the state is this project's, then run `remit state move --from-project none`.",
      exit: "refused",
      cases: {
        foreign: {
          message:
            "the state names no project, and {outside} of its {all} objects {outside?has/have} no manifest in this one: {some}{more}",
          hint: "If the state belongs to this project, run `remit state move --from-project none` once. If it belongs to another one, give this project its own `state`.",
        },
        prune: {
          message: "the state names no project, so --prune could delete the objects of another one",
          hint: "Apply once without --prune: the state takes the name {project}. Or name it at once: `remit state move --from-project none`.",
        },
        pruneUnnamed: {
          message:
            "this project has no name, so --prune could delete the objects of another project in its state",
          hint: "Write `project: NAME` in remit.yaml: the state then takes that name, and remit refuses it in any other project.",
        },
      },
    },
    "state/takes-name": {
      severity: "note",
      title: "The next apply gives the state the name of its project, and removes nothing",
      help: "Nothing to do. From then on, remit refuses the state in any other project.",
      message:
        "the state names no project yet: the next apply of the whole project names it {project}, and removes nothing",
      hint: "From then on, remit refuses this state in any other project.",
    },
    "state/occupied": {
      severity: "error",
      title: "The store that a state is moved to keeps another one",
      help: "Choose another place.",
    },
    "state/not-moved": {
      severity: "error",
      title: "A store does not show the state that was moved to it",
      help: "Run `remit state move` again. Until it succeeds, remit uses the state in the old place.",
    },
    "state/locked": {
      severity: "error",
      title: "Another run holds the lock",
      help: "Wait, or set `--lock-timeout`; run `remit state unlock` if that run no longer exists.",
      exit: "refused",
    },
    "state/forbidden": {
      severity: "error",
      title: "The credentials may not read or write the place of the state",
      help: "Give credentials that may, as the hint says.",
    },
    "state/not-acquired": {
      severity: "error",
      title: "Another run was faster to lock the state",
      help: "Run the same command again. Nothing was changed.",
    },
    "state/planned-again": {
      severity: "note",
      title: "Another run was faster to lock the state, and this run planned anew after it",
      help: "Nothing to do: the plan that was applied is the last one.",
      message: "The plan was made again: another run was faster to lock the state.",
      hint: "Nothing of the plan before it was applied.",
    },
    "state/lock-lost": {
      severity: "error",
      title: "This run no longer holds the lock",
      help: "Let the other run end, then run the command again.",
      exit: "refused",
    },
    "state/changing": {
      severity: "error",
      title: "Another run saved the state each time remit read it",
      help: "Run the command again.",
      exit: "refused",
    },
    "state/changed": {
      severity: "error",
      title: "Another run has written the state",
      help: "Run the command again; nothing was overwritten.",
      exit: "refused",
    },
    "state/open": {
      severity: "note",
      title: "Others can change the state",
      help: "Set `REMIT_STATE_KEY` and run `remit state encrypt`, or keep the state where only the apply job may write.",
      message: "The state can be changed by {openTo} ({name}).",
      hint: "To refuse what others write, set REMIT_STATE_KEY and run `remit state encrypt`.",
    },
    "state/key": {
      severity: "error",
      title: "`REMIT_STATE_KEY` is not set, or it is not a key",
      help: "Make a key with `openssl rand -base64 32`.",
      exit: "invalid",
      cases: {
        noKey: {
          message: "REMIT_STATE_KEY is not set",
          hint: "Make a key with `openssl rand -base64 32`, and keep it where the state is not.",
        },
        emptyKey: {
          message: "REMIT_STATE_KEY is set and empty",
          hint: "Without a key, unset it. A pipeline leaves the variable empty where its secret is missing.",
        },
      },
    },
    "state/encrypted": {
      severity: "error",
      title: "The state is encrypted with a key that is not given",
      help: "Give that key in `REMIT_STATE_KEY`, after a comma if there is a newer key.",
    },
    "state/not-encrypted": {
      severity: "error",
      title: "A key is given, and the state is not encrypted",
      help: "Run `remit state encrypt` once. If the state was encrypted before, it was replaced: find out by whom.",
    },
    "state/unverified": {
      severity: "error",
      title: "The state was not written with the key for this place",
      help: "Put back what remit wrote there, or use a copy of your own.",
    },
    "state/unsettled": {
      severity: "error",
      title: "A run was cut off, and is not settled yet",
      help: "Run `remit apply`, then the command again.",
    },
    "state/unreadable": {
      severity: "error",
      title: "remit may not read the state file",
      help: "Change its permissions.",
    },
    "state/unwritable": {
      severity: "error",
      title: "The state file cannot be written",
      help: "Free some space or change the permissions, then run the command again.",
    },
    "state/damaged": {
      severity: "error",
      title: "The state file is damaged",
      help: "Copy the backup over it if the hint names one; otherwise follow the hint.",
    },
    "state/lost": {
      severity: "warning",
      title: "The state is missing, and something that was kept beside it exists",
      help: "Restore it as the hint says, or remove what is left to start without it.",
    },
    "state/foreign-lock": {
      severity: "error",
      title: "The ref where the lock of the state goes has something else",
      help: "Rename that ref, or give the state another name.",
    },
    "state/history": {
      severity: "error",
      title: "A record of the history of runs is missing or was changed",
      help: "Find out who changed it. A copy of the store may have the record.",
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
      help: "`remit state list` shows them.",
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
      help: "Look for the object that the create made.",
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
      help: "Apply or plan: the next apply settles it.",
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
      },
    },
    "state/rolled-back": {
      severity: "error",
      title: "The state is older than its lock or its journal says",
      help: "Put the newer state back, as the hint says.",
      message: "the state has serial {serial}, and a run that was cut off began with serial {later}",
      hint: "Put the newer state back. To continue with the older one, run `remit state unlock --set-aside`; where the service cannot be read, what was created in between is then created again.",
    },
    "state/lost-ref": {
      severity: "error",
      title: "The ref of the state is missing, and its lock names a commit of it",
      help: "Push that commit to the ref again, or run `remit state unlock` to start without it.",
    },
    "state/newer-format": {
      severity: "error",
      title: "A newer remit wrote the state",
      help: "Use that version.",
    },
    "state/unreleased-format": {
      severity: "error",
      title: "The state has a format that was never released",
      help: "Use the newer remit that wrote it, or give the state another name and begin without it.",
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
      message: "git tracks {path}, so remit does not use it as a state",
      hint: "A state in the repository is written by the author of each change. Run `git rm --cached {path}`, and add it to .gitignore.",
    },
    "state/place": {
      severity: "error",
      title:
        "A project file puts the state where another program may run it, or read it as its configuration",
      help: "Name a file in `.remit`, or one whose name ends with `state.json`.",
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
  },
} as const satisfies Section;
