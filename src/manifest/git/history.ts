import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";
import { type CommitFound, findCommit, isName, quiet } from "./findCommit.js";
import type { Git } from "./git.js";

/** A member of a commit's tree: its path, its mode and object as git prints them, and its size. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly object: string;
  /** 0 for what has no content here: a submodule, a folder, and a file that this checkout lacks. */
  readonly size: number;
}

/** Bytes that one command of git is asked for at most, beside the last object. */
const BATCH = 16 * 1024 * 1024;
export const OBJECT = /^[0-9a-f]{40,64}$/;

/**
 * The commit that a change is compared with: the merge base of a ref and HEAD. Where that is HEAD, and HEAD is a merge,
 * its first parent. Null, with what to fetch, where this checkout does not have it.
 */
export async function baseSince(git: Git, ref: string): Promise<Checked<string | null>> {
  const failed = (diagnostic: Diagnostic) => ({ value: null, diagnostics: [diagnostic] });
  const about = await git(["rev-parse", "--is-shallow-repository", "HEAD^{commit}"]).catch(nothing);
  const [shallow, head = ""] = (about ?? "").split("\n");
  if (!OBJECT.test(head)) return failed(noCommit);
  const isShallow = shallow === "true";
  const found = await findCommit(quiet(git), ref);
  if (found.as !== "commit") return failed(await notCommit(git, ref, found));
  const other = found.commit;
  const base = await mergeBase(git, head, other);
  const isExact = base !== null && !(isShallow && (await isCutOff(git, [head, other], base)));
  if (!isExact) return failed(isShallow ? say("since/shallow", { ref }) : say("since/unrelated", { ref }));
  if (base !== head) return { value: base, diagnostics: [] };
  const [parent, ...more] = await parentsOf(git, head);
  if (parent === undefined || more.length === 0) return { value: base, diagnostics: [] };
  const isThere = (await objectOf(git, `${parent}^{commit}`)) !== null;
  return isThere ? { value: parent, diagnostics: [] } : failed(say("since/shallow", { ref }));
}

/** The best common ancestor of two commits; null where this checkout knows none. */
export async function mergeBase(git: Git, one: string, other: string): Promise<string | null> {
  if (one === other) return one;
  const found = await git(["merge-base", one, other]).catch(nothing);
  return found === null ? null : found.trim();
}

/**
 * Every file below a folder of a commit, by its path from there; null where the commit has no such folder. Rejects where
 * this checkout lacks a part of it.
 */
export async function listAt(git: Git, commit: string, folder: string): Promise<readonly TreeEntry[] | null> {
  const tree = folder === "" ? `${commit}^{tree}` : `${commit}:${folder}`;
  const listed = await git(["ls-tree", "-r", "-z", "-l", "--full-tree", "--", tree]).catch(async (error) => {
    const type = await git(["cat-file", "-t", tree]).catch(nothing);
    if (type?.trim() === "tree") throw error;
    return null;
  });
  return listed === null ? null : entriesIn(listed);
}

/** What `git ls-tree -z -l` printed. A file that a partial clone lacks has the size `BAD`. */
export function entriesIn(listed: string): readonly TreeEntry[] {
  return listed.split("\0").flatMap((line): readonly TreeEntry[] => {
    const [, mode = "", object = "", size = "", path = ""] =
      /^(\d+) \w+ ([0-9a-f]+) +(\d+|-|BAD)\t(.+)$/s.exec(line) ?? [];
    return path === "" ? [] : [{ path, mode, object, size: /^\d+$/.test(size) ? Number(size) : 0 }];
  });
}

/** The contents of objects, by their names. Rejects where this checkout lacks one. */
export async function contentsOf(
  git: Git,
  entries: readonly Pick<TreeEntry, "object" | "size">[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const batch of batched(new Map(entries.map(({ object, size }) => [object, size])))) {
    const printed = await git.bytes(["cat-file", "--batch"], `${batch.join("\n")}\n`);
    for (const [at, { type, body }] of objectsIn(printed).entries()) {
      if (type !== "blob") throw new Error(`${batch[at]} is ${type}`);
      found.set(batch[at] ?? "", body);
    }
  }
  return found;
}

/** An object of git: what it is, and its bytes. */
interface GitObject {
  readonly type: string;
  readonly body: Buffer;
}

/** The objects that `git cat-file --batch` printed; one that is missing has no bytes. */
export function objectsIn(output: Buffer): readonly GitObject[] {
  const found: GitObject[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at);
    const [, type = "", size] = output.subarray(at, end).toString("latin1").split(" ");
    const from = end + 1;
    if (size === undefined) {
      found.push({ type, body: Buffer.alloc(0) });
      at = from;
    } else {
      found.push({ type, body: output.subarray(from, from + Number(size)) });
      at = from + Number(size) + 1;
    }
  }
  return found;
}

function batched(sizes: ReadonlyMap<string, number>): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = 0;
  for (const [object, size] of sizes) {
    if (room < size || batches.length === 0) {
      batches.push([]);
      room = BATCH;
    }
    batches.at(-1)?.push(object);
    room -= size;
  }
  return batches;
}

async function objectOf(git: Git, name: string): Promise<string | null> {
  const found = await git(["rev-parse", "--verify", "--quiet", name]).catch(nothing);
  const object = found?.trim() ?? "";
  return OBJECT.test(object) ? object : null;
}

/** The parents that a commit names, also those that a shallow clone does not have. */
export async function parentsOf(git: Git, commit: string): Promise<readonly string[]> {
  const [head = ""] = (await git(["cat-file", "commit", commit])).split("\n\n", 1);
  return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = ""]) => parent);
}

/** Whether a shallow clone ends before a common ancestor of two commits, so that a better one may be unknown. */
async function isCutOff(git: Git, commits: readonly string[], base: string): Promise<boolean> {
  if (commits.includes(base)) return false;
  const ends = await git(["rev-list", "--max-parents=0", ...commits, "--not", base]);
  for (const end of ends.split("\n").filter((line) => line !== "")) {
    if ((await parentsOf(git, end)).length > 0) return true;
  }
  return false;
}

function nothing(): null {
  return null;
}

const noCommit: Diagnostic = say("since/no-commit");

async function notCommit(
  git: Git,
  ref: string,
  found: Exclude<CommitFound, { readonly as: "commit" }>,
): Promise<Diagnostic> {
  switch (found.as) {
    case "ambiguous": {
      const [first = ""] = found.meanings;
      return say("since/ambiguous-ref", { ref, meanings: found.meanings.join(" or "), first });
    }
    case "other": {
      return say("since/unknown-ref#notCommit", { ref, what: found.what === "blob" ? "file" : "folder" });
    }
    case "unknown":
      return unknownRef(git, ref, found.isShallow);
  }
}

async function unknownRef(git: Git, ref: string, isShallow: boolean): Promise<Diagnostic> {
  const remote = isName(ref) ? await objectOf(git, `refs/remotes/origin/${ref}^{commit}`) : null;
  const branch = /^origin\/(.+)$/.exec(ref)?.[1];
  const depth = isShallow ? "--depth=50 " : "";
  const fetched = branch === undefined ? ref : `${branch}:refs/remotes/origin/${branch}`;
  return say(
    "since/unknown-ref#unknownRef",
    { ref },
    {
      hint:
        remote === null
          ? `Fetch it: git fetch ${depth}origin ${fetched}`
          : `Did you mean --since origin/${ref}?`,
    },
  );
}
