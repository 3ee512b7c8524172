import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFace, face } from "./harness.js";

type Case = readonly [name: string, argv: readonly string[]];

const COMMANDS = ["init", "import", "get", "validate", "fmt", "plan", "apply", "comment", "approved", "impact", "show", "state", "config", "doctor", "schema", "sandbox", "completion", "version"];

const pages: readonly Case[] = [
  ["nothing", []],
  ["help", ["--help"]],
  ...COMMANDS.map((name): Case => [`help-${name}`, [name, "--help"]]),
  ...["list", "show", "forget", "unlock", "settle"].map((name): Case => [`help-state-${name}`, ["state", name, "--help"]]),
];

const slips: readonly Case[] = [
  ["unknown-command", ["pln"]],
  ["unknown-command-far", ["destroy"]],
  ["unknown-flag-of-all", ["--verbos"]],
  ["unknown-flag", ["plan", "--ofline"]],
  ["unknown-flag-far", ["plan", "--detailed-exit-codes"]],
  ["folder-missing", ["-C", "nowhere", "plan"]],
  ["folder-unnamed", ["plan", "-C"]],
  ["unknown-letter", ["plan", "-z"]],
  ["unknown-value", ["plan", "--format", "jsn"]],
  ["unknown-subcommand", ["state", "lst"]],
  ["bad-report", ["plan", "--report", "plan.md"]],
  ["bad-number", ["apply", "--concurrency", "0"]],
  ["bad-seconds", ["apply", "--lock-timeout", "soon"]],
  ["missing-value", ["plan", "--out"]],
  ["missing-argument", ["state", "show"]],
  ["surplus-argument", ["show", "a.json", "b.json"]],
  ["twice", ["plan", "--out", "a", "--out", "b"]],
  ["unknown-shell", ["completion", "csh"]],
  ["version", ["--version"]],
  ["help-word", ["help", "show"]],
];

describe("remit says, asked for help or called wrongly,", () => {
  test.each([...pages, ...slips])("%s", async (name, argv) => {
    expectFace(join(import.meta.dirname, "usage", `${name}.face`), await face(null, argv));
  });

  test.each(pages)("%s within a screen", async (_, argv) => {
    const lines = (await face(null, argv)).split("\n");
    expect(lines.length).toBeLessThanOrEqual(50);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});
