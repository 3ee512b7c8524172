import type { Call } from "../model/call.js";
import { isObject, type Json } from "../model/json.js";
import type { Key } from "../model/key.js";

import type { Gap, Trail } from "./inventory.js";
import type { Named } from "./named.js";
import { inside, list, listOf, textOf } from "./spelling.js";

/** The list of the tenant's campaigns: the service has no list of templates, and a campaign names its template. */
export function listCampaigns(): Call {
  return list("ListCampaigns", "access_reviews");
}

/** The template that a campaign was started from; undefined for a campaign without one. Its name needs a read of its own. */
export function readTemplate(row: Json): Named | undefined {
  const id = textOf(inside(row, "accessReview") ?? {}, "accessReviewTemplateId");
  return id === "" ? undefined : { id, name: "" };
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

/** The list of the tenant's workflows. */
// Rows of workflows are long, so a page has few.
export function listWorkflows(): Call {
  return { ...list("ListWorkflows", "automations"), query: { page_size: "10" } };
}

/** The templates that the steps of a workflow start campaigns from. */
function templatesIn(row: Json): readonly Key[] {
  if (!isObject(row)) return [];
  const steps = [...listOf(row, "automationSteps"), ...listOf(row, "draftAutomationSteps")];
  const ids = steps.map((step) => textOf(inside(step, "createAccessReview") ?? {}, "accessReviewTemplateId"));
  return [...new Set(ids)].filter((id) => id !== "").map((id) => [id]);
}
