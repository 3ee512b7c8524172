import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { face } from "./harness.js";

const LARKSPUR = join(import.meta.dirname, "larkspur");
const WRITTEN = ["--format", "json", "--report", "json=outcome.json"];

/** The calls that follow from a saved plan, and those that an apply made. */
async function countCalls(apply: readonly string[]) {
  let [saved, made] = ["", ""];
  const look = (cwd: string) => {
    saved = readFileSync(join(cwd, "plan.json"), "utf8");
    made = readFileSync(join(cwd, "outcome.json"), "utf8");
    return "";
  };
  const before = [["plan", "--out", "plan.json"]];
  await face(LARKSPUR, [...apply, ...WRITTEN], { before, look });
  return { ahead: readSavedPlan(saved).value?.plan.calls.ahead, calls: JSON.parse(made).calls };
}

test("an apply of a saved plan makes the calls that follow from it, reads before the writes included", async () => {
  const { ahead, calls } = await countCalls(["apply", "plan.json"]);
  expect(ahead).toEqual({ EntitlementAutomation: 4, ResourceType: 3, TemplateScope: 2 });
  expect(calls).toBe(9);
});

test("an apply that plans reads again only what has to be read just before its write", async () => {
  const { calls } = await countCalls(["apply", "--yes"]);
  expect(calls).toBe(6);
});
