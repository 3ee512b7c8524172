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
