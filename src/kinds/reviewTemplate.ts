import schema from "../../schemas/review-template.json" with { type: "json" };
import { isObject, type JsonObject } from "../model/json.js";
import { inside, listOf, pick, textOf } from "./spelling.js";
import { kindFrom } from "./table.js";
import { templateTrails, UNLISTED_TEMPLATES } from "./template.js";

/** What campaigns are cut from, without its scope; without an id only the state knows which template is meant. */
export const reviewTemplate = kindFrom({
  name: "ReviewTemplate",
  noun: ["review template", "review templates"],
  schema,
  at: "access_review_template/{id}",
  replies: { read: "accessReviewTemplate" },
  sends: { update: "accessReviewTemplate" },
  // docs/service/more-kinds.md, section 5: a create does not take it.
  afterCreate: ["slackChannel"],
  found: templateTrails(),
  gaps: [
    UNLISTED_TEMPLATES,
    {
      misses: "fields",
      message: "The service does not show the field `ownerIds`, which is used only to create the template.",
      hint: "Leave it out of the manifest. Write it only to create the template again after a delete.",
    },
  ],
  // docs/service/more-kinds.md, section 10.
  writers: { every: ["Super Admin"], own: ["Campaign Admin"] },
  terraform: { type: "conductorone_access_review_template", key: ["id"], unseen: { ownerIds: "owner_ids" } },
  also: { shown: (fields) => ({ ...fields, ...columnsIn(fields), ...channelIn(fields) }), sent: withChannel },
});

/** The older list of columns counts only where the ordered one is empty, and says the same in fewer words. */
function columnsIn(fields: JsonObject): JsonObject {
  const config = inside(fields, "columnConfig");
  if (config === undefined) return {};
  const { columns: _, ...rest } = config;
  const older = listOf(config, "columns").map((builtin) => ({ builtin }));
  const ordered = listOf(config, "orderedColumns");
  return { columnConfig: { ...rest, orderedColumns: ordered.length > 0 ? ordered : older } };
}

/** The service fills in the id of a channel that is named, and the name of one that is chosen by its id. */
function channelIn(fields: JsonObject): JsonObject {
  const channel = inside(fields, "slackChannel");
  if (channel === undefined) return {};
  const { name: _, channelId: __, isChannelId, ...rest } = channel;
  return { slackChannel: { ...rest, ...pick(channel, [isChannelId === true ? "channelId" : "name"]) } };
}

/** The template as it is sent: a channel that is chosen by its id says so. */
function withChannel(fields: JsonObject): JsonObject {
  const { slackChannel: channel = null } = fields;
  if (!isObject(channel) || textOf(channel, "channelId") === "") return fields;
  return { ...fields, slackChannel: { ...channel, isChannelId: true } };
}
