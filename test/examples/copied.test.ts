import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { EXAMPLES as NAMES } from "../../src/commands/init/usage.js";
import { runInside } from "../fakes/inside.js";
import { EXAMPLES } from "./workplace.js";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "remit-copied-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
});

const remit = (...argv: readonly string[]) =>
  runInside(argv, { cwd: root, env: { REMIT_SERVER: "sandbox" } });

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((one) => join(one.parentPath, one.name));
  return files.map((file) => file.slice(folder.length + 1)).sort();
}

/** What an example is, without what a build or a run puts there. */
const authored = (folder: string) =>
  filesIn(folder).filter((file) => !/^(schemas|\.remit|\.vscode)\/|^\.gitignore$/.test(file));

test("remit init --example knows each folder of examples", () => {
  expect(NAMES).toEqual(readdirSync(EXAMPLES).sort());
});

describe.each(NAMES)("remit init --example %s", (name) => {
  test("copies each file, and names schemas and documents that are there", async () => {
    const { code, stdout } = await remit("init", "--example", name);
    expect(code).toBe(0);
    const files = authored(join(EXAMPLES, name));
    expect(authored(root)).toEqual(files);
    for (const file of files) {
      expect(stdout).toContain(`wrote ${file}\n`);
      const [text, original] = [root, join(EXAMPLES, name)].map((at) => readFileSync(join(at, file), "utf8"));
      const changed = text?.split("\n").filter((line) => original?.includes(line) === false) ?? [];
      for (const line of changed) expect(line, file).toMatch(/\$schema=|\]\(https:\/\/\S+\/docs\//);
      const [, schema] = /^# yaml-language-server: \$schema=(\S+)/m.exec(text ?? "") ?? [];
      if (schema !== undefined) expect(existsSync(resolve(root, dirname(file), schema)), file).toBe(true);
      expect(text).not.toContain("](../");
    }
    expect(readFileSync(join(root, ".gitignore"), "utf8")).toBe(".remit/*\n!.remit/schemas/\n");
  });

  test("says the same of the copy as of the example", async () => {
    await remit("init", "--example", name, "copy");
    cpSync(join(EXAMPLES, name), join(root, "example"), { recursive: true });
    const [copied, own] = [await remit("-C", "copy", "validate"), await remit("-C", "example", "validate")];
    expect(copied).toEqual(own);
  });
});

describe("remit init --example", () => {
  test("writes nothing at all where one of its files is there", async () => {
    writeFileSync(join(root, "seed.yaml"), "mine\n");
    const { code, stderr } = await remit("init", "--example", "groups");
    expect([code, stderr]).toEqual([1, expect.stringContaining("seed.yaml already exists")]);
    expect(filesIn(root)).toEqual(["seed.yaml"]);
    expect(readFileSync(join(root, "seed.yaml"), "utf8")).toBe("mine\n");
  });

  test("names the nearest example and all of them", async () => {
    const { code, stderr } = await remit("init", "--example", "grops");
    expect([code, stderr]).toEqual([1, expect.stringContaining("Did you mean groups?")]);
    for (const name of NAMES) expect(stderr.replace(/\s+/g, " ")).toContain(name);
    expect(filesIn(root)).toEqual([]);
  });

  test("refuses a server: the example has its own", async () => {
    const { code, stderr } = await remit("init", "--example", "groups", "--server", "https://a.example");
    expect([code, stderr]).toEqual([1, expect.stringContaining("error[command/usage]")]);
    expect(filesIn(root)).toEqual([]);
  });

  test.each(["groups", "github-actions", "gitlab-ci"])("writes pipelines for %s with --ci", async (name) => {
    execFileSync("git", ["init", "-q"], { cwd: root });
    const { code } = await remit("init", "--example", name, "--ci", "github", "teams");
    expect([code, existsSync(join(root, "teams", "remit.yaml"))]).toEqual([0, true]);
    const pipelines = filesIn(root).filter((file) => /workflows|gitlab-ci/.test(file));
    expect(pipelines).toEqual(
      ["apply", "drift", "manual", "plan"].map((one) => `.github/workflows/remit-${one}-teams.yml`),
    );
  });

  test("is completed with the names", async () => {
    const { stdout } = await remit("__complete", "init", "--example", "gr");
    expect(stdout).toContain("groups");
  });
});
