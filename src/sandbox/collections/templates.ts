import type { JsonObject } from "../../model/json.js";
import { Refusal } from "../answer/operation.js";
import { empty } from "../messages/members.js";
import { template, written } from "../messages/template.js";
import type { TemplateRow } from "../tenant/tenant.js";
import { list, message } from "../wire/descriptor.js";
import { omit, part, text } from "../wire/member.js";
import { find } from "./owned.js";
import { keptExpressions } from "./rewriting.js";
import { operationsOf, type Write } from "./table.js";

const SERVICE = "c1.api.accessreview.v1.AccessReviewTemplateService";

const reply = message(`${SERVICE}Response`, { accessReviewTemplate: template });

/** The recipes that reviews are cut from. The service does not list them: the id must be known. */
export const templates = operationsOf<TemplateRow>({
  noun: ["Template", "Templates"],
  at: "/api/v1/access_review_template",
  service: SERVICE,
  record: template,
  rows: (store) => store.templates,
  find: (request, world) => find(world, "templates", text(request, "id")),
  written,
  updated: ["inclusionScope", "nextScheduledCampaignAt", "slackChannel"],
  owners: "ownerIds",
  required: ["owner_ids"],
  refuses(names, { quirks }) {
    // A tenant without the e-signature feature refuses its mere mention, whether or not it changes.
    if (names.includes("signatureConfig") && quirks.signatures !== true)
      throw new Refusal("permissionDenied", "signature_config: feature is not enabled");
  },
  keeps,
  calls: {
    Create: ["Makes a template.", "CreateRequest", reply, { ...written, ownerIds: list("string", 32) }],
    Get: ["Gives a template.", "GetRequest", reply],
    Update: [
      "Changes the masked fields of a template; the mask must be given.",
      "UpdateRequest",
      reply,
      { accessReviewTemplate: template, updateMask: "mask" },
    ],
    Delete: ["Deletes a template.", "GetRequest", empty],
  },
});

/** Annotations are merged into those there were. */
function keeps(sent: JsonObject, { names, before = { id: "" }, world }: Write<TemplateRow>): JsonObject {
  const scope = part(sent, "scope");
  const channel = part(sent, "slackChannel");
  const had = names.includes("annotations") ? part(before, "annotations") : undefined;
  const annotations = merged(had ?? {}, part(sent, "annotations") ?? {});
  return {
    ...omit(sent, ["annotations"]),
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
