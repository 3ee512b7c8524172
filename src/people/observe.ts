import { formatKey } from "../model/key.js";
import { askOwnGuards } from "../plan/guards/own/ask.js";
import { NO_GUARD_FACTS } from "../plan/guards/own/facts.js";
import { readPolicies } from "../plan/guards/policies.js";
import type { Look } from "../plan/look.js";
import { nameIds } from "../plan/names/nameIds.js";
import { type Learned, NOTHING_MORE, namesIn } from "../plan/observed.js";
import type { Plan } from "../plan/plan.js";
import type { Request } from "../plan/request.js";
import { unappliedBefore } from "../plan/since/unapplied.js";
import type { Current } from "../tenant/known.js";
import type { Tenant } from "../tenant/tenant.js";
import { conflictsOf } from "./conflicts.js";
import { countDecided } from "./decides.js";
import { countsPeople, notCounted } from "./notCounted.js";

/** What is drawn while a plan is made. */
export interface Drawing {
  /** Shows how many calls were made. */
  readonly progress?: (done: number, total: number) => void;
  /** Hears what is known before people are counted, where there is something to count. */
  readonly early?: (learned: Learned) => void;
}

/** Asks for what is known beside the steps of a plan: names of ids, merged changes, people. */
export async function observe(
  plan: Plan,
  look: Look,
  request: Request,
  tenant: Tenant | null,
  { progress, early }: Drawing,
): Promise<Learned> {
  const { counting, nameCalls } = request.optional;
  const { manifests } = request.project;
  const { resources } = look.project;
  const { current, snapshot } = look.known;
  const unapplied = await unappliedBefore(plan, request, snapshot);
  const policies = await readPolicies(plan, look, tenant);
  const beside = { ...NOTHING_MORE, context: manifests.contexts?.current ?? null, unapplied, policies };
  if (tenant === null || counting === null) {
    const impact = notCounted(plan, conflictsIn(plan));
    const own = await askOwnGuards({ ...plan, impact }, NO_GUARD_FACTS, look.rules);
    const decides = await countDecided({ ...plan, policies: {} }, null, null);
    return { ...beside, names: await named(), decides, impact, own };
  }
  const { countPeople, guardAsking } = await import("./count.js");
  const { leftOutOf } = await import("./leftOut.js");
  // A rule that stays may ask for what a changed one gives.
  const all = withSeen(plan, current.objects);
  const [names, decides, { impact, facts }] = await Promise.all([
    naming(),
    countDecided({ ...plan, policies: policies.policies }, tenant, counting, all.steps),
    countPeople(all, tenant, counting, {
      ...(progress !== undefined && { progress }),
      guards: guardAsking(request, resources),
      leftOut: leftOutOf(resources, all, snapshot, manifests.apps ?? {}),
      conflicts: conflictsIn(all),
    }),
  ]);
  const own = await askOwnGuards({ ...plan, impact }, facts, look.rules);
  return { ...beside, names, decides, impact, own };

  function conflictsIn(steps: Pick<Plan, "steps">) {
    return conflictsOf(steps, resources, snapshot, manifests.apps ?? {});
  }

  async function named(): Promise<Learned["names"]> {
    if (tenant === null) return null;
    return nameIds({ ...plan, names: namesIn(plan, look) }, tenant, nameCalls);
  }

  async function naming(): Promise<Learned["names"]> {
    const names = await named();
    if (countsPeople(plan)) early?.({ ...beside, names });
    return names;
  }
}

/** The same plan with the values of the objects that it leaves as they are: a rule of one can then be asked about people. */
export function withSeen<P extends Plan>(plan: P, objects: Current["objects"]): P {
  const steps = plan.steps.map((step) => {
    if (step.action !== "keep" || step.key === null || step.before !== null) return step;
    const seen = objects.get(formatKey(step.address.kind, step.key));
    return seen?.as === "present" ? { ...step, before: seen.fields } : step;
  });
  return { ...plan, steps };
}
