import { codeOf } from "../../cli/exitCode.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import { showReading } from "../../cli/print/reading.js";
import { entitlementAutomation } from "../../kinds/entitlementAutomation.js";
import { LIVE } from "../../kinds/interface.js";
import { expressionFaults } from "../../manifest/expressionFaults.js";
import { OF_COMMAND, placeAt } from "../../manifest/source.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { countAsked } from "../../people/count.js";
import { personAndFacts, whyOf } from "../../people/explain.js";
import { hidePeople, type PlanImpact } from "../../plan/people/impact.js";
import type { UserQuestion } from "../../plan/people/question.js";
import type { Why } from "../../plan/people/why.js";
import { describeAlone, describeToday } from "../../report/plan/people.js";
import { unmetIn } from "../../report/plan/peopleStatements.js";
import { describeWhy } from "../../report/plan/words/why.js";
import { nearestInWords } from "../../schema/didYouMean.js";
import { type LiveOrigin, openLive } from "../../tenant/origin.js";
import { readPeople } from "../../tenant/people.js";
import { makeTenant } from "../../tenant/tenant.js";
import { readWhole } from "../../tenant/wholeObject.js";
import { say } from "../../words/say.js";
import { listNamed, type NamedRow } from "../get/namedList.js";
import { type Asking, barsBelow, mayName, nameable, print, write } from "./shown.js";

/** Prints what a rule would do that no manifest has. */
export async function askRule(asking: Asking, rule: RuleAsked): Promise<number> {
  const { run, flags, client } = asking;
  const { world } = run;
  const { progress, end } = showReading(world, { quiet: false, verbose: false }, { client });
  const asked = whatIf(rule, asking, progress);
  const { value, diagnostics } = await asked.finally(end);
  printDiagnostics(world, diagnostics);
  if (value === null) return codeOf("not found");
  const shown = mayName(asking) || value.as === "person" ? value : hidePeople(value);
  if (flags.format === "json") print(world, jsonOf(asking, rule, shown));
  else write(world, linesOf(asking, rule, shown));
  return codeOf("done");
}

function jsonOf(asking: Asking, { expression, user }: RuleAsked, value: WhatIf): object {
  const { on } = value;
  if (value.as === "everyone") return { rule: expression, on, impact: value.impact };
  const { address, ...why } = value.why;
  return { rule: expression, on, ...why, user: nameable(asking, why.user, user ?? "") };
}

