import { page } from "../messages/members.js";
import { workflow } from "../messages/workflow.js";
import { operationsOf } from "./table.js";

const SERVICE = "c1.api.automations.v1.";

/** The workflows of the tenant, some of which cut campaigns from templates. */
export const workflows = operationsOf({
  noun: ["Workflow", "Workflows"],
  at: "/api/v1/automations",
  service: SERVICE,
  record: workflow,
  rows: (store) => store.workflows,
  calls: {
    List: [
      "Lists the workflows with their steps, those of drafts included.",
      "ListAutomationsRequest",
      page(`${SERVICE}ListAutomationsResponse`, workflow),
    ],
  },
});
