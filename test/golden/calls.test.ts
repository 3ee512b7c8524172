import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { face } from "./harness.js";

const LARKSPUR = join(import.meta.dirname, "larkspur");

test("an apply makes as many calls as its plan says, reads before the writes included", async () => {
  let [planned, made] = ["", ""];
  const look = (cwd: string) => {
    planned = readFileSync(join(cwd, "plan.json"), "utf8");
    made = readFileSync(join(cwd, "outcome.json"), "utf8");
    return "";
  };
  await face(LARKSPUR, ["apply", "--yes", "--format", "json", "--report", "json=outcome.json"], {
    before: [["plan", "--report", "json=plan.json"]],
    look,
  });
  const { ahead } = JSON.parse(planned).calls;
  expect(ahead).toEqual({ EntitlementAutomation: 4, ResourceType: 2, TemplateScope: 2 });
  expect(JSON.parse(made).calls).toBe(8);
});
