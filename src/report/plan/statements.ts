import { type Diagnostic, lineAt, type Severity } from "../../model/diagnostic.js";
import { groupBy } from "../../model/groupBy.js";
import { SECONDS_PER_CALL } from "../../plan/estimate.js";
import type { LabelSource } from "../../plan/select/labels.js";
import { firstOf } from "../../words/more.js";
import { withHint } from "../diagnostics/brief.js";
import { counted, listing, type Statement, stated, statement } from "../statement.js";
import { many } from "../text/layout.js";
import { peopleStatements } from "./peopleStatements.js";
import type { PlanReport, StepReport } from "./report.js";
import { labelOf, nameOf, plainRemark, remarksAt } from "./words/labels.js";
import { settingStatements } from "./words/settings.js";
import { tally, timeOf } from "./words/tally.js";
import { unappliedStatement } from "./words/unapplied.js";
import { unmanagedStatements } from "./words/unmanaged.js";

/** A report before its statements are made. */
export type Unstated = Omit<PlanReport, "statements">;

const AGAINST: Readonly<Record<LabelSource, string>> = {
  "reviewed branch": "the reviewed branch",
  state: "the state",
  "earlier manifest": "the commit of --since",
};

/** A report with everything that it says besides its steps and findings: one list, in the order of reading. */
export function withStatements(report: Unstated): PlanReport {
  const { people, settings } = { people: peopleStatements(report), settings: settingStatements(report) };
  const all = [
    ...people,
    ...noState(report),
    ...counted("plan/undoes-nothing", report.undoesNothing),
    ...settings,
    ...labelStatement(report),
    ...pendingAlready(report),
    ...unmanagedStatements(report),
    ...foundStatements(report.diagnostics),
    ...unappliedStatement(report),
    ...notRead(report),
    ...writtenUnseen(report),
    ...counted("plan/undecided", undecidedIn(report)),
    ...rewritten(report),
    ...notCompared(report),
    ...calls(report),
  ];
  const order = ["top", "before", "after", "end", "detail"] as const;
  return { ...report, statements: order.flatMap((rank) => all.filter((one) => one.rank === rank)) };
}

/** The removed objects that do not say themselves what to decide. */
function undecidedIn({ steps }: Unstated): number {
  return steps.filter(({ action, diagnostics }) => action === "removed" && diagnostics.length === 0).length;
}

/** What a run found besides its result, as statements: one for each code and severity. */
export function foundStatements(diagnostics: readonly Diagnostic[]): readonly Statement[] {
  const groups = groupBy(diagnostics, ({ severity, code }) => `${severity}[${code}]`);
  return [...groups].flatMap(([text, all]) => {
    const [{ code, severity } = { code: "", severity: "note" as Severity }] = all;
    const objects = all.map((one) => stated(withHint(one), { place: lineAt(one.span) }));
    const rank = IN_HEAD.has(code) ? "top" : severity === "note" ? "detail" : "end";
    return { code, severity, rank, text, count: objects.length, lists: "lines", objects };
  });
}

/** What a reader needs before the steps: who else can decide what the plan is compared with. */
const IN_HEAD: ReadonlySet<string> = new Set(["state/open"]);

/** A commit tells which manifests were deleted. */
function noState({ hasState, since }: Unstated): readonly Statement[] {
  return hasState ? [] : [statement(since === null ? "state/none#alone" : "state/none#since", {})];
}

/** What was pending without the change, but for what only the state would record. */
function pendingSteps({ since }: Pick<PlanReport, "since">): readonly StepReport[] {
  return (since?.pending ?? []).filter((step) => step.action !== "adopt" || labelOf(step) === "accept");
}

const MOST_FIELDS = 4;

function pendingAlready(report: Unstated): readonly Statement[] {
  const pending = pendingSteps(report);
  const objects = pending.map((step) => {
    const { fields, reason, isDrift } = step;
    const paths = firstOf(
      fields.map(({ path }) => path),
      MOST_FIELDS,
    );
    const what = paths === "" || step.action === "create" ? reason : paths;
    const said = isDrift ? `drift: ${what}` : what;
    return stated(`${labelOf(step)} ${nameOf(step)}${said === "" ? "" : `: ${said}`}`, {
      place: step.place,
      aside: remarksAt("place", step).map(plainRemark).join(", "),
    });
  });
  return listing("plan/pending-already", { tally: tally(pending, 0) }, objects);
}

