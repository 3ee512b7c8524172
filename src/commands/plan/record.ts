import { apply } from "../../apply/run.js";
import type { Session } from "../../apply/session.js";
import type { Run } from "../../cli/run/run.js";
import { listenForInterrupts } from "../../cli/world/interrupts.js";
import type { Request } from "../../plan/request.js";
import type { MadePlan } from "../../reconcile.js";

/** Milliseconds to wait for the lock of a living holder. */
const LOCK_TIMEOUT = 60_000;

/**
 * A plan of drift alone, after the state has it, under its lock. Null where it could not be made or recorded. A signal ends
 * it and frees its lock.
 */
export async function record(
  { world, owner }: Run,
  request: Request,
  session: Session,
  progress: (done: number, total: number) => void,
): Promise<MadePlan> {
  const unseen = { say: () => undefined, end: () => undefined };
  const { first: interrupt, close } = listenForInterrupts(
    world,
    unseen,
    () => 0,
    () => null,
  );
  const result = await apply(
    {
      request,
      plan: null,
      expected: null,
      mergedAt: null,
      isAllOrNothing: false,
      owner,
      lockTimeout: LOCK_TIMEOUT,
      rescue: null,
      lineage: world.unique(),
      run: world.unique(),
      pullRequest: null,
      review: async () => true,
      // Recording changes nothing in the tenant.
      asksAboutIntent: true,
      appliedFolder: null,
      progress,
      listener: async () => undefined,
      interrupt,
    },
    session,
  ).finally(close);
  interrupt.throwIfAborted();
  if (result.as === "refused") return { value: null, look: null, diagnostics: result.diagnostics };
  const failed = result.as === "applied" && result.fault !== null ? [result.fault] : [];
  return {
    value: failed.length === 0 ? result.plan : null,
    look: null,
    diagnostics: [...result.diagnostics, ...failed],
  };
}
