import { type Checked, hasErrors } from "../../entry/values.js";
import type { World } from "../world/world.js";
import type { SettingFlags } from "./flags.js";
import { openProject, type Project, type SettingsAsked } from "./project.js";

/**
 * A project as each of its contexts sees it, in order, for what no tenant and no state is asked for. Only the one that a
 * flag names, and the project itself where it has none or cannot be read.
 */
export async function eachContext(
  world: World,
  flags: SettingFlags,
  need: SettingsAsked,
): Promise<readonly Checked<Project>[]> {
  if (flags.context !== undefined) return [await openProject(world, flags, need)];
  const whole = await openProject(world, flags, need, { as: "none" });
  const { names } = whole.value.contexts;
  if (names.length === 0 || hasErrors(whole.diagnostics)) return [whole];
  const each: Checked<Project>[] = [];
  for (const name of names) each.push(await openProject(world, flags, need, { as: "each", name }));
  return each;
}
