import { resourceType } from "../../src/kinds/resourceType.js";
import type { Resource } from "../../src/manifest/resource.js";
import { NO_VOCABULARY } from "../../src/manifest/vocabulary.js";
import type { Json, JsonObject } from "../../src/model/json.js";
import { removedFrom } from "../../src/plan/removed/which.js";
import { resolveAll } from "../../src/tenant/names/resolveAll.js";
import { openOrigin, type Sources } from "../../src/tenant/origin.js";
import { readAll } from "../../src/tenant/readAll.js";
import { makeTenant } from "../../src/tenant/tenant.js";
import { entry, resource } from "../plan/worlds.js";
import { answering, type Says } from "./asked.js";

export const type = (id: string, displayName: string, more: JsonObject = {}): Json => ({
  appResourceType: { id, appId: "gh", displayName, traitIds: [], ...more },
});
const automation = (displayName: string, more: JsonObject = {}): Says => ({
  body: { AppEntitlementAutomation: { displayName, description: "", ...more } },
});
const groups = (...ids: readonly string[]): Says => ({
  pages: [
    ids.map((id) => ({
      appEntitlement: {
        id,
        displayName: id,
        alias: `the-${id}`,
        isAutomationEnabled: id.startsWith("automated"),
      },
    })),
  ],
});

export const one = (shown: Json): Says => ({ body: { appResourceTypeView: shown } });

/** What the tenant answers to, by path. */
export const TENANT: Readonly<Record<string, Says>> = {
  apps: { pages: [[{ id: "gh", displayName: "GitHub" }]] },
  "apps/gh/entitlements": groups("automated", "bare"),
  "apps/gh/entitlements/automated/automation": automation("Automated"),
  "apps/gh/entitlements/bundled/automation": automation("Bundled", { managedByRequestCatalogId: "catalog" }),
  "apps/gh/entitlements/deleted/automation": automation("Deleted", { deletedAt: "2026-01-01T00:00:00Z" }),
  "apps/gh/resource_types": {
    pages: [
      [type("team", "Team"), type("old", "Old", { deletedAt: "2026-01-01T00:00:00Z" })],
      [type("twin1", "Twin"), type("twin2", "Twin")],
    ],
  },
  "apps/gh/resource_types/team": one(type("team", "Team")),
  "apps/gh/resource_types/twin1": one(type("twin1", "Twin")),
  "apps/gh/resource_types/twin2": one(type("twin2", "Twin")),
  "access_review_template/q4/scope_and_entitlements": { body: { list: [], scope: { allUsers: {} } } },
};

export const aType = (name: string, spec: JsonObject) =>
  resource({ kind: "ResourceType", name }, { appId: "gh", ...spec });
export const anAutomation = (id: Json, spec: JsonObject = {}) =>
  resource(
    { kind: "EntitlementAutomation", name: typeof id === "string" ? id : "named" },
    { appId: "gh", appEntitlementId: id, displayName: "Wanted", ...spec },
  );
export const aScope = (templateId: string) =>
  resource({ kind: "TemplateScope", name: templateId }, { templateId, scope: { allUsers: {} } });
export const remembered = (name: string, key: readonly string[]) =>
  entry(resourceType, name, key, { displayName: name });

/** What is otherwise than in the tenant. */
export interface World extends Partial<Omit<Sources, "remote">> {
  readonly says?: Readonly<Record<string, Says>>;
  readonly otherwise?: Says;
  readonly offline?: boolean;
  readonly isComplete?: boolean;
}

/** Reads the tenant for some resources, and gives what was seen and what was asked for that. */
export async function look(
  resources: readonly Resource[],
  { says, otherwise, offline, isComplete = false, ...more }: World = {},
) {
  const asked = answering({ ...TENANT, ...says }, otherwise);
  const origin = openOrigin({
    snapshot: null,
    apps: {},
    asked: "auto",
    tenant: offline === true ? null : makeTenant(asked.remote),
    progress: () => undefined,
    ...more,
  });
  const resolved = await resolveAll(resources, origin);
  const whole = {
    resources,
    sources: [],
    vocabulary: NO_VOCABULARY,
    diagnostics: [],
    unclear: [],
    chosen: null,
    isComplete,
  };
  const choice = { targets: [], selector: null };
  const removed = removedFrom(whole, resolved.value.desired, more.snapshot ?? null, choice);
  const { value, diagnostics } = await readAll({ ...resolved.value, removed, earlier: [] }, origin);
  return {
    ...value.current,
    keys: value.desired.map(({ key }) => key?.join("/") ?? null),
    seen: Object.fromEntries([...value.current.objects].map(([name, seen]) => [name, seen.as])),
    diagnostics: [...resolved.diagnostics, ...diagnostics],
    paths: [...asked.paths].sort(),
    width: asked.width(),
  };
}
