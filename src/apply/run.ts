import { hasErrors } from "../model/diagnostic.js";
import { isPending } from "../plan/calls.js";
import { effectOf, isWriting } from "../plan/saved/effect.js";
import { again } from "./again/again.js";
import type { ContinuedPlan } from "./again/continued.js";
import { anew } from "./anew.js";
import { nameFor, namingOf } from "./belonging.js";
import { carryOut } from "./carryOut.js";
import { checked } from "./check.js";
import { ended } from "./ending.js";
import { hold } from "./hold.js";
import type { Order } from "./order.js";
import { recallUnderLock } from "./recallUnderLock.js";
import { refusal, type SessionResult } from "./result.js";
import type { Session } from "./session.js";
import { stoppable, untilAborted } from "./stop.js";

/**
 * One apply, from acquiring the lock to releasing it: hold, recover, plan, check, review, work, record. Refuses a plan whose
 * seal is wrong, which is for another server or another state, which is stale, or which has an open finding. Throws a
 * `StateError` where the lock is not free or the store cannot be read.
 */
export async function apply(asked: Order, session: Session): Promise<SessionResult> {
  const { interrupt, plan: saved } = asked;
  session.client?.signIn();
  return hold(asked, session, async (held) => {
    // What a killed run left is settled first.
    const recalled = await recallUnderLock(session, asked.request, held.lock, interrupt);
    const recovered = [...held.found, ...recalled.diagnostics];
    const naming = namingOf(asked.request, recalled.value.snapshot);
    const order = naming === null ? asked : { ...asked, request: naming.request };
    const { snapshot } = recalled.value;
    const end = (value: SessionResult) => ended(value, order, recalled.value, held, session);
    if (hasErrors(recovered)) return end(refusal("recovery", recovered));
    if (naming !== null && naming.refused.length > 0)
      return end(refusal("check", [...recovered, ...naming.refused]));

    // Until the first write, a signal ends the run.
    const reading = stoppable(session, interrupt);
    const chosen = await untilAborted(interrupt, () =>
      saved === null ? anew(order, reading, recalled.value) : again(saved, order, reading, recalled.value),
    );
    const found = [...recovered, ...(naming?.notes ?? []), ...chosen.diagnostics];
    if (chosen.plan === null) return end(refusal(chosen.by, found, chosen.unexpected));
    const { plan, applying } = chosen;
    const told = { plan, effect: effectOf(plan), diagnostics: found };
    if (isRepeated(order, chosen)) return end({ as: "already applied", ...told, effect: applying.effect });

    const candidate = checked(chosen, order, snapshot, found);
    const isWanted = await untilAborted(interrupt, () => order.review(candidate));
    const { open, foreign } = candidate;
    if (open.length > 0) return end(refusal("check", [...found, ...open]));
    if (!plan.steps.some(({ action }) => isPending(action))) return end({ as: "unchanged", ...told });
    if (!isWanted) return end(refusal("review", found));

    // Where the plan shows foreign objects, a person said that the state is this project's.
    const { name } = order.request.project;
    const project = foreign.length > 0 ? name : nameFor(order.request, plan, snapshot);
    const applied = await carryOut(chosen, project, order, snapshot, held, session);
    return end({ as: "applied", ...told, ...applied, rescue: null });
  });
}

/** Whether exactly what is asked for is done already: a plan that was saved, or one that is expected. */
function isRepeated({ plan: saved, expected }: Order, { plan, applying }: ContinuedPlan): boolean {
  const asked = saved === null ? expected : effectOf(saved.plan);
  return applying.isComplete && applying.effect === asked && !plan.steps.some(isWriting);
}
