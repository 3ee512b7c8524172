import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { ofOne } from "../messages/automation.js";
import { empty, page } from "../messages/members.js";
import { user } from "../messages/user.js";
import { ROOT } from "../tenant/store.js";
import { list, message } from "../wire/descriptor.js";
import { text, texts } from "../wire/member.js";
import { automatable } from "./automations.js";
import { existing, find } from "./owned.js";

const APP = "c1.api.app.v1.";
const PATH = "/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/exclusions";

const exclusion = message(`${APP}AutomationExclusion`, {
  appEntitlementId: "string",
  appId: "string",
  appUserId: "string",
  user,
});

const naming = message(`${APP}AutomationExclusionsRequest`, { ...ofOne, userIds: list("string") });

/** The users that an automation leaves out. */
export const exclusions: readonly Operation[] = [
  {
    name: "ListExclusions",
    summary: "Lists the users that an automation leaves out, all at once.",
    method: "GET",
    path: PATH,
    request: message(`${APP}GetAutomationRequest`, ofOne),
    response: page(`${APP}ListAutomationExclusionsResponse`, exclusion),
    answer(request, world) {
      const [appId, appEntitlementId] = [text(request, "appId"), text(request, "appEntitlementId")];
      const users = excluded(world, appId, appEntitlementId);
      existing(find(world, "entitlements", appEntitlementId, appId));
      return { list: users.map((id) => show(appId, appEntitlementId, id, world)) };
    },
  },
  {
    name: "AddExclusions",
    summary: "Makes an automation leave users out.",
    method: "POST",
    path: PATH,
    request: naming,
    response: empty,
    answer: (request, world) => change(request, world, (before, named) => new Set([...before, ...named])),
  },
  {
    name: "RemoveExclusions",
    summary: "Makes an automation no longer leave users out.",
    method: "DELETE",
    path: PATH,
    request: naming,
    response: empty,
    answer: (request, world) =>
      change(request, world, (before, named) => before.filter((user) => !named.includes(user))),
  },
];

/** A user that is left out, with the account in the app where the tenant knows one. */
function show(appId: string, appEntitlementId: string, userId: string, { store }: World): JsonObject {
  const user = store.users.get(ROOT, userId);
  const account = store.accounts.of(appId).find((each) => each.identityUserId === userId);
  return {
    appId,
    appEntitlementId,
    appUserId: account?.id ?? userId,
    ...(user === undefined ? {} : { user }),
  };
}

function excluded(world: World, appId: string, appEntitlementId: string): readonly string[] {
  return world.store.exclusions.get(appId, appEntitlementId)?.userIds ?? [];
}

function change(
  request: JsonObject,
  world: World,
  next: (before: readonly string[], named: readonly string[]) => Iterable<string>,
): JsonObject {
  const { appId, id: appEntitlementId } = automatable(request, world);
  const userIds = [...next(excluded(world, appId, appEntitlementId), texts(request, "userIds"))];
  world.store.exclusions.put(appId, appEntitlementId, { appId, appEntitlementId, userIds });
  return {};
}
