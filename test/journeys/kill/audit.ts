import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import type { Sandbox } from "../../../src/sandbox/http/server.js";
import type { Store } from "../../../src/sandbox/tenant/store.js";
import type { Manifest, Project } from "../../fakes/project.js";

/** What is wrong with a tenant that should be as the manifests say, judged without anything of the client. */
export function auditTenant(wanted: readonly Manifest[], { store }: Sandbox): readonly string[] {
  return wanted.flatMap((manifest) => {
    const found = find(manifest, store);
    if (found.length !== 1) return [`${nameOf(manifest)} is there ${found.length} times`];
    const wrong = Object.entries(manifest.spec).flatMap(([field, value]) => {
      const kept = found[0]?.[field] ?? (Array.isArray(value) ? [] : null);
      return NOT_SHOWN.has(field) || isDeepStrictEqual(kept, value) ? [] : [field];
    });
    return wrong.length === 0 ? [] : [`${nameOf(manifest)} has another ${wrong.join(", ")}`];
  });
}

/** Whether an object is in the tenant. */
export function isThere(manifest: Manifest, { store }: Sandbox): boolean {
  return find(manifest, store).length > 0;
}

/** Everything that was made more often than once, by what the service itself wrote down. */
export function auditCreates({ log }: Sandbox): readonly string[] {
  return (
    log
      .creates()
      // An entitlement is put into a group of a conflict again without harm.
      .filter(({ key, done }) => done > 1 && !key.includes("appentitlementmonitorbinding"))
      .map(({ key, done }) => `${key} was made ${done} times`)
  );
}

/** On `core`: every create that was sent again although the first may have worked. */
export function auditAsked({ log }: Sandbox): readonly string[] {
  const asked = new Map<string, number>();
  for (const { path, status } of log.entries({ operation: "CreateAutomation" })) {
    if (status !== 429) asked.set(path, (asked.get(path) ?? 0) + 1);
  }
  return [...asked].flatMap(([path, count]) => (count === 1 ? [] : [`${path} was asked for ${count} times`]));
}

/** What stays beside a state that is at rest. */
const OWN: ReadonlySet<string> = new Set(["state.json", "state.json.backup", "state.json.history"]);

/** What is wrong with what a project keeps once everything has come to rest. */
export function auditState(wanted: readonly Manifest[], project: Project): readonly string[] {
  const state = project.state();
  const names = [...Object.values(state?.entries ?? {}), ...Object.values(state?.uncertain ?? {})].map(
    ({ address }) => `${address.kind}/${address.name}`,
  );
  const extra = project.kept().filter((name) => !OWN.has(name));
  return [
    ...wanted.flatMap((manifest) => {
      const count = names.filter((name) => name === nameOf(manifest)).length;
      return count === 1 ? [] : [`${nameOf(manifest)} is remembered ${count} times`];
    }),
    ...(names.length === wanted.length ? [] : [`${names.length} are remembered, of ${wanted.length}`]),
    ...extra.map((name) => `${name} was left behind`),
  ];
}

/** A manifest's name in messages. */
export function nameOf({ kind, name }: Manifest): string {
  return `${kind}/${name}`;
}

function find({ kind, spec }: Manifest, store: Store): readonly JsonObject[] {
  const { id, displayName } = spec;
  const [app, template] = [spec.appId, spec.templateId].map(String);
  switch (kind) {
    case "EntitlementAutomation":
      return entitlementsOf(spec.appEntitlementId ?? null, store).flatMap((entitlement) =>
        standing(store.automations.get(app ?? "", entitlement)),
      );
    case "Webhook":
      return store.webhooks.all().flatMap(standing);
    case "Resource":
      return store.resources
        .of(app ?? "")
        .flatMap(standing)
        .filter((row) => row.displayName === displayName);
    case "Entitlement":
      return store.aliased(String(spec.alias)).flatMap(standing);
    case "TemplateScope": {
      const row = store.templates.get("", template ?? "");
      const setup = store.setups.all().find(({ templateId }) => templateId === template);
      const entitlements = (setup?.entitlements ?? []).map((each) => ({
        appId: each.appId ?? null,
        appEntitlementId: each.appEntitlementId ?? null,
      }));
      return row === undefined ? [] : [{ scope: row.scope ?? {}, entitlements }];
    }
    case "Policy":
    case "App":
      return named(store[kind === "App" ? "apps" : "policies"].all(), displayName);
    case "AppConfigurationRules": {
      const [row] = named(
        store.apps.all(),
        isObject(spec.appId ?? null) ? (spec.appId as JsonObject).manifest : "",
      );
      return row === undefined ? [] : [{ rules: rowsIn(row.configurationRules).map(asRule) }];
    }
    case "AccessConflict":
      return standing(store.conflicts.get("", String(id))).map((row) => ({
        ...row,
        groupA: groupOf(row, "A"),
        groupB: groupOf(row, "B"),
      }));
    default: {
      const types = store.resourceTypes.of(app ?? "").flatMap(standing);
      return types.filter((row) => (id === undefined ? row.displayName === displayName : row.id === id));
    }
  }
}

