import { expect, it } from "vitest";
import { printDiagnostics } from "../../../src/cli/print/diagnostics.js";
import type { Output, World } from "../../../src/cli/world/world.js";
import type { Diagnostic } from "../../../src/model/diagnostic.js";

function printed(code: string, count: number, verbose: boolean): string {
  let text = "";
  const stderr = { isTerminal: false, write: (more: string) => (text += more) } as unknown as Output;
  const all = Array.from({ length: count }, (_, place): Diagnostic => {
    return { code, severity: "warning", message: `object ${place} is being changed`, hint: "Plan again." };
  });
  printDiagnostics({ env: {}, stderr } as unknown as World, all, verbose);
  return text;
}

it("what a killed run leaves is printed ten times, and counted from then on", () => {
  const text = printed("plan/being-changed", 100, false);
  expect(text).toContain("object 9 is");
  expect(text).not.toContain("object 10 is");
  expect(text).toContain("the same for 90 more");
  expect(printed("plan/being-changed", 10, false)).not.toContain("more");
  expect(printed("plan/being-changed", 100, true)).toContain("object 99 is");
  expect(printed("manifest/unknown-field", 100, false)).toContain("object 99 is");
});
