import { apply } from "../../apply/run.js";
import type { Session } from "../../apply/session.js";
import type { Request } from "../../plan/request.js";
import type { MadePlan } from "../../reconcile.js";
import type { Owner } from "../../state/store.js";

/** What recording drift needs beside a session. */
interface Recording {
  /** A request for a plan of drift alone. */
  readonly request: Request;
  readonly owner: Owner;
  /** Names that nothing else has. */
  readonly unique: () => string;
  readonly progress: (done: number, total: number) => void;
  /** Ends the recording once it aborts: it then rejects with the signal's reason. */
  readonly interrupt: AbortSignal;
}

/** Milliseconds to wait for the lock of a living holder. */
const LOCK_TIMEOUT = 60_000;

/** A plan of drift alone, after the state has it, under its lock. Null where it could not be made or recorded. */
export async function recordDrift(
  { request, owner, unique, progress, interrupt }: Recording,
  session: Session,
): Promise<MadePlan> {
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
      lineage: unique(),
      run: unique(),
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
  );
  interrupt.throwIfAborted();
  if (result.as === "refused") return { value: null, look: null, diagnostics: result.diagnostics };
  const failed = result.as === "applied" && result.fault !== null ? [result.fault] : [];
  return {
    value: failed.length === 0 ? result.plan : null,
    look: null,
    diagnostics: [...result.diagnostics, ...failed],
  };
}
