import { codeOf, postedCode } from "../../../cli/exitCode.js";
import { folderInCheckout, nameOf } from "../../../cli/forge/nameOf.js";
import { openProject } from "../../../cli/settings/project.js";
import type { World } from "../../../cli/world/world.js";
import type { Pipeline } from "../../../forge/pipeline.js";
import { type Diagnostic, hasErrors } from "../../../model/diagnostic.js";
import { say } from "../../../words/say.js";
import { statusText } from "../statusText.js";
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

const WITH_FILES: Diagnostic = say("command/usage#withFiles");

const NO_QUEUE: Diagnostic = say("command/usage#noQueue");

const NO_SERVER: Diagnostic = say("config/no-server#queue");
