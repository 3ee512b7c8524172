import { type Diagnostic, hasErrors } from "../model/diagnostic.js";
import type { Planned } from "../plan/plan.js";
import type { Request } from "../plan/request.js";
import { type MadePlan, type PlanDrawing, plan as planFrom } from "../reconcile.js";
import { belongingOf, foreignIn, namingOf } from "./belonging.js";
import { recall } from "./recall.js";
import { type Session, tenantOf } from "./session.js";
import { stoppable, untilAborted } from "./stop.js";

/** What a caller of `plan` may see and stop. */
export interface Planning extends PlanDrawing {
  /** Ends the plan: it rejects with the signal's reason, and no further call is sent. */
  readonly signal?: AbortSignal;
}

/** Of a request for the steps alone: without the history, the people and the names of ids. */
export const STEPS_ALONE = {
  history: { since: null, reviewed: null, mainline: null },
  optional: { counting: null, nameCalls: 0 },
} as const satisfies Partial<Request>;

/**
 * What an apply would change. Takes no lock and writes nothing to the store. Null where an error leaves no whole plan.
 * Throws a `StateError` for a store that cannot be read.
 */
export async function plan(request: Request, session: Session, planning: Planning = {}): Promise<MadePlan> {
  return untilAborted(planning.signal, async () => {
    const { mode } = request;
    const reading = stoppable(mode.offline ? { ...session, client: null } : session, planning.signal);
    reading.client?.signIn();
    const state = await recall(reading, request);
    if (hasErrors(state.diagnostics)) return { value: null, look: null, diagnostics: state.diagnostics };
    const { snapshot } = state.value;
    const naming = namingOf(request, snapshot);
    const before = [...state.diagnostics, ...(naming?.refused ?? [])];
    if (hasErrors(before)) return { value: null, look: null, diagnostics: before };
    const made = await planFrom(
      naming?.request ?? request,
      state.value,
      tenantOf(reading),
      "later",
      planning,
    );
    const foreign =
      naming === null || made.value === null
        ? []
        : foreignIn(belongingOf(made.value, snapshot), snapshot, "warning");
    const says = [...before, ...(foreign.length > 0 ? foreign : (naming?.notes ?? []))];
    return {
      ...made,
      value: made.value === null ? null : withSaid(made.value, says),
      diagnostics: [...says, ...made.diagnostics],
    };
  });
}

/** The plan with what the state says of it, before what it says already. */
function withSaid(plan: Planned, said: readonly Diagnostic[]): Planned {
  return said.length === 0 ? plan : { ...plan, diagnostics: [...said, ...(plan.diagnostics ?? [])] };
}
