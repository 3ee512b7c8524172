import { postedCode } from "../../../cli/exitCode.js";
import { findPull } from "../../../cli/forge/findPull.js";
import { folderInCheckout, nameOf } from "../../../cli/forge/nameOf.js";
import { pipelineOf } from "../../../cli/forge/pipelineFrom.js";
import { endWith, printDiagnostics } from "../../../cli/print/diagnostics.js";
import type { Context } from "../../../cli/run/context.js";
import { openProject } from "../../../cli/settings/project.js";
import { readNamedFile } from "../../../cli/world/namedFile.js";
import type { World } from "../../../cli/world/world.js";
import type { Forge } from "../../../forge/forge.js";
import { type Pipeline, silenceOf } from "../../../forge/pipeline.js";
import { type Checked, type Diagnostic, hasErrors, refuse } from "../../../model/diagnostic.js";
import { isObject, parseJson } from "../../../model/json.js";
import { renderComment } from "../../../report/forms/comment/comment.js";
import { readPlanReport } from "../../../report/readReport.js";
import { inline } from "../../../report/text/escape.js";
import { tameLine } from "../../../report/text/visible.js";
import { attentionOf, viewOf } from "../../../report/view/view.js";
import { say } from "../../../words/say.js";
import { post as postComment } from "../post.js";
import { statusText, twinsOf } from "../review.js";
import { type ChangedSteps, changedSince, type ReviewedPlan, type StepHashes } from "../reviewedSteps.js";
import { onForge, SAID, summarise, WHY, writeText } from "./endings.js";
import { namedIn, placeOf } from "./files.js";
import { againstHistory, refuseTwins } from "./history.js";
import { commentOnIssue, readNights } from "./issue.js";
import { commitFault, placeFault } from "./origin.js";
import { type CommentPart, readParts } from "./parts.js";
import type { CommentFlags } from "./usage.js";

/** Posts plans and outcomes on the pull request of the pipeline, as one comment and a status each. */
export default async function comment(
  this: Context,
  flags: CommentFlags,
  ...files: readonly string[]
): Promise<number> {
  const { world } = this;
  const end = (diagnostics: readonly Diagnostic[]) => {
    printDiagnostics(world, diagnostics);
    return postedCode(diagnostics);
  };
  const { value: pipeline, diagnostics } = await pipelineOf(world);
  if (pipeline === null) return endWith(world, "wrong usage", diagnostics);
  printDiagnostics(world, diagnostics);
  if (flags.queue) return passQueue(world, pipeline, files, flags, end);
  if (files.length === 0) return endWith(world, "wrong usage", [say("command/usage#noFile")]);
  const { issue } = flags;
  if (issue !== undefined) {
    const nights = await readNights(world, files, pipeline);
    if (nights.value === null) return endWith(world, "unusable plan", nights.diagnostics);
    return end(await commentOnIssue(world, pipeline, nights.value, { ...flags, issue }));
  }
  const posting = await choosePosted(world, files, flags.run);
  if (posting.value === null) return endWith(world, "unusable plan", posting.diagnostics);
  if (posting.value.length === 0) {
    world.stderr.write("No comment: the run had nothing to do, or waits for the merge.\n");
    return end(flags.run === undefined ? [] : await passIdle(world, pipeline, flags.run, flags));
  }
  const parts = await readParts(world, posting.value, pipeline);
  if (parts.value === null) return endWith(world, "unusable plan", parts.diagnostics);
  return end(await post(world, pipeline, parts.value, flags));
}

