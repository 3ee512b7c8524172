import schema from "../../schemas/review-template.json" with { type: "json" };
import type { Call, Segment } from "../model/call.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { outlineSpec } from "../schema/outline.js";
import type { Kind, Observed, Work } from "./kind.js";
import { normalise } from "./normalise.js";
import { notCompared } from "./notCompared.js";
import { unshownOwners } from "./owners.js";
import { api, hasSameName, inside, isGone, keyBy, listOf, mask, pick, textOf, timesOf } from "./spelling.js";
import { templateCall, templateTrails, UNLISTED_TEMPLATES } from "./template.js";

const shape = outlineSpec(schema);
const FIELDS = [...shape.fields.keys()].filter((name) => name !== "id" && name !== "ownerIds");
const CLEARED: JsonObject = Object.fromEntries(FIELDS.flatMap((name) => clearedOf(name)));
// docs/service/more-kinds.md, section 5: a create does not take it.
const AFTER_CREATE = ["slackChannel"];

/** What campaigns are cut from, without its scope; without an id only the state knows which template is meant. */
export const reviewTemplate = {
  name: "ReviewTemplate",
  noun: { one: "review template", many: "review templates" },
  schema,
  shape,
  verbs: { core: [], full: ["create", "update", "delete"] },
  isPointedAt: true,
  isMasked: true,
  holdsOthers: false,
  rank: 8,
  key: keyBy(shape),
  matches: hasSameName,
  namesRepeat: true,
  reads: {
    one: ([id = ""]) => templateCall(id),
    observe: (body) => templateIn(body),
  },
  concern: { as: "nothing" },
  inventory: {
    trails: templateTrails(),
    gaps: [UNLISTED_TEMPLATES, unshownOwners("template")],
  },
  // docs/service/more-kinds.md, section 10.
  writers: { every: ["Super Admin"], own: ["Campaign Admin"] },
  terraform: { type: "conductorone_access_review_template", key: ["id"], unseen: { ownerIds: "owner_ids" } },
  calls: (work): readonly Call[] => {
    const [id = ""] = work.key ?? [];
    if (work.verb === "create") return creation(work);
    if (work.verb === "update") return [update(id, work.after, work.fields)];
    return [{ method: "DELETE", path: pathOf(id), body: {}, effect: "repeatable" }];
  },
  answer: (_, replies) => templateIn(replies.at(-1) ?? null),
} as const satisfies Kind;

// A choice, a time or an object is cleared where the mask names it and the body does not.
function clearedOf(name: string): readonly (readonly [string, Json])[] {
  const field = shape.fields.get(name);
  if (field?.type === "boolean") return [[name, false]];
  return field?.type === "string" && ["plain", "text", "id"].includes(field.form.is) ? [[name, ""]] : [];
}

function pathOf(...id: readonly Segment[]): readonly Segment[] {
  return api("access_review_template", ...id);
}

function creation({ identity, after }: Work): readonly Call[] {
  const taken = FIELDS.filter((name) => !AFTER_CREATE.includes(name));
  const create: Call = {
    method: "POST",
    path: pathOf(),
    body: { ...pick(after, taken), ...pick(identity, ["ownerIds"]) },
    effect: "once",
    expects: ["accessReviewTemplate"],
  };
  const rest = AFTER_CREATE.filter((name) => isObject(after[name] ?? null));
  return rest.length === 0
    ? [create]
    : [create, update({ reply: ["accessReviewTemplate", "id"] }, after, rest)];
}

function update(id: Segment, after: JsonObject, fields: readonly string[]): Call {
  const accessReviewTemplate = { ...pick(CLEARED, fields), ...sent(after, fields) };
  return {
    method: "POST",
    path: pathOf(id),
    body: { accessReviewTemplate, updateMask: mask(fields) },
    effect: "repeatable",
    expects: ["accessReviewTemplate"],
  };
}

function templateIn(body: Json): Observed | undefined {
  const record = inside(body, "accessReviewTemplate");
  const id = record === undefined ? "" : textOf(record, "id");
  if (record === undefined || id === "" || isGone(record)) return undefined;
  const shown = { ...pick(record, FIELDS), ...columnsIn(record), ...channelIn(record) };
  return {
    key: [id],
    fields: normalise(shown, shape),
    ...timesOf(record),
    ...notCompared([record], (name) => !shape.fields.has(name)),
  };
}

/** The older list of columns counts only where the ordered one is empty, and says the same in fewer words. */
function columnsIn(record: JsonObject): JsonObject {
  const config = inside(record, "columnConfig");
  if (config === undefined) return {};
  const { columns: _, ...rest } = config;
  const older = listOf(config, "columns").map((builtin) => ({ builtin }));
  const ordered = listOf(config, "orderedColumns");
  return { columnConfig: { ...rest, orderedColumns: ordered.length > 0 ? ordered : older } };
}

/** The service fills in the id of a channel that is named, and the name of one that is chosen by its id. */
function channelIn(record: JsonObject): JsonObject {
  const channel = inside(record, "slackChannel");
  if (channel === undefined) return {};
  const { name: _, channelId: __, isChannelId, ...rest } = channel;
  return { slackChannel: { ...rest, ...pick(channel, [isChannelId === true ? "channelId" : "name"]) } };
}

/** The template as it is sent: a channel that is chosen by its id says so. */
function sent(after: JsonObject, fields: readonly string[]): JsonObject {
  const { slackChannel: channel, ...rest } = pick(after, fields);
  if (!isObject(channel ?? null)) return rest;
  const isById = textOf(channel as JsonObject, "channelId") !== "";
  return { ...rest, slackChannel: { ...(channel as JsonObject), ...(isById ? { isChannelId: true } : {}) } };
}
