import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/plan/step.js";
import { verdictLine, verdictOfPlan } from "../../../src/report/view/verdict.js";
import { automation, HASH, report } from "../plans.js";

const finding = {
  guard: "everyone" as const,
  address: { kind: "EntitlementAutomation", name: "engineering-group" },
  message: "everyone matches",
  hash: HASH,
  acknowledged: null,
  proposed: [],
};
const acknowledged = { by: "flag" } as const;
const verdict = (steps: readonly Step[], findings: readonly object[] = []) =>
  verdictLine(verdictOfPlan(report(steps, { findings: findings as [] })));

describe("the verdict of a plan", () => {
  it.each<[string, readonly Step[], readonly object[]]>([
    ["Nothing to do: 1 unchanged.", [automation({ action: "keep" })], []],
    ["Routine: nothing is deleted.", [automation()], []],
    ["Needs a look: 1 delete.", [automation({ action: "delete" })], []],
    ["Needs a look: 1 finding acknowledged.", [automation()], [{ ...finding, acknowledged }]],
    ["Blocked: 1 guard to acknowledge.", [automation()], [finding]],
    [
      "Blocked: 1 step blocked, 1 delete.",
      [automation({ action: "blocked", reason: "read failed" }), automation({ action: "delete" })],
      [],
    ],
  ])("%s", (line, steps, findings) => {
    expect(verdict(steps, findings)).toBe(line);
  });
});
