import planSchema from "../../schemas/plan.json" with { type: "json" };
import { kinds as allKinds } from "../kinds/index.js";
import type { Kind } from "../kinds/kind.js";
import { formatAddress } from "../model/address.js";
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { canonical, isObject, type Json, same } from "../model/json.js";
import { formatPath } from "../model/path.js";
import { compile } from "../schema/compile.js";
import { rebuildCalls } from "./calls.js";
import { PLAN_FORMAT, pinOf } from "./freeze.js";
import type { Plan } from "./plan.js";
import { isNamedByKey, isShownWhole } from "./shown.js";

/** A saved plan that is what it says it is. */
export interface Thawed {
  readonly plan: Plan;
  /** `sha256:…`, as `--expect` pins it. */
  readonly hash: string;
}

const AGAIN = "Make the plan again.";

/**
 * Reads a saved plan. Null, with the reason, for a file that is not a plan, comes from a newer version, or does not
 * match its own hash. The same holds for one whose steps show other changes or calls than they lead to.
 */
export function thaw(text: string, kinds: readonly Kind[] = allKinds): Checked<Thawed | null> {
  const file = parse(text);
  if (!isObject(file) || !isObject(file.plan)) {
    return refuse(
      "plan/unreadable",
      "this is not a saved plan",
      "Save one with `remit plan --out plan.json`.",
    );
  }
  const { formatVersion } = file;
  if (typeof formatVersion === "number" && formatVersion > PLAN_FORMAT) {
    const message = `the plan has format ${formatVersion}, and this version reads ${PLAN_FORMAT}`;
    return refuse("plan/newer-format", message, "Use the version of remit that made it.");
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
  const pin = pinOf(canonical(file.plan));
  if (file.hash !== pin) {
    return refuse("plan/tampered", "the plan is not what was saved: its hash does not match", AGAIN);
  }
  // The schema has just said that it is one.
  const plan = file.plan as unknown as Plan;
  const faults = planFaults(plan, kinds);
  return { value: faults.length === 0 ? { plan, hash: pin } : null, diagnostics: faults };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const check = compile(planSchema);

/** Where a plan shows other changes or calls than its steps lead to: the plan that is shown is the plan that runs. */
export function planFaults(
  { steps, interface: found, rewritten }: Plan,
  kinds: readonly Kind[],
): readonly Diagnostic[] {
  const keptOtherwise = new Set(rewritten.map(({ address }) => formatAddress(address)));
  return steps.flatMap((step): readonly Diagnostic[] => {
    const name = formatAddress(step.address);
    const kind = kinds.find((one) => one.name === step.address.kind);
    const on = found.kinds[step.address.kind]?.interface;
    if (kind === undefined || on === undefined) {
      return [
        fault(
          "plan/unknown-kind",
          `${name}: this version knows no such kind`,
          "Use the version of remit that made it.",
        ),
      ];
    }
    const isWhole = step.key === null || step.key.length === kind.shape.identity.length;
    if (!isWhole || !same(step.calls, rebuildCalls(step, kind, on))) {
      return [
        fault("plan/other-calls", `${name}: the plan contains calls that do not follow from its step`, AGAIN),
      ];
    }
    if (isNamedByKey(step, kind) && isShownWhole(step, kind, keptOtherwise.has(name))) return [];
    return [fault("plan/other-changes", `${name}: the plan shows other changes than it makes`, AGAIN)];
  });
}

function refuse(code: string, message: string, hint: string): Checked<null> {
  return { value: null, diagnostics: [fault(code, message, hint)] };
}

function fault(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint };
}
