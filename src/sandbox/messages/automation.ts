import { list, message, type Type, told } from "../wire/descriptor.js";
import { entitlementRef } from "./scope.js";
import { user } from "./user.js";

const APP = "c1.api.app.v1";

/** The members of which an automation has at most one. */
export const CONDITIONS = ["none", "entitlements", "cel", "basic"] as const;

const ofOne = { appId: "string", appEntitlementId: "string" } as const;

const written = {
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

const times = { createdAt: "timestamp", updatedAt: "timestamp", deletedAt: "timestamp" } as const;

/** An automation with the fields that the documented contract shows, and no other. */
const documentedAutomation = message(
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

/** A request that names one entitlement's automation and nothing else. */
export const automationRequest = message(`${APP}.GetAutomationRequest`, ofOne);

/** Makes the automation of one entitlement. */
export const createAutomationRequest = message(`${APP}.CreateAutomationRequest`, { ...ofOne, automation });

/** The same with no field beyond the documented. */
export const documentedCreateRequest = message(`${APP}.CreateAutomationRequest`, {
  ...ofOne,
  automation: documentedAutomation,
});

/** Changes an automation; its fields stand beside the mask, not under a name of their own. */
export const updateAutomationRequest = message(
  `${APP}.UpdateAutomationRequest`,
  { ...ofOne, ...written, updateMask: "mask" },
  { conditions: CONDITIONS },
);

/** What a create answers. */
export const createAutomationReply = message(`${APP}.CreateAutomationResponse`, { automation });

/** What a create answers, with no field beyond the documented. */
export const documentedCreateReply = message(`${APP}.CreateAutomationResponse`, {
  automation: documentedAutomation,
});

/** What a read or an update answers: the capital is the service's own. */
export const automationReply = message(`${APP}.GetAutomationResponse`, {
  AppEntitlementAutomation: automation,
});

/** Names users that the rule is to leave out, or no longer. */
export const exclusionsRequest = message(`${APP}.AutomationExclusionsRequest`, {
  ...ofOne,
  userIds: list("string"),
});

/** The users that the rule leaves out. */
export const exclusionsReply = message(`${APP}.ListAutomationExclusionsResponse`, {
  list: list(
    message(`${APP}.AutomationExclusion`, {
      appEntitlementId: "string",
      appId: "string",
      appUserId: "string",
      user,
    }),
  ),
  nextPageToken: "string",
});
