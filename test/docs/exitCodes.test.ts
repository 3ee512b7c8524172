import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { face } from "../golden/harness.js";
import { LARKSPUR } from "../golden/larkspur.js";
import { EXAMPLES } from "./exitCodes.js";

const FILE = join(import.meta.dirname, "..", "..", "docs", "exit-codes.md");
const HEAD = "| situation | command | exits | prints |\n|---|---|---|---|\n";

it.each(EXAMPLES)("remit $argv exits $code: $situation", async ({ argv, code, prints, given }) => {
  const seen = await face(LARKSPUR, argv, given);
  expect(seen).toMatch(new RegExp(`^\\$ remit [^\\n]*\\nexit ${code}\\n`));
  expect(seen.replace(/\s+/g, " ")).toContain(prints);
});

it("docs/exit-codes.md shows these examples; UPDATE=1 writes them", () => {
  const rows = EXAMPLES.map(
    ({ situation, argv, code, prints }) =>
      `| ${situation} | \`remit ${argv.join(" ").replace(/0{64}/, "…")}\` | ${code} | \`${prints}\` |\n`,
  );
  const [before = ""] = readFileSync(FILE, "utf8").split(HEAD);
  const text = `${before}${HEAD}${rows.join("")}`;
  if (process.env.UPDATE === "1") writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8")).toBe(text);
});
