import { hasErrors } from "../../../model/diagnostic.js";
import { pinPlan } from "../../../plan/freeze.js";
import { plan as makePlan } from "../../../reconcile.js";
import type { Context } from "../../commandLine/context.js";
import { exit, stopped } from "../../commandLine/exit.js";
import { tellFindings } from "../../output/findings.js";
import { planFace } from "../../output/planFace.js";
import { whileReading } from "../../output/reading.js";
import { type OutputFlags, show } from "../../output/show.js";
import { heard, type PlanningFlags, requestFrom } from "../../session/planning.js";
import { recall } from "../../session/recall.js";
import { withRun } from "../../session/run.js";
import { savePlan } from "../../session/savedPlan.js";

/** The flags of `remit plan`. */
export interface PlanFlags extends PlanningFlags, OutputFlags {
  readonly out?: string;
  readonly offline: boolean;
  readonly refreshOnly: boolean;
  readonly detailedExitcode: boolean;
}

/** Shows what an apply would change, and keeps it in a file where that is asked for. */
export default async function plan(
  this: Context,
  flags: PlanFlags,
  ...paths: readonly string[]
): Promise<void> {
  const { world } = this;
  this.process.exitCode = await withRun(
    world,
    { command: "plan", flags, tenant: !flags.offline },
    async (run) => {
      const request = await requestFrom(run, flags, flags, paths);
      const memory = await recall(run);
      tellFindings(world, world.stderr, memory.diagnostics);
      if (hasErrors(memory.diagnostics)) return exit.error;
      const made = await whileReading(world, flags, (progress) =>
        makePlan(request, memory.value, run.tenant?.client ?? null, progress),
      );
      const diagnostics = heard(made.diagnostics, flags);
      tellFindings(world, world.stderr, diagnostics);
      if (made.value === null || hasErrors(diagnostics)) return stopped(diagnostics);

      const hash = pinPlan(made.value);
      const { out } = flags;
      const unsaved = out === undefined ? [] : await savePlan(world, made.value, out);
      const face = planFace(made.value, hash);
      const unwritten = [...unsaved, ...(await show(world, flags, face.render))];
      tellFindings(world, world.stderr, unwritten);
      if (unwritten.length > 0) return exit.error;
      return flags.detailedExitcode && face.pending ? exit.pending : exit.done;
    },
  );
}
