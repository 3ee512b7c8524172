import type { Step } from "../../src/plan/step.js";
import { APP, automation, changed, ENTITLEMENT, resourceType, scope, span } from "./plans.js";

const CEL = { expression: 'subject.department == "Engineering"' };
const ref = (id: string) => ({ appId: APP, appEntitlementId: id });

function named<T extends Step>(step: T, name: string): T {
  return { ...step, address: { ...step.address, name } };
}

/** Every action with every reason it is decided for. */
export const EVERY_REASON: readonly Step[] = (
  [
    ["create", "not in tenant"],
    ["create", "never applied"],
    ["create", "gone from tenant"],
    ["create", "differs"],
    ["update", "differs"],
    ["set", "never applied"],
    ["adopt", "already as wanted"],
    ["adopt", "renamed"],
    ["adopt", "given back"],
    ["adopt", "protection changed"],
    ["adopt", "drift only"],
    ["delete", "manifest removed"],
    ["forget", "manifest removed"],
    ["forget", "gone from tenant"],
    ["removed", "manifest removed"],
    ["keep", "managed elsewhere"],
    ["keep", "in sync"],
    ["blocked", "current unknown"],
    ["blocked", "parent missing"],
    ["blocked", "cannot create"],
    ["blocked", "read failed"],
    ["blocked", "reference not found"],
    ["blocked", "outcome uncertain"],
    ["blocked", "need blocked"],
    ["blocked", "cannot delete"],
  ] as const
).map(([action, reason], place) => {
  const says = {
    code: "plan/says",
    severity: "warning",
    message: `why: ${reason}`,
    hint: "Do something.",
  } as const;
  const diagnostics = action === "blocked" || reason === "managed elsewhere" ? [says] : [];
  return named(resourceType({ action, reason, diagnostics }), `type-${String(place).padStart(2, "0")}`);
});

/** A field of each type of change, by each cause. */
export const EVERY_CHANGE: Step = scope({
  before: {},
  after: {},
  changes: [
    changed(
      {
        type: "choice",
        path: ["scope"],
        group: "users_scope",
        from: "userCriteria",
        to: "allUsers",
        opens: true,
        before: { userStatus: ["ENABLED"] },
        after: {},
      },
      "edited",
      14,
    ),
    changed(
      {
        type: "value",
        path: ["scope", "grantsByCriteria", "daysSinceLastUsed"],
        before: "7776000s",
        after: "131400s",
      },
      "both",
      16,
    ),
    changed(
      {
        type: "value",
        path: ["scope", "principalTypeFilter"],
        before: "PRINCIPAL_TYPE_FILTER_USERS",
        after: null,
      },
      "first",
      2,
    ),
    changed(
      {
        type: "set",
        path: ["entitlements"],
        before: [ref("old"), ref("stays")],
        after: [ref(ENTITLEMENT), ref("stays")],
        added: [ref(ENTITLEMENT)],
        removed: [ref("old")],
      },
      "edited",
      20,
    ),
    changed(
      {
        type: "text",
        path: ["scope", "celExpression", "expression"],
        before: 'subject.department == "Engineering"\n  && subject.level > 3',
        after: 'subject.department == "Sales"\n  && subject.level > 3',
      },
      "drifted",
      22,
    ),
  ],
});

export const CREATED: Step = automation({
  action: "create",
  reason: "not in tenant",
  after: { displayName: "Engineering", cel: CEL },
  changes: [
    changed({ type: "text", path: ["displayName"], before: null, after: "Engineering" }, "first", 9),
    changed(
      {
        type: "choice",
        path: [],
        group: "conditions",
        from: null,
        to: "cel",
        opens: false,
        before: null,
        after: CEL,
      },
      "first",
      11,
    ),
  ],
  calls: [
    {
      operation: "Test",
      method: "POST",
      path: ["api", "v1", "apps", APP, "entitlements", ENTITLEMENT, "automation", "create"],
      effect: "once",
    },
  ],
});

export const DELETED: Step = named(
  automation({
    action: "delete",
    reason: "manifest removed",
    managed: { span: null },
    before: { displayName: "Contractors", cel: CEL },
  }),
  "contractors",
);

export const DRIFTED: Step = resourceType({
  changes: [changed({ type: "value", path: ["displayName"], before: "Teams", after: "Team" }, "drifted", 4)],
});

export const BLOCKED: Step = resourceType({
  address: { kind: "ResourceType", name: "fresh" },
  key: null,
  managed: { identity: { appId: APP } },
  after: { displayName: "Fresh" },
  action: "blocked",
  reason: "need blocked",
  needs: [{ kind: "ResourceType", name: "github-team" }],
  diagnostics: [
    {
      code: "plan/need-blocked",
      severity: "error",
      message: "it needs ResourceType/github-team, which is blocked",
      hint: "Fix that first.",
      span: span(3),
    },
  ],
});

export const KEPT: Step = named(automation({ action: "keep", reason: "in sync" }), "as-is");

/** Every guard, answered for in each way. */
export const EVERY_GUARD = [
  ["max-deletes", null, "6 objects would be deleted; the limit is 5", null],
  ["max-changes", null, "40 objects would be written; the limit is 30", "flag"],
  ["protected", "EntitlementAutomation/contractors", "it is protected, and would be deleted", null],
  ["scope-emptied", "TemplateScope/q4-privileged-access", "entitlements would be emptied", "project"],
  [
    "everyone",
    "TemplateScope/q4-privileged-access",
    "scope.userCriteria would no longer restrict anything",
    null,
  ],
  [
    "unknown-current",
    "ResourceType/github-team",
    "it would be written without looking at what is there now",
    "project",
  ],
].map(([guard, about, message, by], place) => {
  const [kind = "", name = ""] = about?.split("/") ?? [];
  const hash = `sha256:${String(place).repeat(64)}`;
  const of = guard === "scope-emptied" ? hash : null;
  const project = { by: "project", until: "2026-07-01", reason: "reviewed in AR-7", of } as const;
  return {
    guard: guard ?? "",
    address: about === null || about === undefined ? null : { kind, name },
    message: message ?? "",
    hash,
    proposed: [],
    acknowledged:
      by === "flag"
        ? ({ by: "flag", until: null, reason: null, of: null } as const)
        : by === null
          ? null
          : project,
  };
});
