import type { JsonObject } from "../../model/json.js";
import { type Operation, Refusal, type World } from "../answer/operation.js";
import { automation, CONDITIONS, documentedAutomation, ofOne, written } from "../messages/automation.js";
import { empty } from "../messages/members.js";
import type { AutomationRow, EntitlementRow } from "../tenant/tenant.js";
import { type Message, message } from "../wire/descriptor.js";
import { isLater, laterMember } from "../wire/later.js";
import { omit, part, pick, text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { born, existing, isDeleted, readable, writable } from "./owned.js";
import { keptExpressions } from "./rewriting.js";
import { maskOf } from "./table.js";

const APP = "c1.api.app.v1.";
const PATH = "/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation";

const named = message(`${APP}GetAutomationRequest`, ofOne);
// The capital is the service's own.
const reply = message(`${APP}GetAutomationResponse`, { AppEntitlementAutomation: automation });

/** The rules that give entitlements to people: at most one for each entitlement. */
export const automations: readonly Operation[] = [
  {
    name: "GetAutomation",
    summary: "Gives the automation of an entitlement.",
    method: "GET",
    path: PATH,
    request: named,
    response: reply,
    answer: (request, world) => ({
      AppEntitlementAutomation: show(readable(find(request, world), world), world),
    }),
  },
  creating("Makes the automation of an entitlement of the tenant's own app.", automation),
  {
    name: "UpdateAutomation",
    summary: "Changes the masked fields of an automation; without a mask, all of them.",
    method: "POST",
    path: `${PATH}/update`,
    // Its fields stand beside the mask, not under a name of their own.
    request: message(
      `${APP}UpdateAutomationRequest`,
      { ...ofOne, ...written, updateMask: "mask" },
      { conditions: CONDITIONS },
    ),
    response: reply,
    answer: update,
  },
  {
    name: "DeleteAutomation",
    summary: "Deletes the automation of an entitlement.",
    method: "DELETE",
    path: PATH,
    request: named,
    response: empty,
    answer(request, world) {
      const row = unmanaged(existing(find(request, world)));
      const deletedAt = writeTimestamp(world.now);
      world.store.automations.put(row.appId, row.appEntitlementId, { ...row, deletedAt });
      return {};
    },
  },
];

/** The create of the documented contract, which knows no field beyond it. */
export const documentedCreate = creating("Makes the automation of an entitlement.", documentedAutomation);

function creating(summary: string, automation: Message): Operation {
  return {
    name: "CreateAutomation",
    summary,
    method: "POST",
    path: `${PATH}/create`,
    request: message(`${APP}CreateAutomationRequest`, { ...ofOne, automation }),
    response: message(`${APP}CreateAutomationResponse`, { automation }),
    answer: create,
  };
}

/** The members of the condition, that of a later version included. */
const CHOICES: readonly string[] = [...CONDITIONS, laterMember("conditions")];

const WRITABLE: readonly string[] = ["displayName", "description", ...CHOICES];

/** The entitlement whose automation may be written: in the tenant's own app, where there is one to tell. */
export function automatable(request: JsonObject, world: World): EntitlementRow {
  const { store } = world;
  const [appId, id] = [text(request, "appId"), text(request, "appEntitlementId")];
  const entitlement = writable(world, "entitlements", id, appId);
  if (world.interface === "full" && !store.open && entitlement.appId !== store.c1AppId) {
    throw new Refusal("failedPrecondition", "automations are only supported on entitlements of the C1 app");
  }
  return entitlement;
}

function find(request: JsonObject, world: World): AutomationRow | undefined {
  return world.store.automations.get(text(request, "appId"), text(request, "appEntitlementId"));
}

function create(request: JsonObject, world: World): JsonObject {
  const wanted = part(request, "automation");
  if (wanted === undefined) throw new Refusal("invalidArgument", "automation is required");
  const { appId, id: appEntitlementId } = automatable(request, world);
  const found = find(request, world);
  const taken = found !== undefined && !isDeleted(found);
  if (taken && world.quirks.existingAutomation !== "replace") {
    const reason = world.quirks.existingAutomation === "unknown" ? "unknown" : "alreadyExists";
    throw new Refusal(reason, "app entitlement automation already exists");
  }
  const row = {
    appId,
    appEntitlementId,
    ...keptExpressions(pick(wanted, writableIn(wanted)), world),
    ...born(world),
    ...(taken ? pick(found, ["createdAt"]) : {}),
  };
  return { automation: show(world.store.automations.put(appId, appEntitlementId, row), world) };
}

function update(request: JsonObject, world: World): JsonObject {
  const { appId, id: appEntitlementId } = automatable(request, world);
  const before = unmanaged(existing(find(request, world)));
  const written = writtenFields(request);
  const row = {
    ...omit(before, written),
    ...keptExpressions(pick(request, written), world),
    appId,
    appEntitlementId,
    updatedAt: writeTimestamp(world.now),
  };
  const kept = world.store.automations.put(appId, appEntitlementId, row);
  return { AppEntitlementAutomation: show(kept, world) };
}

/** The fields that a create writes: with those that a later version of the service knows. */
function writableIn(message: JsonObject): readonly string[] {
  return [...WRITABLE, ...Object.keys(message).filter((name) => isLater(name) && !CHOICES.includes(name))];
}

/** The fields that an update writes: all without a mask; a member of the condition that is sent takes the others' place. */
function writtenFields(request: JsonObject): readonly string[] {
  const mask = maskOf(request, [...WRITABLE, "conditions"]);
  if (mask.length === 0) return writableIn(request);
  const replaced = CHOICES.some((name) => mask.includes(name) && request[name] !== undefined);
  return replaced || mask.includes("conditions") ? [...mask, ...CHOICES] : mask;
}

function unmanaged(row: AutomationRow): AutomationRow {
  if (text(row, "managedByRequestCatalogId") === "") return row;
  throw new Refusal("failedPrecondition", "automation is managed by a request catalog");
}

function show(row: AutomationRow, world: World): JsonObject {
  return { ...row, lastRunStatus: part(row, "lastRunStatus") ?? lastRun(row, world.now) };
}

const HOUR = 3_600_000;

/** How long a run takes. */
const RUN = 2_000;

/**
 * How the last run of an automation went: it runs when it is written and every hour after, so that its status changes
 * without a write.
 */
function lastRun(automation: JsonObject, now: number): JsonObject {
  const written = Date.parse(text(automation, "updatedAt"));
  if (Number.isNaN(written)) return {};
  const runs = Math.max(0, Math.floor((now - written) / HOUR));
  const started = written + runs * HOUR;
  if (now >= started + RUN) return completed("SUCCESS", started + RUN);
  return runs === 0 ? { status: `${STATUS}IN_PROGRESS` } : completed("IN_PROGRESS", started - HOUR + RUN);
}

const STATUS = "APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_";

function completed(status: string, at: number): JsonObject {
  return { status: `${STATUS}${status}`, lastCompletedAt: writeTimestamp(at) };
}
