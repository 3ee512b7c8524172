import { plan as makePlan } from "../../../apply/preview.js";
import { formatAddress } from "../../../model/address.js";
import { type Diagnostic, hasErrors } from "../../../model/diagnostic.js";
import type { Json } from "../../../model/json.js";
import { changesPeople } from "../../../people/count.js";
import { explain } from "../../../people/explain.js";
import { matchesOf } from "../../../people/matches.js";
import { type SeenObjects, withSeen } from "../../../people/withSeen.js";
import { hidePeople, type NamedPerson } from "../../../plan/people/impact.js";
import type { Plan } from "../../../plan/plan.js";
import type { Request } from "../../../plan/request.js";
import { describePeople, describeToday, sentencesOf } from "../../../report/plan/people.js";
import { describeMatches, describeWhy, type ShownPerson } from "../../../report/plan/words/why.js";
import { safeJson } from "../../../report/text/safeJson.js";
import { tameLine } from "../../../report/text/tame.js";
import { say } from "../../../words/say.js";
import { codeOf, stopped } from "../../exitCode.js";
import { printDiagnostics } from "../../print/diagnostics.js";
import { namesPeople } from "../../print/namesPeople.js";
import { showReading } from "../../print/reading.js";
import type { Context } from "../../run/context.js";
import { requestFrom } from "../../run/planning.js";
import { type Run, sessionOf, withRun } from "../../run/run.js";
import type { World } from "../../world/world.js";
import type { ImpactFlags } from "./usage.js";

/** Says who gains and loses by the planned change of one rule, or why one person does. */
export default async function impact(this: Context, flags: ImpactFlags, address?: string): Promise<void> {
  const { world } = this;
  this.process.exitCode = await withRun(world, { command: "impact", flags, tenant: true }, async (run) => {
    const tell = (diagnostics: readonly Diagnostic[]) => printDiagnostics(world, world.stderr, diagnostics);
    if (address === undefined && flags.user === undefined) {
      tell([NOTHING_ASKED]);
      return codeOf("wrong usage");
    }
    const target = address === undefined ? [] : [address];
    const choice = { ...flags, target, prune: false, strict: false, impact: "auto" as const };
    const asked = await requestFrom(run, choice, { offline: false, refreshOnly: false }, []);
    tell(asked.diagnostics);
    if (asked.value === null) return stopped(asked.diagnostics);
    const request = asked.value;
    const { user } = flags;
    const { progress, end } = showReading(world, { quiet: false, verbose: false }, run.tenant);
    const session = sessionOf(run);
    // One person is asked about alone, so the plan does not count.
    const { counting } = request.optional;
    const isCounted = user === undefined && counting !== null;
    const optional = {
      ...request.optional,
      counting: isCounted ? { ...counting, about: "all rules" as const } : null,
    };
    let objects: SeenObjects = new Map();
    const seen = (found: SeenObjects) => {
      objects = found;
    };
    const planned = await makePlan({ ...request, optional }, session, { progress, seen }).finally(end);
    const made = { ...planned, value: planned.value === null ? null : withSeen(planned.value, objects) };
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

/** Whether the output may name people that the command line does not name. */
function mayName({ world, project }: Run, flags: ImpactFlags): boolean {
  const names = namesPeople(world, flags, project);
  return names === "everywhere" || (names === "on the terminal" && flags.format === "text");
}

/** A person as the output may show them: only what the command line said, where it may name no one. */
function nameable(run: Run, flags: ImpactFlags, person: NamedPerson, email: string): ShownPerson {
  return mayName(run, flags) ? person : { id: person.id, email };
}

/** Who gains and who loses by each step that was asked for. */
function all(world: World, plan: Plan, flags: ImpactFlags): number {
  if (flags.format === "json") print(world, plan.impact);
  else
    write(
      world,
      plan.steps.flatMap((step) => linesOf(step, plan)),
    );
  return codeOf("done");
}

function linesOf(step: Plan["steps"][number], { impact, names }: Plan): readonly string[] {
  const name = formatAddress(step.address);
  const found = impact?.steps.find((step) => formatAddress(step.address) === name);
  const why = impact?.uncounted.find((step) => formatAddress(step.address) === name)?.why;
  const unchanged = "the plan changes no rule and no users of it";
  const [first = "", ...rest] =
    impact !== null && found !== undefined
      ? changesPeople(step) || found.as === "holdings"
        ? sentencesOf(describePeople(found, impact, names))
        : describeToday(found, impact)
      : [why === undefined ? unchanged : `not counted: ${why}`];
  return [`${name}: ${first}`, ...rest.map((line) => `  ${line}`)];
}

/** Which rules of the tenant match one person. */
async function matching(
  run: Run,
  { optional: { counting } }: Request,
  made: Plan,
  email: string,
  flags: ImpactFlags,
): Promise<number> {
  const { world, tenant } = run;
  if (tenant === null || counting === null) throw new Error("an impact needs a tenant");
  const { value, diagnostics } = await matchesOf(made, email, tenant.client, counting);
  printDiagnostics(world, world.stderr, diagnostics);
  if (value === null) return codeOf("not found");
  const user = nameable(run, flags, value.user, email);
  if (flags.format === "json") print(world, { ...value, user });
  else write(world, describeMatches(user, value.rules));
  return codeOf("done");
}

const NOTHING_ASKED: Diagnostic = say("impact/nothing-asked");

/** Why one person gains or loses. */
async function one(
  run: Run,
  { optional: { counting } }: Request,
  made: Plan,
  address: string,
  email: string,
  flags: ImpactFlags,
): Promise<number> {
  const { world, tenant } = run;
  if (tenant === null || counting === null) throw new Error("an impact needs a tenant");
  const { value, diagnostics } = await explain(made, { address, email }, tenant.client, counting);
  printDiagnostics(world, world.stderr, diagnostics);
  if (value === null) return codeOf(hasErrors(diagnostics) ? "not found" : "done");
  const user = nameable(run, flags, value.user, email);
  if (flags.format === "json") print(world, { ...value, user });
  else write(world, describeWhy(value, user));
  return codeOf("done");
}

function print(world: World, value: unknown): void {
  world.stdout.write(safeJson(`${JSON.stringify(value as Json, null, 2)}\n`));
}

function write(world: World, lines: readonly string[]): void {
  world.stdout.write(lines.map((line) => `${tameLine(line)}\n`).join(""));
}
