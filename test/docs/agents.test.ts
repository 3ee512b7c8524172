import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { workplace } from "../examples/workplace.js";

const PAGE = readFileSync("AGENTS.md", "utf8");

test("AGENTS.md is one page, and its commands run in an example", async () => {
  expect(PAGE.split("\n").length).toBeLessThan(60);
  const { remit, close } = workplace("company");
  onTestFinished(close);
  const commands = PAGE.match(/^remit .+$/gm) ?? [];
  expect(commands).toHaveLength(4);
  for (const command of commands) {
    const { code, stderr } = await remit(...command.split(" ").slice(1));
    expect([command, code, stderr]).toEqual([command, 0, ""]);
  }
});

test("AGENTS.md names members that a plan, a step and a diagnostic have", async () => {
  const { remit, close } = workplace("company");
  onTestFinished(close);
  const plan = JSON.parse((await remit("plan", "--format", "json")).stdout);
  const rows = [...PAGE.matchAll(/^\| `(\w+)(?:\[\])?` \|/gm)].map(([, member = ""]) => member);
  expect(rows.length).toBeGreaterThan(5);
  expect(Object.keys(plan)).toEqual(expect.arrayContaining(rows));
  const [step] = plan.steps;
  expect(Object.keys(step)).toEqual(expect.arrayContaining(["address", "action", "place", "fields"]));
  expect(Object.keys(step.fields[0])).toEqual(expect.arrayContaining(["path", "cause", "difference"]));
});
