import type { Unapplied } from "../../manifest/git/unapplied.js";
import type { Snapshot } from "../../state/snapshot.js";
import { isPending } from "../calls.js";
import type { Plan } from "../plan.js";
import type { Request } from "../request.js";

/** The last commit of a project whose change was applied completely, as the state records it; null where it does not. */
export function lastAppliedIn(snapshot: Snapshot | null, folder: string): string | null {
  const commits = snapshot?.lastApplied ?? {};
  return Object.hasOwn(commits, folder) ? (commits[folder] ?? null) : null;
}

/**
 * What was merged before the change of a plan and not applied completely; null where nothing was, or that is not known.
 * Where a plan of the whole project leaves nothing to do, all of that is applied.
 */
export async function unappliedBefore(
  plan: Plan,
  request: Pick<Request, "project" | "mode" | "history">,
  snapshot: Snapshot | null,
): Promise<Unapplied | null> {
  const { mode } = request;
  const { mainline } = request.history;
  const applied = mainline === null ? null : lastAppliedIn(snapshot, mainline.folder);
  if (mainline === null || applied === null) return null;
  const isWhole = isOfWhole(request) && plan.since === null && !mode.refreshOnly;
  if (isWhole && !plan.steps.some(({ action }) => isPending(action))) return null;
  return mainline.after(applied, plan.since?.commit ?? null);
}

/** Whether a request is about a whole project. */
export function isOfWhole({ project: { manifests }, mode }: Pick<Request, "project" | "mode">): boolean {
  const isSelecting = manifests.paths.length > 0 || mode.targets.length > 0 || mode.selector !== null;
  return manifests.project !== null && !isSelecting;
}
