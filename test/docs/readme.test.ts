import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { face } from "../golden/harness.js";

const readme = readFileSync("README.md", "utf8");

describe("README.md", () => {
  it("is read in a minute", () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(900);
  });

  it("has the two commands of a checkout as a reader copies them", () => {
    for (const command of ["npm ci && npm run demo", "npm ci && npm test"])
      expect(readme).toContain(`\n\`\`\`console\n${command}\n\`\`\`\n`);
  });

  it("shows what the three commands to try print in an empty folder", async () => {
    const lines = async (argv: readonly string[], ...before: readonly (readonly string[])[]) =>
      (await face(null, argv, { before })).trimEnd().split("\n");
    const init = await lines(["init"]);
    const plan = await lines(["plan"], ["init"]);
    const applied = await lines(["apply", "--yes"], ["init"]);
    const [first, second] = init.slice(init.findIndex((line) => line.startsWith("wrote ")));
    expect(readme).toContain(
      `$ remit init | head -2\n${first}\n${second}\n$ remit plan | tail -1\n${plan.at(-1)}\n` +
        `$ remit apply --yes | tail -1\n${applied.at(-1)}\n`,
    );
  });
});
