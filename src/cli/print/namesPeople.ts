import { readVariable } from "../../model/variables.js";
import type { Project } from "../settings/project.js";
import type { World } from "../world/world.js";

/** Where people are named: names are personal data, so only on a terminal unless they were asked for. */
export type NamesPeople = "everywhere" | "on the terminal" | "nowhere";

/** Where a run names people. A pipeline's log may look like a terminal, and others may read it. */
export function namesPeople(
  { stdout, env }: Pick<World, "stdout" | "env">,
  { people }: { readonly people: boolean },
  { settings }: Pick<Project, "settings">,
): NamesPeople {
  if (people || settings.impact.value.people) return "everywhere";
  return stdout.isTerminal && readVariable(env, "CI") === undefined ? "on the terminal" : "nowhere";
}
