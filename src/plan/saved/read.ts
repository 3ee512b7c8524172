import planSchema from "../../../schemas/plan.json" with { type: "json" };
import { kinds as allKinds } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import { kindFinder } from "../../kinds/kindOf.js";
import { formatAddress } from "../../model/address.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { canonical, isObject, parseJson } from "../../model/json.js";
import { formatPath } from "../../model/path.js";
import { compile } from "../../schema/compile.js";
import { callsAhead, estimate } from "../estimate.js";
import { guardPlan } from "../guards/guards.js";
import { NO_SETTINGS } from "../guards/rules.js";
import { namesFor } from "../names.js";
import { type Estimate, type Finding, type Plan, pendingIn } from "../plan.js";
import type { Step } from "../step.js";
import { effectOf, type Hashes } from "./effect.js";
import { PLAN_FORMAT, sealOf, sealOfText } from "./spelling.js";
import { verifyPlan } from "./verify.js";

/** A saved plan that is what it says it is, and the hashes of it as it is shown. */
export interface VerifiedPlan extends Hashes {
  readonly plan: Plan;
}

/** What a file with a saved plan contains. */
export interface SavedPlan extends VerifiedPlan {
  /** The time of an apply at the speed that was measured with the plan; no hash covers it. Null where there is none. */
  readonly estimate: Estimate | null;
}

const AGAIN = "Make the plan again.";

/**
 * Reads a saved plan, and derives again what follows from its steps. Null, with the reason, for a file that is not a plan, comes from a newer version, or does not
 * match its own hash. The same holds for one whose steps show other changes or calls than they lead to.
 */
export function readSavedPlan(text: string, kinds: readonly Kind[] = allKinds): Checked<SavedPlan | null> {
  const file = parseJson(text);
  if (!isObject(file) || !isObject(file.plan)) {
    return refuse(
      "plan/unreadable",
      "this is not a saved plan",
      "Save one with `remit plan --out plan.json`.",
    );
  }
  const formatVersion = file.formatVersion ?? null;
  if (typeof formatVersion === "number" && formatVersion > PLAN_FORMAT) {
    const message = `the plan has format ${formatVersion}, and this version reads ${PLAN_FORMAT}`;
    return refuse("plan/newer-format", message, "Use the version of remit that made it.");
  }
  if (formatVersion !== PLAN_FORMAT) {
    const message = `the plan has format ${String(formatVersion)}, and this version reads ${PLAN_FORMAT}`;
    return refuse("plan/older-format", message, AGAIN);
  }
  const problems = check(file);
  const [problem] = problems;
  if (problem !== undefined) {
    return refuse(
      "plan/malformed",
      `the plan is damaged at ${formatPath(problem.path)}: ${problem.message}`,
      AGAIN,
    );
  }
  const seal = sealOfText(canonical(file.plan));
  if (file.seal !== seal) {
    return refuse("plan/tampered", "the plan is not what was saved: its seal does not match", AGAIN);
  }
  // The schema has just said that it is one.
  const plan = file.plan as unknown as Plan;
  const effect = effectOf(plan);
  const faults = verifyPlan(plan, kinds);
  if (faults.length > 0) return { value: null, diagnostics: faults };
  if (file.effect !== effect) {
    return refuse("plan/tampered", "the plan does something else than its effect says", AGAIN);
  }
  const derived = derive(plan, kinds);
  const estimate = (file.estimate ?? null) as Estimate | null;
  return { value: { plan: derived, estimate, seal: sealOf(derived), effect }, diagnostics: [] };
}

const check = compile(planSchema);

function refuse(code: string, message: string, hint: string): Checked<null> {
  return { value: null, diagnostics: [fault(code, message, hint)] };
}

function fault(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint };
}

/**
 * A plan that was read, with what follows from its steps derived again: findings, and the calls of an apply with their
 * time. What it says of objects that are not in its steps is left out. Every step must be of a known kind.
 */
function derive(plan: Plan, kinds: readonly Kind[]): Plan {
  const { steps, interface: found, mode, limits } = plan;
  const kindOf = kindFinder(kinds);
  const all = [...steps, ...pendingIn(plan)];
  const addresses = new Set(all.map(({ address }) => formatAddress(address)));
  const isLive = ({ address }: Step) => found.kinds[address.kind]?.source === "live";
  const ahead = callsAhead(steps, isLive, kindOf, mode.refreshOnly ? "at once" : "later");
  const rules = { limits, acknowledgements: [], today: "", settings: NO_SETTINGS };
  return {
    ...plan,
    findings: guardPlan(plan, kindOf, rules).map((finding) => answered(finding, plan.findings)),
    rewritten: plan.rewritten.filter(({ address }) => addresses.has(formatAddress(address))),
    names: namesFor(all, new Map(Object.entries(plan.names)), kindOf),
    calls: { made: plan.calls.made, ahead },
    estimate: estimate(ahead, plan.estimate.width),
  };
}

/** With the acknowledgement that the plan says there was, or that was proposed; it has no effect where the plan is applied. */
function answered(finding: Finding, stored: readonly Finding[]): Finding {
  const same = stored.find(({ guard, hash }) => guard === finding.guard && hash === finding.hash);
  const acknowledged = same?.acknowledged ?? null;
  const isOfIt = acknowledged === null || acknowledged.of === null || acknowledged.of === finding.hash;
  return { ...finding, acknowledged: isOfIt ? acknowledged : null, proposed: same?.proposed ?? [] };
}
