import { list, message, type Type, told } from "../wire/descriptor.js";
import { times } from "./members.js";
import { entitlementRef } from "./scope.js";

const APP = "c1.api.app.v1";

/** The members of which an automation has at most one. */
export const CONDITIONS = ["none", "entitlements", "cel", "basic"] as const;

/** What names the automation of one entitlement. */
export const ofOne = { appId: "string", appEntitlementId: "string" } as const;

/** The fields of an automation that a client writes. */
export const written = {
  displayName: "string",
  description: "string",
  none: message(`${APP}.AppEntitlementAutomationRuleNone`, {}),
  entitlements: message(`${APP}.AppEntitlementAutomationRuleEntitlement`, {
    entitlementRefs: list(entitlementRef),
  }),
  cel: message(`${APP}.AppEntitlementAutomationRuleCEL`, { expression: "string" }),
  basic: message(`${APP}.AppEntitlementAutomationRuleBasic`, { expression: "string" }),
} as const satisfies Record<string, Type>;

const lastRun = { errorMessage: "string", lastCompletedAt: "timestamp" } as const;

/** An automation with the fields that the documented contract shows, and no other. */
export const documentedAutomation = message(
  `${APP}.AppEntitlementAutomation`,
  {
    ...ofOne,
    ...written,
    lastRunStatus: message(`${APP}.AppEntitlementAutomationLastRunStatus`, lastRun),
    ...times,
  },
  { conditions: CONDITIONS },
);

/** The rule that gives one entitlement to people, with every field known. */
export const automation = message(
  `${APP}.AppEntitlementAutomation`,
  {
    ...ofOne,
    ...written,
    lastRunStatus: message(`${APP}.AppEntitlementAutomationLastRunStatus`, {
      status: told(
        "APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_",
        "UNSPECIFIED",
        "SUCCESS",
        "FAILED",
        "IN_PROGRESS",
      ),
      ...lastRun,
    }),
    managedByRequestCatalogId: "string",
    ...times,
  },
  { conditions: CONDITIONS },
);
