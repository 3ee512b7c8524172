import type { Operation, World } from "../answer/operation.js";
import {
  campaignReply,
  campaignRequest,
  campaignSetupReply,
  campaignSetupRequest,
  listCampaignsReply,
  listCampaignsRequest,
} from "../messages/campaign.js";
import { ROOT } from "../tenant/store.js";
import type { CampaignRow } from "../tenant/tenant.js";
import { pick, text } from "../wire/member.js";
import { existing } from "./existing.js";
import { pageOf } from "./page.js";

/** The reviews that were cut from templates, or made for themselves: looked up here, started and closed elsewhere. */
export const campaigns = [
  {
    name: "ListCampaigns",
    summary: "Lists the campaigns. The service has no search for them, and no list of templates.",
    method: "GET",
    path: "/api/v1/access_reviews",
    request: listCampaignsRequest,
    response: listCampaignsReply,
    answer(request, world) {
      const page = pageOf(request, world, [world.store.campaigns.of(ROOT)], (row) => !isGone(row));
      return {
        list: page.rows.map((row) => ({ accessReview: row })),
        nextPageToken: page.nextPageToken,
      };
    },
  },
  {
    name: "GetCampaign",
    summary: "Gives one campaign, in a view that is called as the campaign in it.",
    method: "GET",
    path: "/api/v1/access_review/{id}",
    request: campaignRequest,
    response: campaignReply,
    answer: (request, world) => ({ accessReview: { accessReview: find(text(request, "id"), world) } }),
  },
  {
    name: "GetCampaignScopeAndEntitlements",
    summary: "Gives a campaign's own scope and entitlements, which stay as they were cut.",
    method: "GET",
    path: "/api/v1/access_review/{access_review_id}/scope_and_entitlements",
    request: campaignSetupRequest,
    response: campaignSetupReply,
    answer(request, world) {
      const row = find(text(request, "accessReviewId"), world);
      const { scopeV2: scope } = row;
      const list = row.entitlements.map((entitlement) => ({
        accessReviewTemplateEntitlement: {
          ...pick(row, ["accessReviewTemplateId", "policyId"]),
          tenantId: world.store.tenantId,
          ...entitlement,
        },
      }));
      return { list, ...(scope === undefined ? {} : { scope }) };
    },
  },
] as const satisfies readonly Operation[];

function find(id: string, { store }: World): CampaignRow {
  return existing(store.campaigns.get(ROOT, id));
}

/** A campaign has no time of deletion: deletion is one of its states. */
function isGone(row: CampaignRow): boolean {
  return row.state === "ACCESS_REVIEW_STATE_DELETED";
}
