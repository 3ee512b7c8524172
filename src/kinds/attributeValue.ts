import framework from "../../schemas/compliance-framework.json" with { type: "json" };
import risk from "../../schemas/risk-level.json" with { type: "json" };
import type { JsonObject } from "../model/json.js";
import type { Objection } from "./kind.js";
import type { KindRow } from "./row.js";
import { search } from "./spelling.js";
import { kindFrom } from "./table.js";

/** How risky the access is that an entitlement gives. */
export const riskLevel = kindFrom({
  ...valuesAt("risk_levels", "riskLevelIds"),
  name: "RiskLevel",
  noun: ["risk level", "risk levels"],
  schema: risk,
  terraform: { type: "conductorone_risk_level", key: ["id"] },
});

/** A set of rules that an entitlement is under. */
export const complianceFramework = kindFrom({
  ...valuesAt("compliance_frameworks", "complianceFrameworkIds"),
  name: "ComplianceFramework",
  noun: ["compliance framework", "compliance frameworks"],
  schema: framework,
  terraform: { type: "conductorone_compliance_framework", key: ["id"] },
});

function valuesAt(place: string, filter: string) {
  return {
    at: `attributes/${place}/{id}`,
    replies: { read: "value", row: "" },
    sends: { update: "value" },
    verbs: { core: [], full: ["create", "delete"] },
    found: [{ per: "tenant" }],
    // docs/service/whole-tenant.md, section 10: a delete leaves the id on entitlements, where no list shows its name.
    isDeletedByEntry: true,
    dependents: [
      {
        of: "entitlement",
        by: "Entitlement",
        around: "appEntitlement",
        call: ([id = ""]) => search("entitlements", { [filter]: [id] }),
      },
    ],
    writers: { every: ["Super Admin"], own: [] },
    also: { refuses: valueChanged },
  } as const satisfies Partial<KindRow>;
}

function valueChanged(before: JsonObject | null, { value }: JsonObject): Objection | null {
  if (before === null || before.value === value) return null;
  return {
    field: "value",
    message: `the service never changes a value, which is ${JSON.stringify(before.value)} there`,
    hint: "Add a second manifest with the new value, let the entitlements name it, and delete this one by an entry under `removed:`.",
  };
}
