import { codeOf, given, notGot } from "../../cli/exitCode.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import { showReading } from "../../cli/print/reading.js";
import type { Context } from "../../cli/run/context.js";
import { requestFrom } from "../../cli/run/planning.js";
import { type Run, sessionOf, withRun } from "../../cli/run/run.js";
import type { World } from "../../cli/world/world.js";
import { globbed, isPattern } from "../../model/glob.js";
import { tameLine } from "../../report/text/visible.js";
import { completenessLines, completenessWith } from "../state/completeness.js";
import { choiceFrom, wordOf } from "./choice.js";
import { type GetChoice, type Got, getObjects } from "./objects.js";
import { printIds, printJson, printTable, printYaml } from "./print.js";
import type { GetFlags } from "./usage.js";

/** A get reads, and plans nothing. */
const PLANNING = { prune: false, impact: "off", people: false, strict: false } as const;

/** Prints what the tenant contains: objects as manifests, and what their ids point at as lists. */
export default async function get(
  this: Context,
  flags: GetFlags,
  ...texts: readonly string[]
): Promise<void> {
  const { world } = this;
  const choice = choiceFrom(texts);
  if (choice.diagnostics.length > 0) {
    printDiagnostics(world, world.stderr, choice.diagnostics);
    this.process.exitCode = codeOf("wrong usage");
    return;
  }
  this.process.exitCode = await withRun(world, { command: "get", flags, tenant: true }, async (run) => {
    const mode = { offline: false, refreshOnly: false };
    const { value: request } = await requestFrom(run, { ...flags, ...PLANNING }, mode, []);
    if (request === null) return codeOf("wrong usage");
    const { progress, end } = showReading(world, flags, run.tenant);
    const order = { request, choice: choice.value, progress };
    const { value, diagnostics } = await getObjects(order, sessionOf(run)).finally(end);
    if (value === null) {
      printDiagnostics(world, world.stderr, diagnostics, flags.verbose);
      return notGot(diagnostics);
    }
    await print(world, value, flags, choice.value).finally(end);
    printDiagnostics(world, world.stderr, diagnostics, flags.verbose);
    tellRest(run, value, flags, choice.value);
    return given(diagnostics);
  });
}

async function print(
  world: World,
  got: Got,
  { format, output }: GetFlags,
  { objects }: GetChoice,
): Promise<void> {
  if (output === "ids") return printIds(world, got);
  const chosen = format ?? output ?? (objects.length > 0 ? "yaml" : "table");
  if (chosen === "table") return printTable(world, got);
  return chosen === "json" ? printJson(world, got) : printYaml(world, got);
}

/** Says on the standard error what was not read, and what no list of the service shows. */
function tellRest({ world, project }: Run, got: Got, { quiet }: GetFlags, choice: GetChoice): void {
  // A list that was not read to its end proves nothing.
  for (const { of, only } of got.lists.filter(({ rows, isWhole }) => rows.length === 0 && isWhole)) {
    const fits = only === null ? "the tenant has none" : `none fits ${JSON.stringify(only)}`;
    world.stderr.write(`${tameLine(`No ${wordOf(of)} found: ${fits}.`)}\n`);
  }
  const { objects } = choice;
  for (const { kind, only } of objects.filter(({ only }) => isPattern(only))) {
    const isFit = got.objects.some(
      ({ address }) => address.kind === kind && globbed(only ?? "", address.name),
    );
    if (!isFit)
      world.stderr.write(`${tameLine(`No ${kind} found: no name fits ${JSON.stringify(only)}.`)}\n`);
  }
  const reads = got.unknown().map(({ what, why }) => tameLine(`  ${what}: unknown: ${why}`));
  if (reads.length > 0) world.stderr.write(`${["Not read:", ...reads].join("\n")}\n`);
  if (got.values.some(({ isWhole }) => !isWhole))
    world.stderr.write(
      "The list of users was not read to its end, or changed meanwhile: there may be more.\n",
    );
  if (quiet) return;
  // An object that was named needs no list.
  const listed = objects.filter(({ only }) => only === null || isPattern(only)).map(({ kind }) => kind);
  const looked = completenessWith(project.settings.interface.value).filter(({ kind }) =>
    listed.includes(kind),
  );
  world.stderr.write(completenessLines(world, looked));
}
