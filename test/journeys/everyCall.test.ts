import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { cases } from "../fakes/cases.js";
import { CASES } from "../fakes/everyKind.js";
import { type GroupScene, openGroups } from "../fakes/groups.js";
import type { Spec } from "../fakes/project.js";

/** Each write of each kind that the whole tenant added is refused, unanswered or put off once: nothing is twice, nothing lost. */

const door = { displayName: "Rest", condition: 'entitlement.slug == "door"' };
const KINDS: Readonly<Record<string, readonly [first: Spec, then: Spec]>> = {
  RiskLevel: [{ value: "Critical" }, { value: "Critical" }],
  ComplianceFramework: [{ value: "SOC 2" }, { value: "SOC 2" }],
  Policy: [CASES.Policy?.spec ?? {}, { ...CASES.Policy?.spec, description: "edited" }],
  App: [
    { displayName: "Badges", requestDefaults: { defaultsEnabled: true, durationGrant: "30d" } },
    {
      displayName: "Badges",
      instructions: "edited",
      requestDefaults: { defaultsEnabled: true, durationGrant: "20d" },
      usageControls: { notify: true, notifyAfterDays: 30 },
    },
  ],
  AppConfigurationRules: [
    { appId: C1_APP_ID, rules: [door, { displayName: "All" }] },
    {
      appId: C1_APP_ID,
      rules: [{ displayName: "New", condition: "entitlement.id == '1'" }, { displayName: "All" }, door],
    },
  ],
  Entitlement: [
    {
      ...CASES.Entitlement?.spec,
      deprovisionerPolicy: { manual: { instructions: "Go", assignee: { appOwners: {} } } },
    },
    { ...CASES.Entitlement?.spec, durationGrant: "30d", overrideAccessRequestsDefaults: true },
  ],
};
const NAMES = Object.keys(KINDS);
const FAULTS = [
  { fault: "error", status: 403 },
  { fault: "throttle" },
  { fault: "lost" },
  { fault: "error", status: 503, written: true },
] as const;
const APPLY = [
  "apply",
  "--yes",
  ...["nobody", "everyone", "unknown-current", "wider-defaults"].flatMap((guard) => ["--acknowledge", guard]),
];

let scene: GroupScene;
afterEach(() => scene.close());

/** Makes the object of a kind and changes it, each until it is done, and gives the writes that the service took. */
async function live(kind: string, fault: object | null, at: string): Promise<readonly string[]> {
  const { beside = [] } = CASES[kind] ?? {};
  scene = await openGroups();
  if (beside.length > 0) {
    scene.project.write(beside);
    await scene.remit(0, ...APPLY);
  }
  scene.sandbox.log.clear();
  if (fault !== null) scene.disturb(at, fault);
  for (const spec of KINDS[kind] ?? []) {
    scene.project.write([...beside, { kind, name: "one", spec }]);
    const first = await scene.run(...APPLY);
    if (first.code !== 0) {
      expect(fault, first.stdout + first.stderr).not.toBeNull();
      await scene.remit(0, ...APPLY);
    }
    await scene.remit(0, "plan", "--detailed-exitcode");
  }
  return scene.sandbox.log.entries({ written: true }).map(({ operation }) => `${operation}`);
}

const makes = (operations: readonly string[]) =>
  operations.filter((name) => name.startsWith("Create")).toSorted();

it("is once as wanted, whatever became of one call", async () => {
  const anyWorld = fc.record({
    kind: fc.constantFrom(...NAMES),
    fault: fc.constantFrom(...FAULTS),
    call: fc.nat({ max: 20 }),
  });
  const wanted = new Map<string, readonly string[]>();
  const check = async ({ kind, fault, call }: { kind: string; fault: object; call: number }) => {
    if (!wanted.has(kind)) {
      wanted.set(kind, await live(kind, null, ""));
      await scene.close();
    }
    const calls = [...new Set(wanted.get(kind))];
    const at = calls[call % calls.length] ?? "";
    const did = await live(kind, fault, at);
    expect(makes(did), `${kind} ${at} ${JSON.stringify(fault)}`).toEqual(makes(wanted.get(kind) ?? []));
    await scene.close();
  };
  await fc.assert(fc.asyncProperty(anyWorld, check), { numRuns: cases(1) });
});
