import { certaintyOf } from "../../impact/count.js";
import type { PlanReport } from "../plan/report.js";
import { numberOf } from "../plan/words/people.js";
import { isProposed } from "../plan/words/settings.js";
import { besidesIn, tally } from "../plan/words/tally.js";
import { many } from "../text/layout.js";
import { guardsInTheWay, unanswered } from "./guards.js";

/** What a plan comes to for the person who decides on it, and why. */
export interface PlanVerdict {
  readonly word: "Blocked" | "Needs a look" | "Routine" | "Nothing to do";
  /** None where nothing is managed. */
  readonly reasons: readonly string[];
}

/** The actions that send a write. */
const WRITES: ReadonlySet<string> = new Set(["create", "update", "replace", "delete"]);

/** The verdict of a plan: what blocks it, else what a person should look at, else that nothing needs a look. */
export function verdictOfPlan(report: PlanReport): PlanVerdict {
  const look = lookAt(report);
  const blocked = blockedBy(report);
  if (blocked.length > 0) return { word: "Blocked", reasons: [...blocked, ...look] };
  if (look.length > 0) return { word: "Needs a look", reasons: look };
  if (report.steps.some(({ action }) => WRITES.has(action)))
    return { word: "Routine", reasons: ["nothing is deleted", ...losesNoOne(report)] };
  const { steps, counts, pending } = report;
  const records = pending ? [tally(steps, counts.keep)] : besidesIn(steps, counts.keep);
  return { word: "Nothing to do", reasons: records };
}

/** A verdict in one line: `Needs a look: 1 delete, at most 38 may lose access.` */
export function verdictLine({ word, reasons }: PlanVerdict): string {
  return reasons.length === 0 ? `${word}.` : `${word}: ${reasons.join(", ")}.`;
}

function blockedBy(report: PlanReport): readonly string[] {
  const guards = guardsInTheWay(report);
  const { blocked } = report.counts;
  return [
    ...(guards === null ? [] : [guards]),
    ...(blocked === 0 || !report.isDecided ? [] : [`${many(blocked, "step")} blocked`]),
  ];
}

function lookAt(report: PlanReport): readonly string[] {
  const { steps, counts, findings, people, isDecided } = report;
  const open = isDecided ? 0 : unanswered(report).length + counts.blocked;
  const acknowledged = findings.filter((one) => one.acknowledged !== null).length;
  const proposed = findings.filter(isProposed).length;
  const loses = people?.totals.access.loses;
  const isOpen = loses !== undefined && loses.high === null && loses.low === 0;
  const uncounted = people?.uncounted.length ?? 0;
  const staying = steps.filter(({ staysActive }) => staysActive).length;
  return [
    ...(open === 0 ? [] : [`${many(open, "question")} not decided offline`]),
    ...(counts.delete === 0 ? [] : [many(counts.delete, "delete")]),
    ...(counts.replace === 0 ? [] : [many(counts.replace, "replacement")]),
    ...(loses === undefined || loses.high === 0
      ? []
      : [
          isOpen
            ? "who loses access is unknown"
            : `${numberOf({ ...loses, certainty: certaintyOf(loses) })} lose access`,
        ]),
    ...(uncounted === 0 ? [] : [`${many(uncounted, "step")} not counted`]),
    ...(staying === 0 ? [] : [`${many(staying, "object")} no longer managed`]),
    ...(acknowledged === 0 ? [] : [`${many(acknowledged, "finding")} acknowledged`]),
    ...(proposed === 0 ? [] : [`${many(proposed, "finding")} answered by this change`]),
  ];
}

function losesNoOne({ people }: PlanReport): readonly string[] {
  return people === null || people.totals.access.loses.high !== 0 ? [] : ["no one loses access"];
}

/** What stands above the steps that only take back what others changed. */
export function driftOf({ refreshOnly }: PlanReport): string {
  const what = "Drift: the tenant was changed since the last apply";
  return refreshOnly
    ? `${what}. This plan changes nothing; --record records it.`
    : `${what}. An apply reverts it.`;
}
