import type { KindOf } from "../kinds/kindOf.js";
import type { Unapplied } from "../manifest/git/unapplied.js";
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { idleAnswers, misspelt } from "./guards/acknowledge.js";
import { guardPlan } from "./guards/guards.js";
import type { Rules } from "./guards/rules.js";
import type { PlanImpact } from "./people/impact.js";
import type { Finding, Plan, Unseen } from "./plan.js";

/** What a run finds out about a plan once its steps are known. None of it changes a step. */
export interface Learned {
  /** The context of the run; null where the project has none. */
  readonly context: string | null;
  /** What was merged before the plan's change and not applied completely; null where nothing was, or that is not known. */
  readonly unapplied: Unapplied | null;
  /** All names of ids, the reads of names that were refused, and the calls that it took; null where none were looked up. */
  readonly names: {
    readonly names: Plan["names"];
    readonly unseen: readonly Unseen[];
    readonly calls: number;
  } | null;
  /** What the steps mean for people; null where that was not counted. */
  readonly impact: PlanImpact | null;
}

/**
 * The plan with what was learned of it, and with what its guards find then, `own` among it; and what is wrong with their acknowledgements.
 */
export function finish(
  plan: Plan,
  { context, unapplied, names, impact }: Learned,
  kindOf: KindOf,
  rules: Rules,
  own: readonly Finding[] = [],
): Checked<Plan> {
  const people = Object.values(impact?.calls ?? {}).reduce((sum, calls) => sum + calls, 0);
  const made = {
    ...plan.calls.made,
    ...(names !== null && { names: names.calls }),
    ...(people > 0 && { people }),
  };
  const ofRemit = impact === null ? plan.findings : guardPlan({ ...plan, impact }, kindOf, rules);
  const findings = [...ofRemit, ...own];
  const finished: Plan = {
    ...plan,
    ...(context !== null && { context }),
    ...(unapplied !== null && { unapplied }),
    names: names?.names ?? plan.names,
    unseen: [...plan.unseen, ...(names?.unseen ?? [])],
    calls: { ...plan.calls, made },
    impact,
    findings,
  };
  const addresses = plan.steps.map(({ address }) => address);
  const diagnostics = [...idleAnswers(findings, rules), ...misspelt(findings, rules, addresses)];
  return { value: finished, diagnostics };
}

/** The plan with what the run found besides it, before what it says already. */
export function withFound(plan: Plan, found: readonly Diagnostic[]): Plan {
  const diagnostics = [...found, ...(plan.diagnostics ?? [])];
  return diagnostics.length === 0 ? plan : { ...plan, diagnostics };
}
