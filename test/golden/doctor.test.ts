import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFace, face, type Given } from "./harness.js";
import { APPLIED, LARKSPUR } from "./larkspur.js";

const FACES = join(import.meta.dirname, "faces");

/** A service that refuses some reads. */
function refusing(...paths: readonly string[]): (cwd: string) => void {
  return (cwd) => {
    const rules = paths.map((path) => `  - { fault: error, status: 403, path: '${path}' }\n`).join("");
    writeFileSync(join(cwd, "faults.yaml"), `rules:\n${rules}`);
    const settings = readFileSync(join(cwd, "remit.yaml"), "utf8");
    writeFileSync(join(cwd, "remit.yaml"), settings.replace("seed: seed.yaml }", "seed: seed.yaml, faults: faults.yaml }"));
  };
}

const UNREACHABLE = { REMIT_STATE: "postgres://remit:secret@127.0.0.1:1/remit?state=larkspur" };

describe("remit doctor", () => {
  type Run = readonly [name: string, input: string, argv: readonly string[], given: Given];
  const runs: readonly Run[] = [
    ["healthy", LARKSPUR, [], { before: [APPLIED] }],
    ["brownfield", "examples/brownfield", [], {}],
    ["json", LARKSPUR, ["--format", "json"], { before: [APPLIED] }],
    ["core", LARKSPUR, ["--interface", "core"], {}],
    ["refused", "examples/brownfield", [], { prepare: refusing("*/search/users", "*/api/v1/users", "*/access_reviews", "*/grants") }],
    ["refused-required", LARKSPUR, [], { before: [APPLIED, refusing("*/automation", "*/scope_and_entitlements")] }],
    ["no-store", LARKSPUR, [], { env: UNREACHABLE }],
    ["no-tenant", LARKSPUR, [], { env: { REMIT_SERVER: "http://127.0.0.1:1", REMIT_TOKEN: "a-token" } }],
    ["no-credentials", LARKSPUR, [], { env: { REMIT_SERVER: "https://tenant.example" } }],
  ];

  test.each(runs)("%s", async (name, input, argv, given) => {
    const shown = await face(input, ["doctor", ...argv], given);
    expect(shown).not.toContain("secret@");
    if (!argv.includes("json")) expect(shown.split("──── stdout\n")[1]?.trim().split("\n").length ?? 0).toBeLessThanOrEqual(25);
    expectFace(join(FACES, `doctor-${name}.face`), shown);
  });
});
