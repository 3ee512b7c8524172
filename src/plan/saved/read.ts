import planSchema from "../../../schemas/plan.json" with { type: "json" };
import { kindOf } from "../../kinds/index.js";
import { formatAddress } from "../../model/address.js";
import { type Checked, type Diagnostic, refuse } from "../../model/diagnostic.js";
import { canonical, isObject, parseJson } from "../../model/json.js";
import { formatPath } from "../../model/path.js";
import { compile } from "../../schema/compile.js";
import type { ValueDiagnostic } from "../../schema/shape.js";
import { FORMAT, isNewer, saysFormat } from "../../state/format.js";
import { say } from "../../words/say.js";
import { rebuildCalls } from "../calls.js";
import { callsAhead, estimate } from "../estimate.js";
import { hashOfFinding } from "../guards/findings.js";
import { guardPlan } from "../guards/guards.js";
import { guardActionOf } from "../guards/own/ownGuard.js";
import { NO_SETTINGS } from "../guards/rules.js";
import { namesFor } from "../names/names.js";
import type { Estimate, Finding, Planned } from "../plan.js";
import type { Step } from "../step.js";
import { effectOf, type Hashes } from "./effect.js";
import { isDriftAlone } from "./showsAll.js";
import { sealOf, sealOfText } from "./spelling.js";
import {
  type FindingAnswer,
  type StoredOwnFinding,
  type StoredPlan,
  type StoredStep,
  withPendingIds,
} from "./stored.js";
import { verifyPlan } from "./verify.js";

/** A saved plan that is what it says it is, and the hashes of it as it is shown. */
export interface VerifiedPlan extends Hashes {
  readonly plan: Planned;
}

/** What a file with a saved plan contains. */
export interface SavedPlan extends VerifiedPlan {
  /** The time of an apply at the speed that was measured with the plan; no hash covers it. Null where there is none. */
  readonly estimate: Estimate | null;
}

/**
 * Reads a saved plan, and derives what follows from its steps. Null, with the reason, for a file that is not a plan, has
 * another format, or does not match its own hash. The same holds for one whose steps show other changes than they lead
 * to, or that has another effect than it says.
 */
export function readSavedPlan(text: string): Checked<SavedPlan | null> {
  const file = parseJson(text);
  if (!isObject(file) || !isObject(file.plan)) return refuse(say("plan/unreadable#form"));
  const { formatVersion } = file;
  if (isNewer(formatVersion))
    return refuse(say("plan/newer-format", { formatVersion: String(formatVersion), own: FORMAT }));
  const isSealed = file.seal === undefined || file.seal === sealOfText(canonical(file.plan));
  const [problem] = formatVersion === FORMAT ? check(file) : [];
  // What its seal matches is as it was written; no hash covers the estimate.
  const isAsWritten = isSealed && problem?.path[0] !== "estimate";
  if (formatVersion !== FORMAT || (problem !== undefined && isAsWritten)) {
    const why = problem === undefined ? saysFormat(formatVersion) : at(problem);
    return refuse(say("plan/unreleased-format", { why }));
  }
  if (problem !== undefined) return refuse(say("plan/malformed", { problem: at(problem) }));
  if (!isSealed) return refuse(say("plan/tampered#seal"));
  // The schema has just said that it is one.
  const stored = withIdsInMemory(file.plan as unknown as StoredPlan);
  if (stored === null) return refuse(say("plan/forged-reference#text"));
  const faults = [...verifyPlan(stored, null), ...forgedFindings(stored)];
  if (faults.length > 0) return { value: null, diagnostics: faults };
  const plan = derive(stored);
  const effect = effectOf(plan);
  if (file.effect !== effect) return refuse(say("plan/tampered#effect"));
  const estimate = (file.estimate ?? null) as Estimate | null;
  return { value: { plan, estimate, seal: sealOf(plan), effect }, diagnostics: [] };
}

/** The plan with each pending id as it is in memory; null where a text pretends to be one. */
function withIdsInMemory(plan: StoredPlan): StoredPlan | null {
  const steps = plan.steps.flatMap((step) => withPendingIds(step) ?? []);
  const pending = (plan.since?.pending ?? []).flatMap((step) => withPendingIds(step) ?? []);
  if (steps.length < plan.steps.length || pending.length < (plan.since?.pending.length ?? 0)) return null;
  return { ...plan, steps, since: plan.since === null ? null : { ...plan.since, pending } };
}

const check = compile(planSchema);

function at({ path, message }: ValueDiagnostic): string {
  return `${formatPath(path)}: ${message}`;
}

/**
 * A plan that was read, with what follows from its steps: their calls, findings, and the calls of an apply with their
 * time. What it says of objects that are not in its steps is left out. Every step must be of a known kind.
 */
function derive(stored: StoredPlan): Planned {
  const { answers, interface: found, mode, limits, since } = stored;
  const withCalls = (step: StoredStep): Step => ({
    ...step,
    calls: rebuildCalls(step, kindOf(step.address)),
  });
  const steps = stored.steps.map(withCalls);
  const pending = (since?.pending ?? []).map(withCalls);
  const all = [...steps, ...pending];
  const addresses = new Set(all.map(({ address }) => formatAddress(address)));
  const ahead = callsAhead(steps, found.kinds, mode.refreshOnly ? "at once" : "later");
  const rules = { limits, acknowledgements: [], today: "", settings: NO_SETTINGS };
  const { answers: _, own = [], ...kept } = stored;
  const derived = { ...kept, steps, since: since === null ? null : { ...since, pending } };
  return {
    ...derived,
    findings: [...guardPlan(derived, rules), ...own.map((one) => ({ ...one, ...NO_ANSWER }))].map((finding) =>
      answered(finding, answers),
    ),
    rewritten: stored.rewritten.filter(({ address }) => addresses.has(formatAddress(address))),
    names: namesFor(all, new Map(Object.entries(stored.names))),
    calls: { made: stored.calls.made, ahead },
    estimate: estimate(ahead, stored.estimate.width),
  };
}

const NO_ANSWER = { acknowledged: null, proposed: [] };

/** With the acknowledgement that the plan says there was, or that was proposed; it has no effect where the plan is applied. */
function answered(finding: Finding, answers: readonly FindingAnswer[]): Finding {
  const same = answers.find(({ guard, hash }) => guard === finding.guard && hash === finding.hash);
  const acknowledged = same?.acknowledged ?? null;
  const isOfIt = acknowledged === null || acknowledged.of === null || acknowledged.of === finding.hash;
  return { ...finding, acknowledged: isOfIt ? acknowledged : null, proposed: same?.proposed ?? [] };
}

/**
 * The findings of a team's guards that do not belong to the steps of their plan, or say that someone acknowledged what no
 * one can.
 */
function forgedFindings({
  own = [],
  steps,
  answers,
}: Pick<StoredPlan, "own" | "steps" | "answers">): readonly Diagnostic[] {
  return own.filter(isForged).map(({ guard }) => say("plan/other-findings", { guard }));

  function isForged({ guard, address, hash, own: { level, definition } }: StoredOwnFinding): boolean {
    const about = address === null ? null : formatAddress(address);
    const [asked, each] =
      about === null
        ? [steps.filter((step) => !isDriftAlone(step) && guardActionOf(step) !== null), false]
        : [steps.filter((step) => formatAddress(step.address) === about), true];
    const parts = each ? asked.map((step) => [step]) : [asked];
    if (!parts.some((part) => hashOfFinding(guard, address, part, definition) === hash)) return true;
    return (
      level === "deny" &&
      answers.some((one) => one.guard === guard && one.hash === hash && one.acknowledged !== null)
    );
  }
}
