import type { Section } from "./saying.js";

export const EVIDENCE = {
  heading: "evidence: what proves an apply",
  rows: {
    "evidence/cut": {
      severity: "error",
      title: "A file of the evidence is not a whole envelope",
      message: "{name} is not a whole envelope",
      hint: "It was cut, or is another file. Take the file again from where the pipeline keeps it.",
    },
    "evidence/newer-format": {
      severity: "error",
      title: "A newer remit wrote a file of the evidence",
      message: "{name} has a newer format",
      hint: "Verify it with the remit that wrote it.",
    },
    "evidence/unreleased-format": {
      severity: "error",
      title: "A file of the evidence has a format that was never released",
      message: "{name} has a format that was never released: {says}",
      hint: "If a newer remit wrote it, verify it with that one. Otherwise it proves nothing.",
    },
    "evidence/not-whole": {
      severity: "error",
      title: "A record or the subject in a file is not the one that its hash names",
      message: "the record in {name} is not the one that its hash names",
      hint: "Take the file again from where the pipeline keeps it.",
    },
    "evidence/unsigned": {
      severity: "error",
      title: "A file of the evidence has no signature",
      message: "{name} has no signature",
      hint: "Set REMIT_EVIDENCE_KEY where remit applies. Add --unsigned where something else vouches for the files.",
    },
    "evidence/other-key": {
      severity: "error",
      title: "A file was signed with another key",
      message: "{name} was signed with another key ({keyid})",
      hint: "Give the public key of that time: --key FILE may have several keys.",
    },
    "evidence/changed": {
      severity: "error",
      title: "A file was changed after it was signed",
      message: "{name} was changed after it was signed",
      hint: "Do not rely on it. Take the file again from where the pipeline keeps it.",
    },
    "evidence/other-server": {
      severity: "error",
      title: "A file is about another tenant or project than the others",
      message: "{name} is about {other}, and the other files are about {own}",
      hint: "Keep the evidence of each tenant and project in a folder of its own.",
    },
    "evidence/two-records": {
      severity: "error",
      title: "Two records have one number or one run, or one record has two statements",
      help: "Compare both with `remit history`.",
      cases: {
        number: {
          message: "{one} and {other} have two records with the number {number}",
          hint: "One of them is not of this history. Compare both with `remit history`.",
        },
        run: {
          message: "records {earlier} and {number} are of the same run",
          hint: "One of them is a copy.",
        },
      },
    },
    "evidence/missing": {
      severity: "error",
      title: "Records are missing at the beginning, in the middle or at the end",
      help: "Add the evidence of those runs. `remit history` shows which they are.",
      cases: {
        between: {
          message: "{from} missing",
          hint: "Find the evidence of that run. `remit history` shows which run it is.",
        },
        beginning: {
          message: "{records} missing before the first one",
          hint: "Add that evidence, or name with --since a day after the last record that you have.",
        },
        tail: { message: "{from} missing at the end", hint: "Add the evidence of the newest runs." },
      },
    },
    "evidence/chain": {
      severity: "error",
      title: "A record does not name the one before it by its hash",
      message: "record {number} does not name record {before} by its hash",
      hint: "One of the two is not of this history.",
    },
    "evidence/head": {
      severity: "error",
      title: "The record that `--head` names has another hash",
      message: "record {number} has another hash than --head says",
      hint: "The files are not of the history that the head is from.",
    },
    "evidence/none": {
      severity: "error",
      title: "An apply has no evidence of its own, or a folder has none at all",
      help: "Every apply needs `--evidence FOLDER`.",
      cases: {
        noEvidence: {
          message: "record {number} is of an apply without evidence of its own",
          hint: "Add the file of that run. Every apply needs --evidence.",
        },
        noFiles: {
          message: "{folder} has no evidence",
          hint: "Name the folder with the files *.dsse.json that `remit apply --evidence FOLDER` wrote.",
        },
      },
    },
    "evidence/not-approved": {
      severity: "error",
      title: "An apply names no effect that was approved",
      help: "Apply with `--expect`, as the workflows of remit do.",
      cases: {
        notExpected: {
          message: "record {number} names no effect that was approved",
          hint: "Apply with --expect, as the workflows of remit do.",
        },
        otherExpected: {
          message: "record {number} does not fit who expected its effect",
          hint: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
        },
      },
    },
    "evidence/other-effect": {
      severity: "error",
      title: "An apply had another effect than the expected one",
      message: "record {number} has the effect {applied}, and {expected} was expected",
      hint: "What was applied is not what was approved.",
    },
    "evidence/other-plan": {
      severity: "error",
      title:
        "The plan beside a record does not lead to its effect, or is of another tenant, state or findings",
      help: "The plan is not the one that was applied.",
      hint: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
      cases: {
        otherPlan: {
          message: "the plan beside record {number} has another effect",
          hint: "The plan is not the one that was applied.",
        },
        otherTenant: {
          message: "the plan beside record {number} is for {server}",
        },
        olderState: {
          message: "the plan beside record {number} is of a state that an earlier run had changed",
          hint: "It is the plan of another run, or a copy of it.",
        },
        otherFindings: {
          message: "record {number} has other findings beside it than its plan",
        },
      },
    },
    "evidence/steps": {
      severity: "error",
      title: "A record and its plan have other steps",
      hint: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
      cases: {
        otherStep: {
          message: "record {number} has a step of {address} that its plan does not have",
        },
        differentStep: {
          message: "record {number} has another step of {address} than its plan",
        },
        missingStep: {
          message: "record {number} does not say what became of {address}, which its plan has",
        },
      },
    },
    "evidence/other-commit": {
      severity: "error",
      title: "A record names another commit than its plan",
      message: "record {number} names another commit than its plan",
      hint: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
    },
    "evidence/other-review": {
      severity: "error",
      title: "A review is of another pull request than the record names",
      message: "record {number} names {named}, and its review is of #{review}",
      hint: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
    },
    "evidence/other-record": {
      severity: "error",
      title: "A record of an apply says that it is of something else",
      message: "record {number} is of an apply, and says {as}",
      hint: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
    },
    "evidence/first-call": {
      severity: "error",
      title: "The first call of a run does not fit its steps",
      message: "the first call of record {number} does not fit its steps",
      hint: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
    },
    "evidence/read-back": {
      severity: "error",
      title:
        "A read back is of other objects than the plan, contradicts the record, or lacks what `--require read-back` asks for",
      help: "Look at the object with `remit plan`.",
      hint: "Read the object with `remit get`. What the service does not show cannot be required.",
      cases: {
        noReadBack: {
          message: "record {number} has no read back, and --require names it",
        },
        notReadBack: {
          message: "record {number}: {address} was not read back, and --require names it",
        },
        otherReadBack: {
          message: "the read back of record {number} is not of the objects of its plan",
          hint: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
        },
        readDifferent: {
          message: "record {number} says that {address} is done, and it was read back different",
          hint: "Look at the object with `remit plan`.",
        },
        readAsApplied: {
          message: "record {number} calls the step of {address} {outcome}, and it was read back as applied",
          hint: "Look at the object with `remit plan`.",
        },
      },
    },
    "evidence/late-approval": {
      severity: "error",
      title: "An approval came after the first call",
      message: "record {number}: {by} approved at {at}, after the first call at {firstCall}",
      hint: "That approval did not allow the run.",
    },
    "evidence/approvals": {
      severity: "error",
      title: "Fewer approvals count than `--require` asks for",
      help: "An approval counts only where it meets each requirement that is named. What the forge does not say does not count.",
      cases: {
        fewApprovals: {
          message: "record {number} has {count} of {needed} approvals that --require asks for",
          hint: "An approval counts only where it meets each requirement that is named. What the forge does not say does not count.",
        },
        applierUnknown: {
          message: "record {number} does not say who applied, and --require names not-by-applier",
          hint: "Apply in a pipeline: its forge says who started the job.",
        },
      },
    },
    "evidence/clock": {
      severity: "error",
      title: "Two times are in the wrong order by more than 60 s, or have not come yet",
      hint: "A clock was wrong, or a record was made later.",
      cases: {
        disorder: {
          message: "record {number}: {one} is more than 60 s after {other}",
        },
        future: {
          message: "record {number} has a time that has not come yet",
        },
        clock: {
          message: "record {number} ended at {at}, more than 60 s before the one before it ({before})",
        },
      },
    },
    "evidence/key": {
      severity: "error",
      title: "`REMIT_EVIDENCE_KEY` is not an Ed25519 key in PEM",
      message: "REMIT_EVIDENCE_KEY is not an Ed25519 key in PEM",
      hint: "Nothing was applied. Make one with `openssl genpkey -algorithm ed25519`, or unset it for unsigned evidence.",
    },
    "evidence/no-record": {
      severity: "error",
      title: "No evidence was written: the history has no record of the run",
      message: "no evidence was written: the history has no record of this run",
      hint: "The apply took effect. Where a rescue file has the record, bring it in with `remit state rescue FILE`.",
    },
    "evidence/no-history": {
      severity: "error",
      title: "Evidence needs a history of runs, and the store keeps none",
      message: "evidence needs the history of runs, and {name} keeps none",
      hint: "Nothing was applied. Keep the state in a file, git, S3 or PostgreSQL: `remit state move` takes it there.",
    },
  },
} as const satisfies Section;
