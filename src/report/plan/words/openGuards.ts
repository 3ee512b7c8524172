import { many } from "../../text/layout.js";
import type { FindingReport, PlanReport } from "../report.js";
import { isProposed } from "./settings.js";

/** The findings that no one answered, and that the change does not answer either. */
export function unanswered({ findings }: Pick<PlanReport, "findings">): readonly FindingReport[] {
  return findings.filter((one) => one.acknowledged === null && !isProposed(one));
}

/** Whether a guard denies: no acknowledgement answers its finding. */
export function isDenied({ flag }: Pick<FindingReport, "flag">): boolean {
  return flag === null;
}

/**
 * What keeps a plan from being applied, in a few words: `1 guard denies this plan, 2 guards to acknowledge`. Null where
 * nothing does, and where no apply is possible anyway.
 */
export function guardsInTheWay(report: Pick<PlanReport, "findings" | "isDecided">): string | null {
  const open = report.isDecided ? unanswered(report) : [];
  const guardsOf = (findings: readonly FindingReport[]) => new Set(findings.map(({ guard }) => guard)).size;
  const denied = guardsOf(open.filter(isDenied));
  const asking = guardsOf(open.filter((one) => !isDenied(one)));
  const parts = [
    ...(denied === 0 ? [] : [`${many(denied, "guard")} ${denied === 1 ? "denies" : "deny"} this plan`]),
    ...(asking === 0 ? [] : [`${many(asking, "guard")} to acknowledge`]),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}

/** What to paste into remit.yaml to acknowledge the open findings of a plan, as lines; none where nothing asks for it. */
export function answerLines(report: Pick<PlanReport, "findings" | "isDecided">): readonly string[] {
  const asking = report.isDecided ? unanswered(report).filter((one) => !isDenied(one)) : [];
  if (asking.length === 0) return [];
  const entries = asking
    .slice(0, MOST_ANSWERS)
    .flatMap(({ guard, address, hash }) => [
      `  - guard: ${guard}`,
      `    address: ${address === null ? '"*"' : JSON.stringify(address).replace(/^"([A-Za-z][\w./[\]-]*)"$/, "$1")}`,
      `    of: ${hash}`,
      "    until: YYYY-MM-DD",
      "    reason: why it is right",
    ]);
  const rest = asking.length - MOST_ANSWERS;
  return ["acknowledge:", ...entries, ...(rest > 0 ? [`  # and ${rest} more`] : [])];
}

/** So many answers stand in a plan to be pasted. */
const MOST_ANSWERS = 5;

/** The flags that acknowledge the same for one apply. */
export function answerFlags(report: Pick<PlanReport, "findings" | "isDecided">): string {
  const flags = report.isDecided ? unanswered(report).flatMap(({ flag }) => flag ?? []) : [];
  return [...new Set(flags)].slice(0, MOST_ANSWERS).join(" ");
}

/** The heading of a plan's guards. */
export function guardsHeading(report: Pick<PlanReport, "findings" | "isDecided">): string {
  if (!report.isDecided) return "Guards, not decided: an offline plan that is not saved cannot be applied";
  const inTheWay = guardsInTheWay(report);
  if (inTheWay === null) return "Guards, all acknowledged";
  return unanswered(report).some(isDenied)
    ? `Guards: nothing is applied; ${inTheWay}`
    : "Guards: nothing is applied until these are acknowledged";
}
