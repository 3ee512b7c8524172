import { describe, expect, it } from "vitest";
import type { Step } from "../../../../src/plan/step.js";
import { explain } from "../../../../src/report/plan/words/reasons.js";
import { viewOf } from "../../../../src/report/view/view.js";
import { EVERY_REASON } from "../../faces.js";
import { automation, report } from "../../plans.js";

describe("each action and reason", () => {
  it("has its own sentence, but an update whose fields say all", () => {
    const steps = viewOf(report(EVERY_REASON)).changes.all.flatMap((block) =>
      block.as === "alike" ? block.all : [block.face],
    );
    expect(steps.map(({ action }) => action).filter((one, at, all) => one !== all[at - 1])).toEqual([
      "delete",
      "blocked",
      "update",
      "create",
      "adopt",
      "forget",
      "removed",
      "keep",
    ]);
    const silent = steps.filter(({ reason }) => reason === "");
    expect(silent.map(({ address }) => address)).toEqual(["ResourceType/type-04"]);
    const said = steps.map(({ action, reason }) => `${action}: ${reason}`);
    expect(new Set(said).size).toBe(said.length);
  });

  it("is said otherwise where the action makes it mean something else", () => {
    const says = (action: Step["action"], reason: Step["reason"]) =>
      explain(automation({ action, reason }), undefined);
    expect(says("delete", "manifest removed")).not.toBe(says("forget", "manifest removed"));
    expect(says("create", "differs")).not.toBe(says("update", "differs"));
  });
});
