import { canonical, type JsonObject } from "../../../src/model/json.js";
import type { Plan } from "../../../src/plan/plan.js";
import { effectOf } from "../../../src/plan/saved/effect.js";
import { sealOfText } from "../../../src/plan/saved/spelling.js";
import { fromFormat2 } from "../../../src/plan/saved/stored.js";

/** The formats of a saved plan that remit reads. */
export const FORMATS = [2, 3] as const;

/** A plan as a file of that format, whatever is wrong in it, with hashes that fit. Format 2 stores all that a plan is. */
export function planFile(
  format: (typeof FORMATS)[number],
  content: JsonObject,
  effect = effectOrNone(content),
): string {
  const plan = format === 2 ? content : fromFormat2(content).plan;
  return JSON.stringify({ formatVersion: format, seal: sealOfText(canonical(plan), format), effect, plan });
}

function effectOrNone(content: JsonObject): string {
  return Array.isArray(content.steps) ? effectOf(content as unknown as Plan) : `sha256:${"0".repeat(64)}`;
}
