import type { Stats } from "node:fs";
import { lstat, mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.js";
import { type Access, PRIVATE, placeFile, rightsOf } from "../../state/durable.js";
import { codeOf } from "../../state/fault.js";
import { say } from "../../words/say.js";
import { endOf, linkInProject, noneThere, throughLink } from "./links.js";
import { reasonOf } from "./reason.js";
import type { World } from "./world.js";

/** The place of a file that is written or removed. */
interface Place {
  /** Absolute. */
  readonly path: string;
  /** The path as messages name it. */
  readonly shown: string;
}

/** A text, and the file it is for. */
interface Writing extends Place {
  readonly text: string;
  /** Only for its owner; or an existing file as it was, and a new one only for its owner or by the umask. */
  readonly access: "private" | "private when new" | "open";
}

/**
 * Writes a whole file or nothing, and makes its folders. A link inside the project is refused; the target of any other
 * link is written. Pipes, devices and files that are mounted get the text in place. Gives the errors.
 */
export function tryToWrite(world: World, writing: Writing): Promise<readonly Diagnostic[]> {
  return attempt(world, writing, () => write(world, writing));
}

/**
 * Removes the file that an earlier run wrote to this path, so that a run without a result leaves none. What is not a file
 * stays. Gives the errors.
 */
export function tryToRemove(world: World, place: Place): Promise<readonly Diagnostic[]> {
  return attempt(world, place, async () => {
    if (STREAMS.has(place.path)) return;
    const end = await endOf(place.path);
    const there = await lstat(end).catch(noneThere);
    if (there?.isFile() !== true) return;
    await rm(end).catch((error: unknown) => pourMounted(end, there, "", error));
  });
}

async function attempt(
  world: World,
  { path, shown }: Place,
  act: () => Promise<void>,
): Promise<readonly Diagnostic[]> {
  try {
    const link = STREAMS.has(path) ? null : await linkInProject(world.cwd, path);
    if (link !== null) return [throughLink(shown, link, world.cwd)];
    await act();
    return [];
  } catch (error) {
    const code = codeOf(error);
    if (code === "EUNKNOWN") throw error;
    return [unwritable(shown, code)];
  }
}

/** Paths that are streams of this process: opened again, a file would be written from its beginning. */
const STREAMS: ReadonlyMap<string, "stdout" | "stderr"> = new Map([
  ["/dev/stdout", "stdout"],
  ["/dev/stderr", "stderr"],
]);

async function write(world: World, { path, text, access }: Writing): Promise<void> {
  const stream = STREAMS.get(path);
  if (stream !== undefined) {
    world[stream].write(text);
    return;
  }
  const there = await stat(path).catch(noneThere);
  if (there !== null && !there.isFile()) {
    await pour(path, text);
    return;
  }
  const end = await endOf(path);
  await mkdir(dirname(end), { recursive: true });
  const own: Access = { mode: PRIVATE, owner: null };
  const before: Access | null =
    there === null
      ? access === "open"
        ? null
        : own
      : { mode: rightsOf(there), owner: { user: there.uid, group: there.gid } };
  await placeFile(end, [text], access === "private" ? own : before).catch((error: unknown) =>
    pourMounted(end, there, text, error),
  );
}

/** What keeps a file from being replaced: it is a mount itself, or its folder takes no other file. */
const KEPT: ReadonlySet<string> = new Set(["EBUSY", "EACCES", "EPERM", "EROFS"]);

/**
 * Writes into a file that is mounted, such as `/dev/termination-log` of a container: no other file can take its place. Throws
 * the error again where the file is an ordinary one.
 */
async function pourMounted(path: string, there: Stats | null, text: string, error: unknown): Promise<void> {
  const code = codeOf(error);
  const isMounted = async () => there !== null && (await stat(dirname(path))).dev !== there.dev;
  if (there === null || !KEPT.has(code) || (code !== "EBUSY" && !(await isMounted()))) throw error;
  await pour(path, text);
}

/** Writes into an existing pipe, device or mounted file. A folder refuses. */
async function pour(path: string, text: string): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** Why a file is not there, by the code of the system's error. */
export function unwritable(shown: string, code: string): Diagnostic {
  return say("file/unwritable#unwritable", { shown, code: reasonOf(code) });
}
