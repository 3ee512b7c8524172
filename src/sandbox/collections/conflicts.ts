import type { JsonObject } from "../../model/json.js";
import { type Operation, Refusal, type World } from "../answer/operation.js";
import { times } from "../messages/members.js";
import { makeId } from "../tenant/identity.js";
import { ROOT } from "../tenant/store.js";
import type { NamedRow } from "../tenant/tenant.js";
import { list, message, names } from "../wire/descriptor.js";
import { omit, parts, pick, text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { born, existing } from "./owned.js";
import { operationsOf } from "./table.js";

const SERVICE = "c1.api.accessconflict.v1.";
const BINDINGS = "/api/v1/appentitlementmonitorbinding";

const notificationConfig = message(`${SERVICE}NotificationConfig`, {
  emailNotifications: message(`${SERVICE}EmailNotifications`, {
    enabled: "bool",
    identityUserIds: list("string"),
  }),
  slackNotifications: message(`${SERVICE}SlackNotifications`, {
    enabled: "bool",
    channelId: "string",
    channelName: "string",
  }),
});

const created = { displayName: "string", description: "string", notificationConfig } as const;
const written = { ...created, negateGroupB: "bool" } as const;

const monitor = message(`${SERVICE}ConflictMonitor`, {
  id: "string",
  ...written,
  enabled: "bool",
  entitlementSetAId: "string",
  entitlementSetBId: "string",
  ...times,
});

const ofBinding = {
  monitorId: "string",
  appId: "string",
  appEntitlementId: "string",
  entitlementGroup: names("ENTITLEMENT_GROUP_", "UNSPECIFIED", "A", "B"),
} as const;
const binding = message(`${SERVICE}AppEntitlementMonitorBinding`, { ...ofBinding, ...times });
const naming = message(`${SERVICE}AppEntitlementMonitorBindingRequest`, ofBinding);

/** Rules of separation of duties, and what is in their groups: no call lists either, and none switches a rule on. */
export const conflicts: readonly Operation[] = [
  ...operationsOf<NamedRow>({
    noun: ["Monitor", "Monitors"],
    at: "/api/v1/accessconflict",
    service: SERVICE,
    record: monitor,
    rows: (store) => store.conflicts,
    written: created,
    required: ["display_name"],
    makes(request, world) {
      const id = makeId(world.now, world.random);
      const sets = { entitlementSetAId: `${id}A`, entitlementSetBId: `${id}B` };
      return put({ ...fieldsOf(request, created), ...sets, id, enabled: false, ...born(world) }, world);
    },
    changes(request, world) {
      const before = existing(world.store.conflicts.get(ROOT, text(request, "id")));
      const own = { ...fieldsOf(request, written), updatedAt: writeTimestamp(world.now) };
      return put({ ...omit(before, Object.keys(written)), ...own, id: before.id }, world);
    },
    removes: (row) => omit(row, ["bindings"]),
    calls: {
      Create: ["Makes a rule, switched off.", "CreateMonitorRequest", monitor],
      Get: ["Gives a rule.", "GetMonitorRequest", monitor],
      Update: ["Sets all fields of a rule, without a mask.", "UpdateMonitorRequest", monitor, written],
      Delete: [
        "Deletes a rule with what is in its groups.",
        "DeleteMonitorRequest",
        message(`${SERVICE}DeleteMonitorResponse`, {}),
      ],
    },
  }),
  {
    name: "GetAppEntitlementMonitorBinding",
    summary: "Shows that an entitlement is in a group of a rule.",
    method: "POST",
    path: `${BINDINGS}/get`,
    request: naming,
    response: binding,
    answer(request, world) {
      const found = bindingsOf(monitorOf(request, world)).find(isThat(request));
      if (found === undefined) throw new Refusal("notFound", "not found");
      return found;
    },
  },
  {
    name: "CreateAppEntitlementMonitorBinding",
    summary: "Puts an entitlement into a group of a rule.",
    method: "POST",
    path: BINDINGS,
    request: naming,
    response: binding,
    answer(request, world) {
      const row = monitorOf(request, world);
      const made = { ...pick(request, Object.keys(ofBinding)), ...born(world) };
      const others = bindingsOf(row).filter((one) => !isThat(request)(one));
      const ofGroup = others.filter((one) => one.entitlementGroup === request.entitlementGroup);
      if (ofGroup.length >= MOST) throw new Refusal("invalidArgument", "a group has 32 entitlements at most");
      put({ ...row, bindings: [...others, made] }, world);
      return made;
    },
  },
  {
    name: "DeleteAppEntitlementMonitorBinding",
    summary: "Takes an entitlement out of a group of a rule.",
    method: "DELETE",
    path: BINDINGS,
    request: naming,
    response: message(`${SERVICE}DeleteAppEntitlementMonitorBindingResponse`, {}),
    answer(request, world) {
      const row = monitorOf(request, world);
      const left = bindingsOf(row).filter((one) => !isThat(request)(one));
      if (left.length === bindingsOf(row).length) throw new Refusal("notFound", "not found");
      put({ ...row, bindings: left }, world);
      return {};
    },
  },
];

const MOST = 32;

function fieldsOf(request: JsonObject, fields: Readonly<Record<string, unknown>>): JsonObject {
  if (text(request, "displayName") === "") throw new Refusal("invalidArgument", "display_name is required");
  return pick(request, Object.keys(fields));
}

function monitorOf(request: JsonObject, { store }: World): NamedRow {
  return existing(store.conflicts.get(ROOT, text(request, "monitorId")));
}

function bindingsOf(row: NamedRow): readonly JsonObject[] {
  return parts(row, "bindings");
}

function isThat(request: JsonObject): (binding: JsonObject) => boolean {
  return (binding) => Object.keys(ofBinding).every((name) => binding[name] === request[name]);
}

function put(row: JsonObject & Pick<NamedRow, "id">, { store }: World): NamedRow {
  return store.conflicts.put(ROOT, row.id, row);
}
