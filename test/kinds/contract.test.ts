import { accessProfile } from "../../src/kinds/accessProfile.js";
import { customEntitlement } from "../../src/kinds/customEntitlement.js";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import { resource } from "../../src/kinds/resource.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { reviewTemplate } from "../../src/kinds/reviewTemplate.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import { webhook } from "../../src/kinds/webhook.js";
import { kindContract } from "../contracts/kind.js";
import { ANA, C1, GITHUB, idOf, QUARTERLY, REPOSITORY, RULED } from "../sandbox/visit.js";

kindContract(templateScope, {
  identity: { templateId: QUARTERLY },
  always: {},
  rows: {
    campaigns: { accessReview: { id: "campaign", accessReviewTemplateId: QUARTERLY } },
    workflows: {
      automationSteps: [{}],
      draftAutomationSteps: [{ createAccessReview: { accessReviewTemplateId: QUARTERLY } }],
    },
  },
});
kindContract(reviewTemplate, {
  identity: { id: QUARTERLY, ownerIds: [ANA] },
  always: { displayName: "Quarterly" },
  rows: {
    campaigns: { accessReview: { id: "campaign", accessReviewTemplateId: QUARTERLY } },
    workflows: { automationSteps: [{ createAccessReview: { accessReviewTemplateId: QUARTERLY } }] },
  },
});
kindContract(entitlementAutomation, {
  identity: { appId: C1, appEntitlementId: RULED },
  always: {},
  rows: {},
});
kindContract(resourceType, {
  identity: { appId: GITHUB, id: REPOSITORY, resourceType: "CUSTOM" },
  always: { displayName: "Team" },
  rows: {},
});
kindContract(webhook, {
  identity: { id: idOf("webhook") },
  always: { displayName: "Ticket desk", url: "https://tickets.example.com", callbackTimeout: "8d" },
  rows: {},
});
kindContract(resource, {
  identity: { appId: GITHUB, appResourceTypeId: REPOSITORY, id: idOf("resource") },
  always: { displayName: "api" },
  rows: {},
});
kindContract(customEntitlement, {
  identity: {
    appId: GITHUB,
    id: idOf("entitlement"),
    appResourceTypeId: REPOSITORY,
    appResourceId: idOf("resource"),
  },
  always: { displayName: "Reader" },
  rows: {},
});
kindContract(accessProfile, {
  identity: { appId: C1, id: idOf("profile") },
  always: { displayName: "Starter" },
  rows: {},
});