function linesOf(asking: Asking, rule: RuleAsked, value: WhatIf): readonly string[] {
  const name = rule.on ?? "The rule";
  if (value.as === "everyone") return everyone(name, value.on === null, value.impact);
  const user = nameable(asking, value.why.user, rule.user ?? "");
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

/** A rule that no manifest has yet, and what is asked about it. */
interface RuleAsked {
  readonly expression: string;
  /** The entitlement that it would give, as `APP/ENTITLEMENT`; null where it is only asked whom it matches. */
  readonly on: string | null;
  /** The person it is asked about; null for everyone. */
  readonly user: string | null;
}

/** What a rule would do. */
type WhatIf = {
  /** What it would give; null where that was not asked. */
  readonly on: NamedRow | null;
} & ({ readonly as: "everyone"; readonly impact: PlanImpact } | { readonly as: "person"; readonly why: Why });

/** Says what a rule would do, without a manifest. Null, with the reason, where that cannot be asked. */
async function whatIf(
  { expression, on, user }: RuleAsked,
  { request, client, counting }: Asking,
  progress: (done: number, total: number) => void,
): Promise<Checked<WhatIf | null>> {
  const faults = faultsIn(expression);
  if (hasErrors(faults)) return { value: null, diagnostics: faults };
  const apps = request.project.manifests.apps ?? {};
  const asked = request.tenant.interface;
  const tenant = makeTenant(client);
  const origin = openLive({ asked, tenant, snapshot: null, apps, progress });
  const given = on === null ? null : await entitlementOf(on, origin);
  if (given !== null && given.value === null)
    return { value: null, diagnostics: [...faults, ...given.diagnostics] };
  const row = given?.value ?? null;
  const standing = row === null ? { value: null, diagnostics: [] } : await ruleOf(row, origin);
  const diagnostics = [...faults, ...standing.diagnostics];
  if (hasErrors(diagnostics)) return { value: null, diagnostics };
  const question = questionOf(expression, row, standing.value);
  if (user === null) {
    const plan = { steps: [], interface: { asked, kinds: { [question.step.address.kind]: LIVE } } };
    const { impact } = await countAsked([question], plan, tenant, counting, { progress });
    return { value: { on: row, as: "everyone", impact }, diagnostics };
  }
  const reader = tenant.reader(progress);
  const reads = readPeople(reader, counting.calls);
  const known = await personAndFacts(user, [question], reader, reads, counting);
  if (known.value === null) return { value: null, diagnostics: [...diagnostics, ...known.diagnostics] };
  const why = await whyOf(question, [question], known.value, reads, counting);
  return { value: { on: row, as: "person", why }, diagnostics };
}

/** What `remit validate` would say of the expression, at its characters. */
function faultsIn(text: string): readonly Diagnostic[] {
  return expressionFaults(text, "rule").map(({ start, end, ...said }) => ({
    ...said,
    ...placeAt({ file: OF_COMMAND, text, named: true }, start, end),
  }));
}

/** The entitlement that `APP/ENTITLEMENT` names, by an alias, a slug, a name or an id. */
async function entitlementOf(on: string, origin: LiveOrigin): Promise<Checked<NamedRow | null>> {
  const slash = on.indexOf("/");
  const [app, wanted] = [on.slice(0, slash), on.slice(slash + 1)];
  if (slash <= 0 || wanted === "") return { value: null, diagnostics: [say("impact/on-what", { on })] };
  const { value, diagnostics } = await listNamed({ of: "entitlement", only: app }, origin);
  if (value === null) return { value: null, diagnostics };
  const called = value.rows.filter(({ id, alias, slug, name }) => [id, alias, slug, name].includes(wanted));
  const [found, ...others] = called;
  if (found !== undefined && others.length === 0) return { value: found, diagnostics: [] };
  if (found !== undefined)
    return {
      value: null,
      diagnostics: [say("impact/on-what#several", { on, ids: called.map(({ id }) => `${app}/${id}`) })],
    };
  const known = value.rows.map(({ alias, name }) => alias || name);
  return {
    value: null,
    diagnostics: [say("impact/on-what#none", { on, app, near: nearestInWords(wanted, known) })],
  };
}

/** The rule that an entitlement has now; null for none. */
async function ruleOf({ app, id }: NamedRow, { reader }: LiveOrigin): Promise<Checked<JsonObject | null>> {
  if (app === null) throw new Error("an entitlement is in an app");
  const kind = entitlementAutomation;
  const read = await readWhole(kind, [app.id, id], reader);
  if (read.as === "failed") return { value: null, diagnostics: [read.diagnostic] };
  // Without such a read, it may have a rule.
  if (read.as === "not offered")
    return { value: null, diagnostics: [say("service/not-offered#unseen", { why: read.why })] };
  const object = read.as === "got" ? read.value : undefined;
  const { concern } = kind;
  if (object === undefined || concern.as !== "members") return { value: null, diagnostics: [] };
  return { value: concern.rule(object.fields), diagnostics: [] };
}

/** The rule as a plan would ask about it. Without an entitlement no one has it yet, so everyone whom it matches gains. */
function questionOf(
  expression: string,
  on: NamedRow | null,
  before: JsonObject | null,
): Extract<UserQuestion, { as: "members" }> {
  const isNew = before === null;
  return {
    step: { address: { kind: entitlementAutomation.name, name: on?.name ?? "" }, key: null },
    as: "members",
    entitlement: { appId: on?.app?.id ?? "", id: on?.id ?? "" },
    offered: [],
    before,
    after: { cel: { expression } },
    isNew,
    exclusions: isNew ? "none" : "listed",
    isSure: { gains: true, loses: true },
  };
}
