import { expect, it } from "vitest";
import type { RunRecord } from "../../../src/apply/runRecord.js";
import { countsOf } from "../../../src/commands/history/history.js";

it("what a run did names the steps that were not sent, too", () => {
  const step = (action: string, outcome: string) => ({ address: "Kind/name", action, outcome });
  const steps = [step("create", "done"), step("update", "failed")];
  const unwritten = [step("update", "refused"), step("update", "refused"), step("delete", "left")];
  const counted = (record: object) =>
    countsOf({ as: "apply", steps: [], unwritten: [], ...record } as unknown as RunRecord);
  expect(counted({ steps, unwritten })).toBe("1 created, 1 update failed, 2 update refused, 1 delete left");
  expect(counted({ unwritten })).toBe("2 update refused, 1 delete left");
  expect(counted({})).toBe("an apply");
});
