import { laterDay } from "../../schema/timestamp.js";
import { byPeople } from "../plan/byPeople.js";
import type { PlanReport, StepReport } from "../plan/report.js";
import { nameOfUnmanaged } from "../plan/words/unmanaged.js";
import { sentencesOf } from "../statement.js";
import { many } from "../text/layout.js";
import { type Bars, barsOf } from "./bars.js";
import { type Fact, factsOf } from "./facts.js";
import { type StepView, stepView } from "./step.js";

/** What a nightly plan found, for a reader. */
export interface NightView {
  /** All in one line: `1 object drifted, 2 not managed, 1 entry of remit.yaml ends soon`. */
  readonly line: string;
  readonly facts: readonly Fact[];
  /** What was merged and is not applied. */
  readonly unapplied: readonly string[];
  readonly spread: readonly Bars[];
  /** The dangerous first, then those that concern the most people. */
  readonly drifted: readonly { readonly step: StepView; readonly isDangerous: boolean }[];
  readonly isReverted: boolean;
  readonly unmanaged: readonly { readonly name: string; readonly key: string }[];
  /** The entries of remit.yaml that end soon, the first to end first, and those that have ended. */
  readonly ending: readonly EndingEntry[];
  readonly ended: readonly EndingEntry[];
  readonly unknown: readonly string[];
}

/** An entry of the project file with a last day. */
export interface EndingEntry {
  readonly setting: string;
  readonly until: string;
  readonly from: string;
}

/** For so many days before its end, an acknowledgement or an entry of `ignore:` is listed. */
export const DAYS = 14;
/** From this risk on, a change opens a rule to all, or ends the access of all. */
const DANGEROUS = 6;

/** What a plan of this night found. */
export function nightOf(report: PlanReport, today: string): NightView {
  const { people, refreshOnly, unapplied } = report;
  const differs = ({ cause }: StepReport["fields"][number]) => cause === "drifted" || cause === "both";
  const drifted = report.steps.filter((step) => step.isDrift || step.fields.some(differs));
  const entries = entriesIn(report);
  // The checkout may not show what was merged after the last apply.
  const isCutOff = unapplied?.commits === null;
  const found = {
    drifted: drifted
      .toSorted((one, other) => other.risk - one.risk || byPeople(one, other))
      .map((step) => ({ step: stepView(step), isDangerous: step.risk >= DANGEROUS })),
    unmanaged: (report.unmanaged?.kinds ?? []).flatMap(({ kind, objects }) =>
      objects.map((one) => ({ name: `${kind} ${nameOfUnmanaged(one)}`, key: one.key })),
    ),
    ending: entries.filter(({ until }) => until >= today && until <= laterDay(today, DAYS)),
    ended: entries.filter(({ until }) => until < today),
    unknown: unknownIn(report, isCutOff),
  };
  return {
    ...found,
    line: lineOf(found, (unapplied?.commits ?? []).length + (unapplied?.more ?? 0)),
    facts: factsOf({ ...report, since: null }),
    unapplied: isCutOff ? [] : saidOf(report, ["plan/unapplied"]),
    spread: barsOf(people?.spread ?? []),
    isReverted: !refreshOnly,
  };
}

type Found = Pick<NightView, "drifted" | "unmanaged" | "ending" | "ended" | "unknown">;

function lineOf({ drifted, unmanaged, ending, ended, unknown }: Found, merged: number): string {
  const counted = (list: readonly unknown[], says: (count: number) => string) =>
    list.length === 0 ? [] : [says(list.length)];
  const said = [
    ...counted(drifted, (count) => `${many(count, "object")} drifted`),
    ...counted(unmanaged, (count) => `${many(count, "object")} not managed`),
    ...counted(
      ending,
      (count) => `${many(count, "entry", "entries")} of remit.yaml ${count === 1 ? "ends" : "end"} soon`,
    ),
    ...counted(ended, (count) => `${many(count, "entry", "entries")} ended`),
    ...(merged === 0 ? [] : [`${many(merged, "commit")} merged and not applied`]),
  ];
  if (said.length > 0) return said.join(", ");
  return unknown.length > 0 ? "nothing found in what could be read" : "nothing to do";
}

function entriesIn({ settings: { loosened, ended = [] } }: PlanReport): readonly EndingEntry[] {
  return [...loosened, ...ended]
    .flatMap(({ setting, value, from }): readonly EndingEntry[] => {
      const [, until] = /^until (\d{4}-\d\d-\d\d): /.exec(typeof value === "string" ? value : "") ?? [];
      return until === undefined ? [] : [{ setting, until, from }];
    })
    .toSorted((one, other) => (one.until < other.until ? -1 : 1));
}

/** What else the plan says: of no state, what could not be read, and what the run itself found. */
function unknownIn(report: PlanReport, isCutOff: boolean): readonly string[] {
  const { unmanaged, diagnostics } = report;
  const found = diagnostics.filter(({ severity }) => severity !== "note").map(({ code }) => code);
  const notLooked = "What is not managed was not looked for: plan with `--unmanaged`.";
  return [
    ...saidOf(report, ["state/none", ...(isCutOff ? ["plan/unapplied"] : [])]),
    ...(unmanaged?.isWhole === true ? [] : [notLooked]),
    ...saidOf(report, ["plan/not-seen", ...found]),
  ];
}

/** The statements with one of these codes, as sentences. */
function saidOf({ statements }: PlanReport, codes: readonly string[]): readonly string[] {
  return statements.filter(({ code }) => codes.includes(code)).flatMap((one) => sentencesOf(one));
}
