import type { Call } from "../model/call.js";
import { isObject, type Json } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Gap, Trail } from "./inventory.js";
import type { Named } from "./named.js";
import { api, inside, isGone, listOf, textOf } from "./spelling.js";

/** The list of the tenant's campaigns: the service has no list of templates, and a campaign names its template. */
export function listCampaigns(): Call {
  return { method: "GET", path: api("access_reviews"), effect: "read", expects: ["list"] };
}

/** The template that a campaign was started from; undefined for a campaign without one. Its name needs a read of its own. */
export function readTemplate(row: Json): Named | undefined {
  const id = textOf(inside(row, "accessReview") ?? {}, "accessReviewTemplateId");
  return id === "" ? undefined : { id, name: "" };
}

/** The call that reads one template. */
export function templateCall(id: string): Call {
  return {
    method: "GET",
    path: api("access_review_template", id),
    effect: "read",
    expects: ["accessReviewTemplate"],
  };
}

/** What that call's reply shows; undefined when the template is deleted. */
export function templateIn(body: Json): Named | undefined {
  const template = inside(body, "accessReviewTemplate");
  if (template === undefined || isGone(template)) return undefined;
  return { id: textOf(template, "id"), name: textOf(template, "displayName") };
}

/** The lists that lead to templates: the campaigns that were cut, and the workflows that cut some. */
export function templateTrails(): readonly Trail[] {
  return [
    {
      noun: "campaigns",
      per: "tenant",
      on: ["full"],
      call: listCampaigns,
      keys: (row) => [readTemplate(row)?.id ?? ""].filter((id) => id !== "").map((id) => [id]),
      shows: "the key",
      isRequired: true,
    },
    {
      noun: "workflows",
      per: "tenant",
      on: ["full"],
      call: listWorkflows,
      keys: templatesIn,
      shows: "the key",
      isRequired: false,
    },
  ];
}

/** What those lists cannot show. */
export const UNLISTED_TEMPLATES: Gap = {
  misses: "objects",
  message:
    "The service has no list of access review templates. A template that never started a campaign, and that no workflow names, cannot be found.",
  hint: "Write its id: it is in the address of the template's page.",
};

// Rows of workflows are long, so a page has few.
function listWorkflows(): Call {
  return {
    method: "GET",
    path: api("automations"),
    query: { page_size: "10" },
    effect: "read",
    expects: ["list"],
  };
}

/** The templates that the steps of a workflow start campaigns from. */
function templatesIn(row: Json): readonly Key[] {
  if (!isObject(row)) return [];
  const steps = [...listOf(row, "automationSteps"), ...listOf(row, "draftAutomationSteps")];
  const ids = steps.map((step) => textOf(inside(step, "createAccessReview") ?? {}, "accessReviewTemplateId"));
  return [...new Set(ids)].filter((id) => id !== "").map((id) => [id]);
}
