import { describe, expect, it } from "vitest";
import { accessProfile } from "../../../src/kinds/accessProfile.js";
import { customEntitlement } from "../../../src/kinds/customEntitlement.js";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import { kinds } from "../../../src/kinds/index.js";
import { templateScope } from "../../../src/kinds/templateScope.js";
import type { JsonObject } from "../../../src/model/json.js";
import { current, entry, line, planOf, present, snapshot, wish } from "../worlds.js";

const [APP, ENT] = ["app1", "ent1"];
const named = { appId: APP, id: ENT };
const naming: readonly (readonly [string, Parameters<typeof wish>[0], JsonObject])[] = [
  ["a review", templateScope, { templateId: "t1", entitlements: [{ appId: APP, appEntitlementId: ENT }] }],
  ["a profile", accessProfile, { appId: APP, id: "p1", displayName: "P", requestableEntries: [named] }],
  [
    "another rule",
    entitlementAutomation,
    { appId: APP, appEntitlementId: "ent2", entitlements: { entitlementRefs: [named] } },
  ],
];

describe.each(naming)("with a manifest of %s that names the entitlement", (_, kind, spec) => {
  const wanted = wish(kind, "other", spec);
  const key = wanted.key ?? [];
  const seen = [kind, key, present(key, wanted.fields)] as const;

  it("its rule is deleted, because nothing needs a rule", () => {
    const rule = entry(entitlementAutomation, "rule", [APP, ENT], { displayName: "R" });
    const live = current("full", [
      [entitlementAutomation, [APP, ENT], present([APP, ENT], { displayName: "R" })],
      seen,
    ]);
    const from = {
      kinds,
      desired: [wanted],
      current: live,
      snapshot: snapshot([rule]),
      mode: { prune: true },
    };
    expect(planOf(from).steps.map(line)).toContain("delete EntitlementAutomation/rule: manifest removed");
  });

  it("the entitlement itself stays", () => {
    const made = entry(customEntitlement, "group", [APP, ENT], { displayName: "G" });
    const live = current("full", [
      [customEntitlement, [APP, ENT], present([APP, ENT], { displayName: "G" })],
      seen,
    ]);
    const decisions = [{ address: "Entitlement/group", key: null, decision: "delete", span: null }] as const;
    const plan = planOf({
      desired: [wanted],
      current: live,
      snapshot: snapshot([made]),
      removals: { decisions, isPruneStanding: false },
    });
    const step = plan.steps.find(({ address }) => address.kind === "Entitlement");
    expect(step).toMatchObject({ action: "blocked", diagnostics: [{ code: "plan/still-needed" }] });
  });
});
