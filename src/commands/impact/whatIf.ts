import { codeOf } from "../../cli/exitCode.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import { showReading } from "../../cli/print/reading.js";
import { type Run, sessionOf } from "../../cli/run/run.js";
import { hidePeople, type PlanImpact } from "../../plan/people/impact.js";
import type { Request } from "../../plan/request.js";
import { describeAlone, describeToday } from "../../report/plan/people.js";
import { unmetIn } from "../../report/plan/peopleStatements.js";
import { describeWhy } from "../../report/plan/words/why.js";
import { type RuleAsked, type WhatIf, whatIf } from "./rule.js";
import { barsBelow, mayName, nameable, print, write } from "./shown.js";
import type { ImpactFlags } from "./usage.js";

/** Prints what a rule would do that no manifest has. */
export async function askRule(
  run: Run,
  rule: RuleAsked,
  request: Request,
  flags: ImpactFlags,
): Promise<number> {
  const { world, tenant } = run;
  const { counting } = request.optional;
  if (tenant === null || counting === null) throw new Error("an impact needs a tenant");
  const { progress, end } = showReading(world, { quiet: false, verbose: false }, tenant);
  const asked = whatIf(rule, request, sessionOf(run), counting, progress);
  const { value, diagnostics } = await asked.finally(end);
  printDiagnostics(world, world.stderr, diagnostics);
  if (value === null) return codeOf("not found");
  const shown = mayName(run, flags) || value.as === "person" ? value : hidePeople(value);
  if (flags.format === "json") print(world, jsonOf(run, rule, shown, flags));
  else write(world, linesOf(run, rule, shown, flags));
  return codeOf("done");
}

function jsonOf(run: Run, { expression, user }: RuleAsked, value: WhatIf, flags: ImpactFlags): object {
  const { on } = value;
  if (value.as === "everyone") return { rule: expression, on, impact: value.impact };
  const { address, ...why } = value.why;
  return { rule: expression, on, ...why, user: nameable(run, flags, why.user, user ?? "") };
}

function linesOf(run: Run, rule: RuleAsked, value: WhatIf, flags: ImpactFlags): readonly string[] {
  const name = rule.on ?? "The rule";
  if (value.as === "everyone") return everyone(name, value.on === null, value.impact);
  const user = nameable(run, flags, value.why.user, rule.user ?? "");
  if (value.on !== null) return describeWhy(value.why, user, name);
  const { matches, why } = value.why.after;
  const answer = matches === null ? `may match: ${why}` : matches ? "matches" : "does not match";
  return [`The rule ${answer}${matches === null ? "," : ""} ${user.name || user.email || user.id}`];
}

function everyone(name: string, isAlone: boolean, impact: PlanImpact): readonly string[] {
  const [step] = impact.steps;
  const unmet = impact.withoutPeople.flatMap((one) => one.unmet.map(unmetIn));
  if (step === undefined) return impact.uncounted.map(({ why }) => `${name} was not counted: ${why}`);
  const [first = "", ...rest] = isAlone ? describeToday(step, impact) : describeAlone(step, impact, {});
  return [
    `${name}${isAlone ? " " : ": "}${first}`,
    ...[...rest, ...unmet].map((line) => `  ${line}`),
    ...(isAlone ? [] : barsBelow(impact)),
  ];
}
