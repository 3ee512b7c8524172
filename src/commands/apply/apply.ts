import { resolve } from "node:path";
import type { Recorder } from "../../apply/event.js";
import type { PlanForReview } from "../../apply/order.js";
import { remainingPlan } from "../../apply/remaining.js";
import type { AppliedRun, SessionResult } from "../../apply/result.js";
import { apply as applyInSession } from "../../apply/run.js";
import type { Summary } from "../../apply/summary.js";
import { appliedCode, codeOf, refusedCode, stopped, unprovedCode, writtenCode } from "../../cli/exitCode.js";
import { folderInCheckout } from "../../cli/forge/nameOf.js";
import { pipelineOf } from "../../cli/forge/pipelineFrom.js";
import { endWith, printDiagnostics } from "../../cli/print/diagnostics.js";
import { earlyPlan } from "../../cli/print/earlyPlan.js";
import { type RunFailure, showFailure } from "../../cli/print/failing.js";
import { namesPeople } from "../../cli/print/namesPeople.js";
import { printablePlan } from "../../cli/print/printablePlan.js";
import { showReading } from "../../cli/print/reading.js";
import { type Printable, show } from "../../cli/print/show.js";
import type { Viewer } from "../../cli/print/viewer/view.js";
import { viewFor } from "../../cli/print/viewer/viewer.js";
import type { Context } from "../../cli/run/context.js";
import { guardedRequest } from "../../cli/run/planning.js";
import { type Run, sessionOf, speedOf, withRun } from "../../cli/run/run.js";
import { savedPlanAmong, savePlan } from "../../cli/run/savedPlan.js";
import { listenForInterrupts } from "../../cli/world/interrupts.js";
import { tryToRemove } from "../../cli/world/write.js";
import { kindNamed } from "../../kinds/index.js";
import { formatAddress } from "../../model/address.js";
import { type Diagnostic, hasErrors, strictly } from "../../model/diagnostic.js";
import { hidePeople } from "../../plan/people/impact.js";
import { render } from "../../report/forms/table.js";
import { type AppliedPlan, describeOutcome } from "../../report/outcome/describe.js";
import { collectEvidence } from "../evidence/collect.js";
import { reviewBy } from "./approval.js";
import type { ApplyFlags } from "./usage.js";

/**
 * Milliseconds to wait for a lock, beside one request: longer than any store takes to show that a holder is dead. In a
 * repository that is a lease of 120 s and one request.
 */
const LOCK_TIMEOUT = 150_000;

/** Plans, asks, and applies; or applies a saved plan exactly as it is. */
export default async function apply(
  this: Context,
  flags: ApplyFlags,
  ...paths: readonly string[]
): Promise<number> {
  const { outUnexpected: file } = flags;
  const target = file === undefined ? null : { path: resolve(this.world.cwd, file), shown: file };
  const unremoved = target === null ? [] : await tryToRemove(this.world, target);
  if (unremoved.length > 0) return endWith(this.world, "file not written", unremoved);
  const fail: Fail = (failure) => showFailure(this.world, "apply", flags, failure);
  const opening = { command: "apply", flags, tenant: true, fail };
  return withRun(this.world, opening, (run) => applyIn(run, flags, paths, fail));
}

type Fail = (failure: RunFailure) => Promise<number>;

async function applyIn(run: Run, flags: ApplyFlags, paths: readonly string[], fail: Fail): Promise<number> {
  const { world, owner, project } = run;
  const tell = (diagnostics: readonly Diagnostic[]) => printDiagnostics(world, diagnostics, flags.verbose);
  const saved = await savedPlanAmong(world, paths);
  if (saved?.value === null) {
    tell(saved.diagnostics);
    return fail({ project, diagnostics: saved.diagnostics, code: codeOf("unusable plan") });
  }
  const plan = saved?.value ?? null;
  const asked = await guardedRequest(
    run,
    flags,
    { offline: false, refreshOnly: false },
    plan === null ? paths : [],
  );
  if (asked.diagnostics.length > 0) tell(asked.diagnostics);
  if (asked.value === null)
    return fail({ project, diagnostics: asked.diagnostics, code: stopped(asked.diagnostics) });
  const request = asked.value;
  const collecting =
    flags.evidence === undefined
      ? null
      : await collectEvidence(run, flags.evidence, {
          verbose: flags.verbose === true,
          // Only the reviews of a merge come with its time.
          expectedBy:
            flags.expect === undefined ? null : flags.mergedAt === undefined ? "operator" : "review",
        });
  if (collecting !== null && "code" in collecting) {
    tell([collecting]);
    return fail({ project, diagnostics: [collecting], code: codeOf("invalid settings") });
  }
  const names = namesPeople(world, flags, run.project);
  const watch = makeWatch(run, flags);
  const reading = showReading(world, flags, run.tenant);
  const isSilent = flags.json || (flags.quiet && flags.yes);
  const early = earlyPlan(world, flags, { isDecided: true, clear: reading.clear });
  let told = 0;
  let declined: readonly Diagnostic[] = [];
  const review = async (candidate: PlanForReview) => {
    const part = await early.part();
    reading.end();
    run.telemetry?.planned(candidate.plan);
    told = candidate.diagnostics.length;
    declined = await reviewBy(
      world,
      {
        ...flags,
        names,
        saved: plan !== null,
        speed: speedOf(run),
        part,
        interrupt: watch.interrupt,
      },
      candidate,
    );
    const isWanted = declined.length === 0;
    if (isWanted) await watch.begin();
    return isWanted;
  };
  try {
    const result = await applyInSession(
      {
        request,
        plan,
        expected: flags.expect ?? null,
        mergedAt: flags.mergedAt ?? null,
        isAllOrNothing: flags.allOrNothing,
        owner,
        lockTimeout:
          flags.lockTimeout === undefined
            ? LOCK_TIMEOUT + run.project.settings.requestTimeout.value
            : flags.lockTimeout * 1000,
        appliedFolder: folderInCheckout(run.project.root),
        lineage: world.unique(),
        run: run.id,
        pullRequest: collecting?.review?.number ?? (await appliedPull(world)),
        rescue: run.rescue,
        review,
        asksAboutIntent: world.stdin.isTerminal,
        progress: reading.progress,
        ...(isSilent ? {} : { planned: early.planned }),
        listener: collecting?.listener(watch.listener) ?? watch.listener,
        interrupt: watch.interrupt,
      },
      sessionOf(run),
    ).finally(early.part);
    reading.end();
    tell(result.diagnostics.slice(told));
    if (result.as === "refused") {
      const { outUnexpected: file } = flags;
      if (result.unexpected !== null && file !== undefined) {
        const shared = names === "everywhere" ? result.unexpected : hidePeople(result.unexpected);
        tell(await savePlan(world, shared, file, speedOf(run)));
      }
      const why = result.by === "review" ? declined : [];
      return fail({ project, diagnostics: [...result.diagnostics, ...why], code: refusedCode(result) });
    }
    if (result.as === "already applied") world.stderr.write(`Already applied: ${result.effect}\n`);
    if (result.as !== "applied") {
      run.telemetry?.planned(result.plan);
      return await showUnchanged(run, flags, result);
    }
    watch.end();
    const took = watch.took();
    const unproved = (await collecting?.write(result, request)) ?? [];
    tell(unproved);
    return await report(run, flags, result, { took, unproved });
  } finally {
    reading.end();
    watch.end();
  }
}

