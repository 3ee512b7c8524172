import schema from "../../schemas/entitlement-automation.json" with { type: "json" };
import type { Json, JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Observed } from "./kind.js";
import { searchHeld } from "./people.js";
import { inside, isGone, pick, search, textOf } from "./spelling.js";
import { kindFrom } from "./table.js";

const { conditions } = schema.$defs.spec["x-groups"];

/** The automation of an app entitlement; an entitlement has at most one. */
export const entitlementAutomation = kindFrom({
  name: "EntitlementAutomation",
  noun: ["entitlement automation", "entitlement automations"],
  schema,
  at: "apps/{appId}/entitlements/{appEntitlementId}/automation",
  createAt: "apps/{appId}/entitlements/{appEntitlementId}/automation/create",
  updateAt: "apps/{appId}/entitlements/{appEntitlementId}/automation/update",
  // A read and an update answer with a capital letter, a create without.
  replies: { read: "AppEntitlementAutomation", created: "automation" },
  sends: { create: "automation", update: "" },
  // A mask's way to the condition is documented nowhere.
  isWhole: true,
  verbs: { core: ["create"], full: ["create", "update", "delete"] },
  isOwnAppOnly: true,
  found: [
    {
      noun: "automated entitlements",
      per: "tenant",
      call: () => search("entitlements", { isAutomated: true }),
      keys: automatedIn,
      shows: "the key",
    },
  ],
  gaps: [
    {
      misses: "objects",
      // docs/service/live-reads.md, section J, question 9.
      message:
        "The documentation does not say whether the search for automated entitlements shows automations whose condition is `none`.",
      hint: "Write the ids of the app and the entitlement to import such an automation.",
    },
  ],
  existsBy: {
    list: "entitlement",
    says: ({ automated }) => automated ?? null,
    // A search by keys shows new entitlements, too: only its texts lag behind (docs/service/live.md, section 1C).
    search: {
      most: 100,
      call: (keys) => searchHeld(keys.map(([appId = "", id = ""]) => ({ appId, id }))),
      row: existingIn,
    },
  },
  concern: {
    as: "members",
    entitlement: ([appId = "", id = ""]) => ({ appId, id }),
    rule: (object) => pick(object, [...conditions, "conditions"]),
  },
  // docs/service/live.md, section 2.
  writers: { every: ["Super Admin"], own: [] },
  // docs/service/live-reads.md, section H.
  terraform: {
    type: "conductorone_app_entitlement_automation",
    key: ["app_id", "app_entitlement_id"],
  },
  also: { says: (record) => ({ ...managerOf(record), ...lastRunOf(record) }) },
});

function existingIn(row: Json) {
  const entitlement = inside(row, "appEntitlement");
  if (entitlement === undefined || isGone(entitlement)) return undefined;
  const { isAutomationEnabled: automated } = entitlement;
  const key: Key = [textOf(entitlement, "appId"), textOf(entitlement, "id")];
  return { key, exists: typeof automated === "boolean" ? automated : null };
}

function automatedIn(row: Json): readonly Key[] {
  const found = existingIn(row);
  return found?.exists === true ? [found.key] : [];
}

/** The access profile that made the automation, where one did. */
function managerOf(record: JsonObject): Pick<Observed, "managedBy"> {
  const managedBy = textOf(record, "managedByRequestCatalogId");
  return managedBy === "" ? {} : { managedBy };
}

// The message is the service's, and may be as long as it likes.
const LONGEST = 200;

/** Why the service's last run of the rule failed; nothing where it did not. */
function lastRunOf(record: JsonObject): Pick<Observed, "trouble"> {
  const run = inside(record, "lastRunStatus") ?? {};
  if (textOf(run, "status") !== "APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_FAILED") return {};
  const [message, at] = [textOf(run, "errorMessage").slice(0, LONGEST), textOf(run, "lastCompletedAt")];
  const when = at === "" ? "" : ` at ${at}`;
  return {
    trouble: `the service's last run of the rule${when} failed${message === "" ? "" : `: ${message}`}`,
  };
}
