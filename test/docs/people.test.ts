import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const FACES = join(ROOT, "test/golden/impact");

it("the answers in docs/people.md are those of real runs", () => {
  const page = readFileSync(join(ROOT, "docs/people.md"), "utf8");
  const shown = [...page.matchAll(/```console\n(?<command>.*)\n(?<output>[^`]*)```/g)];
  const runs = readdirSync(FACES).map((name) => readFileSync(join(FACES, name), "utf8"));
  expect(shown.length).toBeGreaterThan(2);
  const untrue = shown.filter(({ groups: { command = "", output = "" } = {} }) => {
    return !runs.includes(`${command.replaceAll("'", "")}\nexit 0\n──── stdout\n${output}`);
  });
  expect(untrue.map(([text]) => text)).toEqual([]);
});
