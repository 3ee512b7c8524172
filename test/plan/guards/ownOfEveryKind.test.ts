import { expect, it } from "vitest";
import { kinds } from "../../../src/kinds/index.js";
import type { JsonObject } from "../../../src/model/json.js";
import { readGuards } from "../../../src/plan/guards/own/document.js";
import { NO_GUARD_FACTS } from "../../../src/plan/guards/own/facts.js";
import { ownFindings } from "../../../src/plan/guards/own/findings.js";
import { NO_SETTINGS } from "../../../src/plan/guards/rules.js";
import { DEFAULT_LIMITS } from "../../../src/plan/guards/settings.js";
import { COUNTING } from "../../apply/people.js";
import { automation } from "../../report/plans.js";
import type { StepPart } from "../stepPart.js";

const LISTS = ["gain", "lose", "enter", "leave"] as const;
const PRODUCTION = { environment: "production" };
const LABELS = {
  "in the manifest": { managed: { labels: PRODUCTION, otherLabels: [] } },
  "in the state": { managed: { labels: {}, otherLabels: [{ by: "state", labels: PRODUCTION }] } },
  "on the reviewed branch": {
    managed: { labels: {}, otherLabels: [{ by: "reviewed branch", labels: PRODUCTION }] },
  },
  unknown: { managed: { labels: {}, otherLabels: [{ by: "reviewed branch", labels: null }] } },
} as const satisfies Record<string, StepPart>;

const guards = readGuards([
  {
    file: "guards/a.yaml",
    named: true,
    text: LISTS.map(
      (list) =>
        `apiVersion: remit/v1\nkind: Guard\nmetadata: { name: ${list} }\nspec: { on: { labels: { environment: production } }, trips: people.${list}.size() > 0, message: Someone. }\n`,
    ).join("---\n"),
  },
]).value.map(({ guard }) => guard);

type Action = "create" | "update" | "delete";

/** The lists of people that a guard cannot rely on where nothing was counted. */
function listsThatTrip(
  kind: string,
  action: Action,
  [before, after]: readonly [JsonObject, JsonObject],
  labelled: StepPart,
) {
  const step = automation({
    ...labelled,
    ...{ address: { kind, name: "one" }, key: ["a", "b", "c"], action, reason: "differs" },
    sight: { exists: action === "create" ? "no" : "yes" },
    before: action === "create" ? null : before,
    after: action === "delete" ? null : after,
  });
  const plan = { steps: [step], interface: { asked: "full", kinds: {} }, impact: null } as const;
  const settings = { ...NO_SETTINGS, own: { guards, context: "", evaluate: COUNTING.evaluate } };
  const rules = { limits: DEFAULT_LIMITS, acknowledgements: [], today: "2026-01-01", settings };
  const { findings } = ownFindings(plan, NO_GUARD_FACTS, rules);
  return findings.map(({ guard }) => guard.replace("own/", ""));
}

const cel = (department: string) => ({ expression: `subject.department == "${department}"` });
const named = [{ displayName: "Old" }, { displayName: "New" }] as const;
const rule = [{ cel: cel("Tax") }, { cel: cel("Law") }] as const;
const enrolling = (department: string) => ({ bundleAutomation: { enabled: true, cel: cel(department) } });
const profileRule = [enrolling("Tax"), enrolling("Law")] as const;
const entry = (id: string) => ({ requestableEntries: [{ appId: "a", entitlementId: id }] });
const users = (status: string) => ({ scope: { userCriteria: { userStatus: [status] } } });
const NONE: readonly string[] = [];
const ALL = [...LISTS];

/** What each kind does to people: every action of every kind, and what of it no one can know without counting. */
const TABLE: Readonly<
  Record<string, readonly (readonly [Action, readonly [JsonObject, JsonObject], readonly string[]])[]>
> = {
  Webhook: [
    ["create", named, NONE],
    ["update", named, NONE],
    ["delete", named, NONE],
  ],
  AccessConflict: [
    ["create", named, NONE],
    ["update", named, NONE],
    ["delete", named, NONE],
  ],
  App: [
    ["create", named, NONE],
    ["update", named, NONE],
    ["delete", named, ["lose"]],
  ],
  AppConfigurationRules: [["update", named, NONE]],
  RiskLevel: [
    ["create", named, NONE],
    // A review may be of what has the value.
    ["delete", named, ["leave"]],
  ],
  ComplianceFramework: [
    ["create", named, NONE],
    // A review may be of what has the value.
    ["delete", named, ["leave"]],
  ],
  Policy: [
    ["create", named, NONE],
    ["update", named, NONE],
    // A review may be of what has the policy.
    ["delete", named, ["leave"]],
  ],
  ResourceType: [
    ["create", named, NONE],
    ["update", named, NONE],
    ["delete", named, ["lose"]],
  ],
  Resource: [
    ["create", named, NONE],
    ["update", named, NONE],
    ["delete", named, ["lose"]],
  ],
  Entitlement: [
    ["create", named, NONE],
    ["update", named, NONE],
    ["delete", named, ["lose"]],
  ],
  EntitlementAutomation: [
    ["create", rule, ALL],
    ["update", rule, ALL],
    ["update", named, NONE],
    ["delete", rule, ALL],
  ],
  AccessProfile: [
    ["create", profileRule, ALL],
    ["create", named, NONE],
    ["update", profileRule, ALL],
    ["update", [entry("a"), entry("b")], ["gain", "lose"]],
    ["update", named, NONE],
    ["delete", profileRule, ["lose"]],
  ],
  // A review gives no access: those who are in it leave it.
  ReviewTemplate: [
    ["create", named, NONE],
    ["update", named, NONE],
    ["delete", named, ["leave"]],
  ],
  TemplateScope: [
    ["create", [users("ENABLED"), users("DISABLED")], ALL],
    ["update", [users("ENABLED"), users("DISABLED")], ALL],
  ],
};

it("knows every kind", () => {
  expect(Object.keys(TABLE).sort()).toEqual(kinds.map(({ name }) => name).sort());
});

it.each(
  Object.entries(TABLE).flatMap(([kind, rows]) =>
    rows.flatMap(([action, objects, lists]) =>
      Object.entries(LABELS).map(([where, labelled]) => ({ kind, action, objects, lists, where, labelled })),
    ),
  ),
)("asks about $action of $kind without a count, labels $where: $lists", (row) => {
  expect(listsThatTrip(row.kind, row.action, row.objects, row.labelled).sort()).toEqual(
    [...row.lists].sort(),
  );
});
