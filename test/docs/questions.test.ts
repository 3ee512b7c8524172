import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { answers, QUESTIONS } from "./questions.js";

const FILE = join(import.meta.dirname, "..", "..", "docs", "questions.md");

it("docs/questions.md answers what a reviewer asks by a real run; UPDATE=1 writes the answers", {
  timeout: 240_000,
}, async () => {
  const found = await answers();
  const sections = QUESTIONS.map(
    ({ asks, note }, at) => `## ${asks}\n\n\`\`\`console\n${found[at] ?? ""}\n\`\`\`\n\n${note}\n`,
  );
  const [intro = ""] = readFileSync(FILE, "utf8").split("\n## ");
  const text = `${intro.trimEnd()}\n\n${sections.join("\n")}`;
  if (process.env.UPDATE === "1") writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8")).toBe(text);
  expect(QUESTIONS).toHaveLength(10);
});
