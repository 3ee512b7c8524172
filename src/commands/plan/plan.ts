import { resolve } from "node:path";
import { plan as makePlan } from "../../apply/preview.js";
import type { Session } from "../../apply/session.js";
import { codeOf, planCode, stopped } from "../../cli/exitCode.js";
import { endWith, printDiagnostics } from "../../cli/print/diagnostics.js";
import { earlyPlan } from "../../cli/print/earlyPlan.js";
import { type RunFailure, showFailure } from "../../cli/print/failing.js";
import { namesPeople } from "../../cli/print/namesPeople.js";
import { printablePlan } from "../../cli/print/printablePlan.js";
import { showReading } from "../../cli/print/reading.js";
import { type OutputFlags, show } from "../../cli/print/show.js";
import type { Context } from "../../cli/run/context.js";
import { guardedRequest } from "../../cli/run/planning.js";
import { type Run, sessionOf, speedOf, withRun } from "../../cli/run/run.js";
import { savePlan } from "../../cli/run/savedPlan.js";
import type { Project } from "../../cli/settings/project.js";
import { leaveOnInterrupt } from "../../cli/world/interrupts.js";
import type { World } from "../../cli/world/world.js";
import { tryToRemove } from "../../cli/world/write.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { outlookOf } from "../../plan/guards/guards.js";
import type { Look } from "../../plan/look.js";
import { hidePeople } from "../../plan/people/impact.js";
import type { Planned } from "../../plan/plan.js";
import type { Request } from "../../plan/request.js";
import { effectOf } from "../../plan/saved/effect.js";
import { ignoredFault, withoutIgnored } from "../../plan/unmanaged/ignored.js";
import { countOf, type Unmanaged, unmanagedIn } from "../../plan/unmanaged/unmanaged.js";
import type { PlanPart } from "../../report/view/sections.js";
import { makeTenant } from "../../tenant/tenant.js";
import { say } from "../../words/say.js";
import type { PlanFlags } from "./usage.js";

/** Shows what an apply would change, and saves it with `--out`. */
export default async function plan(
  this: Context,
  flags: PlanFlags,
  ...paths: readonly string[]
): Promise<number> {
  const { world } = this;
  const unremoved = await removeSaved(world, flags);
  const wrong =
    flags.unmanaged && flags.offline ? [...unremoved, say("command/usage#notOffline")] : unremoved;
  if (wrong.length > 0) return endWith(world, "wrong usage", wrong);
  const fail = (failure: RunFailure) => showFailure(world, "plan", flags, failure);
  return withRun(world, { command: "plan", flags, tenant: !flags.offline, fail }, async (run) => {
    const asked = await guardedRequest(
      run,
      flags,
      { ...flags, refreshOnly: flags.refreshOnly || flags.record },
      paths,
    );
    printDiagnostics(world, asked.diagnostics);
    const { project } = run;
    if (asked.value === null)
      return fail({ project, diagnostics: asked.diagnostics, code: stopped(asked.diagnostics) });
    const request = asked.value;
    // Ctrl-C is heard before the first word says that the run reads.
    const deaf = flags.record ? () => undefined : leaveOnInterrupt(world, { end: () => end() });
    const { progress, clear, end } = showReading(world, flags, run.tenant);
    const session = flags.unmanaged && !flags.record ? rememberingSession(run) : sessionOf(run);
    const isDecided = !flags.offline || flags.out !== undefined;
    const early = earlyPlan(world, flags, { isDecided, clear });
    // Most lines only look: what writes, and what looks at the whole tenant, is loaded where it is asked for.
    const making = flags.record
      ? (await import("./record.js")).record(run, request, session, progress)
      : makePlan(request, session, {
          progress,
          planned: early.planned,
        });
    let part: PlanPart = "whole";
    const made = await making.finally(async () => {
      part = await early.part();
      deaf();
      end();
    });
    printDiagnostics(world, unsaid(world, flags, made), flags.verbose);
    if (made.value === null)
      return fail({ project, diagnostics: made.diagnostics, code: stopped(made.diagnostics) });

    run.telemetry?.planned(made.value);
    const unmanaged = flags.unmanaged
      ? await lookAround(run, flags, request, session)
      : besideIn(made.look?.beside ?? null, run, request);
    const names = namesPeople(world, flags, run.project);
    const shared = names === "everywhere" ? made.value : hidePeople(made.value);
    const { out } = flags;
    const speed = speedOf(run);
    const unsaved = out === undefined ? [] : await savePlan(world, shared, out, speed);
    const planned = planCode(outlookOf(made.value), {
      // An offline plan that is not saved is not meant to be applied: what stands in its way is not decided.
      isToApply: isDecided,
      isDetailed: flags.detailedExitcode,
      foundUnmanaged: flags.unmanaged && unmanaged !== null && countOf(unmanaged) > 0,
    });
    const exitCode = unsaved.length > 0 ? codeOf("file not written") : planned;
    const printing = { isDecided, speed, unmanaged, exitCode };
    const printable = printablePlan(made.value, effectOf(made.value), names, printing);
    const to = "output and files";
    const unwritten = [...unsaved, ...(await show(world, flags, printable, to, part))];
    printDiagnostics(world, unwritten);
    if (unwritten.length > 0) {
      await removeSaved(world, flags);
      return codeOf("file not written");
    }
    return planned;
  });
}

