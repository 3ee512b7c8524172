import { lastAppliedIn as recorded } from "../../entry/session.js";
import { folderInCheckout } from "../forge/nameOf.js";
import type { Run } from "./run.js";

/** The last commit of this project whose change was applied completely, as the state records it; null where it does not. */
export async function lastApplied({
  store,
  project,
}: Pick<Run, "store" | "project">): Promise<string | null> {
  const { snapshot } = await store.read();
  return recorded(snapshot, folderInCheckout(project.root));
}
