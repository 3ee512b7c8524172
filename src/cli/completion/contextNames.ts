import type { Context } from "../run/context.js";
import { openProject } from "../settings/project.js";

/** The contexts of the project that an unfinished command line is in. */
export async function contextNames({ world }: Context): Promise<readonly string[]> {
  const { value: project } = await openProject(world, {}, "unchecked");
  return project.contexts.names;
}
