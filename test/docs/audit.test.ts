import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startStandIn } from "../forge/standIn.js";
import { AUDIT, auditAnswers } from "./audit.js";

const FILE = join(import.meta.dirname, "..", "..", "docs", "audit.md");

it("docs/audit.md answers what an auditor asks by a real run; UPDATE=1 writes the answers", {
  timeout: 120_000,
}, async () => {
  const found = await auditAnswers(await startStandIn("github"));
  const sections = AUDIT.map(
    ({ asks, note, leavesOpen }, at) =>
      `## ${asks}\n\n\`\`\`console\n${found[at] ?? ""}\n\`\`\`\n\n${note}\n\n*What it does not prove:* ${leavesOpen}\n`,
  );
  const [intro = ""] = readFileSync(FILE, "utf8").split("\n## ");
  const text = `${intro.trimEnd()}\n\n${sections.join("\n")}`;
  if (process.env.UPDATE === "1") writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8")).toBe(text);
  expect(AUDIT).toHaveLength(10);
});
