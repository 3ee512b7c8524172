import { kinds } from "../../src/kinds/index.js";
import { kindContract, type Sample } from "../contracts/kind.js";
import { ANA, C1, GITHUB, idOf, QUARTERLY, REPOSITORY, RULED } from "../sandbox/visit.js";

/** For each kind, an object that the tests' tenant can have. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  TemplateScope: {
    identity: { templateId: QUARTERLY },
    always: {},
    rows: {
      campaigns: { accessReview: { id: "campaign", accessReviewTemplateId: QUARTERLY } },
      workflows: {
        automationSteps: [{}],
        draftAutomationSteps: [{ createAccessReview: { accessReviewTemplateId: QUARTERLY } }],
      },
    },
  },
  ReviewTemplate: {
    identity: { id: QUARTERLY, ownerIds: [ANA] },
    always: { displayName: "Quarterly" },
    rows: {
      campaigns: { accessReview: { id: "campaign", accessReviewTemplateId: QUARTERLY } },
      workflows: { automationSteps: [{ createAccessReview: { accessReviewTemplateId: QUARTERLY } }] },
    },
  },
  EntitlementAutomation: {
    identity: { appId: C1, appEntitlementId: RULED },
    always: {},
    rows: {},
  },
  ResourceType: {
    identity: { appId: GITHUB, id: REPOSITORY, resourceType: "CUSTOM" },
    always: { displayName: "Team" },
    rows: {},
  },
  App: { identity: { id: GITHUB }, always: { displayName: "GitHub" }, rows: {} },
  AppConfigurationRules: {
    identity: { appId: GITHUB },
    always: { rules: [{ displayName: "Rest", settings: { maxGrantDuration: "30d" } }] },
    rows: {},
  },
  Webhook: {
    identity: { id: idOf("webhook") },
    always: { displayName: "Ticket desk", url: "https://tickets.example.com", callbackTimeout: "8d" },
    rows: {},
  },
  RiskLevel: { identity: { id: idOf("risk") }, always: { value: "Critical" }, rows: {} },
  ComplianceFramework: { identity: { id: idOf("framework") }, always: { value: "SOC 2" }, rows: {} },
  Policy: {
    identity: { id: idOf("policyMade"), policyType: "POLICY_TYPE_GRANT", scope: { appId: GITHUB } },
    always: {
      displayName: "Two eyes",
      policySteps: {
        grant: {
          steps: [
            { wait: { name: "Cooling-off", duration: { duration: "86400s" } } },
            {
              approval: {
                manager: { fallback: true, fallbackUserIds: [ANA] },
                requireApprovalReason: true,
                escalationEnabled: true,
                escalation: { expiration: "86400", cancelTicket: {} },
              },
            },
          ],
        },
        contractor: { steps: [{ reject: {} }] },
      },
      rules: [{ condition: "subject.type == UserType.HUMAN", stepKey: "contractor" }],
      baselinePolicyId: null,
      postActions: [],
    },
    rows: {},
  },
  Resource: {
    identity: { appId: GITHUB, appResourceTypeId: REPOSITORY, id: idOf("resource") },
    always: { displayName: "api" },
    rows: {},
  },
  Entitlement: {
    identity: {
      appId: GITHUB,
      id: idOf("entitlement"),
      appResourceTypeId: REPOSITORY,
      appResourceId: idOf("resource"),
    },
    always: { displayName: "Reader" },
    rows: {},
  },
  AccessConflict: {
    identity: { id: idOf("conflict") },
    always: { displayName: "Pays and approves" },
    rows: {
      workflows: {
        triggers: [
          { accessConflict: { conflictMonitorRefs: { conflictMonitorRefs: [{ id: idOf("conflict") }] } } },
        ],
      },
    },
  },
  AccessProfile: {
    identity: { appId: C1, id: idOf("profile") },
    always: { displayName: "Starter" },
    rows: {},
  },
};

for (const kind of kinds) {
  const sample = SAMPLES[kind.name];
  if (sample === undefined) throw new Error(`the contract has no sample of ${kind.name}`);
  kindContract(kind, sample);
}