/** What was found, without the warnings that the plan itself says to the same reader: at a terminal, each is said once. */
function unsaid(
  { stdout, stderr }: World,
  { format, quiet }: OutputFlags,
  { value, diagnostics }: Checked<Planned | null>,
): readonly Diagnostic[] {
  const isSeenTwice = format === "text" && !quiet && stdout.isTerminal && stderr.isTerminal;
  const said = new Set(isSeenTwice ? (value?.diagnostics ?? []).map(sameWords) : []);
  return diagnostics.filter((one) => one.severity !== "warning" || !said.has(sameWords(one)));
}

function sameWords({ code, message, span }: Diagnostic): string {
  return JSON.stringify([code, message, span?.file, span?.start.line]);
}

/** Removes what is at the place of the saved plan: after a run, there is a plan only if that run made it. */
async function removeSaved(world: World, { out }: PlanFlags): Promise<readonly Diagnostic[]> {
  return out === undefined ? [] : tryToRemove(world, { path: resolve(world.cwd, out), shown: out });
}

/** What the plan reads, the search for unmanaged objects does not read again. */
function rememberingSession(run: Run): Session {
  const session = sessionOf(run);
  const { client } = session;
  return client === null ? session : { ...session, tenant: makeTenant(client, { keepsAll: true }) };
}

/** Everything that is not managed, without what the settings leave out. */
async function lookAround(
  run: Run,
  flags: PlanFlags,
  request: Request,
  session: Session,
): Promise<Unmanaged> {
  const { world, project } = run;
  const { progress, end } = showReading(world, flags, run.tenant);
  const ignored = ignoredNow(project, request);
  const { findUnmanaged } = await import("./unmanaged.js");
  const found = await findUnmanaged({ request, ignored, progress }, session).finally(end);
  printDiagnostics(world, found.diagnostics, flags.verbose);
  return found.value;
}

/** What the lists that the plan read anyway show, without what the settings leave out; null where they show nothing whole. */
function besideIn(beside: Look["beside"], { project }: Run, request: Request): Unmanaged | null {
  if (beside === null) return null;
  const found = unmanagedIn(beside);
  return { ...found, kinds: withoutIgnored(found.kinds, ignoredNow(project, request)) };
}

/** The entries of `ignore:` that hold today. */
function ignoredNow({ settings }: Project, { rules: { today } }: Request) {
  const term = { today, limits: settings.limits.value };
  return settings.ignored.value.filter((one) => ignoredFault(one, term) === null);
}
