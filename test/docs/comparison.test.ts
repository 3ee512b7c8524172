import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { face } from "../golden/harness.js";
import { LARKSPUR } from "../golden/larkspur.js";
import { COMPARISONS } from "./comparison.js";

const ROOT = join(import.meta.dirname, "..", "..");
const FILE = join(ROOT, "docs", "terraform.md");

it("docs/terraform.md has a run of remit for each row; UPDATE=1 writes them", async () => {
  const sections = await Promise.all(
    COMPARISONS.map(async ({ topic, remit, terraform, source, argv, given }) => {
      const [command = "", ...output] = (await face(LARKSPUR, argv, given)).split("\n");
      const shown = output.filter((line) => !/^(exit \d+|──── std(out|err))$/.test(line)).join("\n");
      const about = `- **remit:** ${remit}\n- **Terraform:** ${terraform} (${source})\n`;
      return `## ${capital(topic)}\n\n${about}\n\`\`\`console\n${command}\n${shown.trimEnd()}\n\`\`\`\n`;
    }),
  );
  const [intro = ""] = readFileSync(FILE, "utf8").split("\n## ");
  const text = `${intro.trimEnd()}\n\n${sections.join("\n")}`;
  if (process.env.UPDATE === "1") writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8")).toBe(text);
});

it("README compares in the same words", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  for (const { topic, remit, terraform } of COMPARISONS)
    expect(readme).toContain(`| ${topic} | ${remit} | ${terraform} |\n`);
});

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
