import type { World } from "../../../cli/world/world.js";
import type { Pipeline } from "../../../forge/pipeline.js";
import { kindNamed } from "../../../kinds/index.js";
import type { Checked, Diagnostic } from "../../../model/diagnostic.js";
import { isObject, parseJson } from "../../../model/json.js";
import { outlookOf } from "../../../plan/guards/guards.js";
import { hidePeople } from "../../../plan/people/impact.js";
import { stepHashes } from "../../../plan/saved/effect.js";
import { readSavedPlan } from "../../../plan/saved/read.js";
import { sentenceOf } from "../../../report/failure/report.js";
import type { InComment } from "../../../report/forms/comment/comment.js";
import { verdictOf } from "../../../report/outcome/verdict.js";
import { describePlan } from "../../../report/plan/describe.js";
import type { PlanReport } from "../../../report/plan/report.js";
import { readFailure, readOutcome } from "../../../report/readReport.js";
import { viewOf } from "../../../report/view/view.js";
import { say } from "../../../words/say.js";
import type { StepHashes } from "../reviewedSteps.js";
import { type NamedPart, placeOf, readFiles } from "./files.js";
import { commitFault, settingsFault } from "./origin.js";

/** A plan in a comment, with all that its report has. */
type PlanPart = Extract<InComment, { as: "plan" }> & { readonly report: PlanReport };

/** A part of a comment, and what its status says. */
export interface CommentPart {
  readonly shown: Extract<InComment, { as: "outcome" | "failure" }> | PlanPart;
  readonly about: "plan" | "apply";
  /** Null of a run that came to none. */
  readonly effect: string | null;
  readonly counts: string;
  readonly isGood: boolean;
  /** Why its status is a failure, where that is not what it shows. */
  readonly fault: Diagnostic | null;
  /** The hash of each writing step of a plan; none of an outcome. */
  readonly steps: StepHashes;
}

/** Reads and checks each plan, outcome and failed run; null, with the reasons, where one cannot be used. */
export function readParts(
  world: World,
  files: readonly string[],
  pipeline: Pipeline,
): Promise<Checked<readonly CommentPart[] | null>> {
  return readFiles(world, files, pipeline, partFrom, ({ shown, about }) => `${about} ${shown.name}`);
}

async function partFrom(text: string, about: NamedPart): Promise<Checked<CommentPart | null>> {
  const value = parseJson(text);
  const isReport = (member: string) => isObject(value) && member in value;
  const made = isReport("failure")
    ? failureFrom(text, about)
    : isReport("outcomes")
      ? outcomeFrom(text, about)
      : planFrom(text, about);
  if (made.value === null) return made;
  const { world, pipeline, file } = about;
  const fault = await commitFault(world, pipeline, file, made.value.shown.report.commit);
  if (fault !== null) return { value: null, diagnostics: [...made.diagnostics, fault] };
  const { shown } = made.value;
  const own =
    shown.as === "plan" ? await settingsFault(world, pipeline, file, shown.report.settings.from) : null;
  if (own === null) return made;
  const refused = { effect: null, counts: "Refused: the settings came from the change", isGood: false };
  return { ...made, value: { ...made.value, ...refused, fault: own } };
}

type PartRead = Checked<CommentPart | null>;

function failureFrom(text: string, about: NamedPart): PartRead {
  const { value: report, diagnostics } = readFailure(text);
  if (report === null) return { value: null, diagnostics };
  const { server } = report;
  if (server === null)
    return { value: null, diagnostics: [say("report/malformed#unnamedServer", { file: about.file })] };
  const { name, linkBase } = placeOf(about, { ...report, server });
  const shown = { as: "failure", name, report, linkBase, run: about.pipeline.run } as const;
  const facts = { effect: null, counts: sentenceOf(report), isGood: false, fault: null, steps: new Map() };
  return { value: { shown, about: report.command, ...facts }, diagnostics };
}

function outcomeFrom(text: string, about: NamedPart): PartRead {
  const { value: report, diagnostics } = readOutcome(text);
  if (report === null) return { value: null, diagnostics };
  const { name, linkBase } = placeOf(about, report);
  const verdict = verdictOf(report);
  const shown = { as: "outcome", name, report, linkBase } as const;
  const isGood = verdict.role === "added";
  const facts = { effect: report.effect, counts: verdict.text, isGood, fault: null, steps: new Map() };
  return { value: { shown, about: "apply", ...facts }, diagnostics };
}

function planFrom(text: string, about: NamedPart): PartRead {
  const { value: thawed, diagnostics } = readSavedPlan(text);
  if (thawed === null) return { value: null, diagnostics };
  const { effect, estimate } = thawed;
  // A comment is read by more people than a plan.
  const plan = hidePeople(thawed.plan);
  const report = describePlan(estimate === null ? plan : { ...plan, estimate }, effect, kindNamed);
  const { name, linkBase } = placeOf(about, plan);
  const where = about.pipeline.run === null ? "" : `, and the job has the whole text: ${about.pipeline.run}`;
  const whole = `\`remit show\` of the saved plan has all of it${where}.`;
  const view = viewOf(report, "people");
  const own = { report, view, linkBase, whole, unreviewed: null, uncounted: [] };
  const isGood = outlookOf(plan) !== "cannot be applied";
  const facts = { effect, counts: view.lastLine, isGood, fault: null, steps: stepHashes(plan) };
  return { value: { shown: { as: "plan", name, ...own }, about: "plan", ...facts }, diagnostics };
}
