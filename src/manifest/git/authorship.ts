import { groupAt } from "../../model/groupBy.js";
import { type Git, pathspecOf } from "./git.js";
import { contentsOf, listAt } from "./history.js";

/** A commit of a change, with the name of its author. */
interface Commit {
  readonly id: string;
  readonly author: string;
}

/** A file that a change edited: its text as the change left it, and for each line the commit that wrote it. */
interface EditedFile {
  readonly text: string;
  /** Null for a line that the change did not write. */
  readonly lines: readonly (Commit | null)[];
}

/** The files that a change edited, by their paths below a folder of the checkout. */
export type Authorship = Readonly<Record<string, EditedFile>>;

/** The most files whose lines are asked for one by one. */
const MOST_FILES = 100;
const [FIELD, RECORD] = ["\u001f", "\u001e"];

/**
 * Who wrote which line of a folder between a commit and HEAD. Where one commit alone edited a file, its lines are not
 * asked for. Empty where git cannot tell: no decision depends on it.
 */
export async function authorshipSince(git: Git, base: string, folder: string): Promise<Authorship> {
  try {
    return await readAuthorship(git, base, folder);
  } catch {
    return {};
  }
}

async function readAuthorship(git: Git, base: string, folder: string): Promise<Authorship> {
  const byFile = await commitsByFile(git, base, folder);
  const tree = new Map(((await listAt(git, "HEAD", folder)) ?? []).map((entry) => [entry.path, entry]));
  const entries = [...byFile.keys()].flatMap((path) => tree.get(path) ?? []);
  const contents = await contentsOf(git, entries);
  const authorship: Record<string, EditedFile> = {};
  let asked = 0;
  for (const { path, object } of entries) {
    const text = contents.get(object)?.toString("utf8") ?? "";
    const commits = byFile.get(path) ?? [];
    const count = text.split("\n").length;
    const [only, ...others] = commits;
    if (only !== undefined && others.length === 0) {
      authorship[path] = { text, lines: Array.from({ length: count }, () => only) };
    } else if (asked < MOST_FILES) {
      asked += 1;
      authorship[path] = { text, lines: await blame(git, base, join(folder, path), commits) };
    }
  }
  return authorship;
}

/** The commits of a change that edited each file below a folder, the newest first. */
async function commitsByFile(
  git: Git,
  base: string,
  folder: string,
): Promise<ReadonlyMap<string, readonly Commit[]>> {
  const format = `--format=${RECORD}%H${FIELD}%an${FIELD}`;
  const scope = folder === "" ? [] : [pathspecOf(folder)];
  const argv = ["log", "-z", "--name-only", "--no-renames", "--no-show-signature", format, `${base}..HEAD`];
  const printed = await git([...argv, "--", ...scope]);
  const found = new Map<string, Commit[]>();
  for (const record of printed.split(RECORD).slice(1)) {
    const [id = "", author = "", files = ""] = record.split(FIELD);
    for (const file of files.split(/[\0\n]/).filter((name) => name !== "")) {
      const path = folder === "" ? file : file.slice(folder.length + 1);
      groupAt(found, path).push({ id, author });
    }
  }
  return found;
}

/** The commit of each line of a file; null for the lines that are older than the change. */
async function blame(
  git: Git,
  base: string,
  file: string,
  commits: readonly Commit[],
): Promise<readonly (Commit | null)[]> {
  const byId = new Map(commits.map((commit) => [commit.id, commit]));
  const printed = await git(["blame", "--no-textconv", "--porcelain", `${base}..HEAD`, "--", file]);
  return printed
    .split("\n")
    .flatMap((line) => /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)?.[1] ?? [])
    .map((id) => byId.get(id) ?? null);
}

function join(folder: string, path: string): string {
  return folder === "" ? path : `${folder}/${path}`;
}

/** The newest commit of a change that wrote one of some lines of a file; null where none did, or it is not known. */
export function commitOfLines(file: EditedFile, first: number, last: number): Commit | null {
  const written = file.lines.slice(first - 1, Math.max(first, last)).filter((commit) => commit !== null);
  const ids = [...new Set(written.map(({ id }) => id))];
  // Lines of several commits: git does not order them here, so no single one is named.
  return ids.length === 1 ? (written[0] ?? null) : null;
}
