import { KEPT_ROWS } from "./kept.js";
import type { Section } from "./saying.js";

export const STATE = {
  heading: "state: the recorded objects",
  rows: {
    "state/link": {
      severity: "error",
      title: "A link is in the place of the lock",
      exit: "refused",
      message: "{path} is a symbolic link",
      hint: "Remove the link. remit never takes a link for a lock.",
    },
    "state/address": {
      severity: "error",
      title: "The address of the state cannot be used",
      help: "Name a path or an address that `docs/stores.md` lists, and give keys and passwords in the environment.",
      exit: "invalid",
      cases: {
        malformed: { message: "the address of the state cannot be used: {why}", hint: "{example}" },
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
        scheme: {
          message: "a state cannot be kept at an address that begins with {scheme}:",
          hint: "Name a path such as .remit/state.json, or the address of a store: git:, s3://BUCKET/KEY, postgres://HOST/DATABASE or https://HOST/PATH (docs/stores.md). A path with a colon begins with `./`.",
        },
      },
    },
    "state/unreachable": {
      severity: "error",
      title: "The server that keeps the state did not answer",
      help: "Check its address, then run the command again.",
      cases: {
        remote: {
          message: "{name} did not answer{saying}",
          hint: "Check its address, the credentials and its certificate (docs/stores.md), and run the same command again.",
        },
        push: {
          message: "{name} did not answer a push{saying}",
          hint: "It can be read. If that stays so, the credentials may lack the right to push: over ssh git cannot tell. Otherwise, run the same command again.",
        },
        diskFull: {
          message: "{name} does not keep the state now: the disk of its server is full ({code})",
          hint: "Make room on its server, and run the same command again.",
        },
        database: {
          message: "{name} did not answer ({code})",
          hint: "Check its address, its port and its certificate, and run the same command again.",
        },
        web: {
          message: "{name} did not answer ({why})",
          hint: "Check its address and the network, and run the same command again.",
        },
      },
    },
    "state/refused": {
      severity: "error",
      title: "The server that keeps the state refused",
      help: "Follow the hint: the user, its rights or the database is not right.",
      hint: "{next}",
      cases: {
        branch: {
          message: "{name} did not take {ref}{saying}",
          hint: "The credentials must be allowed to push to this branch, and to the branch of its lock beside it.",
        },
        ref: {
          message: "{name} did not take {ref}{saying}",
          hint: "The credentials must be allowed to push. If the host takes branches only, name one: git:#refs/heads/remit-state.",
        },
        withCode: { message: "{name} does not keep the state: {why} ({code})" },
        store: { message: "{name} does not keep the state: {why}" },
        readToken: {
          message: "the file that AWS_WEB_IDENTITY_TOKEN_FILE names cannot be read: {file}",
          hint: "The pipeline writes the token of its job to that file before remit starts.",
        },
        refusedNow: {
          message: "{name} refuses a write of the holder of its lock",
          hint: "Look into the log of its server. The run tries again under its lock.",
        },
        blockedBy: {
          message: "{ref} cannot be made: {other} exists, and a ref cannot be below another one ({name})",
          hint: "Give the state another name, for example git:#NAME. remit never moves or removes a ref that it has not made.",
        },
        notKept: {
          message: "{name} does not keep the state: a write changes no row",
          hint: "Look for policies and triggers of its table remit_state that hold writes back.",
        },
      },
    },
    "state/no-swap": {
      severity: "error",
      title: "The server that keeps the state ignores the conditions of writes",
      help: "Two runs could hold the lock at once. Keep the state elsewhere: `docs/stores.md` compares the stores.",
      exit: "invalid",
      cases: {
        pushes: {
          message: "{name} ignores the conditions of writes: two pushes created one ref",
          hint: "Two runs could hold its lock at once. Use another server.",
        },
        database: {
          message: "{name} ignores the conditions of writes: {what}",
          hint: "Two runs could hold its lock at once. Drop its tables remit_state, remit_part and remit_history if they were made by hand, or use another server.",
        },
        web: {
          message: "{name} ignores {ignored}",
          hint: "Two runs could hold its lock at once. Keep the state in another store: docs/stores.md compares them.",
        },
      },
    },
    "state/too-large": {
      severity: "error",
      title: "The state is too large for a store that sends all of it with each write",
      message: "the state has {size} MB, and {name} takes 10 MB: each write sends all of it",
      hint: "Keep it in a store that is written in parts: `remit state move` takes it to s3:// or postgres://.",
    },
    "state/moved": {
      severity: "error",
      title: "The state was moved to another store",
      help: "Name that store in `state:` or `REMIT_STATE`.",
      exit: "invalid",
      message: "the state is not kept at {name} any more: it was moved to {to}",
      hint: "Name {to} in `state:`, REMIT_STATE or --state. If that was not meant to be, `remit state move` takes it back.",
    },
    "state/other-project": {
      severity: "error",
      title: "The state belongs to another project",
      help: "Give each project its own state. After a rename, write `project:` in `remit.yaml`, or run `remit state move --from-project`.",
      exit: "refused",
      hint: "Nothing was changed. Name the project that `remit state list` shows, or `none` where it shows none.",
      cases: {
        ofNone: {
          message: "the state ({store}) does not belong to the project {from}: it names no project",
        },
        ofOther: {
          message: "the state ({store}) does not belong to the project {from}: it belongs to {project}",
        },
        nameless: {
          message: "the state ({store}) belongs to the project {kept}, and this project has no name",
          hint: "Give each project its own `state`. If {kept} is an earlier name of this project, write `project: {kept}` in remit.yaml.",
        },
        named: {
          message: "the state ({store}) belongs to the project {kept}, and this project is {project}",
          hint: "Give each project its own `state`. If {kept} is an earlier name of this project, write `project: {kept}` in remit.yaml, or run `remit state move --from-project {kept}` once.",
        },
        notNameless: {
          message: "the state ({name}) belongs to the project {project}",
          hint: "To give it to this context, name that project: `--from-project '{project}'`.",
        },
        ofOtherServer: {
          message: "the state belongs to {server}, and the context {current} has {own}",
          hint: "Nothing was moved. Name the context of that server in --context.",
        },
        withoutContext: {
          message: "the state ({store}) belongs to the project as it was without contexts",
          hint: "If it is of the server of {context}, give it to that context: `remit state move --context {context}`.",
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
            "the state names no project, and {outside} of its {all} objects {outside?has/have} no manifest in this one: {some}",
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
      message: "{name} keeps a state already, or has traces of one",
      hint: "Nothing was moved. Choose another place, or remove that state first if you are sure that no run needs it.",
    },
    "state/not-moved": {
      severity: "error",
      title: "A store does not show the state that was moved to it",
      message: "{name} does not show what was written there",
      hint: "Run the same command again. Until it succeeds, the state counts where it was before.",
    },
    "state/locked": {
      severity: "error",
      title: "Another run holds the lock",
      help: "Wait, or set `--lock-timeout`; run `remit state unlock` if that run no longer exists.",
      exit: "refused",
      message: "the state ({name}) is locked by {owner}, and was not free within {timeout} s",
      hint: "Wait until that run ends, or wait longer with --lock-timeout. {next}",
    },
    "state/forbidden": {
      severity: "error",
      title: "The credentials may not read or write the place of the state",
      help: "Give credentials that may, as the hint says.",
      cases: {
        read: {
          message: "the credentials may not read from {name}{saying}",
          hint: "Give a token or a key that may read the repository, and push to it (docs/stores.md).",
        },
        push: {
          message: "the credentials may not push to {name}{saying}",
          hint: "They may read the repository. Give a token or a key that may push to it, too (docs/stores.md).",
        },
      },
    },
    "state/not-acquired": {
      severity: "error",
      title: "Another run was faster to lock the state",
      message: "another run was faster to lock the state ({name})",
      hint: "Nothing was changed. Run the same command again.",
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
      cases: {
        gone: {
          message: "this run no longer holds the lock of the state ({name})",
          hint: "Nothing more is started. Let the other run end, then run the same command again.",
        },
        removed: {
          message: "a person removed the lock of this run ({name}), for example with `remit state unlock`",
          hint: "Nothing more is started. Ask who removed it and whether another run has begun, then run the same command again.",
        },
      },
    },
    "state/changing": {
      severity: "error",
      title: "Another run saved the state each time remit read it",
      exit: "refused",
      message: "{name} changed each time it was read",
      hint: "Another run is saving it. Run the same command again.",
    },
    "state/changed": {
      severity: "error",
      title: "Another run has written the state",
      exit: "refused",
      message: "{name} was changed by another run: it has {kept}, not {following}",
      hint: "Run the same command again: it plans from the new state and finds again what this run has done. Nothing was overwritten.",
      cases: {
        rewritten: {
          message: "{ref} was changed while this run held its lock ({name})",
          hint: "Find out who pushed to it, and push the commit that the lock names to it again.",
        },
      },
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
        noKeyForm: {
          message: "REMIT_STATE_KEY is not a key",
          hint: "A key is 32 random bytes in base64 or hexadecimal. Make one with `openssl rand -base64 32`.",
        },
      },
    },
    "state/encrypted": {
      severity: "error",
      title: "The state is encrypted with a key that is not given",
      help: "Give that key in `REMIT_STATE_KEY`, after a comma if there is a newer key.",
      exit: "invalid",
      cases: {
        noKey: {
          message: "the state ({name}) is encrypted, and REMIT_STATE_KEY is not set",
          hint: "Give its key in REMIT_STATE_KEY.",
        },
        otherKey: {
          message: "the state ({name}) is encrypted with the key {id}, and REMIT_STATE_KEY has {given}",
          hint: "Add that key behind a comma, to read with it.",
        },
      },
    },
    "state/not-encrypted": {
      severity: "error",
      title: "A key is given, and the state is not encrypted",
      help: "Run `remit state encrypt` once. If the state was encrypted before, it was replaced: find out by whom.",
      exit: "refused",
      message: "the state ({name}) is not encrypted, and REMIT_STATE_KEY is set",
      hint: "Others may have replaced it. If you have not encrypted it yet, run `remit state encrypt` once.",
    },
    "state/unverified": {
      severity: "error",
      title: "The state was not written with the key for this place",
      help: "Put back what remit wrote there, or use a copy of your own.",
      exit: "refused",
      cases: {
        changed: {
          message: "the state ({name}) does not verify: {what}",
          hint: "It was changed without the key, or copied from another place. Put back what remit wrote there, or use a copy of your own.",
        },
        move: {
          message: "{name} says that the state was moved to {to}, and that was not written with the key",
          hint: "If you moved it there without the key, name {to} in `state:`, REMIT_STATE or --state. Otherwise find out who wrote it.",
        },
      },
    },
    ...KEPT_ROWS,
  },
} as const satisfies Section;