/** The number of the pull request that the pipeline applies; null where it does not say. */
async function appliedPull(world: Run["world"]): Promise<number | null> {
  const change = (await pipelineOf(world)).value?.change;
  return change?.as === "pull request" ? change.number : null;
}

/** The reports of an apply that had nothing to do. A person has read so already. */
async function showUnchanged(
  { world, project }: Run,
  flags: ApplyFlags,
  { as, plan, effect }: Extract<SessionResult, { readonly as: "unchanged" | "already applied" }>,
): Promise<number> {
  const names = namesPeople(world, flags, project);
  const isShown = as === "unchanged" || flags.format === "text" || flags.json;
  const unwritten = await show(
    world,
    flags,
    printablePlan(plan, effect, names, { exitCode: writtenCode([]) }),
    isShown ? "files" : "output and files",
  );
  printDiagnostics(world, unwritten);
  return writtenCode(unwritten);
}

/** The signals that end an apply, and its view, which begins after the review. */
interface Watch {
  readonly listener: Recorder;
  readonly interrupt: AbortSignal;
  readonly begin: () => Promise<void>;
  readonly took: () => number;
  readonly end: () => void;
}

function makeWatch({ world, rescue, telemetry }: Run, flags: ApplyFlags): Watch {
  const underWay = new Set<string>();
  let view: Viewer | null = null;
  let started = 0;
  const shown = { say: (text: string) => view?.say(text), end: () => view?.end() };
  const { first, close } = listenForInterrupts(world, shown, () => underWay.size, rescue.path);
  return {
    interrupt: first,
    async listener(event) {
      if (event.type === "step started") underWay.add(formatAddress(event.address));
      if (event.type === "step finished") underWay.delete(formatAddress(event.address));
      view?.hear(event);
      telemetry?.heard(event);
    },
    async begin() {
      view?.end();
      view = await viewFor(world, flags);
      started = world.clock.elapsed();
    },
    took: () => world.clock.elapsed() - started,
    end() {
      view?.end();
      close();
    },
  };
}

async function report(
  { world }: Run,
  flags: ApplyFlags,
  applied: AppliedRun,
  { took, unproved }: { readonly took: number; readonly unproved: readonly Diagnostic[] },
): Promise<number> {
  const { plan, effect, snapshot, fault } = applied;
  const summary = flags.strict ? judgedStrictly(applied.summary) : applied.summary;
  const left = remainingPlan(plan, summary, snapshot);
  const file = left === null ? undefined : flags.outRemaining;
  const unsaved = left === null || file === undefined ? [] : await savePlan(world, left, file);
  const remaining = unsaved.length > 0 ? null : (file ?? null);
  const { diagnostics } = applied;
  const codeWith = (unwritten: readonly Diagnostic[]) => {
    const hasFaults = summary.notable.some((one) => hasErrors(one.diagnostics));
    return unprovedCode(appliedCode(applied, unwritten.length > 0 || hasFaults), unproved);
  };
  const outcome = { plan, effect, summary, fault, took, remaining, diagnostics };
  const printable = printableOutcome(outcome, codeWith(unsaved));
  const unwritten = [
    ...unsaved,
    ...(await show(world, flags, printable, flags.json ? "files" : "output and files")),
  ];
  printDiagnostics(world, unwritten);
  return codeWith(unwritten);
}

/** With `--strict`, a value that the service stored differently is an error of its step. */
function judgedStrictly(summary: Summary): Summary {
  const notable = summary.notable.map((ended) => ({ ...ended, diagnostics: strictly(ended.diagnostics) }));
  return { ...summary, notable };
}

/** Describes the outcome of an apply once, for every format; `exitCode` is null where it is not known. */
function printableOutcome(applied: AppliedPlan, exitCode: number | null): Printable {
  const report = describeOutcome(applied, kindNamed);
  return { hasSigns: false, exitCode, render: (form, options) => render(form, "outcome", report, options) };
}
