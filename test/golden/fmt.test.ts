import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFace, face, type Given } from "./harness.js";

const CASES = join(import.meta.dirname, "fmt");
const UNTIDY = "kind: ResourceType   # first\napiVersion: 'remit/v1'\nmetadata: {name: \"team\"}\n";

function contents(...files: readonly string[]) {
  return (cwd: string) => files.map((file) => `${file}:\n${readFileSync(join(cwd, file), "utf8")}`).join("\n");
}

describe("remit fmt", () => {
  type Run = readonly [name: string, argv: readonly string[], given: Given];
  const runs: readonly Run[] = [
    ["writes", ["."], { look: contents("untidy.yaml", "deep/comments.yml", "compose.yaml", "data.json") }],
    ["checks", ["--check"], { look: contents("untidy.yaml") }],
    ["checks-tidy", ["--check", "tidy.yaml"], {}],
    ["leaves-broken", ["broken.yaml", "untidy.yaml"], { look: contents("broken.yaml", "untidy.yaml") }],
    ["leaves-complex", ["complex.yaml"], { look: contents("complex.yaml") }],
    ["takes-named", ["compose.yaml"], { look: contents("compose.yaml") }],
    ["pipes", ["-"], { stdin: UNTIDY }],
    ["pipes-broken", ["-"], { stdin: "a: [1\n" }],
    ["pipes-checked", ["--check", "-"], { stdin: UNTIDY }],
    ["drops-mark", ["tidy.yaml"], { prepare: (cwd) => prefix(join(cwd, "tidy.yaml"), "\ufeff"), look: contents("tidy.yaml") }],
  ];

  test.each(runs)("%s", async (name, argv, given) => {
    expectFace(join(import.meta.dirname, "faces", `fmt-${name}.face`), await face(CASES, ["fmt", ...argv], given));
  });

  test("keeps who may read a file, and touches none that is laid out already", async () => {
    const file = (cwd: string) => join(cwd, "untidy.yaml");
    const seen: { mode?: number; tidied?: number; untouched?: number } = {};
    await face(CASES, ["fmt"], {
      prepare: (cwd) => {
        chmodSync(file(cwd), 0o640);
        seen.untouched = statSync(join(cwd, "tidy.yaml")).ino;
      },
      look: (cwd) => {
        seen.mode = statSync(file(cwd)).mode & 0o777;
        seen.tidied = statSync(join(cwd, "tidy.yaml")).ino;
        return "";
      },
    });
    expect(seen).toEqual({ mode: 0o640, tidied: seen.untouched, untouched: seen.untouched });
  });
});

function prefix(path: string, text: string): void {
  writeFileSync(path, text + readFileSync(path, "utf8"));
}
