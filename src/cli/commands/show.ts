import type { Context } from "../context.js";
import { exit } from "../exit.js";
import { tellFindings } from "../findings.js";
import { type OutputFlags, show as print } from "../output.js";
import { planFace } from "../planFace.js";
import { readPlan } from "../savedPlan.js";

/** Renders a saved plan: no network, no manifests, no credentials. */
export default async function show(this: Context, flags: OutputFlags, file: string): Promise<void> {
  const { world } = this;
  const { value, diagnostics } = await readPlan(world, file);
  tellFindings(world, world.stderr, diagnostics);
  if (value === null) {
    this.process.exitCode = exit.refused;
    return;
  }
  const unwritten = await print(world, flags, planFace(value.plan, value.hash).render);
  tellFindings(world, world.stderr, unwritten);
  if (unwritten.length > 0) this.process.exitCode = exit.error;
}
