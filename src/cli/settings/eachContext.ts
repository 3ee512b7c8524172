import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import type { World } from "../world/world.js";
import type { SettingFlags } from "./flags.js";
import { type Project, projectFor } from "./project.js";
import { readProject, type SettingsAsked } from "./projectOnDisk.js";

/**
 * A project as each of its contexts sees it, in order, for what no tenant and no state is asked for. Only the one that a
 * flag names, and the project itself where it has none or cannot be read.
 */
export async function eachContext(
  world: World,
  flags: SettingFlags,
  need: SettingsAsked,
): Promise<readonly Checked<Project>[]> {
  const disk = await readProject(world, flags, need);
  if (flags.context !== undefined) return [projectFor(disk, world, flags, "named")];
  const whole = projectFor(disk, world, flags, "none");
  const { names } = whole.value.contexts;
  if (names.length === 0 || hasErrors(whole.diagnostics)) return [whole];
  return names.map((each) => projectFor(disk, world, flags, { each }));
}

/** What was found in one context. */
export interface FoundInContext {
  /** Null for a project without contexts. */
  readonly name: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** The diagnostics of all contexts, each once; one that not every context has names those that have it. */
export function inContexts(each: readonly FoundInContext[]): readonly Diagnostic[] {
  const found = new Map<string, { readonly diagnostic: Diagnostic; readonly names: Set<string | null> }>();
  for (const { name, diagnostics } of each)
    for (const diagnostic of diagnostics) {
      const key = JSON.stringify(diagnostic);
      const one = found.get(key) ?? { diagnostic, names: new Set() };
      found.set(key, { ...one, names: one.names.add(name) });
    }
  return [...found.values()].map(({ diagnostic, names }) =>
    names.size === each.length
      ? diagnostic
      : { ...diagnostic, message: `${diagnostic.message} (in the context ${[...names].join(", ")})` },
  );
}
