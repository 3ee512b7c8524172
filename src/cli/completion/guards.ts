import type { Context } from "../run/context.js";
import { openProject } from "../settings/project.js";
import { contextAmong } from "./remembered.js";
import { writtenAddresses } from "./written.js";

/** What `--acknowledge` takes: the guards of remit and of the team, and after `GUARD=` the addresses. One that denies is left out. */
export async function acknowledgeable(context: Context, partial: string): Promise<readonly string[]> {
  const names = await namesOf(context);
  const [name = ""] = partial.split("=");
  if (!partial.includes("=") || !names.includes(name)) return names;
  const addresses = await writtenAddresses(context);
  return addresses.map((address) => `${name}=${address}`);
}

async function namesOf({ world, words }: Context): Promise<readonly string[]> {
  const { guardNames } = await import("../../plan/guards/guards.js");
  const own = await ownNames().catch(() => []);
  return [...guardNames, ...own];

  async function ownNames() {
    const { value: project } = await openProject(world, contextAmong(words), "unchecked");
    if (project.settings.ownGuards.value.length === 0) return [];
    const { treeGuards } = await import("../run/ownGuards.js");
    const { ownName } = await import("../../plan/guards/own/ownGuard.js");
    const { value: guards } = await treeGuards(project);
    return guards
      .filter(({ level }) => level === "acknowledge")
      .map(ownName)
      .sort();
  }
}
