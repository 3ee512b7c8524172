import schema from "../../schemas/resource-type.json" with { type: "json" };
import { isConnected } from "./app.js";
import { kindFrom } from "./table.js";

/** A manually managed resource type of an app; without an id it is found by its display name. */
export const resourceType = kindFrom({
  name: "ResourceType",
  noun: ["resource type", "resource types"],
  schema,
  at: "apps/{appId}/resource_types/{id}",
  replies: {
    read: "appResourceTypeView.appResourceType",
    created: "appResourceType",
    updated: "appResourceType",
    row: "appResourceType",
  },
  sends: { update: "appResourceType" },
  verbs: { core: ["update"], full: ["create", "update", "delete"] },
  afterCreate: ["traitIds"],
  isNamedOnce: true,
  // Every app has it from its first moment.
  builtIn: { displayName: "Credential" },
  isPrunedByName: true,
  found: [{ per: "app", isConnected }],
  gaps: [
    {
      misses: "fields",
      message: "The service does not show the field `resourceType`, which is used only to create the object.",
      hint: "Leave it out of the manifest. Write it only to create the type again after a delete.",
    },
  ],
  // Ids of every class but CUSTOM are the same in all apps (docs/service/live.md, section 1C).
  parents: { search: "app_resource_types", by: "resourceTypeIds", within: "appIds" },
  takesAlong: "type",
  // docs/service/live-reads.md, section H.
  terraform: {
    type: "conductorone_app_resource_type",
    key: ["app_id", "id"],
    unseen: { resourceType: "resource_type" },
  },
  // An app has at most one type of each other class.
  also: { mayRepeat: ({ resourceType: type }) => type === "CUSTOM" },
});
