import { expect, test } from "vitest";
import { proofOf, proofsOf, recordProofOf } from "../../../src/plan/record/proof.js";
import { fingerprint } from "../../../src/plan/saved/spelling.js";
import type { Entry } from "../../../src/state/snapshot.js";

const applied = { scope: { b: 1, a: ["x"] }, displayName: "A" };
const entry: Entry = {
  address: { kind: "ResourceType", name: "a" },
  key: ["app", "a"],
  applied,
  answered: applied,
  rewritten: [],
  at: "2026-01-01T00:00:00Z",
  protected: false,
};
const seen = { as: "recorded", fields: applied } as const;

test.each([
  ["answered as sent", entry],
  ["answered otherwise", { ...entry, answered: { displayName: "B" } }],
  ["not answered", { ...entry, answered: null }],
  ["with a field of unknown value", { ...entry, unknown: ["scope"] }],
  ["with no field of unknown value", { ...entry, unknown: [] }],
])("the proofs of a record %s are the fingerprints of its facts and of all but its time", (_, one: Entry) => {
  const { at: __, ...rest } = one;
  const { answered, unknown = [] } = one;
  const facts = unknown.length === 0 ? { applied, answered } : { applied, answered, unknown };
  expect(proofsOf(seen, one)).toEqual({ fingerprint: fingerprint(facts), record: fingerprint(rest) });
  expect(proofOf(seen, one)).toBe(fingerprint(facts));
  expect(recordProofOf(one)).toBe(fingerprint(rest));
});

test("nothing recorded has no proof", () => {
  expect(proofsOf({ as: "recorded", fields: null }, null)).toEqual({ fingerprint: null, record: null });
});
