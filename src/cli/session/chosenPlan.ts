import { extname } from "node:path";
import { kinds } from "../../kinds/index.js";
import { formatAddress } from "../../model/address.js";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { findingsNow } from "../../plan/findingsNow.js";
import { pinPlan } from "../../plan/freeze.js";
import { openFindings } from "../../plan/guards.js";
import type { Plan } from "../../plan/plan.js";
import { publicServer } from "../../plan/server.js";
import { plan as makePlan } from "../../reconcile.js";
import type { Snapshot } from "../../state/snapshot.js";
import { exit, stopped } from "../commandLine/exit.js";
import { whileReading } from "../output/reading.js";
import { acknowledgementsFrom, heard, type PlanningFlags, requestFrom, today } from "./planning.js";
import type { Run } from "./run.js";
import { readPlan } from "./savedPlan.js";

/** A plan to be applied, and whether somebody has seen it already; or why there is none. */
export type Chosen =
  | {
      readonly as: "plan";
      readonly plan: Plan;
      readonly hash: string;
      readonly saved: boolean;
      readonly told: readonly Diagnostic[];
    }
  | { readonly as: "none"; readonly code: number; readonly told: readonly Diagnostic[] };

/** The flags that choose a plan. */
export interface ChoosingFlags extends PlanningFlags {
  /** `sha256:…`: apply that plan and no other. */
  readonly expect?: string;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** The saved plan that the command line names, or a new one from its manifests. */
export async function choosePlan(
  run: Run,
  flags: ChoosingFlags,
  paths: readonly string[],
  snapshot: Snapshot | null,
): Promise<Chosen> {
  const [first, ...more] = paths;
  const isSaved = first !== undefined && more.length === 0 && extname(first) === ".json";
  const saved = isSaved ? await readPlan(run.world, first) : null;
  // A manifest may be JSON, too: what is no plan at all is read as one.
  const isManifest = saved?.diagnostics.some(({ code }) => code === "plan/unreadable") === true;
  if (saved !== null && !isManifest) {
    if (saved.value === null) return { as: "none", code: exit.refused, told: saved.diagnostics };
    const { plan, hash } = saved.value;
    const refusals = [...unexpected(hash, flags.expect), ...stale(plan, run, snapshot)];
    if (refusals.length > 0) return { as: "none", code: exit.refused, told: refusals };
    return { as: "plan", plan, hash, saved: true, told: saved.diagnostics };
  }

  const request = await requestFrom(run, flags, { offline: false, refreshOnly: false }, paths);
  const made = await whileReading(run.world, flags, (progress) =>
    makePlan(request, snapshot, run.tenant?.client ?? null, progress),
  );
  const told = heard(made.diagnostics, flags);
  if (made.value === null || hasErrors(told)) return { as: "none", code: stopped(told), told };
  const hash = pinPlan(made.value);
  const refusals = unexpected(hash, flags.expect);
  if (refusals.length > 0) return { as: "none", code: exit.refused, told: [...told, ...refusals] };
  return { as: "plan", plan: made.value, hash, saved: false, told };
}

/** What guards a plan trips that nobody answers for, asked anew with the limits of today. */
export function guarded({ project, world }: Run, plan: Plan, flags: PlanningFlags): readonly Diagnostic[] {
  const { settings } = project;
  const { value } = findingsNow(plan, kinds, {
    limits: settings.limits.value,
    acknowledgements: acknowledgementsFrom(project, flags),
    today: today(world),
  });
  return openFindings({ findings: value }).map(
    ({ guard, address, message }): Diagnostic => ({
      code: `guard/${guard}`,
      severity: "error",
      message: address === null ? message : `${formatAddress(address)}: ${message}`,
      hint: `Nothing was applied. If it is meant, add --acknowledge ${guard}${address === null ? "" : `=${formatAddress(address)}`}.`,
    }),
  );
}

function unexpected(hash: string, expected: string | undefined): readonly Diagnostic[] {
  if (expected === undefined || expected === hash) return [];
  return [
    {
      code: "plan/unexpected",
      severity: "error",
      message: `the plan is ${hash}, and ${expected} was expected`,
      hint: "Nothing was applied. Review this plan, or apply the one that was reviewed.",
    },
  ];
}

/** Why a saved plan is no longer of this world: another tenant, or another state. */
function stale({ server, state }: Plan, { tenant }: Run, snapshot: Snapshot | null): readonly Diagnostic[] {
  const again = "Nothing was applied. Make the plan again.";
  if (tenant !== null && publicServer(tenant.name) !== server)
    return [
      {
        code: "plan/other-server",
        severity: "error",
        message: `the plan is for ${server}, and this project's server is ${publicServer(tenant.name)}`,
        hint: "A plan never chooses where it goes. Apply it in the project it was made in, or make it again.",
      },
    ];
  if (state?.lineage !== snapshot?.lineage) {
    const message =
      state === null
        ? "the plan was made without a state, and there is one now"
        : snapshot === null
          ? "the plan was made from a state, and there is none now"
          : "the plan was made from another state";
    return [{ code: "plan/other-state", severity: "error", message, hint: again }];
  }
  if (state?.serial === snapshot?.serial) return [];
  const message = `the plan was made from serial ${state?.serial} of the state, which is now ${snapshot?.serial}`;
  return [{ code: "plan/stale", severity: "error", message, hint: again }];
}
