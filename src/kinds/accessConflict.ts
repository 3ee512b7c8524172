import schema from "../../schemas/access-conflict.json" with { type: "json" };
import type { Call } from "../model/call.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { EntitlementRef } from "./people.js";
import type { KeyedWork, PartRow, Update } from "./row.js";
import { api, inside, isGone, listOf, textOf, without } from "./spelling.js";
import { kindFrom } from "./table.js";
import { listWorkflows } from "./template.js";

// docs/service/whole-tenant.md, section 9.
const BINDING = "appentitlementmonitorbinding";

/** The two groups of a conflict: the service shows of one entitlement whether it is in a group, and lists none. */
const GROUPS: Readonly<Record<string, string>> = {
  groupA: "ENTITLEMENT_GROUP_A",
  groupB: "ENTITLEMENT_GROUP_B",
};

/** A rule of separation of duties; without an id only the state knows which conflict is meant. */
export const accessConflict = kindFrom({
  name: "AccessConflict",
  noun: ["access conflict", "access conflicts"],
  schema,
  at: "accessconflict/{id}",
  replies: { read: "" },
  sends: { update: "" },
  isWhole: true,
  afterCreate: ["negateGroupB"],
  parts: Object.keys(GROUPS).map(partOf),
  switchedOnAs: "enabled",
  found: [
    {
      noun: "workflows",
      call: listWorkflows,
      keys: conflictsIn,
      shows: "the key",
    },
  ],
  gaps: [
    {
      misses: "objects",
      message: "The service has no list of access conflicts. One that no workflow names cannot be found.",
      hint: "Write its id: it is in the address of the conflict's page.",
    },
    {
      misses: "fields",
      message: "The service has no list of what is in the groups of an access conflict.",
      hint: "Write `groupA` and `groupB` as its page shows them.",
    },
  ],
  writers: { every: ["Super Admin"], own: [] },
  terraform: { type: "conductorone_access_conflict", key: ["id"] },
  concern: {
    as: "conflict",
    groups: (object) => ({
      groupA: listOf(object, "groupA").flatMap(refOf),
      groupB: listOf(object, "groupB").flatMap(refOf),
      isNegated: object.negateGroupB === true,
    }),
  },
  also: { change },
});

function refOf(item: Json): readonly EntitlementRef[] {
  const { appId, id } = isObject(item) ? item : {};
  return typeof appId === "string" && typeof id === "string" ? [{ appId, id }] : [];
}

function partOf(field: string): PartRow {
  return {
    as: "items",
    field,
    noun: `\`${field}\``,
    call: ([id = ""], item) => ({
      operation: "GetAccessConflictBinding",
      method: "POST",
      path: api(BINDING, "get"),
      body: { monitorId: id, ...bound(item, field) },
      effect: "read",
      expects: ["monitorId"],
    }),
    has: (shown) => isObject(shown) && !isGone(shown),
  };
}

/** An entitlement in a group, as its binding names it. */
function bound(item: Json, field: string): JsonObject {
  const { appId = "", id = "" } = isObject(item) ? item : {};
  return { appId, appEntitlementId: id, entitlementGroup: GROUPS[field] ?? "" };
}

/** The groups gain before they lose, so that what stays a conflict is one at each moment. */
function change(work: KeyedWork, update: Update): readonly Call[] {
  const { key, before, after, fields } = work;
  const own = fields.filter((name) => !(name in GROUPS));
  const groups = fields.filter((name) => name in GROUPS);
  const calls = (operation: string, method: "POST" | "DELETE", from: JsonObject, to: JsonObject) =>
    groups.flatMap((field) =>
      without(listOf(to, field), listOf(from, field)).map(
        (item): Call => ({
          operation: `${operation}AccessConflictBinding`,
          method,
          path: api(BINDING),
          body: bound(item, field),
          ids: { monitorId: key.at(-1) ?? "" },
          effect: "repeatable",
        }),
      ),
    );
  return [
    ...(own.length === 0 ? [] : [update({ ...work, fields: own })]),
    ...calls("Create", "POST", before, after),
    ...calls("Delete", "DELETE", after, before),
  ];
}

/** The conflicts that the triggers of a workflow wait for. */
function conflictsIn(row: Json): readonly Key[] {
  if (!isObject(row)) return [];
  const triggers = [...listOf(row, "triggers"), ...listOf(row, "draftTriggers")];
  const refs = triggers.flatMap((trigger) =>
    listOf(
      inside(inside(trigger, "accessConflict") ?? null, "conflictMonitorRefs") ?? {},
      "conflictMonitorRefs",
    ),
  );
  const ids = refs.map((ref) => (isObject(ref) ? textOf(ref, "id") : ""));
  return [...new Set(ids)].filter((id) => id !== "").map((id) => [id]);
}
