import { canonical, isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import type { Planned } from "../../../src/plan/plan.js";
import { effectOf } from "../../../src/plan/saved/effect.js";
import { sealOfText } from "../../../src/plan/saved/spelling.js";

/** A plan as a file, whatever is wrong in it, with hashes that fit. What follows from its steps is not stored. */
export function planFile(content: JsonObject, effect = effectOrNone(content)): string {
  const plan = stored(content);
  return JSON.stringify({ formatVersion: 1, seal: sealOfText(canonical(plan)), effect, plan });
}

function effectOrNone(content: JsonObject): string {
  return Array.isArray(content.steps) ? effectOf(content as unknown as Planned) : `sha256:${"0".repeat(64)}`;
}

/** What is not in the form of a plan stays as it is. */
function stored({ findings, ...plan }: JsonObject): JsonObject {
  const { calls, estimate, steps, since } = plan;
  const pending = isObject(since) ? since.pending : undefined;
  return {
    ...plan,
    ...(Array.isArray(findings) && { answers: findings.flatMap(answered) }),
    ...(isObject(calls) && { calls: { made: calls.made ?? null } }),
    ...(isObject(estimate) && { estimate: { width: estimate.width ?? null } }),
    ...(Array.isArray(steps) && { steps: steps.map(withoutCalls) }),
    ...(isObject(since) &&
      Array.isArray(pending) && { since: { ...since, pending: pending.map(withoutCalls) } }),
  };
}

function answered(finding: Json): readonly Json[] {
  if (!isObject(finding)) return [finding];
  const { guard = null, hash = null, acknowledged = null, proposed = [] } = finding;
  const isOpen = acknowledged === null && Array.isArray(proposed) && proposed.length === 0;
  return isOpen ? [] : [{ guard, hash, acknowledged, proposed }];
}

function withoutCalls(step: Json): Json {
  if (!isObject(step)) return step;
  const { calls: _, ...kept } = step;
  return kept;
}
