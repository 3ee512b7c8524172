import { plan as makePlan } from "../../apply/preview.js";
import { codeOf, stopped } from "../../cli/exitCode.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import { showReading } from "../../cli/print/reading.js";
import type { Context } from "../../cli/run/context.js";
import { requestFrom } from "../../cli/run/planning.js";
import { type Run, sessionOf, withRun } from "../../cli/run/run.js";
import type { World } from "../../cli/world/world.js";
import { accessConflict } from "../../kinds/accessConflict.js";
import { formatAddress } from "../../model/address.js";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { explain, matchesOf } from "../../people/explain.js";
import { changesPeople } from "../../people/notCounted.js";
import { withSeen } from "../../people/observe.js";
import { hidePeople } from "../../plan/people/impact.js";
import type { Planned } from "../../plan/plan.js";
import type { Request } from "../../plan/request.js";
import { describeAlone, describeToday } from "../../report/plan/people.js";
import { describeChanges, describeMatches, describeWhy } from "../../report/plan/words/why.js";
import { say } from "../../words/say.js";
import { askConflict } from "./conflict.js";
import { barsBelow, mayName, nameable, print, write } from "./shown.js";
import type { ImpactFlags } from "./usage.js";
import { askRule } from "./whatIf.js";

/** Says who gains and loses by the planned change of one rule, by one that no manifest has, or why one person does. */
export default async function impact(this: Context, flags: ImpactFlags, address?: string): Promise<number> {
  const { world } = this;
  return withRun(world, { command: "impact", flags, tenant: true }, async (run) => {
    const tell = (diagnostics: readonly Diagnostic[]) => printDiagnostics(world, diagnostics);
    const { user, rule, on, conflict } = flags;
    const isClear =
      conflict === undefined
        ? rule === undefined
          ? on === undefined
          : address === undefined
        : [user, rule, on, address].every((one) => one === undefined);
    if (!isClear || [address, user, rule, conflict].every((one) => one === undefined)) {
      tell([isClear ? NOTHING_ASKED : say("impact/rule-alone")]);
      return codeOf("wrong usage");
    }
    const asks = conflict === undefined ? address : conflictNamed(conflict);
    const target = asks === undefined ? [] : [asks];
    const choice = { ...flags, target, prune: false, strict: false, impact: "auto" as const };
    const asked = await requestFrom(run, choice, { offline: false, refreshOnly: false }, []);
    tell(asked.diagnostics);
    if (asked.value === null) return stopped(asked.diagnostics);
    const request = asked.value;
    if (conflict !== undefined) return askConflict(run, request, flags);
    if (rule !== undefined)
      return askRule(run, { expression: rule, on: on ?? null, user: user ?? null }, request, flags);
    const { progress, end } = showReading(world, { quiet: false, verbose: false }, run.tenant);
    const session = sessionOf(run);
    // One person is asked about alone, so the plan does not count.
    const { counting } = request.optional;
    const isCounted = user === undefined && counting !== null;
    const optional = {
      ...request.optional,
      counting: isCounted ? { ...counting, about: "all rules" as const } : null,
    };
    const planned = await makePlan({ ...request, optional }, session, { progress }).finally(end);
    const { value, look } = planned;
    const made = {
      ...planned,
      value: value === null || look === null ? null : withSeen(value, look.known.current.objects),
    };
    tell(made.diagnostics);
    if (made.value === null) return stopped(made.diagnostics);
    const blocked = made.value.steps.filter(({ action }) => action === "blocked");
    if (user !== undefined && address === undefined) return matching(run, request, made.value, user, flags);
    if (blocked.length > 0) {
      tell(blocked.flatMap(({ diagnostics }) => diagnostics));
      return codeOf("blocked");
    }
    if (user !== undefined) return one(run, request, made.value, address ?? "", user, flags);
    return all(world, mayName(run, flags) ? made.value : hidePeople(made.value), flags);
  });
}

/** The address of a conflict, which may be written by its name alone. */
function conflictNamed(name: string): string {
  return name.includes("/") ? name : `${accessConflict.name}/${name}`;
}

/** Who gains and who loses by each step that was asked for. */
function all(world: World, plan: Planned, flags: ImpactFlags): number {
  if (flags.format === "json") print(world, plan.impact);
  else write(world, [...plan.steps.flatMap((step) => linesOf(step, plan)), ...barsBelow(plan.impact)]);
  return codeOf("done");
}

function linesOf(step: Planned["steps"][number], { impact, names }: Planned): readonly string[] {
  const name = formatAddress(step.address);
  const found = impact?.steps.find((step) => formatAddress(step.address) === name);
  const why = impact?.uncounted.find((step) => formatAddress(step.address) === name)?.why;
  const unchanged = "the plan changes no rule and no users of it";
  const [first = "", ...rest] =
    impact !== null && found !== undefined
      ? changesPeople(step) || found.as === "holdings"
        ? describeAlone(found, impact, names)
        : describeToday(found, impact)
      : [why === undefined ? unchanged : `not counted: ${why}`];
  return [`${name}: ${first}`, ...rest.map((line) => `  ${line}`)];
}

/** What the plan means for one person, and which rules of the tenant match them. */
async function matching(
  run: Run,
  { optional: { counting } }: Request,
  made: Planned,
  email: string,
  flags: ImpactFlags,
): Promise<number> {
  const { world, tenant } = run;
  if (tenant === null || counting === null) throw new Error("an impact needs a tenant");
  const { value, diagnostics } = await matchesOf(made, email, tenant.client, counting);
  printDiagnostics(world, diagnostics);
  if (value === null) return codeOf("not found");
  const user = nameable(run, flags, value.user, email);
  const changes = value.changes.map((why) => ({ ...why, user }));
  if (flags.format === "json") print(world, { ...value, user, changes });
  else write(world, [...describeChanges(user, value.changes), ...describeMatches(value.rules)]);
  return codeOf("done");
}

const NOTHING_ASKED: Diagnostic = say("impact/nothing-asked");

/** Why one person gains or loses. */
async function one(
  run: Run,
  { optional: { counting } }: Request,
  made: Planned,
  address: string,
  email: string,
  flags: ImpactFlags,
): Promise<number> {
  const { world, tenant } = run;
  if (tenant === null || counting === null) throw new Error("an impact needs a tenant");
  const { value, diagnostics } = await explain(made, { address, email }, tenant.client, counting);
  printDiagnostics(world, diagnostics);
  if (value === null) return codeOf(hasErrors(diagnostics) ? "not found" : "done");
  const user = nameable(run, flags, value.user, email);
  if (flags.format === "json") print(world, { ...value, user });
  else write(world, describeWhy(value, user));
  return codeOf("done");
}
