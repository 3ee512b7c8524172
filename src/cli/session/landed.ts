import { folderInCheckout } from "../forge/nameOf.js";
import type { Run } from "./run.js";

/** The last commit of this project whose change was applied completely, as the state records it; null where it does not. */
export async function landedIn({ store, project }: Pick<Run, "store" | "project">): Promise<string | null> {
  const { snapshot } = await store.read();
  const landed = snapshot?.landed ?? {};
  const folder = folderInCheckout(project.root);
  const commit = Object.hasOwn(landed, folder) ? landed[folder] : undefined;
  return commit ?? null;
}
