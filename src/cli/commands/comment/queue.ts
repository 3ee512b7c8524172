import type { Pipeline } from "../../../forge/pipeline.js";
import { statusText } from "../../../forge/statusText.js";
import { type Diagnostic, hasErrors } from "../../../model/diagnostic.js";
import { codeOf, postedCode } from "../../exitCode.js";
import { folderInCheckout, nameOf } from "../../forge/nameOf.js";
import { openProject } from "../../settings/project.js";
import type { World } from "../../world/world.js";
import { onForge } from "./onForge.js";

type Ending = readonly [code: number, diagnostics: readonly Diagnostic[]];

/**
 * Sets the status of the project's plan on the commit of a merge queue, so that a queue which requires it does not wait.
 * The status names no effect, so it approves nothing: what applies is what was reviewed on each pull request.
 */
export async function passQueue(
  world: World,
  pipeline: Pipeline,
  files: readonly string[],
  { verbose }: { readonly verbose: boolean },
): Promise<Ending> {
  const { change } = pipeline;
  if (files.length > 0) return [codeOf("wrong usage"), [WITH_FILES]];
  if (change.as !== "queue") return [codeOf("wrong usage"), [NO_QUEUE]];
  const { value: project, diagnostics } = await openProject(world, {});
  const { server } = project.settings;
  if (hasErrors(diagnostics) || server.value === null) {
    const found = server.value === null ? [...diagnostics, NO_SERVER] : diagnostics;
    return [codeOf("invalid settings"), found];
  }
  const tenant = { server: server.value, context: project.contexts.current };
  const name = nameOf(folderInCheckout(project.root), pipeline.path, tenant);
  const counts = "In a merge queue. What was reviewed on each pull request is applied.";
  const status = { about: "plan", name, effect: null, counts, isGood: true, url: pipeline.run } as const;
  const found = await onForge(world, pipeline, { verbose }, async (forge) => {
    await forge.setStatus(change.commit, statusText(status));
    world.stderr.write(`Set the status of commit ${change.commit.slice(0, 12)}\n`);
    return [];
  });
  return found.length === 0 ? [codeOf("done"), diagnostics] : [postedCode(found), found];
}

const WITH_FILES: Diagnostic = {
  code: "command/usage",
  severity: "error",
  message: "--queue takes no file: the commit of a merge queue has no plan",
  hint: "The plan of each pull request is posted in the job of that pull request.",
};

const NO_QUEUE: Diagnostic = {
  code: "command/usage",
  severity: "error",
  message: "--queue is for a job of a merge queue, and this job is of none",
  hint: "Run it in a job that the event `merge_group` starts.",
};

const NO_SERVER: Diagnostic = {
  code: "config/no-server",
  severity: "error",
  message: "no server is named, so remit does not know which status the queue waits for",
  hint: "Set `server:` in remit.yaml, or REMIT_SERVER.",
};
