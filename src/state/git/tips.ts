import { rm } from "node:fs/promises";
import type { GitEnd } from "../../manifest/git/git.js";
import { makeBare } from "./bare.js";
import { broken, unreachable } from "./fault.js";
import { type GitObject, objectsIn } from "./objects.js";
import { FETCH, type RepositoryOptions } from "./repository.js";
import { makeScratch } from "./scratch.js";

/** The last commits of many refs of a remote: the files of each by its ref. What is not a commit has none. */
export type Tips = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Milliseconds between two attempts: a ref may go away between the list of refs and the fetch. */
const PAUSES = [500, 500, 2_000, 5_000];

/** Brings the refs that match, all in one go: more refs start no more programs of git. */
export async function readTips(
  options: Pick<RepositoryOptions, "name" | "url" | "open" | "scratch" | "clock">,
  patterns: readonly string[],
): Promise<Tips> {
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

  async function objects(names: readonly string[]): Promise<readonly GitObject[]> {
    if (names.length === 0) return [];
    const end = await git(["cat-file", "--batch"], names.map((one) => `${one}\n`).join(""));
    if (end.code !== 0) throw broken(name, end.words);
    return objectsIn(end.output);
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
    const refs = found;
    const commits = await objects(refs.map((_, at) => placeOf(at)));
    // Whole trees, a level at a time: a state has folders, and no folders in them.
    let open: readonly Entry[] = commits.flatMap(({ type, body }, at) => {
      const tree = /^tree ([0-9a-f]+)\n/.exec(body.toString("latin1"))?.[1];
      return type === "commit" && tree !== undefined ? [{ at, path: "", object: tree, isFolder: true }] : [];
    });
    const tips = refs.map(() => new Map<string, string>());
    while (open.length > 0) {
      const bodies = await objects(open.map(({ object }) => object));
      open = open.flatMap(({ at, path, isFolder }, place) => {
        const body = bodies[place]?.body ?? Buffer.alloc(0);
        if (isFolder) return entriesIn(body, at, path);
        tips[at]?.set(path, body.toString("utf8"));
        return [];
      });
    }
    return new Map(refs.map((ref, at) => [ref, tips[at] ?? new Map()]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function placeOf(at: number): string {
  return `refs/here/${at}`;
}

/** A folder or file of the commit of one ref. */
interface Entry {
  readonly at: number;
  readonly path: string;
  readonly object: string;
  readonly isFolder: boolean;
}

/** What a tree has: mode, name, a zero, and the hash in bytes. A link does not count as a file of a state. */
function entriesIn(tree: Buffer, at: number, path: string): readonly Entry[] {
  const entries: Entry[] = [];
  for (let from = 0; from < tree.length; ) {
    const zero = tree.indexOf(0, from);
    const [mode = "", ...words] = tree.subarray(from, zero).toString("utf8").split(" ");
    const to = zero + 1 + HASH;
    const object = tree.subarray(zero + 1, to).toString("hex");
    const name = words.join(" ");
    const isFolder = mode === "40000";
    if (isFolder || mode.startsWith("100"))
      entries.push({ at, path: path === "" ? name : `${path}/${name}`, object, isFolder });
    from = to;
  }
  return entries;
}

/** The bytes of a SHA-1: the folder that the refs are brought to has such hashes. */
const HASH = 20;
