import type { JsonObject } from "../../../src/model/json.js";
import type { Sandbox } from "../../../src/sandbox/http/server.js";
import type { ResourceRow, Tenant } from "../../../src/sandbox/tenant/tenant.js";
import type { Contents } from "./contents.js";
import { PLACES, type Place } from "./places.js";

type Rows = Pick<Tenant, "webhooks" | "resources" | "templates" | "entitlements" | "catalogs">;

/** The rows of the places whose object is one row, as the tenant has them at the start. */
export function rowsOf(contents: readonly (Contents | null)[]): Rows {
  const of = (kind: Place["kind"]) =>
    PLACES.flatMap((place, number) => (place.kind === kind ? [rowAt(place, contents[number] ?? {})] : []));
  return {
    webhooks: of("Webhook"),
    resources: of("Resource"),
    templates: of("ReviewTemplate"),
    entitlements: of("Entitlement"),
    catalogs: of("AccessProfile"),
  };
}

/** Puts such a row into the tenant, as another program does; places of other kinds stay as they are. */
export function putRow({ store }: Pick<Sandbox, "store">, place: Place, contents: Contents): void {
  const row = rowAt(place, contents);
  if (place.kind === "Webhook") store.webhooks.put("", row.id, row);
  if (place.kind === "ReviewTemplate") store.templates.put("", row.id, row);
  if (place.kind === "Resource") store.resources.put(String(row.appId), row.id, row);
  if (place.kind === "Entitlement") store.entitlements.put(String(row.appId), row.id, row);
  if (place.kind === "AccessProfile") store.catalogs.put("", row.id, row);
}

/** The row that the tenant keeps of such a place; undefined for another kind, and for what is not there. */
export function rowIn({ store }: Pick<Sandbox, "store">, { kind, identity }: Place): JsonObject | undefined {
  const [app, id] = [String(identity.appId), String(identity.id)];
  const row = {
    Webhook: () => store.webhooks.get("", id),
    ReviewTemplate: () => store.templates.get("", id),
    Resource: () => store.resources.get(app, id),
    Entitlement: () => store.entitlements.get(app, id),
    AccessProfile: () => store.catalogs.get("", id),
  }[kind as "Webhook"]?.() as JsonObject | undefined;
  if (row === undefined || row.deletedAt !== undefined) return undefined;
  if (kind === "AccessProfile") {
    const { entries = [], bindings = [], ...fields } = row;
    return { ...fields, requestableEntries: entries, visibilityBindings: bindings };
  }
  const { durationUnset: _, provisionerPolicy: policy = null, ...fields } = row;
  const isConfigured = policy !== null && JSON.stringify(policy) !== UNCONFIGURED;
  return isConfigured ? { ...fields, provisionPolicy: policy } : fields;
}

const UNCONFIGURED = JSON.stringify({ unconfigured: {} });

function rowAt({ kind, identity, beside }: Place, contents: Contents): ResourceRow {
  const row = { ...identity, ...beside, displayName: "By hand", ...contents } as unknown as ResourceRow;
  if (kind === "Webhook") return { url: "https://old.example/", callbackTimeout: "691200s", ...row };
  if (kind === "AccessProfile") {
    const { appId: _, requestableEntries: entries = [], visibilityBindings: bindings = [], ...fields } = row;
    return { ...fields, entries, bindings } as unknown as ResourceRow;
  }
  if (kind !== "Entitlement") return row;
  const { provisionPolicy = { unconfigured: {} }, ...fields } = row;
  const duration = fields.durationGrant === undefined ? { durationUnset: {} } : {};
  return {
    ...fields,
    ...duration,
    provisionerPolicy: provisionPolicy,
    isManuallyManaged: true,
  } as ResourceRow;
}
