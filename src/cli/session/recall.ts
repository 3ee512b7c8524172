import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { remembered } from "../../reconcile.js";
import type { Snapshot } from "../../state/snapshot.js";
import { StateError } from "../../state/store.js";
import { withLock } from "./lock.js";
import type { Run } from "./run.js";

/**
 * What is remembered, for whoever only looks: what a cut-off run left behind is found out first, unless a run that is
 * still going on holds the lock. Then the state is as it was last kept, and that is said.
 */
export async function recall(run: Run): Promise<Checked<Snapshot | null>> {
  const { store, tenant, world, project } = run;
  const { snapshot, journal } = await store.read();
  if (tenant === null || journal.length === 0) return { value: snapshot, diagnostics: [] };
  const { settings } = project;
  const patience = { clock: world.clock, milliseconds: settings.requestTimeout.value };
  try {
    return await withLock(run, 0, (lock) =>
      remembered(settings.interface.value, { store, lock, client: tenant.client, patience }),
    );
  } catch (error) {
    if (!(error instanceof StateError) || error.diagnostic.code !== "state/locked") throw error;
    return { value: (await store.read()).snapshot, diagnostics: [underWay] };
  }
}

const underWay: Diagnostic = {
  code: "plan/under-way",
  severity: "warning",
  message: "another run is under way, and holds the state's lock",
  hint: "What it has not kept yet is not in this plan. Plan again when it is done.",
};
