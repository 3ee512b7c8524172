import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runInside } from "../fakes/inside.js";

const PAGE = readFileSync(join(import.meta.dirname, "..", "..", "docs", "tutorial.md"), "utf8");
const FILE = /^# (\S+\.yaml)\n/;

/** The words of a command line; quotes keep a part together. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

it("docs/tutorial.md is one story: each file is written and each command run, and says what the page shows", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "remit-tutorial-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const run: string[] = [];
  for (const [, language, text = ""] of PAGE.matchAll(/```(yaml|console)\n([\s\S]*?)```/g)) {
    if (language === "yaml") {
      const [, file = ""] = FILE.exec(text) ?? [];
      expect(file, "a file is named in its first line").not.toBe("");
      const path = join(cwd, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      continue;
    }
    for (const [line = "", ...shown] of text
      .trimEnd()
      .split(/\n?^\$ remit /m)
      .slice(1)
      .map((one) => one.split("\n"))) {
      const { stdout, stderr, code } = await runInside([...wordsOf(line)], { cwd, env: { HOME: cwd } });
      const said = (stdout + stderr).split("\n").map((one) => one.trimEnd());
      expect({ line, code, missing: shown.filter((one) => !said.includes(one)) }, stdout + stderr).toEqual({
        line,
        code: 0,
        missing: [],
      });
      run.push(line);
    }
  }
  expect(run).toHaveLength(14);
});
