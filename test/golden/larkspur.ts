import { copyFileSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFace, face, type Given } from "./harness.js";

/** A project of a few resources, on a seed with fixed ids. */
export const LARKSPUR = join(import.meta.dirname, "larkspur");

/** A face: its file's name, the command line, and what comes before. */
export type Case = readonly [name: string, argv: readonly string[], given?: Given];

/** Compares the faces of a command with the committed ones, each in a project of its own. */
export function faces(command: string, cases: readonly Case[]): void {
  describe(`remit ${command} shows`, () => {
    test.each(cases.map(([name, argv, given = {}]) => [name, argv, given] as const))("%s", async (name, argv, given) => {
      const seen = await face(LARKSPUR, [command, ...argv], given);
      expectFace(join(import.meta.dirname, command, `${name}.face`), seen);
    });
  });
}

/** A change of a file between two runs: every place of a text, which must be there. */
export function edit(file: string, before: string, after: string): (cwd: string) => void {
  return (cwd) => {
    const path = join(cwd, file);
    const text = readFileSync(path, "utf8");
    expect(text).toContain(before);
    writeFileSync(path, text.replaceAll(before, after));
  };
}

/** A file that is written, or written anew. */
export function write(file: string, text: string): (cwd: string) => void {
  return (cwd) => writeFileSync(join(cwd, file), text);
}

/** A file or folder that is removed. */
export function remove(file: string): (cwd: string) => void {
  return (cwd) => rmSync(join(cwd, file), { recursive: true });
}

/** Faults that the embedded service has from then on. */
export function faults(list: string): (cwd: string) => void {
  return edit("remit.yaml", "seed: seed.yaml }", `seed: seed.yaml, faults: "${list}" }`);
}

/** What the tenant holds is changed behind our back. */
export function drift(before: string, after: string): (cwd: string) => void {
  return edit(".remit/sandbox.json", before, after);
}

/** Everything is applied as it stands. */
export const APPLIED: readonly string[] = ["apply", "--yes"];

/** Faults that the embedded service has from then on, as a file of rules tells them. */
export function rules(text: string): readonly ((cwd: string) => void)[] {
  return [
    write("faults.yaml", `rules:\n${text}`),
    edit("remit.yaml", "seed: seed.yaml }", "seed: seed.yaml, faults: faults.yaml }"),
  ];
}

/**
 * An apply as a kill leaves it: the tenant has it, and only the journal knows that we meant it. It has one step, whose
 * intent is on the disk before it is sent; that of a later one may be there by then or not.
 */
export const CUT_OFF: Given = {
  before: [
    APPLIED,
    ...rules("  - { fault: throttle, retryAfter: 3, path: '*/scope_and_entitlements', method: POST, times: 1 }\n"),
    edit("manifests/review.yaml", "90d", "60d"),
    (cwd) => copyFileSync(join(cwd, ".remit/state.json"), join(cwd, "state")),
    APPLIED,
    (cwd) => renameSync(join(cwd, "state"), join(cwd, ".remit/state.json")),
    (cwd) => renameSync(join(cwd, "journal"), join(cwd, ".remit/state.json.journal")),
  ],
  asleep: (cwd) => copyFileSync(join(cwd, ".remit/state.json.journal"), join(cwd, "journal")),
};

/** An automation that does not exist yet. */
export const SUPPORT = `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: support }
spec:
  appId: 2appC1aaaaaaaaaaaaaaaaaaaaa
  appEntitlementId: WvyxCew4OdkbuKV4FaZZ6CB95Jm
  displayName: Support
  cel: { expression: subject.department == "Support" }
`;

/** A core service that loses its reply to every create of an automation, and a manifest of one. */
export const LOSING: readonly ((cwd: string) => void)[] = [
  ...rules("  - { fault: lost, path: '*/automation/create' }\n"),
  edit("remit.yaml", "faults.yaml }", "faults.yaml, interface: core }"),
  write("core.yaml", SUPPORT),
];

/** An apply with a create whose result is unknown. */
export const UNCERTAIN: Given = { before: [...LOSING, ["apply", "--yes", "--acknowledge", "unknown-current", "core.yaml"]] };

const NOW = new Date("2026-01-01T00:00:00Z");

/** Another run that holds the lock, and touched it just now. */
export function locked(cwd: string): void {
  const owner = { id: "other", host: "elsewhere", pid: 7, command: "remit apply", since: "2026-01-01T00:00:00.000Z", job: null, user: null };
  const path = join(cwd, ".remit/state.json.lock");
  writeFileSync(path, JSON.stringify(owner));
  utimesSync(path, NOW, NOW);
}
