import { codeOf, writtenCode } from "../../cli/exitCode.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import { printablePlan } from "../../cli/print/printablePlan.js";
import { show as print } from "../../cli/print/show.js";
import type { Context } from "../../cli/run/context.js";
import { readPlan } from "../../cli/run/savedPlan.js";
import { isForm } from "../../report/forms/table.js";
import { say } from "../../words/say.js";
import { drawGraph } from "./graph.js";
import type { ShowFlags } from "./usage.js";

/** Renders a saved plan, or draws one of its objects: no network, no credentials, and with a plan no manifests. */
export default async function show(this: Context, flags: ShowFlags, file?: string): Promise<void> {
  const { world } = this;
  const { graph, format } = flags;
  if (graph !== undefined) {
    this.process.exitCode = await drawGraph(world, flags, graph, file ?? null);
    return;
  }
  if (file === undefined || !isForm(format)) {
    const wrong = file === undefined ? say("command/usage#noPlan") : say("command/usage#noGraph", { format });
    printDiagnostics(world, world.stderr, [wrong]);
    this.process.exitCode = codeOf("wrong usage");
    return;
  }
  const { value, diagnostics } = await readPlan(world, file);
  printDiagnostics(world, world.stderr, diagnostics);
  if (value === null) {
    this.process.exitCode = codeOf("unusable plan");
    return;
  }
  const { plan, effect, estimate } = value;
  const unwritten = await print(
    world,
    { ...flags, format },
    printablePlan(plan, effect, "everywhere", { estimate }),
  );
  printDiagnostics(world, world.stderr, unwritten);
  this.process.exitCode = writtenCode(unwritten);
}
