import type { Operation } from "../answer/operation.js";
import { campaign } from "../messages/campaign.js";
import { expanded, page } from "../messages/members.js";
import { ROOT } from "../tenant/store.js";
import type { CampaignRow } from "../tenant/tenant.js";
import { message } from "../wire/descriptor.js";
import { pick, text } from "../wire/member.js";
import { existing } from "./owned.js";
import { setup } from "./setup.js";
import { operationsOf } from "./table.js";

const REVIEW = "c1.api.accessreview.v1.";

const view = message(`${REVIEW}AccessReviewView`, {
  accessReview: campaign,
  createdByUserPath: "string",
  policyPath: "string",
  objectPermissions: "free",
});

/** The reviews that were cut from templates, or made for themselves: looked up here, started and closed elsewhere. */
export const campaigns: readonly Operation[] = [
  ...operationsOf<CampaignRow>({
    noun: ["Campaign", "Campaigns"],
    at: "/api/v1/access_reviews",
    oneAt: "/api/v1/access_review/{id}",
    service: REVIEW,
    record: campaign,
    view,
    rows: (store) => store.campaigns,
    // A campaign has no time of deletion: deletion is one of its states.
    unlisted: ({ state }) => state === "ACCESS_REVIEW_STATE_DELETED",
    calls: {
      List: [
        "Lists the campaigns. The service has no search for them, and no list of templates.",
        "AccessReviewServiceListRequest",
        page(`${REVIEW}AccessReviewServiceListResponse`, view, expanded),
      ],
      Get: [
        "Gives one campaign, in a view that is called as the campaign in it.",
        "AccessReviewServiceGetRequest",
        message(`${REVIEW}AccessReviewServiceGetResponse`, { accessReview: view, ...expanded }),
      ],
    },
  }),
  {
    name: "GetCampaignScopeAndEntitlements",
    summary: "Gives a campaign's own scope and entitlements, which stay as they were cut.",
    method: "GET",
    path: "/api/v1/access_review/{access_review_id}/scope_and_entitlements",
    request: message(`${REVIEW}GetSetupRequest`, { accessReviewId: "string" }),
    response: setup,
    answer(request, { store }) {
      const row = existing(store.campaigns.get(ROOT, text(request, "accessReviewId")));
      const list = row.entitlements.map((entitlement) => ({
        accessReviewTemplateEntitlement: {
          ...pick(row, ["accessReviewTemplateId", "policyId"]),
          tenantId: store.tenantId,
          ...entitlement,
        },
      }));
      return { list, ...(row.scopeV2 === undefined ? {} : { scope: row.scopeV2 }) };
    },
  },
];
