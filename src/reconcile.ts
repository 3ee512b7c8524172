import type { Remote } from "./current/remote.js";
import { survey } from "./current/survey.js";
import { kinds } from "./kinds/index.js";
import type { Interface } from "./kinds/kind.js";
import { type Load, loadManifests } from "./manifest/load.js";
import { type Checked, type Diagnostic, hasErrors } from "./model/diagnostic.js";
import type { Acknowledgement } from "./plan/acknowledge.js";
import type { Limits } from "./plan/guards.js";
import { makePlan } from "./plan/make.js";
import type { Mode, Plan } from "./plan/plan.js";
import type { Snapshot } from "./state/snapshot.js";

/** What a plan is asked for with. */
export interface Request {
  readonly manifests: Load;
  readonly server: string;
  readonly interface: Interface | "auto";
  readonly mode: Mode;
  readonly commit: string | null;
  readonly limits: Limits;
  readonly acknowledgements: readonly Acknowledgement[];
  readonly today: string;
  readonly width: number;
}

/**
 * Text becomes resources; resources and the world become a plan. Null where an author's mistake stands in the way,
 * because half a plan would be shown as if it were all.
 */
export async function planFrom(
  request: Request,
  snapshot: Snapshot | null,
  remote: Remote | null,
  progress: (done: number) => void,
): Promise<Checked<Plan | null>> {
  const { manifests, mode, server, commit, limits, acknowledgements, today, width } = request;
  const loaded = await loadManifests(manifests);
  if (hasErrors(loaded.diagnostics)) return { value: null, diagnostics: loaded.diagnostics };

  const surveyed = await survey({
    resources: loaded.value,
    kinds,
    snapshot,
    apps: manifests.apps ?? {},
    asked: request.interface,
    remote: mode.offline ? null : remote,
    orphans: mode.prune || mode.refreshOnly,
    progress,
  });
  const heard: readonly Diagnostic[] = [...loaded.diagnostics, ...surveyed.diagnostics];
  if (hasErrors(heard)) return { value: null, diagnostics: heard };

  const { desired, current } = surveyed.value;
  const planned = makePlan({
    kinds,
    desired,
    current,
    snapshot,
    server,
    asked: request.interface,
    mode,
    commit,
    limits,
    acknowledgements,
    today,
    width,
  });
  return { value: planned.value, diagnostics: [...heard, ...planned.diagnostics] };
}
