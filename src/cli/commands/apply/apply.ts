import type { Recorder } from "../../../apply/event.js";
import { remainingPlan } from "../../../apply/remaining.js";
import type { Summary } from "../../../apply/summary.js";
import { formatAddress } from "../../../model/address.js";
import type { Diagnostic } from "../../../model/diagnostic.js";
import { hasErrors, strictly } from "../../../model/diagnostic.js";
import type { Plan } from "../../../plan/plan.js";
import { type Applied, apply as applyPlan, remembered } from "../../../reconcile.js";
import type { Snapshot } from "../../../state/snapshot.js";
import type { Lock } from "../../../state/store.js";
import type { Context } from "../../commandLine/context.js";
import { exit, interrupted } from "../../commandLine/exit.js";
import { tellFindings } from "../../output/findings.js";
import { outcomeFace } from "../../output/outcomeFace.js";
import { planFace } from "../../output/planFace.js";
import { type OutputFlags, show } from "../../output/show.js";
import { viewFor } from "../../output/viewer/viewer.js";
import { listenForInterrupts } from "../../outside/interrupts.js";
import { type ChoosingFlags, choosePlan, guarded } from "../../session/chosenPlan.js";
import { LOCK_TIMEOUT, withLock } from "../../session/lock.js";
import { type Run, withRun } from "../../session/run.js";
import { savePlan } from "../../session/savedPlan.js";
import { approve } from "./approval.js";

/** The flags of `remit apply`. */
export interface ApplyFlags extends ChoosingFlags, OutputFlags {
  readonly yes: boolean;
  /** A stream of events instead of a result. */
  readonly json: boolean;
  readonly outRemaining?: string;
  /** Seconds. */
  readonly lockTimeout?: number;
}

/** Plans, asks, and applies; or applies a saved plan exactly as it is. */
export default async function apply(
  this: Context,
  flags: ApplyFlags,
  ...paths: readonly string[]
): Promise<void> {
  const timeout = flags.lockTimeout === undefined ? LOCK_TIMEOUT : flags.lockTimeout * 1000;
  this.process.exitCode = await withRun(this.world, { command: "apply", flags, tenant: true }, (run) =>
    withLock(run, timeout, (lock) => applyUnderLock(run, flags, paths, lock)),
  );
}

async function applyUnderLock(
  run: Run,
  flags: ApplyFlags,
  paths: readonly string[],
  lock: Lock,
): Promise<number> {
  const { world, project, tenant, store } = run;
  const tell = (diagnostics: readonly Diagnostic[]) => tellFindings(world, world.stderr, diagnostics);
  const client = tenant?.client ?? null;
  const patience = { clock: world.clock, milliseconds: project.settings.requestTimeout.value };
  const memory = await remembered(project.settings.interface.value, {
    store,
    lock,
    client,
    patience,
  });
  tell(memory.diagnostics);
  if (hasErrors(memory.diagnostics)) return exit.error;

  const chosen = await choosePlan(run, flags, paths, memory.value);
  tell(chosen.told);
  if (chosen.as === "none") return chosen.code;
  const { plan, hash, saved } = chosen;
  const face = planFace(plan, hash);
  const isIdle = plan.steps.every(({ action }) => action === "keep");
  // Of what is going to be done, a program reads the outcome alone.
  const isShown = flags.format === "text" && !flags.json && !saved && !(flags.quiet && flags.yes);
  if (isShown || (isIdle && !flags.json)) tell(await show(world, flags, face.render));
  if (isIdle) return exit.done;

  const open = guarded(run, plan, flags);
  tell(open);
  if (open.length > 0) return exit.refused;
  if (!saved && !flags.yes) {
    const isWanted = await approve(world);
    if (isWanted === null) tell([nobodyToAsk]);
    if (isWanted === false) world.stderr.write("Nothing was applied.\n");
    if (isWanted !== true) return exit.refused;
  }
  if (isShown) world.stdout.write("\n");
  return carryOut(run, flags, { plan, hash, snapshot: memory.value, lock });
}

interface Task {
  readonly plan: Plan;
  readonly hash: string;
  readonly snapshot: Snapshot | null;
  readonly lock: Lock;
}

async function carryOut(run: Run, flags: ApplyFlags, task: Task): Promise<number> {
  const { world, tenant } = run;
  if (tenant === null) throw new Error("an apply has a tenant");
  const view = viewFor(world, flags);
  const underWay = new Set<string>();
  const listener: Recorder = async (event) => {
    if (event.type === "step started") underWay.add(formatAddress(event.address));
    if (event.type === "step finished") underWay.delete(formatAddress(event.address));
    view.hear(event);
  };
  const interrupts = listenForInterrupts(world, view, () => underWay.size);
  const started = world.clock.elapsed();
  try {
    const applied = await applyPlan(
      {
        plan: task.plan,
        hash: task.hash,
        snapshot: task.snapshot,
        client: tenant.client,
        clock: world.clock,
        patience: run.project.settings.requestTimeout.value,
        lineage: world.unique(),
        run: world.unique(),
        listener,
        interrupt: interrupts.first,
      },
      task.lock,
    );
    view.end();
    return await report(run, flags, task, applied, world.clock.elapsed() - started);
  } finally {
    view.end();
    interrupts.close();
  }
}

async function report(
  { world }: Run,
  flags: ApplyFlags,
  { plan, hash }: Task,
  applied: Applied,
  took: number,
): Promise<number> {
  const { snapshot, fault } = applied;
  const summary = flags.strict ? judgedStrictly(applied.summary) : applied.summary;
  const left = remainingPlan(plan, summary, snapshot);
  const file = left === null ? undefined : flags.outRemaining;
  const unsaved = left === null || file === undefined ? [] : await savePlan(world, left, file);
  const remaining = unsaved.length > 0 ? null : (file ?? null);
  const face = outcomeFace({ plan, hash, summary, fault, took, remaining });
  const unwritten = [...unsaved, ...(await show(world, flags, face, flags.json))];
  tellFindings(world, world.stderr, unwritten);
  const code = exitCode(applied);
  const isFlawed = unwritten.length > 0 || summary.remarks.some(({ diagnostics }) => hasErrors(diagnostics));
  return code === exit.done && isFlawed ? exit.error : code;
}

/** With `--strict`, what the service kept otherwise than sent is an error of the step that was done. */
function judgedStrictly(summary: Summary): Summary {
  const remarks = summary.remarks.map((remark) => ({ ...remark, diagnostics: strictly(remark.diagnostics) }));
  return { ...summary, remarks };
}

function exitCode({ summary, fault }: Applied): number {
  const { done, failed, refused, skipped, left, uncertain } = summary.outcomes;
  if (summary.interrupted !== null) return interrupted(summary.interrupted);
  if (fault !== null) return done > 0 ? exit.partial : exit.error;
  const undone = failed + refused + skipped + left + uncertain;
  if (undone === 0) return exit.done;
  if (done > 0 || uncertain > 0) return exit.partial;
  return refused === undone ? exit.refused : exit.error;
}

const nobodyToAsk: Diagnostic = {
  code: "apply/not-approved",
  severity: "error",
  message: "there is no terminal to ask on",
  hint: "Nothing was applied. Add --yes, or save the plan with `remit plan --out plan.json` and apply that.",
};
