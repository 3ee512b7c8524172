import type { JsonObject } from "../../model/json.js";
import { app, resourceType } from "../messages/app.js";
import { entitlement } from "../messages/entitlement.js";
import { ROOT, type Store } from "../tenant/store.js";
import type { Message } from "../wire/descriptor.js";
import { emitter } from "../wire/emit.js";
import { withAutomation } from "./automated.js";

/** Collects the objects that rows refer to, each once, and gives the path to where it stands in the reply. */
interface Expansion {
  readonly objects: readonly JsonObject[];
  app(appId: string): string;
  resourceType(appId: string, id: string): string;
  entitlement(appId: string, id: string): string;
}

/** An expansion of what a mask's paths ask for; `*` asks for everything. */
export function makeExpansion(store: Store, mask: readonly string[]): Expansion {
  const objects: JsonObject[] = [];
  const places = new Map<string, string>();

  function expand(path: string, type: Message, key: string, find: () => JsonObject | undefined): string {
    if (!mask.includes(path) && !mask.includes("*")) return "";
    const name = `${type.name}:${key}`;
    const known = places.get(name);
    const row = known === undefined ? find() : undefined;
    if (row === undefined) return known ?? "";
    const place = `$.expanded[${objects.length}]`;
    objects.push({ "@type": `type.googleapis.com/${type.name}`, ...emitter(type)(row) });
    places.set(name, place);
    return place;
  }

  return {
    objects,
    app: (appId) => expand("app_id", app, appId, () => store.apps.get(ROOT, appId)),
    resourceType: (appId, id) =>
      expand("app_resource_type_id", resourceType, `${appId}/${id}`, () =>
        store.resourceTypes.get(appId, id),
      ),
    entitlement: (appId, id) =>
      expand("app_entitlement_id", entitlement, `${appId}/${id}`, () => {
        const row = store.entitlements.get(appId, id);
        return row === undefined ? undefined : withAutomation(row, store);
      }),
  };
}
