import { rm } from "node:fs/promises";
import type { BareGit, GitEnd } from "../../manifest/git/git.js";
import { objectsIn } from "../../manifest/git/history.js";
import type { Clock } from "../../model/clock.js";
import { broken, unreachable } from "./fault.js";
import { makeBare, refIn } from "./objects.js";
import { makeScratch, type Scratch } from "./scratch.js";

/** The commits of the two refs of a state; null where the remote has none. */
export interface Heads {
  readonly state: string | null;
  readonly lock: string | null;
}

/** A commit to be made. */
export interface CommitDraft {
  readonly parent: string | null;
  readonly message: string;
  readonly author: string;
  /** Seconds since 1970. */
  readonly at: number;
  /** Folders and files that are gone, before the new ones are there. */
  readonly removed: readonly string[];
  readonly files: ReadonlyMap<string, string>;
}

/** How a push ended: `reply` is what the remote has now. */
export interface Pushed {
  /** Whether the remote answered that it took it. */
  readonly isTaken: boolean;
  /** Whether it has it, as the answer or a look at it shows. */
  readonly isDone: boolean;
  readonly reply: Heads;
  readonly words: string;
  /** Whether the remote itself answered that it does not take it. */
  readonly isRejected: boolean;
  /** A ref of the remote that is in the way of one of these: a ref cannot be below another one; null for none. */
  readonly inTheWay: string | null;
}

/** A bare repository of remit's own, in a temporary folder, and the two refs of a remote. */
export interface Repository {
  /** What the remote has now. */
  heads(): Promise<Heads>;
  /** What the remote has now. Brings its commits that are not here yet, each without its history. */
  bring(): Promise<Heads>;
  /** The files of a commit that was fetched or made, by their paths. */
  files(commit: string): Promise<ReadonlyMap<string, string>>;
  /** Brings a commit that the remote has with its whole history; gives the files below a folder, each by its last name. */
  past(ref: "state", folder: string): Promise<ReadonlyMap<string, string>>;
  /** Makes commits, and gives their names. */
  commit(drafts: readonly CommitDraft[]): Promise<readonly string[]>;
  /** A commit without a parent that has the files of another. */
  root(commit: string, draft: Omit<CommitDraft, "parent" | "removed" | "files">): Promise<string>;
  /** Moves both refs at once, if they are where `from` says. Says what the remote has then. */
  push(from: Heads, to: Heads): Promise<Pushed>;
  close(): Promise<void>;
}

/** Where a state is in a remote. */
export interface RepositoryOptions {
  /** The store, as messages name it. */
  readonly name: string;
  /** What git connects to. */
  readonly url: string;
  readonly refs: { readonly state: string; readonly lock: string };
  /** Opens git for a bare repository in that folder. */
  readonly open: (folder: string) => BareGit;
  readonly scratch: Scratch;
  readonly clock: Clock;
}

/** Milliseconds between two attempts to read. */
const PAUSES = [500, 2_000, 5_000];
/** A ref may go away between the list of refs and the fetch. */
const FETCHES = 5;
const HERE = { state: "refs/here/state", lock: "refs/here/lock" } as const;
const REFS = ["state", "lock"] as const;

