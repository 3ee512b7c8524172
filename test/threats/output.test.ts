import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toText } from "../../src/report/forms/terminal/diagnostics.js";
import { beside, wrap, wrapValue } from "../../src/report/text/layout.js";
import { runInside } from "../fakes/inside.js";

/** What a terminal or a pipeline obeys, and what a reader does not see. */
const HOSTILE =
  "\u001b[2J\u009b31m\u202egnitirw\u200b ##[error]x ##vso[task.x] ##teamcity[x] \u0085::error::forged";
const OBEYED = /(?!\n)\p{Cc}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

let cwd: string;
beforeAll(async () => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "remit-hostile-")));
  const name = JSON.stringify(HOSTILE).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  write(
    "remit.yaml",
    `server: sandbox\nmanifests: [manifests]\nsandbox: { seed: seed.yaml }\napps: { ${name}: ${name} }\n`,
  );
  write("seed.yaml", readFileSync("examples/quickstart/seed.yaml", "utf8"));
  const group = readFileSync("examples/quickstart/manifests/engineering-group.yaml", "utf8");
  write(
    "manifests/group.yaml",
    group.replace("displayName: Engineering", () => `displayName: ${name}`),
  );
  expect(await run("apply", "--yes", "-q")).toMatchObject({ code: 0, stderr: "" });
  const state = JSON.parse(readFileSync(join(cwd, ".remit/state.json"), "utf8"));
  const entries = Object.values<{ address: { name: string }; at: string }>(state.entries);
  for (const entry of entries) entry.at = HOSTILE;
  write(".remit/state.json", JSON.stringify(state));
  write(
    "manifests/group.yaml",
    group.replace("displayName: Engineering", () => `displayName: ${name.slice(0, -1)} more"`),
  );
  write("bad/x.yaml", `apiVersion: remit/v1\nkind: ${name}\n${name}: 1\n`);
  write(
    "bad/::error::forged.yaml",
    `apiVersion: remit/v1\nkind: ResourceType\nmetadata: {name: "a"}\nspec: {}\n`,
  );
  await run("plan", "--offline", "--out", "plan.json");
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
}
const run = (...argv: readonly string[]) =>
  runInside(argv, { cwd, env: { HOME: cwd, REMIT_OIDC_TOKEN: "t" } });

const formats = (command: readonly string[], ...names: readonly string[]) =>
  names.map((name) => [...command, "--format", name]);

describe("what every command prints over hostile names, values and states", () => {
  it.each([
    ["config"],
    ...formats(["config"], "json"),
    ["state", "list"],
    ...formats(["state", "list"], "json"),
    ["state", "show", "EntitlementAutomation/engineering"],
    ["state", "show", HOSTILE],
    ["state", "forget", HOSTILE],
    ["state", "unlock"],
    ...formats(["plan"], "text", "json", "markdown"),
    ["plan", "-v"],
    ["plan", "--target", HOSTILE],
    ["plan", "--offline"],
    ...formats(["show", "plan.json"], "text", "json", "markdown"),
    ...formats(["validate"], "text", "json", "github", "sarif"),
    ...formats(["validate", "bad"], "text", "json", "github", "sarif"),
    ["fmt", "--check", "bad"],
    ["fmt", "bad"],
    ["init", HOSTILE],
    ["schema", HOSTILE],
    ["version"],
    ["-C", HOSTILE, "plan"],
    ["__complete", "plan", "--target", ""],
    ["__complete", "state", "show", ""],
    ["apply", "--yes", "--json"],
    ...formats(["apply", "--yes"], "text", "json", "markdown"),
  ])("%j", async (...argv) => {
    const { stdout, stderr } = await run(...argv);
    for (const text of [stdout, stderr]) {
      // Only annotations are meant as commands of a pipeline.
      const isAnnotation = argv.includes("github") && text === stdout;
      const lines = text
        .split("\n")
        .map((line) => (argv[0] === "__complete" ? line.replace(/\t.*$/, "") : line));
      expect(lines.filter((line) => OBEYED.test(line))).toEqual([]);
      expect(lines.filter((line) => /##\w*\[/.test(line))).toEqual([]);
      if (!isAnnotation) expect(lines.filter((line) => line.trimStart().startsWith("::"))).toEqual([]);
    }
  });
});

describe("a text of any length", () => {
  it.each([
    ["one word", "x"],
    ["words", "word "],
    ["wide characters", "漢"],
    ["joined characters", "👩‍👩‍👧‍👦"],
  ])("is laid out in a time that grows no faster than its length: %s", (_, unit) => {
    const text = unit.repeat(400_000 / unit.length);
    const lines = [...wrap(text, 80, "  "), ...wrapValue(text, 80, "  "), ...beside("x", text, 80, "  ")];
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.join("\n")).toContain("more characters");
    const message = { code: "a/b", severity: "error", message: text } as const;
    expect(toText([message], { columns: 80 }).length).toBeLessThan(50_000);
  });

  it("of many lines loses nothing up to its bound", () => {
    const words = Array.from({ length: 900 }, (_, at) => `word${at}`).join(" ");
    expect(wrap(words, 40, "").join(" ").split(/\s+/)).toEqual(words.split(" "));
  });
});
