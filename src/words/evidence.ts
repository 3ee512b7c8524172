import type { Section } from "./saying.js";

export const EVIDENCE = {
  heading: "evidence: what proves an apply",
  rows: {
    "evidence/cut": {
      severity: "error",
      title: "A file of the evidence is not a whole envelope",
      help: "It was cut, or is another file. Take it again from where the pipeline keeps it.",
    },
    "evidence/newer-format": {
      severity: "error",
      title: "A newer remit wrote a file of the evidence",
      help: "Verify it with that version.",
    },
    "evidence/unreleased-format": {
      severity: "error",
      title: "A file of the evidence has a format that was never released",
      help: "Verify it with the newer remit that wrote it. Otherwise it proves nothing.",
    },
    "evidence/not-whole": {
      severity: "error",
      title: "A record or the subject in a file is not the one that its hash names",
      help: "Take the file again from where the pipeline keeps it.",
    },
    "evidence/unsigned": {
      severity: "error",
      title: "A file of the evidence has no signature",
      help: "Set `REMIT_EVIDENCE_KEY` where remit applies, or add `--unsigned` where something else vouches for the files.",
    },
    "evidence/other-key": {
      severity: "error",
      title: "A file was signed with another key",
      help: "Give the public key of that time: the file of `--key` may have several.",
    },
    "evidence/changed": {
      severity: "error",
      title: "A file was changed after it was signed",
      help: "Do not rely on it. Take it again from where the pipeline keeps it.",
    },
    "evidence/other-server": {
      severity: "error",
      title: "A file is about another tenant or project than the others",
      help: "Keep the evidence of each tenant and project in a folder of its own.",
    },
    "evidence/two-records": {
      severity: "error",
      title: "Two records have one number or one run, or one record has two statements",
      help: "Compare both with `remit history`.",
    },
    "evidence/missing": {
      severity: "error",
      title: "Records are missing at the beginning, in the middle or at the end",
      help: "Add the evidence of those runs. `remit history` shows which they are.",
    },
    "evidence/chain": {
      severity: "error",
      title: "A record does not name the one before it by its hash",
      help: "One of the two is not of this history.",
    },
    "evidence/head": {
      severity: "error",
      title: "The record that `--head` names has another hash",
      help: "The files are not of the history that the head is from.",
    },
    "evidence/none": {
      severity: "error",
      title: "An apply has no evidence of its own, or a folder has none at all",
      help: "Every apply needs `--evidence FOLDER`.",
    },
    "evidence/not-approved": {
      severity: "error",
      title: "An apply names no effect that was approved",
      help: "Apply with `--expect`, as the workflows of remit do.",
    },
    "evidence/other-effect": {
      severity: "error",
      title: "An apply had another effect than the expected one",
      help: "What was applied is not what was approved.",
    },
    "evidence/other-plan": {
      severity: "error",
      title:
        "The plan beside a record does not lead to its effect, or is of another tenant, state or findings",
      help: "The plan is not the one that was applied.",
    },
    "evidence/steps": {
      severity: "error",
      title: "A record and its plan have other steps",
      help: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
    },
    "evidence/other-commit": {
      severity: "error",
      title: "A record names another commit than its plan",
      help: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
    },
    "evidence/other-review": {
      severity: "error",
      title: "A review is of another pull request than the record names",
      help: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
    },
    "evidence/other-record": {
      severity: "error",
      title: "A record of an apply says that it is of something else",
      help: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
    },
    "evidence/first-call": {
      severity: "error",
      title: "The first call of a run does not fit its steps",
      help: "The file was not written so by an apply of remit. Compare the run with `remit history`.",
    },
    "evidence/read-back": {
      severity: "error",
      title:
        "A read back is of other objects than the plan, contradicts the record, or lacks what `--require read-back` asks for",
      help: "Look at the object with `remit plan`.",
    },
    "evidence/late-approval": {
      severity: "error",
      title: "An approval came after the first call",
      help: "That approval did not allow the run.",
    },
    "evidence/approvals": {
      severity: "error",
      title: "Fewer approvals count than `--require` asks for",
      help: "An approval counts only where it meets each requirement that is named. What the forge does not say does not count.",
    },
    "evidence/clock": {
      severity: "error",
      title: "Two times are in the wrong order by more than 60 s, or have not come yet",
      help: "A clock was wrong, or a record was made later.",
    },
    "evidence/key": {
      severity: "error",
      title: "`REMIT_EVIDENCE_KEY` is not an Ed25519 key in PEM",
      help: "Make one with `openssl genpkey -algorithm ed25519`, or unset it.",
    },
    "evidence/no-record": {
      severity: "error",
      title: "No evidence was written: the history has no record of the run",
      help: "The apply took effect. Bring the record in with `remit state rescue FILE`.",
    },
    "evidence/no-history": {
      severity: "error",
      title: "Evidence needs a history of runs, and the store keeps none",
      help: "Keep the state in a file, git, S3 or PostgreSQL.",
    },
  },
} as const satisfies Section;
