import type { Path } from "../../../model/path.js";
import { campaign as campaignMessage } from "../../messages/campaign.js";
import { scope as scopeMessage } from "../../messages/scope.js";
import { pick } from "../../wire/member.js";
import type { CampaignRow, NamedRow, SetupRow } from "../tenant.js";
import { SEEDED_AT } from "./apps.js";
import { checked } from "./checked.js";
import { idOf } from "./naming.js";
import type { SeedCampaign } from "./shape.js";

/** A template that campaigns can be cut from. */
export interface Recipe {
  readonly template: NamedRow;
  readonly setup: SetupRow;
}

/** The row of one campaign: with the scope and the entitlements of its template, unless it has a scope of its own. */
export function campaignRow(
  campaign: SeedCampaign,
  recipeOf: (words: string, path: Path) => Recipe | string,
  path: Path,
): CampaignRow {
  const { name, template, state = "CLOSED", tasks, started, closed, scope, fields = {} } = campaign;
  const recipe = template === undefined ? undefined : recipeOf(template, [...path, "template"]);
  const known = typeof recipe === "object" ? recipe : undefined;
  const templateId = typeof recipe === "string" ? recipe : recipe?.template.id;
  const own = scope === undefined ? known?.template.scope : checked(scope, scopeMessage, [...path, "scope"]);
  const written = {
    ...fields,
    ...pick(known?.template ?? {}, ["policyId", "scopeType"]),
    ...(templateId === undefined ? {} : { accessReviewTemplateId: templateId }),
    ...(own === undefined ? {} : { scopeV2: own }),
    state: `ACCESS_REVIEW_STATE_${state}`,
    ...(tasks === undefined ? {} : { expectedTicketCount: tasks }),
    ...(started === undefined ? {} : { scheduledStartDate: started, startedAt: started }),
    ...(closed === undefined ? {} : { completionDate: closed, closedAt: closed }),
  };
  return {
    ...checked(written, campaignMessage, path),
    ...SEEDED_AT,
    id: campaign.id ?? idOf("campaign", name, template ?? ""),
    displayName: name,
    entitlements: known?.setup.entitlements ?? [],
  };
}
