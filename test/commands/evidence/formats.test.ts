import { describe } from "vitest";
import {
  type NewEvidence,
  otherFormatOf,
  readStatement,
  writeStatement,
} from "../../../src/commands/evidence/statement.js";
import { hashOfRecord } from "../../../src/state/record.js";
import { formatContract } from "../../contracts/formats.js";
import { recordText } from "../../fakes/recordText.js";

const step = { address: "A/a", key: null, action: "update", outcome: "done", requests: [], fields: [] };
const first = recordText(1, null);
const second = recordText(2, hashOfRecord(first), { steps: [step] });
const approval = { by: "sha256:0", at: "2026-01-01T00:00:00Z", commit: null };
const evidence: NewEvidence = {
  own: { hash: hashOfRecord(second), text: second },
  earlier: [{ hash: hashOfRecord(first), text: first }],
  firstCall: "2026-01-01T00:00:00Z",
  plan: { formatVersion: 1 },
  findings: [],
  expectedBy: "review",
  review: { forge: "github", repository: "acme/access", number: 1, commit: "c", approvals: [approval] },
  readBack: { at: "2026-01-01T00:00:00Z", objects: [{ address: "A/a", found: "as applied", sha256: null }] },
};

describe("the statement of a run", () => {
  formatContract("evidence", () => ({
    text: writeStatement(evidence),
    refusal(text) {
      const other = otherFormatOf(text);
      if (other !== null) return other === "newer" ? "newer" : "unreleased";
      return readStatement(text) === null ? "not whole" : null;
    },
    codes: { newer: "newer", unreleased: "unreleased" },
    at: ["predicate"],
    // A plan has a format of its own.
    contents: ["plan"],
  }));
});
