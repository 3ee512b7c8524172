import { plan as makePlan } from "../../apply/preview.js";
import { codeOf, stopped } from "../../cli/exitCode.js";
import { endWith, printDiagnostics } from "../../cli/print/diagnostics.js";
import { showReading } from "../../cli/print/reading.js";
import type { Context } from "../../cli/run/context.js";
import { requestFrom } from "../../cli/run/planning.js";
import { sessionOf, withRun } from "../../cli/run/run.js";
import type { World } from "../../cli/world/world.js";
import { accessConflict } from "../../kinds/accessConflict.js";
import { formatAddress } from "../../model/address.js";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { explain, matchesOf } from "../../people/explain.js";
import { changesPeople } from "../../people/notCounted.js";
import { withSeen } from "../../people/observe.js";
import { hidePeople } from "../../plan/people/impact.js";
import type { Planned } from "../../plan/plan.js";
import { describeAlone, describeToday } from "../../report/plan/people.js";
import { describeChanges, describeMatches, describeWhy } from "../../report/plan/words/why.js";
import { say } from "../../words/say.js";
import { askConflict } from "./conflict.js";
import { type Asking, barsBelow, mayName, nameable, print, write } from "./shown.js";
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
    if (!isClear || [address, user, rule, conflict].every((one) => one === undefined))
      return endWith(world, "wrong usage", [say(isClear ? "impact/nothing-asked" : "impact/rule-alone")]);
    const asks = conflict === undefined ? address : conflictNamed(conflict);
    const target = asks === undefined ? [] : [asks];
    const choice = { ...flags, target, prune: false, strict: false, impact: "auto" as const };
    const asked = await requestFrom(run, choice, { offline: false, refreshOnly: false }, []);
    tell(asked.diagnostics);
    if (asked.value === null) return stopped(asked.diagnostics);
    const request = asked.value;
    const { counting } = request.optional;
    if (run.tenant === null || counting === null) throw new Error("an impact needs a tenant");
    const asking = { run, flags, request, client: run.tenant.client, counting };
    if (conflict !== undefined) return askConflict(asking);
    if (rule !== undefined) return askRule(asking, { expression: rule, on: on ?? null, user: user ?? null });
    const { progress, end } = showReading(world, { quiet: false, verbose: false }, run.tenant);
    const session = sessionOf(run);
    // One person is asked about alone, so the plan does not count.
    const about = { ...counting, about: "all rules" as const };
    const optional = { ...request.optional, counting: user === undefined ? about : null };
    const planned = await makePlan({ ...request, optional }, session, { progress }).finally(end);
    const { value, look } = planned;
    const made = {
      ...planned,
      value: value === null || look === null ? null : withSeen(value, look.known.current.objects),
    };
    tell(made.diagnostics);
    if (made.value === null) return stopped(made.diagnostics);
    const blocked = made.value.steps.filter(({ action }) => action === "blocked");
    if (user !== undefined && address === undefined) return matching(asking, made.value, user);
    if (blocked.length > 0)
      return endWith(
        world,
        "blocked",
        blocked.flatMap(({ diagnostics }) => diagnostics),
      );
    if (user !== undefined) return one(asking, made.value, address ?? "", user);
    return all(world, mayName(asking) ? made.value : hidePeople(made.value), flags);
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
async function matching(asking: Asking, made: Planned, email: string): Promise<number> {
  const { client, counting, flags } = asking;
  const { world } = asking.run;
  const { value, diagnostics } = await matchesOf(made, email, client, counting);
  printDiagnostics(world, diagnostics);
  if (value === null) return codeOf("not found");
  const user = nameable(asking, value.user, email);
  const changes = value.changes.map((why) => ({ ...why, user }));
  if (flags.format === "json") print(world, { ...value, user, changes });
  else write(world, [...describeChanges(user, value.changes), ...describeMatches(value.rules)]);
  return codeOf("done");
}

/** Why one person gains or loses. */
async function one(asking: Asking, made: Planned, address: string, email: string): Promise<number> {
  const { client, counting, flags } = asking;
  const { world } = asking.run;
  const { value, diagnostics } = await explain(made, { address, email }, client, counting);
  printDiagnostics(world, diagnostics);
  if (value === null) return codeOf(hasErrors(diagnostics) ? "not found" : "done");
  const user = nameable(asking, value.user, email);
  if (flags.format === "json") print(world, { ...value, user });
  else write(world, describeWhy(value, user));
  return codeOf("done");
}
