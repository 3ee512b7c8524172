import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import { kinds } from "../../../src/kinds/index.js";
import { resourceType } from "../../../src/kinds/resourceType.js";
import { canonical, type JsonObject } from "../../../src/model/json.js";
import { makePlan } from "../../../src/plan/make.js";
import type { Planned } from "../../../src/plan/plan.js";
import { effectOf, writePlan } from "../../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../../src/plan/saved/read.js";
import { sealOfText } from "../../../src/plan/saved/spelling.js";
import { formatContract } from "../../contracts/formats.js";
import { withPart } from "../stepPart.js";
import { absent, current, entry, lookOf, planOf, present, snapshot, wish } from "../worlds.js";
import { planFile } from "./planFile.js";

const [APP, ENT, TYPE] = ["app1", "ent1", "type1"];
const plan = planOf({
  desired: [
    wish(resourceType, "team", { appId: APP, id: TYPE, displayName: "Team" }),
    wish(entitlementAutomation, "group", { appId: APP, appEntitlementId: ENT, cel: { expression: "a" } }),
  ],
  current: {
    ...current("full", [
      [resourceType, [APP, TYPE], present([APP, TYPE], { displayName: "Crew", traitIds: ["t"] })],
      [entitlementAutomation, [APP, ENT], absent],
    ]),
    names: new Map([
      [`app:${APP}`, "GitHub"],
      ["app:elsewhere", "Jira"],
    ]),
    calls: { ResourceType: 1, EntitlementAutomation: 1 },
  },
  snapshot: snapshot([
    entry(resourceType, "team", [APP, TYPE], { displayName: "Crew" }),
    entry(
      entitlementAutomation,
      "group",
      [APP, ENT],
      { cel: { expression: "a  && b" } },
      { answered: { cel: { expression: "a && b" } } },
    ),
  ]),
});

/** The saved plan with something changed in it, and the hash made good. */
const forged = (change: (plan: Planned) => unknown) => planFile(change(structuredClone(plan)) as JsonObject);

/** The same with a seal that fits, where it has one. */
function resealed(text: string): string {
  const file = JSON.parse(text);
  return JSON.stringify({ ...file, ...("seal" in file && { seal: sealOfText(canonical(file.plan)) }) });
}

const codes = (text: string) => readSavedPlan(text).diagnostics.map(({ code }) => code);

