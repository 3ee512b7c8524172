import { rm } from "node:fs/promises";
import type { GitEnd } from "../../manifest/git/git.js";
import { objectsIn } from "../../manifest/git/history.js";
import { StateError } from "../store.js";
import type { StoredState } from "../stores.js";
import { lockRefOf } from "./address.js";
import { type Files, HEAD_FILE, headIn } from "./document.js";
import { broken, unreachable } from "./fault.js";
import { LOCK_FILE, lockIn } from "./held.js";
import { makeBare } from "./objects.js";
import { FETCH, type RepositoryOptions } from "./repository.js";
import { makeScratch } from "./scratch.js";

/** Milliseconds between two attempts: a ref may go away between the list of refs and the fetch. */
const PAUSES = [500, 500, 2_000, 5_000];

/** The states below `refs/remit/` of a repository. A ref is one only by its content, whatever it is called. */
export async function listGitStates(options: RepositoryOptions): Promise<readonly StoredState[]> {
  const own = options.refs.state;
  const tips = await readTips(options, [`${FOLDER}*`, own, lockRefOf(own)], [HEAD_FILE, LOCK_FILE]);
  const names = [...tips.keys()].filter((ref) => ref.startsWith(FOLDER));
  return [...(names.includes(own) ? [] : [own]), ...names].flatMap((ref) => {
    try {
      return stateAt(options, ref, tips);
    } catch (error) {
      if (isForeign(error)) return [];
      throw error;
    }
  });
}

const FOLDER = "refs/remit/";

function stateAt(
  { name, url }: RepositoryOptions,
  ref: string,
  tips: ReadonlyMap<string, Files>,
): readonly StoredState[] {
  const found = tips.get(ref);
  if (found === undefined) return [];
  const { snapshot } = headIn(found, name, ref);
  const short = ref.startsWith(FOLDER) ? ref.slice(FOLDER.length) : ref;
  const lock = tips.get(lockRefOf(ref));
  return [
    {
      address: `git:${url}#${short}`,
      project: snapshot?.project ?? null,
      serial: snapshot?.serial ?? null,
      held: heldBy(lock),
    },
  ];
}

/** Who holds a lock by its commit. Something else that has its name is in the way, too. */
function heldBy(lock: Files | undefined): StoredState["held"] {
  const held = lock === undefined ? null : lockIn(lock);
  return lock === undefined || held?.lock === null ? null : { by: held?.lock.owner ?? null };
}

function isForeign(error: unknown): boolean {
  return error instanceof StateError && error.diagnostic.code === "state/damaged";
}

/**
 * Some files of the last commits of many refs of a remote, by ref. Brings the refs that match all in one go: more refs start
 * no more programs of git.
 */
async function readTips(
  options: Pick<RepositoryOptions, "name" | "url" | "open" | "scratch" | "clock">,
  patterns: readonly string[],
  paths: readonly string[],
): Promise<ReadonlyMap<string, Files>> {
  const { name, url, clock } = options;
  const folder = await makeScratch(options.scratch);
  const git = options.open(folder);

  /** The refs that the remote has, in the order of the places that they are brought to. */
  async function bring(): Promise<readonly string[] | GitEnd> {
    const listed = await git(["ls-remote", "--refs", "--", url, ...patterns]);
    if (listed.code !== 0) return listed;
    const rows = listed.output.toString("utf8").split("\n");
    const refs = rows.flatMap((row) => row.split("\t")[1] ?? []);
    if (refs.length === 0) return [];
    const places = refs.map((ref, at) => `+${ref}:${placeOf(at)}`);
    const end = await git(["fetch", ...FETCH, "--", url, ...places]);
    return end.code === 0 ? refs : end;
  }

  try {
    await makeBare(folder).catch((error) => {
      throw broken(name, String(error));
    });
    let found = await bring();
    for (const pause of PAUSES) {
      if (!("code" in found)) break;
      if (!found.isStarted) throw broken(name, found.words);
      await clock.sleep(pause);
      found = await bring();
    }
    if ("code" in found) throw unreachable(name, found.words);
    const wanted = found.flatMap((ref, at) =>
      paths.map((path) => ({ ref, path, object: `${placeOf(at)}:${path}` })),
    );
    if (wanted.length === 0) return new Map();
    const end = await git(["cat-file", "--batch"], wanted.map(({ object }) => `${object}\n`).join(""));
    if (end.code !== 0) throw broken(name, end.words);
    const texts = objectsIn(end.output);
    return new Map(
      found.map((ref) => [
        ref,
        new Map(
          wanted.flatMap((one, at) => {
            const { type, body } = texts[at] ?? { type: "missing", body: Buffer.alloc(0) };
            return one.ref === ref && type === "blob" ? [[one.path, body.toString("utf8")] as const] : [];
          }),
        ),
      ]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function placeOf(at: number): string {
  return `refs/here/${at}`;
}
