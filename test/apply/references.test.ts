import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { withPart } from "../plan/stepPart.js";
import { line } from "../plan/worlds.js";
import { applied, codes, guards, planned, type SessionScene, sessionScene } from "./sessionScene.js";

const id = (number: number) => `2fsgTvxP0DVTsNXEUBI7hOe0l${number}E`;
const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5B";
const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5T";
const MODE = { offline: false, refreshOnly: false, prune: false, cascade: [], targets: [], selector: null };

const AUTOMATION = `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: group }
spec:
  appId: ${C1_APP_ID}
  appEntitlementId: { alias: staff }
  displayName: Group
  cel: { expression: subject.department == "Support" }
`;
const SCOPE = `apiVersion: remit/v1
kind: TemplateScope
metadata: { name: review }
spec:
  templateId: ${TEMPLATE}
  scope: { userCriteria: { userStatus: [ENABLED] } }
  entitlements: [{ appId: { name: GitHub }, appEntitlementId: { alias: staff } }]
`;

async function begin(text: string): Promise<SessionScene> {
  const entitlements = [
    { appId: C1_APP_ID, id: id(1), displayName: "One", alias: "staff" },
    { appId: C1_APP_ID, id: id(2), displayName: "Two", alias: "crew" },
    { appId: APP, id: id(3), displayName: "Three", alias: "staff" },
    { appId: APP, id: id(4), displayName: "Four", alias: "crew" },
  ];
  const scene = await sessionScene("full", {
    sandbox: {
      tenant: {
        ...EMPTY_TENANT,
        open: false,
        apps: [
          { id: C1_APP_ID, displayName: "C1" },
          { id: APP, displayName: "GitHub" },
        ],
        entitlements,
        templates: [{ id: TEMPLATE, displayName: "Review" }],
        setups: [{ templateId: TEMPLATE, entitlements: [], resourceTypeSelections: [] }],
      },
    },
  });
  expect(await applied(scene, text)).toBe("applied");
  expect((await planned(scene, text)).steps.map(line)).toEqual([expect.stringContaining("in sync")]);
  return scene;
}

/** Gives an alias to an entitlement of an app. */
function name({ sandbox }: SessionScene, app: string, number: number, alias: string): void {
  const row = sandbox.store.entitlements.get(app, id(number));
  if (row === undefined) throw new Error("no entitlement");
  sandbox.store.entitlements.put(app, row.id, { ...row, alias });
}

describe("a name in a key", () => {
  it("that now means another object is a replacement, and a guard asks", async () => {
    const scene = await begin(AUTOMATION);
    name(scene, C1_APP_ID, 1, "old");
    name(scene, C1_APP_ID, 2, "staff");
    const moved = await planned(scene, AUTOMATION);
    expect(moved.steps.map(line)).toEqual([
      "replace EntitlementAutomation/group: not in tenant",
      `removed EntitlementAutomation/group@${C1_APP_ID}/${id(1)}: replaced`,
    ]);
    expect(guards(moved)).toEqual(["reference-moved"]);
    expect(moved.findings[0]?.message).toBe(
      `the entitlement with the alias "staff" was ${id(1)} at the last apply, and is ${id(2)} now`,
    );
    expect(moved.steps[0]?.diagnostics).toMatchObject([
      { code: "reference/moved", span: { start: { line: 6 } }, hint: expect.stringContaining(id(1)) },
    ]);
    expect(await applied(scene, AUTOMATION, { acknowledgements: [] })).toBe("refused");
    expect(await applied(scene, AUTOMATION)).toBe("applied");
    expect((await planned(scene, AUTOMATION)).findings).toEqual([]);
    expect(Object.keys(scene.contents.snapshot?.entries ?? {})).toHaveLength(2);
  });

  it("that several things have means what it meant, with a warning", async () => {
    const scene = await begin(AUTOMATION);
    name(scene, C1_APP_ID, 2, "staff");
    const again = await planned(scene, AUTOMATION);
    expect(again.steps.map(line)).toEqual(["keep EntitlementAutomation/group: in sync"]);
    expect([codes(again), guards(again)]).toEqual([["reference/remembered"], []]);
  });

  it("that several things have is an error without memory, or where none of them was meant", async () => {
    const scene = await begin(AUTOMATION);
    name(scene, C1_APP_ID, 2, "staff");
    const fresh = AUTOMATION.replace("name: group", "name: other");
    const found = await plan(scene.request(fresh), scene.session);
    expect(found.diagnostics.map(({ code }) => code)).toEqual(["reference/ambiguous"]);
  });

  it("is remembered offline", async () => {
    const scene = await begin(AUTOMATION);
    const { steps } = await planned(scene, AUTOMATION, { mode: { ...MODE, offline: true } });
    expect(steps.map(line)).toEqual(["keep EntitlementAutomation/group: in sync"]);
  });
});