async function post(
  world: World,
  pipeline: Pipeline,
  parts: readonly CommentPart[],
  flags: CommentFlags,
): Promise<readonly Diagnostic[]> {
  const unknown = await withReview(parts, flags, async () => null);
  const text = (maxBytes: number) => textOf(unknown, maxBytes);
  const written = await writeText(world, text, flags.out);
  const silence = silenceOf(pipeline);
  if (silence !== null) return [...written, ...(await summarise(world, text, WHY[silence]))];
  const found = await onForge(world, pipeline, { verbose: flags.verbose, text }, async (forge) => {
    const pull = await findPull(world, forge, pipeline);
    if (pull.as === "none") {
      // A commit that no pull request brought is applied all the same, and is not looked at again.
      const applied = unknown.filter(({ about }) => about === "apply");
      if (pull.commit !== null) await setStatuses(forge, pipeline, pull.commit, applied);
      return summarise(world, text, pull.why);
    }
    const { number } = pull;
    const known = await withReview(parts, flags, (...plan) => changedSince(forge, number, ...plan));
    const twins = pull.isOpen ? await twinsOf(forge, pull.commit, number) : [];
    if (twins.length > 0) return refuseTwins(forge, pipeline, pull, twins, known);
    const shown = pull.isOpen ? await againstHistory(forge, pull, known) : known;
    const said = await write(forge, number, shown);
    await setStatuses(forge, pipeline, pull.commit, shown);
    world.stderr.write(`${tameLine(`${said} #${number}`)}\n`);
    return shown.flatMap(({ fault }) => fault ?? []);
  });
  return [...written, ...found];
}

function textOf(parts: readonly CommentPart[], maxBytes: number): string {
  return renderComment(
    parts.map(({ shown }) => shown),
    maxBytes,
  );
}

/** The parts of an apply that found another plan than the reviewed one, with what changed since the review. */
async function withReview(
  parts: readonly CommentPart[],
  { reviewed }: CommentFlags,
  changedFrom: (plan: ReviewedPlan, steps: StepHashes) => Promise<ChangedSteps | null>,
): Promise<readonly CommentPart[]> {
  if (reviewed === undefined) return parts;
  const all = parts.map(async (part): Promise<CommentPart> => {
    const { shown, steps } = part;
    if (shown.as !== "plan") return part;
    const { name, report } = shown;
    const { effect } = report;
    const differing = await changedFrom({ name, server: report.server, effect: reviewed }, steps);
    const { since, commit } = report;
    const range = since === null || commit === null ? null : { base: since.commit, commit };
    const unreviewed = { as: "apply", reviewed, effect, steps: differing, range } as const;
    return { ...part, about: "apply", isGood: false, shown: { ...shown, unreviewed } };
  });
  return Promise.all(all);
}

async function write(forge: Forge, number: number, parts: readonly CommentPart[]): Promise<string> {
  const line = parts.map(({ shown, effect, counts }) => {
    const commit = shown.report.commit === null ? "" : `${shown.report.commit.slice(0, 12)} `;
    return `${commit}${effect === null ? "" : `${effect.slice(7, 19)} `}${counts}`;
  });
  const about = parts.every((part) => part.about === "apply") ? "apply" : "plan";
  const posted = await postComment(forge, number, {
    about,
    names: parts.map(({ shown }) => shown.name),
    text: (maxBytes) => textOf(parts, maxBytes),
    line: line.join("; "),
    steps: new Map(
      parts.filter(({ steps }) => steps.size > 0).map(({ shown, steps }) => [shown.name, steps]),
    ),
    escaped: inline,
  });
  return SAID[posted];
}

async function setStatuses(
  forge: Forge,
  { run: url }: Pipeline,
  commit: string,
  parts: readonly CommentPart[],
): Promise<void> {
  for (const { about, shown, effect, counts, isGood } of parts)
    await forge.setStatus(commit, statusText({ about, name: shown.name, effect, counts, isGood, url }));
}

/**
 * Sets the status of an apply that had nothing left to do: the commit is applied, and is not looked at again. It writes no
 * comment, because nothing was changed. A run that is only stopped sets no status.
 */
async function passIdle(
  world: World,
  pipeline: Pipeline,
  file: string,
  { reviewed, verbose }: { readonly reviewed?: string; readonly verbose: boolean },
): Promise<readonly Diagnostic[]> {
  const { text } = await readNamedFile(world, file);
  const report = text === null ? null : readPlanReport(text).value;
  const isPlain = report !== null && attentionOf(viewOf(report)) === 0;
  if (reviewed === undefined || !isPlain || silenceOf(pipeline) !== null || pipeline.change.as !== "none")
    return [];
  const { commit } = report;
  const fault = await commitFault(world, pipeline, file, commit);
  if (fault !== null || commit === null) return fault === null ? [] : [fault];
  const { name } = placeOf({ world, file, given: null, pipeline }, report);
  const contents = { effect: reviewed, counts: "Nothing left to do.", isGood: true, url: pipeline.run };
  return onForge(world, pipeline, { verbose }, async (forge) => {
    await forge.setStatus(commit, statusText({ about: "apply", name, ...contents }));
    world.stderr.write(`Set the status of commit ${commit.slice(0, 12)}\n`);
    return [];
  });
}

/**
 * The files to post. With the report of the run, it decides: the report itself where the run came to an outcome or failed,
 * and the plan where the run saved one. So no pipeline looks whether a file exists.
 */
async function choosePosted(
  world: World,
  files: readonly string[],
  run: string | undefined,
): Promise<Checked<readonly string[] | null>> {
  if (run === undefined) return { value: files, diagnostics: [] };
  const [plan, ...more] = files;
  if (plan === undefined || more.length > 0) return refuse(say("command/usage#oneFile"));
  const fault = placeFault(world, run);
  if (fault !== null) return refuse(fault);
  const read = await readNamedFile(world, run);
  if (read.text === null) return refuse(say("plan/unreadable#unreadable", { file: run, why: read.why }));
  const report = parseJson(read.text);
  if (isObject(report) && report.failure === "waiting") return { value: [], diagnostics: [] };
  if (isOfPlan(report)) {
    // An apply that had nothing to do saves no plan.
    const isIdle = isObject(report) && report.pending === false && !(await isThere(world, plan));
    return { value: isIdle ? [] : [plan], diagnostics: [] };
  }
  const { given } = namedIn(world, plan);
  return { value: [given === null ? run : `${given}=${run}`], diagnostics: [] };
}

async function isThere(world: World, plan: string): Promise<boolean> {
  return (await readNamedFile(world, namedIn(world, plan).file)).text !== null;
}

/** Whether a run came to a plan: it made one, or it found another than was expected and applied nothing. */
function isOfPlan(report: unknown): boolean {
  if (!isObject(report) || "outcomes" in report) return false;
  if (!("failure" in report)) return true;
  const { diagnostics } = report;
  return Array.isArray(diagnostics) && diagnostics.some((one) => isObject(one) && one.code === UNEXPECTED);
}

/** The plan has another effect than `--expect` names. */
const UNEXPECTED = "plan/unexpected";

/**
 * Sets the status of the project's plan on the commit of a merge queue, so that a queue which requires it does not wait.
 * The status names no effect, so it approves nothing: what applies is what was reviewed on each pull request.
 */
async function passQueue(
  world: World,
  pipeline: Pipeline,
  files: readonly string[],
  { verbose }: { readonly verbose: boolean },
  end: (diagnostics: readonly Diagnostic[]) => number,
): Promise<number> {
  const { change } = pipeline;
  if (files.length > 0) return endWith(world, "wrong usage", [say("command/usage#withFiles")]);
  if (change.as !== "queue") return endWith(world, "wrong usage", [say("command/usage#noQueue")]);
  const { value: project, diagnostics } = await openProject(world, {});
  const { server } = project.settings;
  if (hasErrors(diagnostics) || server.value === null) {
    const found = server.value === null ? [...diagnostics, say("config/no-server#queue")] : diagnostics;
    return endWith(world, "invalid settings", found);
  }
  const tenant = { server: server.value, context: project.contexts.current };
  const name = nameOf(folderInCheckout(project.root), pipeline.path, tenant);
  const counts = "In a merge queue. What was reviewed on each pull request is applied.";
  const status = { about: "plan", name, effect: null, counts, isGood: true, url: pipeline.run } as const;
  const found = await onForge(world, pipeline, { verbose }, async (forge) => {
    await forge.setStatus(change.commit, statusText(status));
    world.stderr.write(`Set the status of commit ${change.commit.slice(0, 12)}\n`);
    return [];
  });
  return end(found.length === 0 ? diagnostics : found);
}
