import { hashesOf, hidePeople, outlookOf, type Plan } from "../../../entry/reports.js";
import { plan as makePlan } from "../../../entry/session.js";
import type { Context } from "../../commandLine/context.js";
import { exit, stopped } from "../../commandLine/exit.js";
import { printDiagnostics } from "../../output/diagnostics.js";
import { earlyPlan } from "../../output/earlyPlan.js";
import { type RunFailure, showFailure } from "../../output/failing.js";
import { namesPeople } from "../../output/namesPeople.js";
import { printablePlan } from "../../output/printablePlan.js";
import { showReading } from "../../output/reading.js";
import { type OutputFlags, show } from "../../output/show.js";
import { type PlanningFlags, requestFrom } from "../../session/planning.js";
import { recordDrift } from "../../session/recordDrift.js";
import { sessionOf, speedOf, withRun } from "../../session/run.js";
import { savePlan } from "../../session/savedPlan.js";

/** The flags of `remit plan`. */
export interface PlanFlags extends PlanningFlags, OutputFlags {
  readonly out?: string;
  readonly offline: boolean;
  readonly refreshOnly: boolean;
  /** As `refreshOnly`, and the state remembers that the drift was seen. */
  readonly record: boolean;
  readonly detailedExitcode: boolean;
}

/** Shows what an apply would change, and saves it with `--out`. */
export default async function plan(
  this: Context,
  flags: PlanFlags,
  ...paths: readonly string[]
): Promise<void> {
  const { world } = this;
  const fail = (failure: RunFailure) => showFailure(world, "plan", flags, failure);
  this.process.exitCode = await withRun(
    world,
    { command: "plan", flags, tenant: !flags.offline, fail },
    async (run) => {
      const asked = await requestFrom(
        run,
        flags,
        { ...flags, refreshOnly: flags.refreshOnly || flags.record },
        paths,
      );
      printDiagnostics(world, world.stderr, asked.diagnostics);
      if (asked.value === null) return stopped(asked.diagnostics);
      const request = asked.value;
      const { progress, end } = showReading(world, flags);
      const session = sessionOf(run);
      const isDecided = !flags.offline || flags.out !== undefined;
      const early = earlyPlan(world, flags, { isDecided, end });
      const making = flags.record
        ? recordDrift({ request, owner: run.owner, unique: world.unique, progress }, session)
        : makePlan(request, session, { progress, planned: early.planned });
      const made = await making.finally(end);
      printDiagnostics(world, world.stderr, made.diagnostics, flags.verbose);
      if (made.value === null)
        return fail({ diagnostics: made.diagnostics, code: stopped(made.diagnostics) });

      const { effect } = hashesOf(made.value);
      const names = namesPeople(world, flags, run.project);
      const shared = names === "everywhere" ? made.value : hidePeople(made.value);
      const { out } = flags;
      const unsaved = out === undefined ? [] : await savePlan(world, shared, out);
      const printable = printablePlan(made.value, effect, names, { isDecided, speed: speedOf(run) });
      const to = "output and files";
      const unwritten = [...unsaved, ...(await show(world, flags, printable, to, early.part()))];
      printDiagnostics(world, world.stderr, unwritten);
      if (unwritten.length > 0) return exit.error;
      return exitCode(made.value, flags);
    },
  );
}

/** An offline plan that is not saved is not meant to be applied: what stands in its way is not decided. */
function exitCode(made: Plan, { offline, out, detailedExitcode }: PlanFlags): number {
  const outlook = outlookOf(made);
  if (outlook === "cannot be applied" && (!offline || out !== undefined)) return exit.refused;
  return detailedExitcode && outlook !== "changes nothing" ? exit.pending : exit.done;
}
