import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { codeOf, given, stopped } from "../../cli/exitCode.js";
import { endWith, printDiagnostics } from "../../cli/print/diagnostics.js";
import { printManifests } from "../../cli/print/manifests.js";
import { showReading } from "../../cli/print/reading.js";
import type { Context } from "../../cli/run/context.js";
import { noSuchKind } from "../../cli/run/noSuchKind.js";
import { wholeRequest } from "../../cli/run/planning.js";
import { type Run, sessionOf, withRun } from "../../cli/run/run.js";
import { manifestPaths } from "../../cli/settings/project.js";
import { sweepDrafts, writeNewFiles } from "../../cli/world/newFiles.js";
import { kinds } from "../../kinds/index.js";
import { formatAddress } from "../../model/address.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { jsonText } from "../../report/text/safeJson.js";
import { tameLine } from "../../report/text/visible.js";
import type { RowCondition } from "../../tenant/rowFilter.js";
import { say } from "../../words/say.js";
import { type Completeness, completenessLines, completenessWith } from "../state/completeness.js";
import type { ImportChoice } from "./chosen.js";
import type { Manuscript } from "./emptyPlan.js";
import { type NewFile, type Placement, placementOf } from "./layout.js";
import { type Imported, importObjects } from "./objects.js";
import { headLines, laidOut, leftOutLines } from "./summary.js";
import type { TerraformState } from "./terraform/state.js";
import {
  addressIn,
  type Handover,
  handoverAfter,
  terraformFrom,
  terraformLines,
} from "./terraform/terraform.js";
import type { ImportFlags } from "./usage.js";

/** Writes manifests for what the tenant has and no manifest describes. */
export default async function importCommand(
  this: Context,
  flags: ImportFlags,
  ...texts: readonly string[]
): Promise<number> {
  const { world } = this;
  const terraform = await terraformFrom(world, flags.fromTerraform);
  const choice = choiceFrom(flags, texts, terraform.value);
  const mistakes = [...terraform.diagnostics, ...choice.diagnostics];
  if (mistakes.length > 0) return endWith(world, "wrong usage", mistakes);
  return withRun(world, { command: "import", flags, tenant: true }, async (run) => {
    const placement = placementOf(world, run.project, flags.out, flags.layout);
    if ("code" in placement) {
      printDiagnostics(world, [placement]);
      return codeOf("wrong usage");
    }
    const request = await wholeRequest(run, flags, "off");
    const project = [...new Set([...manifestPaths(world, run.project, []), placement.folder])].filter(
      existsSync,
    );
    const { progress, end } = showReading(world, flags, run.tenant);
    const order = {
      request: {
        ...request,
        project: { ...request.project, manifests: { ...request.project.manifests, project, paths: [] } },
      },
      choice: choice.value,
      taken: placement.taken,
      schema: placement.schema,
      progress,
    };
    const { value, diagnostics } = await importObjects(order, sessionOf(run)).finally(end);
    printDiagnostics(world, diagnostics, flags.verbose);
    if (value === null) return stopped(diagnostics);
    return finish(run, flags, { placement, imported: value, diagnostics, terraform: terraform.value });
  });
}

/** What is left to print and to write. */
interface Ending {
  readonly placement: Placement;
  readonly imported: Imported;
  readonly diagnostics: readonly Diagnostic[];
  readonly terraform: TerraformState | null;
}

/** Prints or writes the manifests, and says what has none. */
async function finish(run: Run, flags: ImportFlags, ending: Ending): Promise<number> {
  const { world, project } = run;
  const { placement, imported, diagnostics } = ending;
  // Where nothing was found and a list is missing, the errors say it all.
  if (isNothing(imported) && hasErrors(diagnostics)) return stopped(diagnostics);
  const isText = flags.format === "text";
  const files = placement.files(imported.manifests);
  if (!flags.dryRun) {
    const unwritten = await writeFiles(run, placement, files, isText && !flags.quiet);
    printDiagnostics(world, unwritten);
    if (unwritten.length > 0) return codeOf("file not written");
  } else if (isText) printManifests(world.stdout, streamOf(imported.manifests));
  const handed =
    ending.terraform === null
      ? null
      : { state: ending.terraform, handover: handoverAfter(ending.terraform, imported) };
  const looked = completenessWith(project.settings.interface.value).filter(({ kind }) =>
    imported.kinds.includes(kind),
  );
  if (isText) {
    const folder = shownFrom(project.root, placement.folder);
    const leftOut =
      handed === null ? leftOutLines(imported) : leftOutLines(imported, addressIn(handed.state));
    const { isTerminal, columns } = world.stderr;
    const width = isTerminal ? columns : Number.POSITIVE_INFINITY;
    const lines = [
      ...laidOut([...headLines(imported, folder, flags.dryRun), ...leftOut], width),
      ...(handed === null ? [] : terraformLines(handed.state, handed.handover)),
    ];
    world.stderr.write(lines.map((line) => `${line}\n`).join(""));
    if (handed === null) world.stderr.write(completenessLines(world, looked));
  } else {
    const shown = (path: string) => shownFrom(project.root, join(placement.folder, path));
    const paths = new Map(files.map(({ path, manifests }) => [shown(path), manifests]));
    world.stdout.write(importJson(imported, { paths, texts: flags.dryRun }, looked, handed));
  }
  const isPartial = imported.leftOut.some(({ because }) => because === "unread" || because === "unwritable");
  return given(diagnostics, isPartial || imported.incomparable.length > 0);
}

