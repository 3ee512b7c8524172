import type { PlanReport } from "../../plan/report.js";
import { answerFlags, isDenied, unanswered } from "../../plan/words/openGuards.js";
import { isProposed } from "../../plan/words/settings.js";
import { exactFormOf } from "../../plan/words/tally.js";
import { code, fence } from "../../text/escape.js";
import { tameLine } from "../../text/visible.js";

/** How a reader goes on from a plan: acknowledge, fix, or merge and apply. */
export function nextOf(report: PlanReport): readonly string[] {
  const { steps, isDecided, pending } = report;
  const open = unanswered(report);
  const denied = open.filter(isDenied);
  const asking = open.filter((one) => !isDenied(one));
  const blocked = steps.filter(({ action }) => action === "blocked");
  const lines = [
    ...(isDecided && denied.length > 0
      ? ["- **Change** the manifest where a guard denies the step: no one can acknowledge it."]
      : []),
    ...(isDecided && asking.length > 0
      ? [
          `- **Acknowledge** each open guard, if it is intended: add an entry under ${code("acknowledge:")} in remit.yaml, with ${code("guard")}, ${code("address")}, ${code("of")}, ${code("until")} and ${code("reason")}. Otherwise change the manifest.`,
        ]
      : []),
    ...(blocked.length > 0
      ? ["- **Fix** what blocks a step, then push again. An apply leaves blocked steps out, and exits 3."]
      : []),
    ...(pending && open.length === 0
      ? [
          "- **Apply**: merge this. The apply job plans again, and continues only if the plan has the effect above.",
        ]
      : []),
  ];
  return lines.length === 0 ? [] : ["\n**How to go on**\n", ...lines, ...entriesFor(report)];
}

const MOST = 20;

/** The entries of remit.yaml that answer these findings and no others, folded: each has a hash. */
export function entriesFor(report: PlanReport): readonly string[] {
  const { findings, isDecided } = report;
  const exact = findings.filter((one) => exactFormOf(one) !== null && !isProposed(one));
  if (!isDecided || exact.length === 0) return [];
  const entries = exact
    .slice(0, MOST)
    .flatMap(({ guard, address, hash }) => [
      `  - guard: ${JSON.stringify(guard)}`,
      ...(address === null ? [] : [`    address: ${JSON.stringify(address)}`]),
      `    of: ${hash}`,
      "    until: YYYY-MM-DD",
      "    reason: WHY",
    ]);
  const more = exact.length - MOST;
  const block = fence(
    ["acknowledge:", ...entries, ...(more > 0 ? [`  # … and ${more} more`] : [])].map(tameLine),
    "yaml",
  );
  const flags = answerFlags(report);
  const once = flags === "" ? "" : `\n\nor for one apply: ${code(flags)}`;
  return [`\n<details><summary>Entries for these findings only</summary>\n\n${block}${once}\n\n</details>`];
}