/** What was not read, each reason once: `template scopes, resource types: the core interface has no reads`. */
function notRead({ unseen }: Unstated): readonly Statement[] {
  const objects = [...groupBy(unseen, ({ why }) => why)].map(([why, all]) =>
    stated(
      `${firstOf(
        all.map(({ what }) => what),
        NAMED,
      )}: ${why}`,
    ),
  );
  return listing("plan/not-seen", {}, objects);
}

function writtenUnseen({ writtenUnseen: names }: Unstated): readonly Statement[] {
  const objects = names.map((name) => stated(name));
  return listing("plan/written-unseen", {}, objects);
}

function rewritten({ rewritten: all }: Unstated): readonly Statement[] {
  const objects = all.map(({ address, fields }) => stated(`${address}: ${fields.join(", ")}`));
  return listing("plan/spelled-otherwise", {}, objects);
}

/** What was seen and is not compared, by kind: `2 members of 12 objects of EntitlementAutomation: createdAt, nextRunAt`. */
function notCompared({ notCompared: all }: Unstated): readonly Statement[] {
  const objects = all.map(({ kind, objects: count, members }) =>
    stated(
      `${many(members.length, "member")} of ${many(count, "object")} of ${kind}: ${firstOf(members, NAMED)}`,
    ),
  );
  return listing("plan/not-compared", {}, objects);
}

/** The reads that were made and the writes ahead: `Calls: 14 reads to plan; an apply sends 5 writes, about 1 s`. */
function calls({ steps, calls: { made, ahead }, estimate }: Unstated): readonly Statement[] {
  const planned = totalOf(made);
  const writes = steps.reduce((sum, step) => sum + step.calls.length, 0);
  if (steps.length === 0 || planned + totalOf(ahead) === 0) return [];
  const parts = [
    ...(planned === 0 ? [] : [`${many(planned, "read")} to plan`]),
    ...(writes === 0 ? [] : [`an apply sends ${many(writes, "write")}, ${durationOf(estimate)}`]),
  ];
  const byKind = (counts: Readonly<Record<string, number>>, purpose: string) => {
    const kinds = Object.entries(counts).map(([kind, count]) => `${kind}: ${count}`);
    return kinds.length === 0 ? [] : [stated(`${purpose} (${kinds.join(", ")})`)];
  };
  const objects = [...byKind(made, "to plan"), ...byKind(ahead, "to apply")];
  return [
    ...(parts.length === 0
      ? []
      : [statement("plan/calls", { parts: parts.join("; ") }, [], planned + writes)]),
    statement("plan/calls-by-kind", {}, objects),
  ];
}

function totalOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The time of an apply, with what it assumes where nothing was measured, and how much of it is for the state. */
function durationOf({ seconds, measured, state }: PlanReport["estimate"]): string {
  if (seconds === 0) return "less than 1 s";
  const basis = measured === true ? "" : ` at ${SECONDS_PER_CALL} s a call`;
  return `about ${timeOf(seconds)}${basis}${state === undefined ? "" : ` (${timeOf(state)} of it for the state)`}`;
}

const NAMED = 5;

/** The labels that change: no call shows them, and guards ask for them. */
function labelStatement({ labelChanges }: Pick<PlanReport, "labelChanges">): readonly Statement[] {
  const objects = labelChanges.map((change) => {
    const { address, place, labels } = change;
    const all = labels.map(
      ({ name, before, after }) => `${name}: ${before ?? "not set"} → ${after ?? "not set"}`,
    );
    const against = change.by.map((source) => AGAINST[source]).join(" and ");
    return stated(`${address}: ${all.join(", ")} (against ${against})`, { place });
  });
  return listing("plan/labels", {}, objects);
}
