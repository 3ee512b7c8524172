import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exit, interrupted, stopped } from "../../src/cli/exitCode.js";

describe("an exit code", () => {
  it.each([
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])("of %s is %i", (signal, code) => {
    expect(interrupted(signal)).toBe(code);
  });

  it("tells a service in trouble from an invalid manifest", () => {
    const error = (code: string) => ({ code, severity: "error", message: "" }) as const;
    expect(stopped([error("service/unreachable")])).toBe(exit.error);
    expect(stopped([error("service/unreachable"), error("schema/type")])).toBe(exit.invalid);
  });
});

/** What gives an exit code a number, or one of the names of numbers, in the text of a file. */
const NUMBERED =
  /\bexit\.\w+|import \{[^}]*\bexit\b[^}]*\} from "[^"]*exitCode\.js"|\bexitCode\s*=\s*-?\d|\bcode(?:Of)?:\s*\d\b|\bfail\(\d|process\.exit\(\d|\breturn -?[1-9]\d*;/;

describe("the codes of the command line", () => {
  const files = ["src/bin", "src/cli", "src/commands"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && file !== "exitCode.ts")
      .map((file) => `${folder}/${file}`),
  );

  it("stand in one file", () => {
    expect(files.length).toBeGreaterThan(100);
    const naming = files.filter((file) => NUMBERED.test(readFileSync(file, "utf8")));
    expect(naming).toEqual([]);
  });

  it("of a command are what it gives, and are set in one place", () => {
    const setting = files.filter((file) => /process\.exitCode = /.test(readFileSync(file, "utf8")));
    expect(setting.sort()).toEqual(["src/bin/application.ts", "src/bin/start.ts"]);
  });

  it.each([
    "this.process.exitCode = 3;",
    "return 3;",
    "return exit.refused;",
    'import { exit } from "../exitCode.js";',
  ])("are noticed elsewhere: %s", (line) => {
    expect(NUMBERED.test(line)).toBe(true);
  });
});
