import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import manifest from "../../schemas/manifest.json" with { type: "json" };
import { kinds } from "../../src/kinds/index.js";
import { valueAt } from "../../src/model/path.js";

const ROOT = join(import.meta.dirname, "..", "..");

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "remit-schemas-"));
  cpSync(join(ROOT, "schemas"), folder, { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

function generate(...args: readonly string[]): void {
  const script = join(ROOT, "scripts", "schemas.mjs");
  execFileSync(process.execPath, [script, "--from", folder, ...args], { stdio: "pipe" });
}

describe("the schemas that `npm run schemas` writes", () => {
  test("are current", () => {
    expect(() => generate("--check")).not.toThrow();
  });

  test("are not current after a kind's source has changed, until they are written again", () => {
    const file = join(folder, "source", "resource-type.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"displayName": {', '"title": {'));
    expect(() => generate("--check")).toThrow("does not match its source");
    generate();
    expect(() => generate("--check")).not.toThrow();
  });

  test("say in the words of a field what a part would say in its own", () => {
    const usernames = "$defs person properties fields properties usernames description".split(" ");
    const said = (file: string) => valueAt(JSON.parse(readFileSync(join(folder, file), "utf8")), usernames);
    expect(["guard.json", "test.json"].map(said)).toEqual(["All login names.", "All login names."]);
  });

  test("list the kinds of src/kinds/index.ts", () => {
    expect([...kinds.map(({ name }) => name).sort(), "Values"]).toEqual(manifest.properties.kind.enum);
  });
});
