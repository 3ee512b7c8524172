import { posix } from "node:path";
import { findCheckout, openGit } from "../../manifest/git/git.js";
import { unappliedAfter } from "../../manifest/git/unapplied.js";
import { gitEnvironment } from "../../model/variables.js";
import type { Mainline } from "../../reconcile.js";
import { lastAppliedIn as recorded } from "../../session/lastApplied.js";
import { folderInCheckout } from "../forge/nameOf.js";
import { PROJECT_FILES } from "../settings/findProjectFile.js";
import type { Project } from "../settings/project.js";
import type { World } from "../world/world.js";
import type { Run } from "./run.js";

/** The history of a project; null where it is in no checkout of git. */
export function mainlineOf({ env }: Pick<World, "env">, project: Project): Mainline | null {
  const checkout = findCheckout(project.root);
  if (checkout === null) return null;
  return {
    folder: folderInCheckout(project.root),
    after: (applied, end) =>
      unappliedAfter(openGit(checkout, gitEnvironment(env)), applied, end, filesInCheckout(project)),
  };
}

/** What a change of the project may change, as the checkout names it: its settings, its manifests, and their named values. */
export function filesInCheckout({ root, settings }: Pick<Project, "root" | "settings">): readonly string[] {
  const folder = folderInCheckout(root);
  const names = [
    ...PROJECT_FILES,
    ".remitignore",
    ...settings.manifests.value,
    ...settings.values.value.map(({ path }) => path),
  ];
  return names.map((name) => posix.normalize(posix.join(folder, name)).replace(/^\.$|\/$/g, ""));
}

/** The last commit of this project whose change was applied completely, as the state records it; null where it does not. */
export async function lastApplied({
  store,
  project,
}: Pick<Run, "store" | "project">): Promise<string | null> {
  const { snapshot } = await store.read();
  return recorded(snapshot, folderInCheckout(project.root));
}
