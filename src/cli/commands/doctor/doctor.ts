import { safeJson, tameLine } from "../../../entry/messages.js";
import { examine } from "../../../entry/session.js";
import { hasErrors } from "../../../entry/values.js";
import { codeOf } from "../../exitCode.js";
import { connect } from "../../open/tenant.js";
import { printDiagnostics } from "../../print/diagnostics.js";
import { showReading } from "../../print/reading.js";
import type { Context } from "../../run/context.js";
import type { SettingFlags } from "../../settings/flags.js";
import { openProject } from "../../settings/project.js";
import type { World } from "../../world/world.js";
import { aboutStore, lookAtStore } from "./store.js";
import { type Health, healthText, isHealthy } from "./text.js";

/** The flags of `remit doctor`. */
export interface DoctorFlags extends SettingFlags {
  readonly format: "text" | "json";
  readonly verbose: boolean;
  /** Read before the command starts. */
  readonly color?: boolean;
}

/** Says what works with these settings and credentials. Writes nothing. */
export default async function doctor(this: Context, flags: DoctorFlags): Promise<void> {
  const { world } = this;
  this.process.exitCode = await run(world, flags);
}

async function run(world: World, flags: DoctorFlags): Promise<number> {
  const project = await openProject(world, flags);
  printDiagnostics(world, world.stderr, project.diagnostics);
  if (hasErrors(project.diagnostics)) return codeOf("invalid settings");
  const log = flags.verbose ? (line: string) => world.stderr.write(`${tameLine(line)}\n`) : null;
  const { value: tenant, diagnostics } = await connect(world, project.value, log);
  printDiagnostics(world, world.stderr, diagnostics);
  const { health: store, snapshot } = await lookAtStore(world, project.value);
  if (tenant === null) {
    world.stderr.write(`${tameLine(aboutStore(store))}\n`);
    return codeOf("invalid settings");
  }
  const { progress, end } = showReading(world, { ...flags, quiet: flags.format === "json" }, tenant);
  try {
    const examination = await examine(
      tenant.client,
      { asked: project.value.settings.interface.value, snapshot },
      progress,
    ).finally(end);
    const health: Health = { server: tenant.name, store, ...examination };
    const text =
      flags.format === "json"
        ? safeJson(`${JSON.stringify(health, null, 2)}\n`)
        : healthText(health, world.stdout.columns).split("\n").map(tameLine).join("\n");
    world.stdout.write(text);
    return codeOf(isHealthy(health) ? "done" : "not healthy");
  } finally {
    await tenant.close();
  }
}
