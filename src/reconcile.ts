import { type Checked, hasErrors, strictly } from "./model/diagnostic.js";
import { type Drawing, observe } from "./people/observe.js";
import type { AppliedWhen } from "./plan/estimate.js";
import { type Look, lookAt, openProject } from "./plan/look.js";
import { makePlan } from "./plan/make.js";
import { observedOf } from "./plan/observed.js";
import type { Planned } from "./plan/plan.js";
import type { Recalled, Request } from "./plan/request.js";
import type { Tenant } from "./tenant/tenant.js";

/** What a caller of `plan` draws while it is made. */
export interface PlanDrawing extends Pick<Drawing, "progress"> {
  /** Begins to show the plan before its people are counted, where there is something to count. It is made once it is asked for. */
  readonly planned?: (plan: () => Planned) => void;
}

/** A plan, and the look that it was made from. Neither is there where an author's mistake stands in the way. */
export interface MadePlan extends Checked<Planned | null> {
  readonly look: Look | null;
}

/**
 * Text becomes resources; resources and what the state remembers become a look at the tenant; the look becomes a plan; and
 * what else is known is observed beside it. With `strict`, a warning is an error, and an error leaves no plan.
 */
export async function plan(
  request: Request,
  recalled: Recalled,
  tenant: Tenant | null,
  appliedWhen: AppliedWhen,
  { progress = () => undefined, planned }: PlanDrawing = {},
): Promise<MadePlan> {
  const { manifests, found = [] } = request.project;
  const judged = manifests.strict === true ? strictly : <T>(diagnostics: T) => diagnostics;
  const refused = (diagnostics: MadePlan["diagnostics"]): MadePlan => ({
    value: null,
    look: null,
    diagnostics: judged(diagnostics),
  });
  // Where manifests have mistakes, reads that began before may end after the plan.
  let isLooking = true;
  const looking = (done: number, total: number) => {
    if (isLooking) progress(done, total);
  };
  const opened = await openProject(request, recalled, tenant, looking);
  if (opened.value !== null && tenant !== null) {
    const { readPeopleAhead } = await import("./people/editedRules.js");
    readPeopleAhead(opened.value.selected, request, recalled.snapshot, tenant);
  }
  const looked =
    opened.value === null
      ? { value: null, diagnostics: opened.diagnostics }
      : await lookAt(opened.value, request, recalled, appliedWhen);
  isLooking = false;
  tenant?.thin();
  if (looked.value === null) return refused(looked.diagnostics);
  const look = looked.value;

  const made = makePlan(look);
  const known = [...looked.diagnostics, ...made.diagnostics];
  if (hasErrors(judged(known))) return refused(known);

  const learned = await observe(made.value, look, request, tenant, {
    progress,
    ...(planned && {
      early: (beside) => planned(() => ({ ...made.value, ...observedOf(made.value, look, beside).value })),
    }),
  });
  const observed = observedOf(made.value, look, learned);
  const diagnostics = judged([...known, ...observed.diagnostics]);
  if (hasErrors(diagnostics)) return refused(diagnostics);
  const all = [...found, ...diagnostics];
  const value = { ...made.value, ...observed.value, ...(all.length > 0 && { diagnostics: all }) };
  return { value, look, diagnostics };
}
