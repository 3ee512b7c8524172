import schema from "../../schemas/template-scope.json" with { type: "json" };
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import { setByService } from "../schema/outline.js";
import type { SpecShape } from "../schema/shape.js";
import type { Observed } from "./kind.js";
import { normalise, notCompared } from "./normalise.js";
import { inside, isGone, listOf, pick, textOf } from "./spelling.js";
import { kindFrom } from "./table.js";
import { templateTrails, UNLISTED_TEMPLATES } from "./template.js";

const ENVELOPE = ["scope", "list", "expanded"];
const isSetByService = setByService(schema.$defs.spec.properties.entitlements.items);

/** The scope and entitlements of an access review template: one setup, set as a whole. */
export const templateScope = kindFrom({
  name: "TemplateScope",
  noun: ["template scope", "template scopes"],
  schema,
  at: "access_review_template/{templateId}/scope_and_entitlements",
  replies: { read: "list" },
  sends: { update: "" },
  isWhole: true,
  verbs: { core: ["set"], full: ["set"] },
  // The call replaces both halves, so both are always sent: `[]` and null clear.
  cleared: { scope: null },
  found: templateTrails(),
  gaps: [UNLISTED_TEMPLATES],
  concern: {
    as: "audience",
    scope: ({ scope }) => (isObject(scope) ? scope : {}),
    entitlements: (object) =>
      listOf(object, "entitlements").flatMap((row) =>
        isObject(row) ? [{ appId: textOf(row, "appId"), id: textOf(row, "appEntitlementId") }] : [],
      ),
    template: ([template = ""]) => template,
  },
  // docs/service/live.md, section 2.
  writers: { every: ["Super Admin"], own: ["Campaign Admin"] },
  // docs/service/live-reads.md, section H.
  terraform: { type: "conductorone_access_review_template_setup", key: ["access_review_template_id"] },
  also: { observe },
});

function observe(body: Json, key: Key, shape: SpecShape): Observed | undefined {
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
