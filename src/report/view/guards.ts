import { DENIED } from "../../plan/guards/own/ownGuard.js";
import { moreOf } from "../../words/more.js";
import type { FindingReport, PlanReport } from "../plan/report.js";
import { isProposed } from "../plan/words/settings.js";
import { acknowledgementOf, exactFormOf } from "../plan/words/tally.js";
import { many } from "../text/layout.js";

/** What the guards say of a plan, and how a reader answers. */
export interface GuardsView {
  readonly heading: string;
  /** The open ones first. */
  readonly findings: readonly FindingView[];
  /** How many are not answered. */
  readonly open: number;
  /** How many of the open ones no one can acknowledge, and how many ask for it; none where no apply is possible. */
  readonly denied: number;
  readonly asking: number;
  /** What to paste into remit.yaml to acknowledge those that ask, as lines; none where none does. */
  readonly answers: readonly string[];
  /** The same where an entry may also stand for one that covers every such finding. */
  readonly entries: readonly string[];
  /** The flags that acknowledge the same for one apply. */
  readonly flags: string;
}

/** One finding that the change itself does not answer. */
export interface FindingView extends Pick<FindingReport, "guard" | "address" | "message"> {
  readonly isOpen: boolean;
  /** Who acknowledged it, or that no one can; null where it asks. */
  readonly answer: string | null;
}

type Judged = Pick<PlanReport, "findings" | "isDecided">;

/** The guards of a plan, as every form shows them. */
export function guardsView(report: Judged): GuardsView {
  const open = report.isDecided ? unanswered(report) : [];
  const asking = open.filter((one) => !isDenied(one));
  const exact = report.isDecided
    ? report.findings.filter((one) => exactFormOf(one) !== null && !isProposed(one))
    : [];
  return {
    heading: headingOf(report),
    findings: [...unanswered(report), ...report.findings.filter((one) => one.acknowledged !== null)].map(
      (one) => ({
        ...one,
        isOpen: one.acknowledged === null,
        answer: acknowledgementOf(one) ?? (isDenied(one) ? DENIED : null),
      }),
    ),
    open: unanswered(report).length,
    denied: open.length - asking.length,
    asking: asking.length,
    answers: entriesOf(asking, MOST_ANSWERS),
    entries: entriesOf(exact, MOST_ENTRIES),
    flags: [...new Set(open.flatMap(({ flag }) => flag ?? []))].slice(0, MOST_ANSWERS).join(" "),
  };
}

/** The findings that no one answered, and that the change does not answer either. */
export function unanswered({ findings }: Pick<PlanReport, "findings">): readonly FindingReport[] {
  return findings.filter((one) => one.acknowledged === null && !isProposed(one));
}

/** Whether a guard denies: no acknowledgement answers its finding. */
function isDenied({ flag }: Pick<FindingReport, "flag">): boolean {
  return flag === null;
}

/**
 * What keeps a plan from being applied, in a few words: `1 guard denies this plan, 2 guards to acknowledge`. Null where
 * nothing does, and where no apply is possible anyway.
 */
export function guardsInTheWay(report: Judged): string | null {
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

/** So many answers stand in a plan to be pasted; so many in a fold. */
const MOST_ANSWERS = 5;
const MOST_ENTRIES = 20;

function entriesOf(findings: readonly FindingReport[], most: number): readonly string[] {
  if (findings.length === 0) return [];
  const entries = findings
    .slice(0, most)
    .flatMap(({ guard, address, hash }) => [
      `  - guard: ${guard}`,
      `    address: ${address === null ? '"*"' : JSON.stringify(address).replace(/^"([A-Za-z][\w./[\]-]*)"$/, "$1")}`,
      `    of: ${hash}`,
      "    until: YYYY-MM-DD",
      "    reason: why it is right",
    ]);
  return ["acknowledge:", ...entries, ...moreOf(findings.length - most).map((text) => `  # ${text}`)];
}

function headingOf(report: Judged): string {
  if (!report.isDecided) return "Guards, not decided: an offline plan that is not saved cannot be applied";
  const inTheWay = guardsInTheWay(report);
  if (inTheWay === null) return "Guards, all acknowledged";
  return unanswered(report).some(isDenied)
    ? `Guards: nothing is applied; ${inTheWay}`
    : "Guards: nothing is applied until these are acknowledged";
}