/** The ids of the entitlement that a manifest means: by its id, or by the manifest whose alias is its name. */
function entitlementsOf(meant: Json, store: Store): readonly string[] {
  if (!isObject(meant)) return [String(meant)];
  return store.aliased(String(meant.manifest)).map(({ id }) => id);
}

function named(rows: readonly JsonObject[], name: Json | undefined): readonly JsonObject[] {
  return rows.flatMap(standing).filter((row) => row.displayName === name);
}

function asRule({ displayName = "", condition = "", settings = {} }: JsonObject): JsonObject {
  return { displayName, condition, settings };
}

function groupOf({ bindings }: JsonObject, name: string): readonly JsonObject[] {
  return rowsIn(bindings)
    .filter(({ entitlementGroup }) => entitlementGroup === `ENTITLEMENT_GROUP_${name}`)
    .map(({ appId = "", appEntitlementId: id = "" }) => ({ appId, id }));
}

function rowsIn(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The row, unless it was deleted. */
function standing(row: JsonObject | undefined): readonly JsonObject[] {
  return row === undefined || (row.deletedAt ?? null) !== null ? [] : [row];
}

const NOT_SHOWN = new Set([
  ...["appId", "appEntitlementId", "templateId", "id", "resourceType"],
  ...["grantPolicyId", "appResourceId", "provisionPolicy", "deprovisionerPolicy"],
]);

/** What is wrong with groups: each entitlement is of its own resource, and its policies call the one webhook. */
export function auditGroups(wanted: readonly Manifest[], { store }: Sandbox): readonly string[] {
  const [desk] = store.webhooks.all();
  const calls = { webhook: { webhookId: desk?.id ?? "" } };
  const resources = new Set(
    store.resources
      .all()
      .flatMap(standing)
      .map(({ id }) => id),
  );
  const members = wanted.filter(({ kind }) => kind === "Entitlement");
  return members.flatMap((manifest) => {
    const [row] = find(manifest, store);
    const isOwn = resources.delete(row?.appResourceId ?? "");
    const isCalled = [row?.provisionerPolicy, row?.deprovisionerPolicy].every((policy) =>
      isDeepStrictEqual(policy, calls),
    );
    return isOwn && isCalled ? [] : [`${nameOf(manifest)} is not of its own resource, or calls nothing`];
  });
}

/** What is wrong with access profiles: each is there once, with all its parts, and people see it. */
export function auditProfiles(wanted: readonly Manifest[], { store }: Sandbox): readonly string[] {
  const there = store.catalogs.all().flatMap(standing);
  const more = there.length === wanted.length ? [] : [`${there.length} profiles and not ${wanted.length}`];
  const broken = wanted.flatMap((manifest) => {
    const [row, ...others] = there.filter(({ displayName }) => displayName === manifest.spec.displayName);
    const [entries, bindings] = [row?.entries, row?.bindings].map((list) =>
      Array.isArray(list) ? list : [],
    );
    const isWhole = row?.published === true && entries?.length === 2 && bindings?.length === 1;
    const [own] = store.entitlements.all().filter(({ id }) => id === row?.id);
    const isRuled = isObject(row?.bundle ?? null) && (own?.grantPolicyId ?? "") !== "";
    return others.length === 0 && isWhole && isRuled
      ? []
      : [`${nameOf(manifest)} is not there once and whole`];
  });
  return [...more, ...broken];
}
