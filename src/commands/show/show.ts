import { codeOf, writtenCode } from "../../cli/exitCode.js";
import { endWith, paintFor, printDiagnostics } from "../../cli/print/diagnostics.js";
import { printablePlan } from "../../cli/print/printablePlan.js";
import { show as print } from "../../cli/print/show.js";
import type { Context } from "../../cli/run/context.js";
import { readPlan } from "../../cli/run/savedPlan.js";
import { manifestPaths, openProject, readingOf } from "../../cli/settings/project.js";
import type { World } from "../../cli/world/world.js";
import { loadManifests } from "../../manifest/load.js";
import { type Checked, hasErrors } from "../../model/diagnostic.js";
import { mermaidOf } from "../../report/forms/graph/mermaid.js";
import { svgOf } from "../../report/forms/graph/svg.js";
import { treeOf } from "../../report/forms/graph/tree.js";
import { isForm } from "../../report/forms/table.js";
import { boundedJson } from "../../report/text/visible.js";
import { type Drawn, graphOf } from "../../report/view/graph.js";
import { meantAddress } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import { drawnInPlan, drawnInProject } from "./drawn.js";
import type { ShowFlags } from "./usage.js";

/** Renders a saved plan, or draws one of its objects: no network, no credentials, and with a plan no manifests. */
export default async function show(this: Context, flags: ShowFlags, file?: string): Promise<number> {
  const { world } = this;
  const { graph, format } = flags;
  if (graph !== undefined) return drawGraph(world, flags, graph, file ?? null);
  if (file === undefined || !isForm(format)) {
    const wrong = file === undefined ? say("command/usage#noPlan") : say("command/usage#noGraph", { format });
    return endWith(world, "wrong usage", [wrong]);
  }
  const { value, diagnostics } = await readPlan(world, file);
  if (value === null) return endWith(world, "unusable plan", diagnostics);
  printDiagnostics(world, diagnostics);
  const { plan, effect, estimate } = value;
  const unwritten = await print(
    world,
    { ...flags, format },
    printablePlan(plan, effect, "everywhere", { estimate }),
  );
  printDiagnostics(world, unwritten);
  return writtenCode(unwritten);
}

/** Prints what one object is connected with, in a saved plan or without one in the manifests; gives the exit code. */
async function drawGraph(
  world: World,
  flags: ShowFlags,
  address: string,
  file: string | null,
): Promise<number> {
  const draw = FORMS[flags.format];
  if (draw === undefined || flags.report !== undefined) {
    printDiagnostics(world, [say("command/usage#graphForm")]);
    return codeOf("wrong usage");
  }
  const { value, diagnostics } = file === null ? await drawnHere(world, flags) : await drawnIn(world, file);
  printDiagnostics(world, diagnostics);
  if (value === null) return codeOf(file === null ? "invalid manifests" : "unusable plan");
  const graph = graphOf(value, address);
  if (graph === null) {
    const known = value.map((one) => one.address);
    const hint = `${meantAddress(address, known)} Write Kind/name, or Kind/name[row].`.trim();
    printDiagnostics(world, [say("command/no-such-address#graph", { wanted: address }, { hint })]);
    return codeOf("not found");
  }
  world.stdout.write(draw(graph, { columns: world.stdout.columns, paint: paintFor(world, world.stdout) }));
  return codeOf("done");
}

const FORMS: Partial<Record<ShowFlags["format"], typeof treeOf>> = {
  text: treeOf,
  json: boundedJson,
  svg: svgOf,
  mermaid: mermaidOf,
};

async function drawnIn(world: World, file: string): Promise<Checked<readonly Drawn[] | null>> {
  const { value, diagnostics } = await readPlan(world, file);
  return { value: value === null ? null : drawnInPlan(value.plan, value.effect), diagnostics };
}

async function drawnHere(
  world: World,
  { context }: Pick<ShowFlags, "context">,
): Promise<Checked<readonly Drawn[] | null>> {
  const opened = await openProject(world, context === undefined ? {} : { context }, "intent");
  if (hasErrors(opened.diagnostics)) return { value: null, diagnostics: opened.diagnostics };
  const reading = readingOf(opened.value);
  const loaded = await loadManifests({ paths: manifestPaths(world, opened.value, []), ...reading });
  const diagnostics = [...opened.diagnostics, ...loaded.diagnostics];
  return { value: hasErrors(diagnostics) ? null : drawnInProject(loaded.value, reading.apps), diagnostics };
}
