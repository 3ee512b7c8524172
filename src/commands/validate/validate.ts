import { resolve } from "node:path";
import { checkedCode } from "../../cli/exitCode.js";
import { forReader, printDiagnostics } from "../../cli/print/diagnostics.js";
import { printableDiagnostics } from "../../cli/print/printableDiagnostics.js";
import { show } from "../../cli/print/show.js";
import type { Context } from "../../cli/run/context.js";
import { treeGuards } from "../../cli/run/ownGuards.js";
import { eachContext, inContexts } from "../../cli/settings/eachContext.js";
import { manifestPaths, type Project, readingOf } from "../../cli/settings/project.js";
import type { World } from "../../cli/world/world.js";
import { show as shownPath } from "../../manifest/files.js";
import { loadManifests } from "../../manifest/load.js";
import { formatAddress } from "../../model/address.js";
import { type Checked, type Diagnostic, hasErrors, strictly } from "../../model/diagnostic.js";
import type { ValidateFlags } from "./usage.js";

/** Checks manifests and prints the diagnostics on standard output, in any format. */
export default async function validate(
  this: Context,
  flags: ValidateFlags,
  ...paths: readonly string[]
): Promise<number> {
  const { world } = this;
  const { format, strict, quiet, verbose } = flags;
  const checked = await checkEach(world, flags, paths);
  const { diagnostics: all } = checked;
  const diagnostics = forReader(strict ? strictly(all) : all, verbose);
  const unwritten = await show(
    world,
    flags,
    printableDiagnostics(diagnostics, world, checkedCode(diagnostics, [])),
  );
  printDiagnostics(world, unwritten);
  if (format === "text" && !quiet && diagnostics.length === 0) world.stdout.write(`${allValid(checked)}\n`);
  return checkedCode(diagnostics, unwritten);
}

/** What was checked: how many manifests, in how many contexts; null for a project without contexts. */
interface Verdict {
  readonly count: number;
  readonly contexts: number | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks the manifests as each context sees them, or as the one that is named. */
async function checkEach(world: World, flags: ValidateFlags, paths: readonly string[]): Promise<Verdict> {
  const each: ContextCheck[] = [];
  for (const project of await eachContext(world, flags, "all"))
    each.push({ name: project.value.contexts.current, ...(await check(world, project, paths)) });
  const isOfNone = each.every(({ name }) => name === null);
  return {
    count: new Set(each.flatMap(({ addresses }) => addresses)).size,
    contexts: isOfNone ? null : each.length,
    diagnostics: inContexts(each),
  };
}

/** What was found in one context. */
interface ContextCheck {
  /** Null for a project without contexts. */
  readonly name: string | null;
  readonly addresses: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

async function check(
  world: World,
  { value: project, diagnostics }: Checked<Project>,
  paths: readonly string[],
): Promise<Omit<ContextCheck, "name">> {
  // Without a context, the values of the manifests are not known.
  const isUnchosen = project.contexts.names.length > 0 && project.contexts.current === null;
  if (isUnchosen && hasErrors(diagnostics)) return { addresses: [], diagnostics };
  const { value, diagnostics: ofManifests } = await loadManifests({
    paths: manifestPaths(world, project, paths),
    isWhole: paths.length === 0,
    ...readingOf(project),
    stdin: () => world.stdin.bytes(),
    tests: project.settings.tests.value.map((path) => resolve(project.root, path)),
    guards: project.settings.ownGuards.value.map((path) => resolve(project.root, path)),
  });
  const addresses = value.map(({ address }) => formatAddress(address));
  const { diagnostics: ofGuards } = await treeGuards(project);
  const chosen = paths.map((path) => shownPath(resolve(world.cwd, path), project.root));
  const isChosen = ({ span }: Diagnostic) =>
    span === undefined || chosen.some((path) => path === "." || `${span.file}/`.startsWith(`${path}/`));
  const ofPaths = paths.length === 0 ? ofGuards : ofGuards.filter(isChosen);
  return { addresses, diagnostics: [...diagnostics, ...ofManifests, ...ofPaths] };
}

function allValid({ count, contexts }: Verdict): string {
  const where = contexts === null ? "" : contexts === 1 ? " in one context" : ` in ${contexts} contexts`;
  return `${count === 1 ? "the manifest is valid" : `all ${count} manifests are valid`}${where}`;
}
