import schema from "../../schemas/resource.json" with { type: "json" };
import type { Call } from "../model/call.js";
import { leavesUnowned, ownersOf } from "./owners.js";
import { search } from "./spelling.js";
import { kindFrom } from "./table.js";

/** A thing in an app that people keep up to date, such as a group; without an id only the state knows which one is meant. */
export const resource = kindFrom({
  name: "Resource",
  noun: ["resource", "resources"],
  schema,
  at: "apps/{appId}/resource_types/{appResourceTypeId}/resources/{id}",
  replies: { read: "appResourceView.appResource", created: "appResource", row: "appResource" },
  sends: { update: "appResource" },
  parts: [ownersOf("Resource", "apps", "resource_types", "resources")],
  // docs/service/more-kinds.md, section 2: nothing else says that a connector made it.
  madeByPeople: { externalId: "" },
  builtIn: { displayName: "Credential" },
  found: [{ per: "tenant", call: () => searchResources() }],
  takesAlong: "resource",
  // docs/service/more-kinds.md, section 10; docs/service/live-reads.md, section H.
  writers: { every: ["Super Admin"], own: ["App Admin"] },
  terraform: { type: "conductorone_app_resource", key: ["app_id", "app_resource_type_id", "id"] },
  also: { opens: leavesUnowned, resourceOf: ({ key }) => key.at(-1) ?? "" },
});

/** The search that shows the resources of an app, or of all apps. */
export function searchResources(app?: string): Call {
  return search("app_resources", app === undefined ? {} : { appIds: [app] });
}
