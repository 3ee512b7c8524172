import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import {
  createTemplateRequest,
  empty,
  templateReply,
  templateRequest,
  UPDATABLE,
  updateTemplateRequest,
  WRITABLE,
} from "../messages/template.js";
import { makeId } from "../tenant/identity.js";
import { ROOT } from "../tenant/store.js";
import type { TemplateRow } from "../tenant/tenant.js";
import { omit, part, pick, text, texts } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { born, existing, readable } from "./existing.js";
import { maskOf } from "./mask.js";
import { findTemplate } from "./owned.js";
import { keptExpressions } from "./rewriting.js";

const COLLECTION = "/api/v1/access_review_template";
const ITEM = `${COLLECTION}/{id}`;

/** The recipes that reviews are cut from. The service does not list them: the id must be known. */
export const templates = [
  {
    name: "CreateTemplate",
    summary: "Makes a template.",
    method: "POST",
    path: COLLECTION,
    request: createTemplateRequest,
    response: templateReply,
    answer(request, world) {
      if (texts(request, "ownerIds").length === 0)
        throw new Refusal("invalidArgument", "owner_ids is required");
      refuseSignatures(Object.keys(request), world);
      const row = {
        ...kept(pick(request, Object.keys(WRITABLE)), {}, world),
        ownerIds: texts(request, "ownerIds"),
        id: makeId(world.now, world.random),
        ...born(world),
      };
      return { accessReviewTemplate: world.store.templates.put(ROOT, row.id, row) };
    },
  },
  {
    name: "GetTemplate",
    summary: "Gives a template.",
    method: "GET",
    path: ITEM,
    request: templateRequest,
    response: templateReply,
    answer: (request, world) => ({ accessReviewTemplate: readable(find(request, world), world) }),
  },
  {
    name: "UpdateTemplate",
    summary: "Changes the masked fields of a template; the mask must be given.",
    method: "POST",
    path: ITEM,
    request: updateTemplateRequest,
    response: templateReply,
    answer: update,
  },
  {
    name: "DeleteTemplate",
    summary: "Deletes a template.",
    method: "DELETE",
    path: ITEM,
    request: templateRequest,
    response: empty,
    answer(request, world) {
      const row = existing(find(request, world));
      world.store.templates.put(ROOT, row.id, { ...row, deletedAt: writeTimestamp(world.now) });
      return {};
    },
  },
] as const satisfies readonly Operation[];

function find(request: JsonObject, world: World): TemplateRow | undefined {
  return findTemplate(world, text(request, "id"));
}

function update(request: JsonObject, world: World): JsonObject {
  const mask = maskOf(request, UPDATABLE);
  if (mask.length === 0) throw new Refusal("invalidArgument", "update_mask is required");
  refuseSignatures(mask, world);
  const before = existing(find(request, world));
  const wanted = pick(part(request, "accessReviewTemplate") ?? {}, mask);
  const row = {
    ...omit(before, mask),
    ...kept(wanted, pick(before, mask), world),
    id: before.id,
    updatedAt: writeTimestamp(world.now),
  };
  return { accessReviewTemplate: world.store.templates.put(ROOT, row.id, row) };
}

/** A tenant without the e-signature feature refuses its mere mention, whether or not it changes. */
function refuseSignatures(fields: readonly string[], { quirks }: World): void {
  if (fields.includes("signatureConfig") && quirks.signatures !== true)
    throw new Refusal("permissionDenied", "signature_config: feature is not enabled");
}

/** The fields as the world keeps them; annotations are merged into those there were. */
function kept(wanted: JsonObject, before: JsonObject, world: World): JsonObject {
  const scope = part(wanted, "scope");
  const channel = part(wanted, "slackChannel");
  const annotations = merged(part(before, "annotations") ?? {}, part(wanted, "annotations") ?? {});
  return {
    ...omit(wanted, ["annotations"]),
    // What a channel that is named comes to has an id.
    ...(channel === undefined || text(channel, "channelId") !== ""
      ? {}
      : { slackChannel: { ...channel, channelId: "C0000001" } }),
    ...(scope === undefined ? {} : { scope: keptExpressions(scope, world) }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}

const MOST = 16;
const LARGEST = 4096;
const KEY = /^[A-Za-z][A-Za-z0-9._/-]{0,127}$/;
const VALUE = /^[\w.~:/?#[\]@!$&'()*+,;=%-]{0,256}$/;

/** Annotations after a write: those there were and those sent, less the ones sent empty. */
function merged(before: JsonObject, sent: JsonObject): JsonObject {
  for (const [key, value] of Object.entries(sent)) {
    if (!KEY.test(key)) refuse(`key ${JSON.stringify(key)} is not valid`);
    if (key.startsWith("c1/")) refuse(`key ${JSON.stringify(key)} is reserved`);
    if (!VALUE.test(String(value))) refuse(`value of ${JSON.stringify(key)} is not valid`);
  }
  const entries = Object.entries({ ...before, ...sent }).filter(([, value]) => value !== "");
  if (entries.length > MOST) refuse(`must contain no more than ${MOST} pair(s)`);
  if (entries.flat().join("").length > LARGEST) refuse(`must be no more than ${LARGEST} bytes`);
  return Object.fromEntries(entries);
}

function refuse(message: string): never {
  throw new Refusal("invalidArgument", `invalid annotations: ${message}`);
}
