import type { Operation } from "../answer/operation.js";
import { listWorkflowsReply, listWorkflowsRequest } from "../messages/workflow.js";
import { ROOT } from "../tenant/store.js";
import { isDeleted } from "./existing.js";
import { pageOf } from "./page.js";

/** The workflows of the tenant, some of which cut campaigns from templates. */
export const workflows = [
  {
    name: "ListWorkflows",
    summary: "Lists the workflows with their steps, those of drafts included.",
    method: "GET",
    path: "/api/v1/automations",
    request: listWorkflowsRequest,
    response: listWorkflowsReply,
    answer(request, world) {
      const page = pageOf(request, world, [world.store.workflows.of(ROOT)], (row) => !isDeleted(row));
      return { list: page.rows, nextPageToken: page.nextPageToken };
    },
  },
] as const satisfies readonly Operation[];
