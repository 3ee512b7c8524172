import schema from "../../schemas/template-scope.json" with { type: "json" };
import type { Call } from "../model/call.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import { outlineSpec, setByService } from "../schema/outline.js";
import type { Kind, Observed } from "./kind.js";
import { normalise } from "./normalise.js";
import { notCompared } from "./notCompared.js";
import { api, inside, isGone, keyBy, listOf, pick, textOf } from "./spelling.js";
import { templateTrails, UNLISTED_TEMPLATES } from "./template.js";
import { asSent } from "./unnamed.js";

const shape = outlineSpec(schema);
const ENVELOPE = ["scope", "list", "expanded"];
const isSetByService = setByService(schema.$defs.spec.properties.entitlements.items);

/** The scope and entitlements of an access review template: one setup, set as a whole. */
export const templateScope = {
  name: "TemplateScope",
  noun: { one: "template scope", many: "template scopes" },
  schema,
  shape,
  verbs: { core: ["set"], full: ["set"] },
  isPointedAt: false,
  isMasked: false,
  holdsOthers: false,
  rank: 9,
  key: keyBy(shape),
  reads: {
    one: (key) => ({ method: "GET", path: setup(key), effect: "read", expects: ["list"] }),
    observe,
  },
  concern: {
    as: "audience",
    scope: ({ scope }) => (isObject(scope) ? scope : {}),
    entitlements: (object) =>
      listOf(object, "entitlements").flatMap((row) =>
        isObject(row) ? [{ appId: textOf(row, "appId"), id: textOf(row, "appEntitlementId") }] : [],
      ),
    template: ([template = ""]) => template,
  },
  inventory: {
    trails: templateTrails(),
    gaps: [UNLISTED_TEMPLATES],
  },
  // docs/service/live.md, section 2.
  writers: { every: ["Super Admin"], own: ["Campaign Admin"] },
  // docs/service/live-reads.md, section H.
  terraform: {
    type: "conductorone_access_review_template_setup",
    key: ["access_review_template_id"],
    unseen: {},
  },
  // The call replaces both halves, so both are always sent: `[]` and null clear.
  calls: ({ key, identity, after }): readonly Call[] => [
    {
      method: "POST",
      path: setup(key ?? []),
      body: {
        scope: asSent(after.scope ?? null, shape.fields.get("scope")),
        entitlements: after.entitlements ?? [],
        ...pick(identity, shape.requestOnly),
      },
      effect: "repeatable",
      expects: ["list"],
    },
  ],
  answer: ({ key }, replies) => observe(replies.at(-1) ?? null, key ?? []),
} as const satisfies Kind;

function setup([template = ""]: Key) {
  return api("access_review_template", template, "scope_and_entitlements");
}

function observe(body: Json, key: Key): Observed | undefined {
  if (!isObject(body)) return undefined;
  const rows = listOf(body, "list").flatMap((row) => {
    const record = inside(row, "accessReviewTemplateEntitlement");
    return record === undefined || isGone(record) ? [] : [record];
  });
  const fields = normalise({ ...pick(body, ["scope"]), entitlements: rows.map(written) }, shape);
  const ofRows = notCompared(rows, isSetByService, (name) => `entitlements.${name}`);
  const ofBody = notCompared([body], (name) => !ENVELOPE.includes(name));
  const names = [...(ofRows.notCompared ?? []), ...(ofBody.notCompared ?? [])].sort();
  return names.length === 0 ? { key, fields } : { key, fields, notCompared: names };
}

/** A row without what the service sets: docs/service/interface.md §2.1 lists its times among that, and §2.3 no time. */
function written(row: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => !isSetByService(name, value)));
}
