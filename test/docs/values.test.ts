import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runInside } from "../fakes/inside.js";

const ROOT = join(import.meta.dirname, "..", "..");
const FILE = /```yaml\n# (?<name>\S+)\n(?<text>[^`]*)```/g;
const RUN = /```console\n\$ remit (?<line>.*)\n(?<output>[^`]*)```/g;

/** Pages whose files and commands are run, and the exit code of each command. */
const PAGES = [
  { name: "values.md", codes: [0, 0, 0] },
  { name: "tests.md", codes: [1] },
];

it.each(PAGES)(
  "docs/$name shows what its files and commands give; UPDATE=1 writes it",
  async ({ name: file, codes }) => {
    const path = join(ROOT, "docs", file);
    const page = readFileSync(path, "utf8");
    const folder = mkdtempSync(join(tmpdir(), "remit-values-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    copyFileSync(join(ROOT, "examples/joiner-mover-leaver/seed.yaml"), join(folder, "seed.yaml"));
    for (const { groups: { name = "", text = "" } = {} } of page.matchAll(FILE)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const runs = [...page.matchAll(RUN)];
    expect(runs).toHaveLength(codes.length);
    let now = page;
    for (const [at, { 0: block, groups: { line = "" } = {} }] of runs.entries()) {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
      const { code, stdout, stderr } = await runInside(words, { cwd: folder, env: {} });
      expect([line, code, stderr]).toEqual([line, codes[at], ""]);
      now = now.replace(block, () => `\`\`\`console\n$ remit ${line}\n${stdout}\`\`\``);
    }
    if (process.env.UPDATE === "1") writeFileSync(path, now);
    expect(now).toBe(readFileSync(path, "utf8"));
  },
);