function isNothing({ manifests, leftOut, gone, incomparable }: Imported): boolean {
  return (
    manifests.length + gone.length + incomparable.length === 0 &&
    leftOut.every(({ because }) => because === "unread")
  );
}

/** What an import came to, as a script reads it. With `texts`, each manifest has its text. */
function importJson(
  { leftOut, gone, incomparable, unknown }: Imported,
  { paths, texts }: { readonly paths: ReadonlyMap<string, readonly Manuscript[]>; readonly texts: boolean },
  completeness: readonly Completeness[],
  terraform: { readonly state: TerraformState; readonly handover: Handover } | null,
): string {
  const content = {
    manifests: [...paths].flatMap(([file, manifests]) =>
      manifests.map((one) => ({
        address: formatAddress(one),
        key: one.key,
        file,
        ...(texts ? { text: one.text } : {}),
      })),
    ),
    leftOut,
    gone: gone.map(({ resource: { address, file }, key, isRecorded }) => ({
      address: formatAddress(address),
      key,
      file,
      recorded: isRecorded,
    })),
    incomparable: incomparable.map(({ resource: { address, file }, why }) => ({
      address: formatAddress(address),
      file,
      why,
    })),
    unknown,
    completeness,
    terraform:
      terraform === null
        ? null
        : {
            removed: terraform.handover.blocks,
            commands: terraform.handover.commands,
            skipped: terraform.state.skipped.map(({ address, why }) => ({ address, why })),
            others: terraform.state.others,
          },
  };
  return jsonText(content);
}

/** Writes whole new files, and names each; stops at the first that cannot be written. Sweeps the folders first. */
async function writeFiles(
  { world, project }: Pick<Run, "world" | "project">,
  { folder, folders }: Pick<Placement, "folder" | "folders">,
  files: readonly NewFile[],
  isNamed: boolean,
): Promise<readonly Diagnostic[]> {
  const texts = files.map(({ path, manifests }) => {
    const absolute = join(folder, path);
    return { path: absolute, shown: shownFrom(project.root, absolute), text: streamOf(manifests) };
  });
  const here = { ...world, cwd: project.root };
  await sweepDrafts(here, folders);
  return writeNewFiles(here, texts, ({ shown }) => {
    if (isNamed) world.stdout.write(`${tameLine(shown)}\n`);
  });
}

/** Manifests as the documents of one text. */
function streamOf(manifests: readonly Manuscript[]): string {
  return manifests.map(({ text }) => text).join("---\n");
}

/** A path as messages show it: from the project, with forward slashes. */
function shownFrom(root: string, path: string): string {
  const shown = relative(root, resolve(path)).replaceAll("\\", "/");
  return shown === "" ? "." : shown;
}

/** The flags that choose what is imported. */
interface ImportChoiceFlags {
  readonly app?: readonly string[];
  readonly template?: readonly string[];
  readonly where?: readonly string[];
  readonly limit?: number;
}

/** What a command line chooses to import; all of it is in a state of Terraform where one is given. */
function choiceFrom(
  { app = [], template = [], where = [], limit }: ImportChoiceFlags,
  texts: readonly string[],
  terraform: TerraformState | null,
): Checked<ImportChoice> {
  const patterns = texts.map((text) => {
    const [kind = "", ...rest] = text.split("/");
    return { kind, name: rest.length === 0 ? "*" : rest.join("/") };
  });
  const known = kinds.map(({ name }) => name);
  const unknown = patterns
    .filter(({ kind }) => !known.includes(kind))
    .map(({ kind }) =>
      noSuchKind(kind, known, "Write a kind, or a kind and a pattern of names: 'TemplateScope/q4-*'."),
    );
  const conditions = where.map(conditionFrom);
  const unclear = where
    .filter((_, place) => conditions[place] === null)
    .map((text) => say("command/usage#noCondition", { text }));
  const templates = template.map((text) => text.split(/[?#]/, 1)[0]?.split("/").filter(Boolean).at(-1) ?? "");
  const objects = terraform?.instances ?? null;
  return {
    value: {
      patterns,
      apps: app,
      templates,
      limit: limit ?? null,
      where: conditions.filter((condition) => condition !== null),
      objects,
    },
    diagnostics: [...unknown, ...unclear],
  };
}

function conditionFrom(text: string): RowCondition | null {
  const [, field, sign, pattern = ""] = /^([A-Za-z_]\w*)(!?=)(.*)$/s.exec(text) ?? [];
  return field === undefined ? null : { field, fits: sign === "=", pattern };
}
