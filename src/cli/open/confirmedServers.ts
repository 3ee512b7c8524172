import type { Project } from "../settings/project.js";
import { readUserFile, writeUserFile } from "../world/userFile.js";
import type { World } from "../world/world.js";

const FILE = "servers.json";

type Asking = Pick<Project, "root" | "contexts">;

/**
 * Whether the operator agrees that this project sends credentials to a server that only its own file names. A terminal
 * is asked once; the answer is kept outside the project. Without a terminal the answer is no.
 */
export async function isConfirmed(world: World, project: Asking, server: string): Promise<boolean> {
  if (await isRemembered(world, project, server)) return true;
  if (!world.stdin.isTerminal) return false;
  const { root, contexts } = project;
  const question = `\nThe file remit.yaml names the server ${new URL(server).host}. Send your credentials there? Type "yes" to agree: `;
  const answer = await world.stdin.line(() => world.stderr.write(question));
  if (answer.trim() !== "yes") return false;
  await rememberServer(world, root, server, contexts.current);
  return true;
}

/** Whether the operator has named this server for this project, or has agreed to it. */
export async function isRemembered(
  world: World,
  { root, contexts }: Asking,
  server: string,
): Promise<boolean> {
  return (await readUserFile(world, root, FILE))[keyOf(root, contexts.current)] === server;
}

/** Keeps outside the project which server the operator named for it. */
export async function rememberServer(
  world: World,
  root: string,
  server: string,
  context: string | null = null,
): Promise<void> {
  const known = await readUserFile(world, root, FILE);
  await writeUserFile(world, root, FILE, { ...known, [keyOf(root, context)]: server });
}

/** Each context of a project has a server of its own. */
function keyOf(root: string, context: string | null): string {
  return context === null ? root : `${root}#${context}`;
}