/** Makes a repository; its folder is gone when it is closed. */
export async function openRepository(options: RepositoryOptions): Promise<Repository> {
  const { name, url, refs, clock } = options;
  const folder = await makeScratch(options.scratch);
  const git = options.open(folder);

  async function here(argv: readonly string[], input?: string): Promise<string> {
    const end = await git(argv, input);
    if (end.code !== 0) throw broken(name, end.words);
    return end.output.toString("utf8");
  }

  /** Asks again for a while where the remote does not answer; null where it refuses for another reason. */
  async function reading(argv: readonly string[]): Promise<GitEnd> {
    for (const pause of PAUSES) {
      const end = await git(argv);
      if (end.code === 0) return end;
      if (!end.isStarted) throw broken(name, end.words);
      await clock.sleep(pause);
    }
    return git(argv);
  }

  async function heads(): Promise<Heads> {
    const end = await reading(["ls-remote", "--refs", "--", url, refs.state, refs.lock]);
    if (end.code !== 0) throw unreachable(name, end.words);
    return headsIn(end.output.toString("utf8"), refs);
  }

  /** The commits whose files are here. */
  const known = new Set<string | null>([null]);

  async function bring(): Promise<Heads> {
    for (let attempt = 1; ; attempt += 1) {
      const there = await heads();
      if (REFS.every((ref) => known.has(there[ref]))) return there;
      const wanted = REFS.filter((ref) => there[ref] !== null);
      const names = wanted.map((ref) => `+${refs[ref]}:${HERE[ref]}`);
      const end = await git(["fetch", ...FETCH, "--", url, ...names]);
      if (end.code === 0) {
        // The remote may have moved a ref since it was asked for them.
        const found = { ...there };
        for (const ref of wanted) found[ref] = await refIn(folder, HERE[ref]);
        known.add(found.state).add(found.lock);
        return found;
      }
      if (attempt === FETCHES) throw unreachable(name, end.words);
      await clock.sleep(PAUSES[0] ?? 0);
    }
  }

  /** What `files` gave since the last push: a run asks for the same commit several times before it. */
  const asked = new Map<string, Promise<ReadonlyMap<string, string>>>();

  async function textsOf(objects: readonly string[]): Promise<readonly string[]> {
    const end = await git(["cat-file", "--batch"], objects.map((object) => `${object}\n`).join(""));
    if (end.code !== 0) throw broken(name, end.words);
    return objectsIn(end.output).map(({ body }) => body.toString("utf8"));
  }

  async function filesOf(commit: string): Promise<ReadonlyMap<string, string>> {
    const rows = (await here(["ls-tree", "-r", "-z", commit])).split("\0").filter((row) => row !== "");
    const paths = rows.map((row) => row.slice(row.indexOf("\t") + 1));
    const objects = rows.map((row) => row.slice(0, row.indexOf("\t")).split(" ")[2] ?? "");
    const texts = await textsOf(objects);
    return new Map(paths.map((path, at) => [path, texts[at] ?? ""]));
  }

  await makeBare(folder).catch(async (error) => {
    await rm(folder, { recursive: true, force: true });
    throw broken(name, String(error));
  });

  return {
    heads,
    bring,
    files(commit) {
      const files = asked.get(commit) ?? filesOf(commit);
      asked.set(commit, files);
      return files;
    },
    async past(ref, folder) {
      const end = await reading(["fetch", ...WHOLE, "--", url, `+${refs[ref]}:${PAST}`]);
      if (end.code !== 0) throw unreachable(name, end.words);
      const rows = (await here(["rev-list", "--objects", PAST, "--", folder])).split("\n");
      const found = rows.flatMap((row) => {
        const [, object = "", path = ""] = /^([0-9a-f]+) (.*)$/.exec(row) ?? [];
        return path.startsWith(`${folder}/`) ? [[path, object] as const] : [];
      });
      const texts = await textsOf(found.map(([, object]) => object));
      return new Map(found.map(([path], at) => [path, texts[at] ?? ""]));
    },
    async commit(drafts) {
      const marks = drafts.map((_, at) => `get-mark :${at + 1}\n`);
      const stream = [...drafts.map(inStream), ...marks, "done\n"].join("");
      const output = await here(["fast-import", "--quiet", "--force", "--done"], stream);
      const made = output.split("\n").filter((line) => line !== "");
      for (const commit of made) known.add(commit);
      return made;
    },
    async root(commit, { message, author, at }) {
      const tree = (await here(["rev-parse", `${commit}^{tree}`])).trim();
      const body = `tree ${tree}\nauthor ${author} ${at} +0000\ncommitter ${author} ${at} +0000\n\n${message}\n`;
      return (await here(["hash-object", "-t", "commit", "-w", "--stdin"], body)).trim();
    },
    async push(from, to) {
      asked.clear();
      // A state that stays is sent, too: the lease on it shows whether it was removed or replaced.
      const moved = REFS.filter((ref) => from[ref] !== to[ref] || (ref === "state" && to.state !== null));
      const leases = moved.map((ref) => `--force-with-lease=${refs[ref]}:${from[ref] ?? ""}`);
      const updates = moved.map((ref) => `${to[ref] ?? ""}:${refs[ref]}`);
      const end = await git([
        "push",
        "--porcelain",
        "--atomic",
        "--no-verify",
        ...leases,
        "--",
        url,
        ...updates,
      ]);
      const output = end.output.toString("utf8");
      if (end.code === 0)
        return { isTaken: true, isDone: true, reply: to, words: "", isRejected: false, inTheWay: null };
      const reply = await heads();
      const isDone = REFS.every((ref) => !moved.includes(ref) || reply[ref] === to[ref]);
      // A line of the porcelain format that begins with "!" is a ref that was not taken.
      const rejected = output.split("\n").filter((line) => line.startsWith("!"));
      const words = [...end.words.split("\n"), ...rejected.map((line) => line.split("\t")[2] ?? "")].join(
        "\n",
      );
      const isRejected = rejected.length > 0;
      return {
        isTaken: false,
        isDone,
        reply,
        words,
        isRejected,
        inTheWay: isRejected ? await inTheWay(git, url, refs) : null,
      };
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

const PAST = "refs/here/past";
/** All commits, also where a fetch before brought only the last. */
const WHOLE = [
  "--quiet",
  "--depth=2147483647",
  "--no-tags",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
];
/** The last commit of a ref, without its history. */
export const FETCH = [
  "--quiet",
  "--depth=1",
  "--no-tags",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
];

/** A ref that is in the way. Only a look at the refs shows it: what a remote says about it is in its own words. */
async function inTheWay(git: BareGit, url: string, refs: RepositoryOptions["refs"]): Promise<string | null> {
  const above = REFS.flatMap((ref) => foldersOf(refs[ref]));
  const below = REFS.map((ref) => `${refs[ref]}/`);
  const patterns = [...above, ...below.map((folder) => `${folder}*`)];
  const end = await git(["ls-remote", "--refs", "--", url, ...patterns]);
  const names = end.output
    .toString("utf8")
    .split("\n")
    .map((row) => row.split("\t")[1] ?? "");
  return names.find((one) => above.includes(one) || below.some((folder) => one.startsWith(folder))) ?? null;
}

function headsIn(list: string, names: { readonly state: string; readonly lock: string }): Heads {
  const rows = list.split("\n").map((line) => line.split("\t"));
  const at = (name: string) => rows.find(([, ref]) => ref === name)?.[0] ?? null;
  return { state: at(names.state), lock: at(names.lock) };
}

/** The names that a ref is below: `refs/remit/a` of `refs/remit/a/b`. */
function foldersOf(ref: string): readonly string[] {
  const parts = ref.split("/");
  return parts.slice(3).map((_, place) => parts.slice(0, place + 3).join("/"));
}

/** A commit in the language of `git fast-import`. */
function inStream({ parent, message, author, at, removed, files }: CommitDraft, place: number): string {
  const by = `${author} ${at} +0000`;
  return [
    `commit refs/made/${place}\nmark :${place + 1}\nauthor ${by}\ncommitter ${by}\n${data(message)}`,
    parent === null ? "" : `from ${parent}\n`,
    ...removed.map((path) => `D ${path}\n`),
    ...[...files].map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`),
  ].join("");
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
