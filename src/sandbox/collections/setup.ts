import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { empty, expansion, times } from "../messages/members.js";
import { scope } from "../messages/scope.js";
import { checkId } from "../tenant/identity.js";
import { ROOT } from "../tenant/store.js";
import type { EntitlementRow, SetupRow, TemplateRow } from "../tenant/tenant.js";
import { list, message } from "../wire/descriptor.js";
import { isLater } from "../wire/later.js";
import { omit, part, parts, pick, text, texts } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { makeExpansion } from "./expansion.js";
import { refKey } from "./listing.js";
import { find, readable, writable } from "./owned.js";
import { keptExpressions } from "./rewriting.js";

const REVIEW = "c1.api.accessreview.v1.";

const setupEntitlement = message(`${REVIEW}AccessReviewTemplateEntitlement`, {
  accessReviewTemplateId: "string",
  appEntitlementId: "string",
  appId: "string",
  appResourceId: "string",
  appResourceTypeId: "string",
  customPolicyId: "string",
  policyId: "string",
  tenantId: "string",
  ...times,
});

/** A template's scope and the entitlements chosen for it. */
export const setup = message(`${REVIEW}TemplateSetupResponse`, {
  expanded: list("any"),
  list: list(
    message(`${REVIEW}AccessReviewTemplateEntitlementView`, {
      accessReviewTemplateEntitlement: setupEntitlement,
      appPath: "string",
      entitlementPath: "string",
      policyPath: "string",
    }),
  ),
  scope,
});

const SETUP = "/api/v1/access_review_template/{access_review_template_id}/scope_and_entitlements";

const ofOne = { accessReviewTemplateId: "string" } as const;

/** Names an entitlement to choose. */
const choice = message(`${REVIEW}SetupEntitlementInput`, { appEntitlementId: "string", appId: "string" });

/** What a template's reviews are about: its scope, and the entitlements chosen one by one. */
export const setups: readonly Operation[] = [
  {
    name: "GetScopeAndEntitlements",
    summary: "Gives a template's scope and entitlements, all at once.",
    method: "GET",
    path: SETUP,
    request: message(`${REVIEW}GetTemplateSetupRequest`, ofOne),
    response: setup,
    answer(request, world) {
      const id = text(request, "accessReviewTemplateId");
      return show(world, readable(find(world, "templates", id), world), []);
    },
  },
  {
    name: "SetScopeAndEntitlements",
    summary: "Replaces a template's scope and entitlements; what is not sent is gone.",
    method: "POST",
    path: SETUP,
    request: message(`${REVIEW}SetScopeAndEntitlementsRequest`, {
      ...ofOne,
      entitlements: list(choice),
      expandMask: expansion(`${REVIEW}SetupEntitlementExpandMask`),
      scope,
    }),
    response: setup,
    answer(request, world) {
      const id = text(request, "accessReviewTemplateId");
      const template = setScope(world, id, part(request, "scope"), () => {
        const chosen = parts(request, "entitlements").map((ref) => ({
          ...pick(ref, Object.keys(ref).filter(isLater)),
          ...pick(choose(ref, world), ["appId", "id"]),
        }));
        replaceEntitlements(world, id, chosen);
      });
      return show(world, template, texts(part(request, "expandMask") ?? {}, "paths"));
    },
  },
  {
    name: "SetScopeByResourceType",
    summary: "Replaces a template's scope and its choice of resource types, which no read shows.",
    method: "POST",
    path: "/api/v1/access_review_template/{access_review_template_id}/scope_by_resource_type",
    request: message(`${REVIEW}SetScopeByResourceTypeRequest`, {
      ...ofOne,
      resourceTypeSelections: list(
        message(`${REVIEW}ResourceTypeSelection`, { appId: "string", resourceTypeId: "string" }),
      ),
      scope,
    }),
    response: empty,
    answer(request, world) {
      const templateId = text(request, "accessReviewTemplateId");
      setScope(world, templateId, part(request, "scope"), () => {
        const before = setupOf(world, templateId);
        const resourceTypeSelections = parts(request, "resourceTypeSelections");
        world.store.setups.put(ROOT, templateId, { ...before, resourceTypeSelections });
      });
      return {};
    },
  },
];

function setupOf({ store }: World, templateId: string): SetupRow {
  return store.setups.get(ROOT, templateId) ?? { templateId, entitlements: [], resourceTypeSelections: [] };
}

/** Puts the scope in the template's place for it, once what goes with it was put in. */
function setScope(world: World, id: string, scope: JsonObject | undefined, putRest: () => void): TemplateRow {
  const before = writable(world, "templates", id);
  putRest();
  const row = {
    ...omit(before, ["scope"]),
    ...(scope === undefined ? {} : { scope: keptExpressions(scope, world) }),
    id,
    updatedAt: writeTimestamp(world.now),
  };
  return world.store.templates.put(ROOT, id, row);
}

/** The entitlement to choose; in the larger contract its ids must look like ids. */
function choose(ref: JsonObject, world: World): EntitlementRow {
  const [appId, id] = [text(ref, "appId"), text(ref, "appEntitlementId")];
  if (world.interface === "full") {
    checkId(choice, "appId", appId);
    checkId(choice, "appEntitlementId", id);
  }
  return writable(world, "entitlements", id, appId);
}

function replaceEntitlements(world: World, templateId: string, chosen: readonly JsonObject[]): void {
  const setup = setupOf(world, templateId);
  const before = new Map(setup.entitlements.map((row) => [refKey(row, "appEntitlementId"), row]));
  const now = writeTimestamp(world.now);
  // An entitlement named twice is chosen once (a guess: the service has not shown it).
  const unique = new Map(chosen.map((row) => [refKey(row), row]));
  const entitlements = [...unique].map(([key, { id, ...chosen }]): JsonObject => {
    const row = before.get(key) ?? { appEntitlementId: id ?? "", createdAt: now, updatedAt: now };
    return { ...omit(row, Object.keys(row).filter(isLater)), ...chosen };
  });
  world.store.setups.put(ROOT, templateId, { ...setup, entitlements });
}

function show(world: World, template: TemplateRow, mask: readonly string[]): JsonObject {
  const { store } = world;
  const expansion = makeExpansion(store, mask);
  const list = setupOf(world, template.id).entitlements.map((row) => {
    const [appId, id] = [text(row, "appId"), text(row, "appEntitlementId")];
    const entitlement = store.entitlements.get(appId, id) ?? {};
    return {
      accessReviewTemplateEntitlement: {
        accessReviewTemplateId: template.id,
        policyId: text(template, "policyId"),
        tenantId: store.tenantId,
        ...pick(entitlement, ["appResourceId", "appResourceTypeId", "deletedAt"]),
        ...row,
      },
      appPath: expansion.app(appId),
      entitlementPath: expansion.entitlement(appId, id),
    };
  });
  return { expanded: expansion.objects, list, ...pick(template, ["scope"]) };
}
