import { describe, expect, it } from "vitest";
import { type Ended, openSnapshot } from "../../../src/apply/journal/openSnapshot.js";
import { newSnapshot } from "../../../src/state/snapshot.js";

const at = "2026-01-01T00:00:00.000Z";

const sent: Ended = {
  address: { kind: "EntitlementAutomation", name: "one" },
  action: "create",
  outcome: "uncertain",
  step: null,
  key: ["app", "entitlement"],
  record: { applied: { displayName: "One" }, answered: null, rewritten: [], protected: false },
  diagnostics: [],
};
const done: Ended = { ...sent, outcome: "done" };

it("a state keeps its project and its commits while outcomes are written into it", () => {
  const start = { ...newSnapshot("lineage", "server"), project: "acme/access", lastApplied: { eu: "a" } };
  const opened = openSnapshot(start);
  opened.remember(done, at);
  expect(opened.snapshot(1)).toMatchObject({ project: "acme/access", lastApplied: { eu: "a" }, serial: 1 });
});

describe("an object is remembered", () => {
  it("once, when its create is uncertain first and known later", () => {
    const opened = openSnapshot(newSnapshot("lineage", "server"));
    expect(opened.remember(sent, at)).toBe(true);
    expect(opened.remember(done, at)).toBe(true);
    expect(opened.snapshot(1)).toMatchObject({ uncertain: {} });
    expect(Object.keys(opened.snapshot(1).entries)).toHaveLength(1);
  });

  it("also as uncertain, when a create over its record got no reply: the record may no longer be true", () => {
    const opened = openSnapshot(newSnapshot("lineage", "server"));
    opened.remember(done, at);
    expect(opened.remember(sent, at)).toBe(true);
    expect(Object.keys(opened.snapshot(1).uncertain)).toHaveLength(1);
  });
});
