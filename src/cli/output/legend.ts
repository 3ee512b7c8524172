import { readUserFile, writeUserFile } from "../outside/userFile.js";
import type { World } from "../outside/world.js";

const FILE = "shown.json";

/** Whether this user has not seen yet what the signs of a plan mean. */
export async function isLegendNew(world: World): Promise<boolean> {
  const shown = await readUserFile(world, world.cwd, FILE);
  return shown.legend !== true;
}

/** Remembers outside the project that the user has seen it. */
export async function rememberLegend(world: World): Promise<void> {
  const shown = await readUserFile(world, world.cwd, FILE);
  await writeUserFile(world, world.cwd, FILE, { ...shown, legend: true });
}
