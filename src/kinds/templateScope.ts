import schema from "../../schemas/template-scope.json" with { type: "json" };
import type { Call } from "../model/call.js";
import { isObject, type Json } from "../model/json.js";
import type { Key } from "../model/key.js";
import { outlineSpec } from "../schema/outline.js";
import type { Kind, Observed } from "./kind.js";
import { normalise } from "./normalise.js";
import { api, inside, isGone, listOf, pick } from "./spelling.js";

const shape = outlineSpec(schema);

/** The scope and entitlements of an access review template: one setup, set as a whole. */
export const templateScope = {
  name: "TemplateScope",
  noun: { one: "template scope", many: "template scopes" },
  schema,
  shape,
  verbs: { core: ["set"], full: ["set"] },
  isPointedAt: false,
  holdsOthers: false,
  rank: 3,
  key: ({ templateId }) => (typeof templateId === "string" ? [templateId] : null),
  reads: {
    one: (key) => ({ method: "GET", path: setup(key), effect: "read", expects: ["list"] }),
    observe,
  },
  // The call replaces both halves, so both are always sent: `[]` and null clear.
  calls: ({ key, after }): readonly Call[] => [
    {
      method: "POST",
      path: setup(key ?? []),
      body: { scope: after.scope ?? null, entitlements: after.entitlements ?? [] },
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
  const entitlements = listOf(body, "list").flatMap((row) => {
    const record = inside(row, "accessReviewTemplateEntitlement");
    return record === undefined || isGone(record) ? [] : [pick(record, ["appId", "appEntitlementId"])];
  });
  return { key, fields: normalise({ ...pick(body, ["scope"]), entitlements }, shape) };
}
