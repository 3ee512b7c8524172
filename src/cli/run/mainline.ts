import { resolve } from "node:path";
import type { DecidedProject } from "../../manifest/git/decidingFiles.js";
import { decidingFiles } from "../../manifest/git/decidingFiles.js";
import { findCheckout, openGit } from "../../manifest/git/git.js";
import { unappliedAfter } from "../../manifest/git/unapplied.js";
import { gitEnvironment } from "../../model/variables.js";
import type { Mainline } from "../../plan/request.js";
import { lastAppliedIn as recorded } from "../../plan/since/unapplied.js";
import { folderInCheckout } from "../forge/nameOf.js";
import type { Project } from "../settings/project.js";
import type { World } from "../world/world.js";
import type { Run } from "./run.js";

/** The history of a project; null where it is in no checkout of git. */
export function mainlineOf(world: Pick<World, "env" | "cwd">, project: Project): Mainline | null {
  const checkout = findCheckout(project.root);
  if (checkout === null) return null;
  const git = openGit(checkout, gitEnvironment(world.env));
  return {
    folder: folderInCheckout(project.root),
    after: (applied, end) =>
      unappliedAfter(git, applied, { end, reviewed: project.trust.from?.commit ?? null }, (head) =>
        decidingFiles(git, { after: applied, head }, decidedProject(world, project)),
      ),
  };
}

/** Whose deciding files count. A settings file that the operator names decides, too, where it is in the checkout. */
export function decidedProject(
  { cwd }: Pick<World, "cwd">,
  { root, contexts, trust }: Pick<Project, "root" | "contexts" | "trust">,
): DecidedProject {
  const file = trust.from?.commit === null ? folderInCheckout(resolve(cwd, trust.from.named)) : "";
  return {
    folder: folderInCheckout(root),
    context: contexts.current,
    named: file === "" ? [] : [file],
  };
}

/** The last commit of this project whose change was applied completely, as the state records it; null where it does not. */
export async function lastApplied({
  store,
  project,
}: Pick<Run, "store" | "project">): Promise<string | null> {
  const { snapshot } = await store.read();
  return recorded(snapshot, folderInCheckout(project.root));
}