describe("a name in a row", () => {
  it("that now means another object is shown, and a guard asks", async () => {
    const scene = await begin(SCOPE);
    name(scene, APP, 3, "old");
    name(scene, APP, 4, "staff");
    const moved = await planned(scene, SCOPE);
    expect(moved.steps.map(line)).toEqual(["set TemplateScope/review: differs"]);
    expect([codes(moved), guards(moved)]).toEqual([["reference/moved"], ["reference-moved"]]);
    expect(await applied(scene, SCOPE)).toBe("applied");
    expect((await planned(scene, SCOPE)).findings).toEqual([]);
  });

  it("asks also where the tenant has the new row already", async () => {
    const scene = await begin(SCOPE);
    name(scene, APP, 3, "old");
    name(scene, APP, 4, "staff");
    const setup = scene.sandbox.store.setups.get("", TEMPLATE);
    if (setup === undefined) throw new Error("no setup");
    const entitlements = [{ appId: APP, appEntitlementId: id(4) }];
    scene.sandbox.store.setups.put("", TEMPLATE, { ...setup, entitlements });
    const moved = await planned(scene, SCOPE);
    expect(guards(moved)).toEqual(["reference-moved"]);
    expect(await applied(scene, SCOPE)).toBe("applied");
    expect(guards(await planned(scene, SCOPE))).toEqual([]);
  });

  it("takes the app's name with it", async () => {
    const scene = await begin(SCOPE);
    scene.sandbox.store.apps.put("", APP, { id: APP, displayName: "GitHub old" });
    const other = "2fsgTvxP0DVTsNXEUBI7hOe0l6A";
    scene.sandbox.store.apps.put("", other, { id: other, displayName: "GitHub" });
    const five = { appId: other, id: id(5), displayName: "Five", alias: "staff" };
    scene.sandbox.store.entitlements.put(other, five.id, five);
    expect(guards(await planned(scene, SCOPE))).toEqual(["reference-moved"]);
  });
});

describe("what a name meant", () => {
  it("is recorded when a manifest writes a name in place of an id", async () => {
    const byId = AUTOMATION.replace("{ alias: staff }", id(1));
    const scene = await begin(byId);
    expect((await planned(scene, AUTOMATION)).steps.map(line)).toEqual([
      "adopt EntitlementAutomation/group: names recorded",
    ]);
    await applied(scene, AUTOMATION);
    expect((await planned(scene, AUTOMATION)).steps.map(line)).toEqual([
      "keep EntitlementAutomation/group: in sync",
    ]);
  });

  it("is asked anew when a saved plan is applied, whatever the plan says moved", async () => {
    const scene = await begin(AUTOMATION);
    name(scene, C1_APP_ID, 1, "old");
    name(scene, C1_APP_ID, 2, "staff");
    const moved = await planned(scene, AUTOMATION);
    const hidden = {
      ...moved,
      findings: [],
      steps: moved.steps.map((step) => withPart(step, { recorded: { moved: [] } })),
    };
    const saved = readSavedPlan(writePlan(hidden).text).value;
    const result = await apply(scene.order(scene.request(AUTOMATION), { plan: saved }), scene.session);
    expect(result).toMatchObject({ as: "refused", diagnostics: [{ code: "guard/reference-moved" }] });
  });

  it("cannot be forged by a saved plan", async () => {
    const scene = await begin(AUTOMATION);
    const { steps, ...rest } = await planned(scene, AUTOMATION.replace("Support", "Sales"));
    const forged = steps.map((step) =>
      withPart(step, { managed: { meanings: { [`entitlement:${C1_APP_ID}/alias=staff`]: id(2) } } }),
    );
    const { diagnostics } = readSavedPlan(writePlan({ ...rest, steps: forged }).text);
    expect(diagnostics.map(({ code }) => code)).toEqual(["plan/other-changes"]);
  });

  it("is known to a saved plan of drift that took away what the name means", async () => {
    const scene = await begin(SCOPE);
    const row = scene.sandbox.store.setups.get("", TEMPLATE);
    if (row === undefined) throw new Error("no setup");
    for (const entitlements of [[{ appId: APP, appEntitlementId: id(4) }], []]) {
      scene.sandbox.store.setups.put("", TEMPLATE, { ...row, entitlements });
      const drifted = await planned(scene, SCOPE, { mode: { ...MODE, refreshOnly: true } });
      expect(drifted.steps.map(line)).toEqual([expect.stringContaining("drift only")]);
      expect(readSavedPlan(writePlan(drifted).text).diagnostics).toEqual([]);
      const forged = drifted.steps.map((step) =>
        withPart(step, { managed: { meanings: { [`entitlement:${APP}/alias=staff`]: id(2) } } }),
      );
      const { diagnostics } = readSavedPlan(writePlan({ ...drifted, steps: forged }).text);
      expect(diagnostics.map(({ code }) => code)).toEqual(["plan/other-changes"]);
    }
  });
});
