import { codeOf, writtenCode } from "../../cli/exitCode.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import { printablePlan } from "../../cli/print/printablePlan.js";
import { type OutputFlags, show as print } from "../../cli/print/show.js";
import type { Context } from "../../cli/run/context.js";
import { readPlan } from "../../cli/run/savedPlan.js";

/** Renders a saved plan: no network, no manifests, no credentials. */
export default async function show(this: Context, flags: OutputFlags, file: string): Promise<void> {
  const { world } = this;
  const { value, diagnostics } = await readPlan(world, file);
  printDiagnostics(world, world.stderr, diagnostics);
  if (value === null) {
    this.process.exitCode = codeOf("unusable plan");
    return;
  }
  const { plan, effect, estimate } = value;
  const unwritten = await print(world, flags, printablePlan(plan, effect, "everywhere", { estimate }));
  printDiagnostics(world, world.stderr, unwritten);
  this.process.exitCode = writtenCode(unwritten);
}
