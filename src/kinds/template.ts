import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import type { Named } from "./named.js";
import { api, inside, isGone, textOf } from "./spelling.js";

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
