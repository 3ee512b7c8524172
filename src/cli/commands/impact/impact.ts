import { safeJson, tameLine } from "../../../entry/messages.js";
import { describePeople, describeWhy, hidePeople, type Plan, sentencesOf } from "../../../entry/reports.js";
import { explain, plan as makePlan, type Request } from "../../../entry/session.js";
import { type Diagnostic, formatAddress, hasErrors, type Json } from "../../../entry/values.js";
import { codeOf, stopped } from "../../exitCode.js";
import { printDiagnostics } from "../../print/diagnostics.js";
import { namesPeople } from "../../print/namesPeople.js";
import { showReading } from "../../print/reading.js";
import type { Context } from "../../run/context.js";
import { requestFrom } from "../../run/planning.js";
import { type Run, sessionOf, withRun } from "../../run/run.js";
import type { SettingFlags } from "../../settings/flags.js";
import type { World } from "../../world/world.js";

/** The flags of `remit impact`. */
export interface ImpactFlags extends SettingFlags {
  /** The e-mail address or the id of one user. */
  readonly user?: string;
  readonly people: boolean;
  readonly format: "text" | "json";
}

/** Says who gains and loses by the planned change of one rule, or why one person does. */
export default async function impact(this: Context, flags: ImpactFlags, address: string): Promise<void> {
  const { world } = this;
  this.process.exitCode = await withRun(world, { command: "impact", flags, tenant: true }, async (run) => {
    const tell = (diagnostics: readonly Diagnostic[]) => printDiagnostics(world, world.stderr, diagnostics);
    const choice = { ...flags, target: [address], prune: false, strict: false, impact: "full" as const };
    const asked = await requestFrom(run, choice, { offline: false, refreshOnly: false }, []);
    tell(asked.diagnostics);
    if (asked.value === null) return stopped(asked.diagnostics);
    const request = asked.value;
    const { user } = flags;
    const { progress, end } = showReading(world, { quiet: false, verbose: false }, run.tenant);
    const session = sessionOf(run);
    // One person is asked about alone, so the plan does not count.
    const optional = user === undefined ? request.optional : { ...request.optional, counting: null };
    const made = await makePlan({ ...request, optional }, session, { progress }).finally(end);
    tell(made.diagnostics);
    if (made.value === null) return stopped(made.diagnostics);
    const blocked = made.value.steps.filter(({ action }) => action === "blocked");
    if (blocked.length > 0) {
      tell(blocked.flatMap(({ diagnostics }) => diagnostics));
      return codeOf("blocked");
    }
    if (user !== undefined) return one(run, request, made.value, address, user, flags);
    return all(world, mayName(run, flags) ? made.value : hidePeople(made.value), flags);
  });
}

/** Whether the output may name people that the command line does not name. */
function mayName({ world, project }: Run, flags: ImpactFlags): boolean {
  const names = namesPeople(world, flags, project);
  return names === "everywhere" || (names === "on the terminal" && flags.format === "text");
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

function linesOf({ address }: Plan["steps"][number], { impact, names }: Plan): readonly string[] {
  const name = formatAddress(address);
  const found = impact?.steps.find((step) => formatAddress(step.address) === name);
  const why = impact?.uncounted.find((step) => formatAddress(step.address) === name)?.why;
  const unchanged = "the plan changes no rule and no users of it";
  const [first = "", ...rest] =
    impact !== null && found !== undefined
      ? sentencesOf(describePeople(found, impact, names))
      : [why === undefined ? unchanged : `not counted: ${why}`];
  return [`${name}: ${first}`, ...rest.map((line) => `  ${line}`)];
}

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
  const user = mayName(run, flags) ? value.user : { id: value.user.id, name: "", email };
  if (flags.format === "json") print(world, { ...value, user });
  else write(world, describeWhy({ ...value, user }));
  return codeOf("done");
}

function print(world: World, value: unknown): void {
  world.stdout.write(safeJson(`${JSON.stringify(value as Json, null, 2)}\n`));
}

function write(world: World, lines: readonly string[]): void {
  world.stdout.write(lines.map((line) => `${tameLine(line)}\n`).join(""));
}
