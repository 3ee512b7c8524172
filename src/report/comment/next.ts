import type { PlanReport } from "../plan/report.js";
import { isProposed } from "../plan/settingWords.js";
import { code } from "../text/escape.js";

/** How a reader goes on from a plan: acknowledge, fix, or merge and apply. */
export function nextOf(report: PlanReport): readonly string[] {
  const { findings, steps, isDecided, pending, effect } = report;
  const open = findings.filter((one) => one.acknowledged === null && !isProposed(one));
  const blocked = steps.filter(({ action }) => action === "blocked");
  const lines = [
    ...(isDecided && open.length > 0
      ? [
          `- **Acknowledge** each open guard, if it is intended: add an entry under ${code("acknowledge:")} in remit.yaml, with ${code("guard")}, ${code("address")}, ${code("of")}, ${code("until")} and ${code("reason")}. Otherwise change the manifest.`,
        ]
      : []),
    ...(blocked.length > 0
      ? ["- **Fix** what blocks a step, then push again. An apply leaves blocked steps out, and exits 3."]
      : []),
    ...(pending && open.length === 0
      ? [
          `- **Apply**: merge this. The apply job plans again, and continues only if the plan does exactly this: ${code(`--expect ${effect}`)}.`,
        ]
      : []),
  ];
  return lines.length === 0 ? [] : ["\n**How to go on**\n", ...lines];
}
