import { list, message } from "../wire/descriptor.js";
import { times } from "./members.js";

const WORKFLOW = "c1.api.automations.v1";

/** The step that cuts a campaign from a template: by its id, or by what an expression makes of the run. */
const createAccessReview = message(`${WORKFLOW}.CreateAccessReview`, {
  accessReviewTemplateId: "string",
  accessReviewTemplateCel: "string",
  useSubjectUser: "bool",
});

const step = message(
  `${WORKFLOW}.AutomationStep`,
  {
    stepName: "string",
    stepDisplayName: "string",
    createAccessReview,
    waitForDuration: "free",
    sendEmail: "free",
    runAutomation: "free",
  },
  { kind: ["createAccessReview", "waitForDuration", "sendEmail", "runAutomation"] },
);

/** A workflow of the tenant. The service calls it an automation, as it calls the rule of an entitlement. */
export const workflow = message(`${WORKFLOW}.Automation`, {
  id: "string",
  displayName: "string",
  description: "string",
  enabled: "bool",
  isDraft: "bool",
  automationSteps: list(step),
  draftAutomationSteps: list(step),
  triggers: list("any"),
  ...times,
});