describe("a saved plan", () => {
  it("is read again as it was, however it is laid out", () => {
    const { text, ...hashes } = writePlan(plan);
    const pretty = JSON.stringify(JSON.parse(text), null, 2);
    expect(readSavedPlan(pretty)).toEqual({
      value: { plan, estimate: null, ...hashes },
      diagnostics: [],
    });
  });

  it("has the time that was measured beside it, and no hash covers that", () => {
    const estimate = { seconds: 7, width: 10, measured: true, state: 2 } as const;
    const { text, ...hashes } = writePlan(plan, estimate);
    expect(hashes).toEqual({ seal: writePlan(plan).seal, effect: writePlan(plan).effect });
    expect(readSavedPlan(text)).toEqual({ value: { plan, estimate, ...hashes }, diagnostics: [] });
    expect(readSavedPlan(text.replace('"seconds":7', '"seconds":90000')).value).toMatchObject({
      plan,
      ...hashes,
    });
    for (const forged of ["-1", "7.5", '"7"', "null"])
      expect(codes(text.replace('"seconds":7', `"seconds":${forged}`))).toEqual(["plan/malformed"]);
  });

  it("has no time beside it where that was only assumed", () => {
    expect(writePlan(plan, plan.estimate).text).toBe(writePlan(plan).text);
  });

  it("knows the names of what it points at, and no others", () => {
    expect(plan.names).toEqual({ [`app:${APP}`]: "GitHub" });
  });

  it("names what the service spells otherwise", () => {
    expect(plan.rewritten).toEqual([
      { address: { kind: "EntitlementAutomation", name: "group" }, fields: ["cel.expression"] },
    ]);
  });

  it("counts its calls, those made and those ahead", () => {
    expect(plan.calls).toEqual({
      made: { EntitlementAutomation: 1, ResourceType: 1 },
      ahead: { EntitlementAutomation: 2, ResourceType: 2 },
    });
    expect(plan.estimate).toEqual({ seconds: 1, width: 8 });
  });

  const REFUSED: readonly [what: string, file: string, code: string][] = [
    ["no JSON", "steps:", "plan/unreadable"],
    ["JSON of another kind", '{"list":[]}', "plan/unreadable"],
    ["a list", "[]", "plan/unreadable"],
    [
      "another server with the old hash",
      planFile(plan as never).replace("tenant.example", "evil.example"),
      "plan/tampered",
    ],
    [
      "one with the old hash and a member of the wrong type",
      planFile(plan as never).replace('"commit":', '"commit":7,"other":'),
      "plan/malformed",
    ],
    [
      "a call that its step does not lead to",
      forged((one) => ({
        ...one,
        steps: one.steps.map((step) => ({
          ...step,
          calls: step.calls.map((call) => ({ ...call, path: ["api", "v1", "users"] })),
        })),
      })),
      // The calls are not stored: those that follow have another effect.
      "plan/tampered",
    ],
    [
      "a kept object with a call",
      forged((one) => ({ ...one, steps: one.steps.map((step) => ({ ...step, action: "keep" })) })),
      "plan/other-changes",
    ],
    [
      "a key of too many parts",
      forged((one) => ({ ...one, steps: one.steps.map((step) => ({ ...step, key: ["a", "b", "c"] })) })),
      "plan/unfit-key",
    ],
    [
      "a change that it hides",
      forged((one) => ({
        ...one,
        rewritten: [],
        steps: one.steps.map((step) => ({ ...step, changes: step.action === "create" ? [] : step.changes })),
      })),
      "plan/other-changes",
    ],
    [
      "a change told otherwise",
      forged((one) => JSON.parse(JSON.stringify(one).replaceAll('"before":"Crew"', '"before":"Gang"'))),
      "plan/other-changes",
    ],
    [
      "an id that its calls do not have",
      forged((one) => ({
        ...one,
        steps: one.steps.map((step) =>
          withPart(step, { managed: { identity: { ...step.managed.identity, appId: "app2" } } }),
        ),
      })),
      "plan/other-changes",
    ],
    [
      "a kind that is not known",
      forged((one) => ({
        ...one,
        steps: one.steps.map((step) => ({ ...step, address: { kind: "Campaign", name: "x" } })),
      })),
      "plan/unknown-kind",
    ],
  ];

  it.each(REFUSED)("is refused when it is %s", (_, file, code) => {
    expect(readSavedPlan(file).value).toBeNull();
    expect(new Set(codes(file))).toEqual(new Set([code]));
  });

  formatContract("a saved plan", () => ({
    text: planFile(plan as never),
    refusal: (changed) => codes(resealed(changed))[0] ?? null,
    codes: { newer: "plan/newer-format", unreleased: "plan/unreleased-format" },
    higher: "newer",
    // Without its plan, it is another file.
    optional: ["plan"],
    contents: Object.keys(plan),
  }));

  it("has the same effect, whatever its calls are named", () => {
    const steps = plan.steps.map((step) => ({
      ...step,
      calls: step.calls.map((call) => ({ ...call, operation: "Other" })),
    }));
    expect(steps.flatMap(({ calls }) => calls)).not.toEqual([]);
    expect(effectOf({ ...plan, steps })).toBe(effectOf(plan));
  });

  it("stores nothing that follows from its steps, and refuses a file that does", () => {
    const stored = JSON.parse(writePlan(plan).text).plan;
    expect(Object.keys(stored)).not.toContain("findings");
    expect(stored).toMatchObject({ calls: { made: plan.calls.made }, estimate: { width: 8 }, answers: [] });
    for (const step of stored.steps) expect(Object.keys(step)).not.toContain("calls");
    for (const more of [{ findings: [] }, { steps: plan.steps }]) {
      const content = { ...stored, ...more };
      const file = {
        formatVersion: 1,
        seal: sealOfText(canonical(content)),
        effect: effectOf(plan),
        plan: content,
      };
      expect(codes(JSON.stringify(file))).toEqual(["plan/unreleased-format"]);
    }
  });

  it("keeps what was answered to a finding, and derives the finding", () => {
    const acknowledgements = [{ by: "flag", guard: "everyone", address: null }] as const;
    const rule = wish(entitlementAutomation, "all", {
      appId: APP,
      appEntitlementId: ENT,
      cel: { expression: "true" },
    });
    const facts = current("full", [[entitlementAutomation, [APP, ENT], absent]]);
    const open = planOf({ desired: [rule], current: facts, snapshot: snapshot([]), acknowledgements });
    expect(open.findings).toMatchObject([{ guard: "everyone", acknowledged: { by: "flag" } }]);
    for (const file of [writePlan(open).text, planFile(open as never)])
      expect(readSavedPlan(file).value?.plan.findings).toEqual(open.findings);
  });
});

describe("the basis of a plan", () => {
  const team = (name: string) => wish(resourceType, name, { appId: APP, id: TYPE, displayName: "Team" });
  const here = current("full", [[resourceType, [APP, TYPE], present([APP, TYPE], {})]]);

  it("is at fault when two manifests lead to one object", () => {
    const { diagnostics } = makePlan(lookOf({ desired: [team("a"), team("b")], current: here }));
    expect(diagnostics).toMatchObject([{ code: "plan/same-object", severity: "error", related: [{}] }]);
  });

  it("is warned of when a create is unclear and its manifest gone", () => {
    const address = { kind: "EntitlementAutomation", name: "gone" };
    const uncertain = {
      "EntitlementAutomation/gone": {
        address,
        key: [APP, ENT],
        applied: {},
        at: "2026-01-01T00:00:00Z",
        why: "?",
        sent: true,
      },
    };
    const { diagnostics } = makePlan(lookOf({ current: here, snapshot: snapshot([], { uncertain }) }));
    expect(diagnostics).toMatchObject([{ code: "plan/lost-create", severity: "warning" }]);
  });

  it("warns when drift is asked for without a state", () => {
    const looking = { kinds, current: here, mode: { refreshOnly: true } };
    expect(makePlan(lookOf(looking)).diagnostics).toMatchObject([
      { code: "plan/no-state", severity: "warning" },
    ]);
    expect(makePlan(lookOf({ ...looking, snapshot: snapshot([]) })).diagnostics).toEqual([]);
  });

  it("with kinds that could not be read is said to be unseen", () => {
    const blind = current("core", []);
    expect(planOf({ desired: [team("a")], current: blind }).unseen.map(({ what }) => what)).toEqual([
      "resource types",
    ]);
  });
});
