import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFace, face, type Given } from "./harness.js";
import { APPLIED, edit, LARKSPUR, rules } from "./larkspur.js";

const FACES = join(import.meta.dirname, "unmanaged");
/** A rule that was made in the browser. */
const ROGUE = '{"createdAt":"2025-01-06T09:00:00Z","updatedAt":"2025-01-06T09:00:00Z","appId":"2appGitHubaaaaaaaaaaaaaaaaa","appEntitlementId":"yQ3jP2hio3cxlxpTTqb05GRQWrj","displayName":"Everyone | <b>","cel":{"expression":"true"}}';
const rogue = edit(".remit/sandbox.json", '"automations":[', `"automations":[${ROGUE},`);
const NIGHT = ["--refresh-only", "--unmanaged", "--detailed-exitcode"];

function ignore(objects: string, until: string): (cwd: string) => void {
  return (cwd) => {
    const path = join(cwd, "remit.yaml");
    const entry = `ignore:\n  - { objects: '${objects}', until: ${until}, reason: "The service desk owns it." }\n`;
    writeFileSync(path, readFileSync(path, "utf8") + entry);
  };
}

describe("remit plan --unmanaged shows", () => {
  type Run = readonly [name: string, argv: readonly string[], given: Given];
  const runs: readonly Run[] = [
    ["nothing", NIGHT, { before: [APPLIED] }],
    ["rogue", NIGHT, { before: [APPLIED, rogue] }],
    ["rogue-markdown", [...NIGHT, "--format", "markdown"], { before: [APPLIED, rogue] }],
    ["rogue-json", [...NIGHT, "--format", "json"], { before: [APPLIED, rogue] }],
    ["rogue-plan", ["--unmanaged"], { before: [APPLIED, rogue] }],
    ["lists", ["--detailed-exitcode"], { before: [APPLIED, rogue] }],
    ["lists-markdown", ["--format", "markdown"], { before: [APPLIED, rogue] }],
    ["ignored", NIGHT, { before: [APPLIED, rogue, ignore("EntitlementAutomation/Everyone*", "2026-03-31")] }],
    ["ignore-expired", NIGHT, { before: [APPLIED, rogue, ignore("EntitlementAutomation/Everyone*", "2020-01-31")] }],
    ["ignore-unused", NIGHT, { before: [APPLIED, ignore("ResourceType/Team", "2026-03-31")] }],
    ["ignore-too-long", NIGHT, { before: [APPLIED, ignore("ResourceType/Team", "2099-12-31")] }],
    ["refused", NIGHT, { before: [APPLIED, rogue, ...rules("  - { fault: error, status: 403, path: '*/search/entitlements' }\n")] }],
    ["offline", ["--unmanaged", "--offline"], { before: [APPLIED] }],
    ["recorded", ["--record", "--unmanaged", "--detailed-exitcode"], { before: [APPLIED, rogue] }],
  ];

  test.each(runs)("%s", async (name, argv, given) => {
    expectFace(join(FACES, `${name}.face`), await face(LARKSPUR, ["plan", ...argv], given));
  });
});

test("a saved plan does not contain what is not managed", async () => {
  const saved = (argv: readonly string[]) => ({
    before: [APPLIED, rogue, ["plan", "--out", "plan.json", ...argv]],
    look: (cwd: string) => readFileSync(join(cwd, "plan.json"), "utf8"),
  });
  const [one, other] = await Promise.all([
    face(LARKSPUR, ["version"], saved(["--unmanaged"])),
    face(LARKSPUR, ["version"], saved([])),
  ]);
  expect(one).toBe(other);
  expect(one).not.toContain("Everyone");
});
