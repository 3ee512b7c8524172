import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runInside } from "../fakes/inside.js";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGE = join(ROOT, "docs", "values.md");
const FILE = /```yaml\n# (?<name>\S+)\n(?<text>[^`]*)```/g;
const RUN = /```console\n\$ remit (?<line>.*)\n(?<output>[^`]*)```/g;

it("docs/values.md shows what its files and commands give; UPDATE=1 writes the output", async () => {
  const page = readFileSync(PAGE, "utf8");
  const folder = mkdtempSync(join(tmpdir(), "remit-values-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copyFileSync(join(ROOT, "examples/joiner-mover-leaver/seed.yaml"), join(folder, "seed.yaml"));
  for (const { groups: { name = "", text = "" } = {} } of page.matchAll(FILE)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const runs = [...page.matchAll(RUN)];
  expect(runs.length).toBeGreaterThan(2);
  let now = page;
  for (const { 0: block, groups: { line = "" } = {} } of runs) {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
    const { code, stdout, stderr } = await runInside(words, { cwd: folder, env: {} });
    expect([line, code, stderr]).toEqual([line, 0, ""]);
    now = now.replace(block, () => `\`\`\`console\n$ remit ${line}\n${stdout}\`\`\``);
  }
  if (process.env.UPDATE === "1") writeFileSync(PAGE, now);
  expect(now).toBe(readFileSync(PAGE, "utf8"));
});
