import type { Outcome } from "../../apply/event.js";
import type { NotableStep, Summary } from "../../apply/summary.js";
import type { Kind } from "../../kinds/kind.js";
import { formatAddress } from "../../model/address.js";
import { type Diagnostic, lineAt } from "../../model/diagnostic.js";
import { isPending } from "../../plan/calls.js";
import type { Planned } from "../../plan/plan.js";
import type { Step } from "../../plan/step.js";
import type { ShownAction } from "../plan/report.js";
import { foundStatements } from "../plan/statements.js";
import { shownAs } from "../plan/words/labels.js";
import { manyOf } from "../plan/words/people.js";
import { showTitle } from "../plan/words/values.js";
import { listing, stated, statement } from "../statement.js";
import { naturally } from "../text/natural.js";
import type { OutcomeReport, StepOutcome } from "./report.js";
import { costOf, whatWasDone } from "./verdict.js";

/** A plan that was applied, and what its report contains besides the engine's summary. */
export interface AppliedPlan {
  readonly plan: Planned;
  /** The effect of that plan. */
  readonly effect: string;
  readonly summary: Summary;
  readonly fault: Diagnostic | null;
  /** Milliseconds it took. */
  readonly took: number;
  /** The file with a plan of what is left; null if none was written. */
  readonly remaining: string | null;
  /** What the run found besides its steps. */
  readonly diagnostics: readonly Diagnostic[];
}

const ORDER: readonly Outcome[] = ["uncertain", "failed", "refused", "skipped", "left", "done"];

/** The result of an apply in a reader's words, made once for every renderer. */
export function describeOutcome(
  ending: AppliedPlan,
  kindOf: (name: string) => Kind | undefined,
): OutcomeReport {
  const { plan, effect, summary, fault, took, remaining } = ending;
  const { notable } = summary;
  const found = new Map(notable.map((ended) => [formatAddress(ended.address), ended]));
  const steps = plan.steps
    .filter(({ action }) => isPending(action))
    .map((step) => [step, found.get(formatAddress(step.address)) ?? asPlanned(step)] as const)
    .sort(
      ([, one], [, other]) =>
        ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome) || naturally(one.address, other.address),
    )
    .map(([step, ended]) => describeStep(ended, step, plan, kindOf(step.address.kind)));
  return withStatements({
    formatVersion: 1,
    server: plan.server,
    ...(plan.context === undefined ? {} : { context: plan.context }),
    commit: plan.commit,
    effect,
    run: summary.run,
    outcomes: summary.outcomes,
    done: doneIn(steps),
    steps,
    interrupted: summary.interrupted,
    fault,
    calls: summary.calls,
    writes: summary.writes,
    retries: summary.retries,
    seconds: Math.round(took / 1000),
    throttled: Math.round(summary.throttled / 1000),
    remaining,
    takesEffect: takesEffect(steps, kindOf),
    next: nextAfter(ending),
    diagnostics: ending.diagnostics,
  });
}

/** A step of which there is nothing to say. */
function asPlanned({ address, action }: Step): NotableStep {
  return { address, action, outcome: "done", isAlreadySo: false, diagnostics: [] };
}

function describeStep(
  { address, action, outcome, isAlreadySo, diagnostics }: NotableStep,
  step: Step,
  { names }: Planned,
  kind: Kind | undefined,
): StepOutcome {
  return {
    address: formatAddress(address),
    action: shownAs(action),
    outcome,
    isAlreadySo,
    title: kind === undefined ? "" : showTitle(step, kind.shape, names),
    place: lineAt(step.managed.span),
    diagnostics,
  };
}

/** Counts the steps that are done, per action. */
function doneIn(steps: readonly StepOutcome[]): OutcomeReport["done"] {
  const counts = new Map<ShownAction, number>();
  for (const step of steps.filter(({ outcome }) => outcome === "done")) {
    const action = whatWasDone(step);
    counts.set(action, (counts.get(action) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

function nextAfter({ summary: { outcomes }, remaining }: AppliedPlan): readonly string[] {
  const { failed, refused, skipped, left, uncertain } = outcomes;
  const rest = failed + skipped + left;
  return [
    ...(uncertain > 0 ? ["remit does not send an uncertain create again: follow the hint at its step."] : []),
    ...(refused > 0
      ? ["An object that was refused has changed since the plan was made: plan again and review it."]
      : []),
    ...(rest === 0
      ? []
      : remaining === null
        ? ["To apply the rest, plan and apply again. `--out-remaining FILE` saves the rest as a plan."]
        : [`To apply the rest, run \`remit apply ${remaining}\`.`]),
  ];
}

const WRITES: ReadonlySet<ShownAction> = new Set(["create", "update", "replace"]);

/** When the service does what was written: it runs rules hourly, and a campaign keeps the scope that it was cut with. */
function takesEffect(
  steps: readonly StepOutcome[],
  kindOf: (name: string) => Kind | undefined,
): readonly string[] {
  const done = steps.filter((step) => step.outcome === "done" && WRITES.has(whatWasDone(step)));
  const count = (concern: Kind["concern"]["as"]) =>
    done.filter(({ address }) => kindOf(address.split("/", 1)[0] ?? "")?.concern.as === concern).length;
  const [rules, scopes] = [count("members"), count("audience")];
  return [
    ...(rules === 0 ? [] : [`${manyOf(rules, "rule")} within an hour (the service runs rules hourly)`]),
    ...(scopes === 0 ? [] : [`${manyOf(scopes, "scope")} from the next campaign on`]),
  ];
}

/** An outcome before its statements are made. */
type UnstatedOutcome = Omit<OutcomeReport, "statements">;

/** An outcome with everything that it says besides its steps: one list, in the order of reading. */
export function withStatements(report: UnstatedOutcome): OutcomeReport {
  const { fault, diagnostics, takesEffect, next, writes } = report;
  const objectsOf = (phrases: readonly string[]) => phrases.map((phrase) => stated(phrase));
  const statements = [
    ...foundStatements(fault === null ? [] : [fault]).map((one) => ({ ...one, rank: "top" as const })),
    ...foundStatements(diagnostics).filter(({ rank }) => rank === "end"),
    statement("apply/cost", { cost: costOf(report) }, [], writes),
    ...listing("apply/in-effect", {}, objectsOf(takesEffect)),
    ...listing("apply/next", {}, objectsOf(next)),
    ...foundStatements(diagnostics).filter(({ rank }) => rank === "detail"),
  ];
  return { ...report, statements };
}
