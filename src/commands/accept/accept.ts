import { mkdir, readFile, realpath, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { codeOf, given, stopped } from "../../cli/exitCode.js";
import { endWith, paintFor, printDiagnostics } from "../../cli/print/diagnostics.js";
import { showReading } from "../../cli/print/reading.js";
import type { Context } from "../../cli/run/context.js";
import { wholeRequest } from "../../cli/run/planning.js";
import { type Run, sessionOf, withRun } from "../../cli/run/run.js";
import { readPlan } from "../../cli/run/savedPlan.js";
import { manifestPaths } from "../../cli/settings/project.js";
import { linkInProject, noneThere, throughLink } from "../../cli/world/links.js";
import { reasonOf } from "../../cli/world/reason.js";
import type { World } from "../../cli/world/world.js";
import { tryToWrite } from "../../cli/world/write.js";
import { belongingOf } from "../../manifest/belonging.js";
import type { Contexts } from "../../manifest/contexts.js";
import { readEnvelope } from "../../manifest/envelope.js";
import { isWithin } from "../../manifest/files.js";
import { readProjectAt } from "../../manifest/git/earlierProject.js";
import { parse } from "../../manifest/parse/parse.js";
import { formatAddress, parseAddress } from "../../model/address.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { isObject } from "../../model/json.js";
import { gitEnvironment } from "../../model/variables.js";
import { DENIED, codeOf as guardCode } from "../../plan/guards/own/ownGuard.js";
import { describeAlone } from "../../report/plan/people.js";
import { many, usable, wrapValue } from "../../report/text/layout.js";
import { unifiedDiff } from "../../report/text/unifiedDiff.js";
import { tameLine } from "../../report/text/visible.js";
import { listed } from "../../schema/wording.js";
import { codeOf as faultCode } from "../../state/fault.js";
import { quote } from "../../words/quote.js";
import { say } from "../../words/say.js";
import { type Accepted, type AcceptTarget, acceptDrift } from "./drift.js";
import type { AcceptedFile } from "./files.js";
import { type RestoreRequest, restoreValues } from "./restore.js";
import type { AcceptFlags } from "./usage.js";

/** Writes what the tenant has into the manifests, after a question. */
export default async function accept(
  this: Context,
  flags: AcceptFlags,
  ...texts: readonly string[]
): Promise<number> {
  const { world } = this;
  const tell = (diagnostics: readonly Diagnostic[]) => printDiagnostics(world, diagnostics, flags.verbose);
  const targets = targetsFrom(texts, flags);
  const saved = flags.from === undefined ? null : await readPlan(world, flags.from);
  const faults = [...targets.diagnostics, ...(saved?.diagnostics ?? [])];
  if (hasErrors(faults))
    return endWith(world, targets.diagnostics.length > 0 ? "wrong usage" : "unusable plan", faults);
  const from = saved?.value?.plan ?? null;
  const opening = { command: "accept", flags, tenant: from === null };
  return withRun(world, opening, async (run) => {
    const request = await wholeRequest(run, flags, "auto", from !== null);
    const { progress, end } = showReading(world, flags, run.tenant);
    const manifests = {
      ...request.project.manifests,
      project: manifestPaths(world, run.project, []),
      paths: [],
    };
    const asked = { ...request, project: { ...request.project, manifests } };
    const session = from === null ? sessionOf(run) : null;
    const restoring = flags.restore && targets.value !== null ? { targets: targets.value } : null;
    const found =
      restoring === null
        ? acceptDrift({ request: asked, targets: targets.value, from, progress }, session)
        : restore({ request: asked, ...restoring, run: flags.run ?? null, progress }, run);
    const { value, diagnostics } = await found.finally(end);
    tell(diagnostics);
    if (value === null) return stopped(diagnostics);
    const unwritable = (await Promise.all(value.files.map((file) => unwritableIn(run, file)))).flat();
    tell([...value.left, ...unwritable]);
    if (unwritable.length > 0) return codeOf("nothing could be accepted");
    if (value.files.length === 0) return nothing(world, flags, value);
    return finish(run, flags, value);
  });
}

/** What objects had before a run, from the state and from this checkout. */
function restore(order: Omit<RestoreRequest, "projectAt">, run: Run): ReturnType<typeof restoreValues> {
  const { world, project } = run;
  const environment = gitEnvironment(world.env);
  const projectAt = (commit: string) =>
    readProjectAt(project.root, commit, environment, project.contexts.current);
  return restoreValues({ ...order, projectAt }, sessionOf(run));
}

function nothing({ stderr }: World, { restore: isRestore }: AcceptFlags, { left }: Accepted): number {
  if (hasErrors(left)) return codeOf("nothing could be accepted");
  const have = isRestore ? "have these values" : "have what the tenant has";
  const why = left.length === 0 ? `: the manifests ${have}` : "";
  stderr.write(`Nothing to ${isRestore ? "restore" : "accept"}${why}.\n`);
  return codeOf("done");
}

/** Shows the change, asks, and writes each file whole. */
async function finish(run: Run, flags: AcceptFlags, accepted: Accepted): Promise<number> {
  const { world } = run;
  const { files, left } = accepted;
  const paint = paintFor(world, world.stdout);
  if (!flags.quiet || !flags.yes)
    for (const { file, before, after } of files) world.stdout.write(unifiedDiff(file, before, after, paint));
  if (!flags.quiet)
    world.stderr.write(
      linesOf(
        [...peopleLines(accepted), ...sharedLines(accepted, run.project.contexts)],
        world.stderr.columns,
      ),
    );
  printDiagnostics(world, guardWarnings(accepted));
  if (!flags.yes) {
    const isWanted = await ask(world, files.length);
    if (isWanted === null) printDiagnostics(world, [say("accept/not-approved")]);
    if (isWanted === false) world.stderr.write("Nothing was written.\n");
    if (isWanted !== true) return codeOf("declined");
  }
  for (const [place, file] of files.entries()) {
    const failures = await writeFile(run, file);
    if (failures.length === 0) continue;
    printDiagnostics(world, failures);
    const names = (some: typeof files) => some.map((one) => one.file).join(", ");
    const [written, left] = [files.slice(0, place), files.slice(place)];
    const line = `Written: ${names(written)}. Not written: ${names(left)}.`;
    if (place > 0) world.stderr.write(linesOf([line], world.stderr.columns));
    return codeOf("file not written");
  }
  if (!flags.quiet) world.stderr.write(linesOf(summaryOf(accepted, flags)));
  return given(left);
}

/** Lines that are wrapped in words, below their own margin. */
function linesOf(lines: readonly string[], columns = Number.POSITIVE_INFINITY): string {
  return lines
    .flatMap((line) => wrapValue(tameLine(line), usable(columns), ""))
    .map((line) => `${line}\n`)
    .join("");
}

function summaryOf({ files, objects }: Accepted, { restore: isRestore }: AcceptFlags): readonly string[] {
  const lines = objects.map(({ address, fields, isDeleted }) => {
    const name = formatAddress(address);
    return isDeleted
      ? `${name}: deleted in the tenant; its manifest is removed`
      : `${name}: ${fields.join(", ")}`;
  });
  return [
    `Written to ${many(files.length, "file")}:`,
    ...lines.map((line) => `  ${line}`),
    isRestore
      ? "Nothing changed in the tenant. `remit plan` shows what an apply writes there, and whose access changes."
      : "Nothing changed in the tenant. `remit apply` records it in the state, without a write.",
  ];
}

/** Whether the user wants the change that was just shown; null without a terminal. */
async function ask({ stdin, stderr }: World, files: number): Promise<boolean | null> {
  if (!stdin.isTerminal) return null;
  const what = files === 1 ? "this file" : `these ${files} files`;
  const answer = await stdin.line(() => stderr.write(`\nChange ${what}? Type "yes" to write: `));
  return answer.trim() === "yes";
}

/** What a command line accepts: some objects and fields, or null for all drift. */
function targetsFrom(
  texts: readonly string[],
  { allDrift, from, restore: isRestore, run }: AcceptFlags,
): Checked<readonly AcceptTarget[] | null> {
  if (isRestore && (allDrift || from !== undefined))
    return { value: [], diagnostics: [say("command/usage#noDrift")] };
  if (!isRestore && run !== undefined) return { value: [], diagnostics: [say("command/usage#onlyRestore")] };
  if (allDrift) return { value: null, diagnostics: texts.length === 0 ? [] : [say("command/usage#both")] };
  if (texts.length === 0) return { value: [], diagnostics: [say("command/usage#nothing")] };
  const value: AcceptTarget[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const text of texts) {
    const [name = "", ...rest] = text.split("#");
    const address = parseAddress(name);
    const field = rest.join("#").replace(/^spec\./, "");
    if (address === undefined || (rest.length > 0 && field === ""))
      diagnostics.push(say("accept/no-such-target#noTarget", { text }));
    else value.push({ address, field: rest.length === 0 ? null : field });
  }
  return { value, diagnostics };
}

/** Which other contexts have the manifests that are edited, in one sentence; none where no other one has them. */
function sharedLines(
  { files, objects }: Pick<Accepted, "files" | "objects">,
  { names, current }: Contexts,
): readonly string[] {
  const others = names.filter((name) => name !== current);
  if (others.length === 0) return [];
  const edited = new Set(objects.map(({ address }) => formatAddress(address)));
  const manifests = files.flatMap((file) => manifestsIn(file, edited));
  const sharing = others.filter((name) =>
    manifests.some((one) => belongingOf(one, { names, current: name }, () => undefined) === "here"),
  );
  if (sharing.length === 0) return [];
  const one = sharing.length === 1;
  const whose = `${one ? "the context" : "the contexts"} ${listed(sharing, "and")}`;
  return [`Shared with ${whose}: ${one ? "its next plan shows" : "their next plans show"} this change, too.`];
}

/** The edited manifests of a file, as they were; of a new file, as they will be. */
function manifestsIn({ file, before, after }: Accepted["files"][number], edited: ReadonlySet<string>) {
  const source = { file, text: before ?? after ?? "", named: false };
  return parse(source).value.flatMap(({ value, marks }) => {
    if (!isObject(value)) return [];
    const address = formatAddress({ kind: String(value.kind), name: readEnvelope(value).name });
    return edited.has(address) ? [{ value, written: { source, marks } }] : [];
  });
}

/** A mark that some editors put at the beginning; manifests are read without it. */
const MARK = "\uFEFF";

/** Why a file must not be written: it is outside the project, a stream, or behind a link. */
async function unwritableIn({ project }: Run, { file }: AcceptedFile): Promise<readonly Diagnostic[]> {
  const path = resolve(project.root, file);
  const isInside = file !== "-" && isWithin(project.root, path);
  if (!isInside) return [say("accept/outside", { file: file === "-" ? "standard input" : file })];
  const link = await linkInProject(project.root, path);
  if (link !== null) return [throughLink(file, link, project.root)];
  const [root, real] = await Promise.all([realpath(project.root), realpath(path).catch(() => path)]);
  return isWithin(root, real)
    ? []
    : [say("accept/outside", { file: file === "-" ? "standard input" : file })];
}

/** Writes a file whole, or removes it, unless it changed since it was read. Gives the errors. */
async function writeFile(
  { world, project }: Run,
  { file, before, after }: AcceptedFile,
): Promise<readonly Diagnostic[]> {
  const path = resolve(project.root, file);
  try {
    const now = await readFile(path, "utf8").catch(noneThere);
    const mark = now?.startsWith(MARK) === true ? MARK : "";
    if ((now?.slice(mark.length) ?? null) !== before) return [say("accept/changed-file#changed", { file })];
    if (after === null) {
      await unlink(path);
      return [];
    }
    if (now === null) await mkdir(dirname(path), { recursive: true });
    const place = { ...world, cwd: project.root };
    return tryToWrite(place, { path, shown: file, text: `${mark}${after}`, access: "open" });
  } catch (error) {
    const code = faultCode(error);
    if (code === "EUNKNOWN") throw error;
    return [say("file/unwritable#failed", { file, code: reasonOf(code) })];
  }
}

/** What accepted values mean for people: a line for each object where that was counted. */
function peopleLines({ access: { plan } }: Accepted): readonly string[] {
  return plan.steps.flatMap(({ address }) => {
    const name = formatAddress(address);
    const found = plan.impact?.steps.find((step) => formatAddress(step.address) === name);
    if (found === undefined || plan.impact === null) return [];
    const [first = "", ...rest] = describeAlone(found, plan.impact, plan.names);
    return [`${name}: ${first}`, ...rest.map((line) => `  ${line}`)];
  });
}

/** What the guards find in accepted values: the next plan finds it again, and blocks until it is acknowledged. */
function guardWarnings({ access: { findings } }: Accepted): readonly Diagnostic[] {
  return findings
    .filter(({ acknowledged }) => acknowledged === null)
    .map(({ guard, address, message, own }) => {
      const name = address === null ? null : formatAddress(address);
      return quote(guardCode(guard), "warning", name === null ? message : `${name}: ${message}`, {
        hint:
          own?.level === "deny"
            ? `The next plan is blocked. ${DENIED}`
            : `The next plan is blocked until it is acknowledged: --acknowledge ${guard}${name === null ? "" : `=${name}`}`,
      });
    });
}
