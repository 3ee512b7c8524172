import { dirname, join, relative, resolve, sep } from "node:path";
import type { GitEnvironment } from "../../model/variables.js";
import { LARGEST } from "../fileDiagnostics.js";
import { isWithin } from "../files.js";
import { failure, type Listed, type Tree } from "../tree.js";
import { findCheckout, type Git, insideOf, openGit } from "./git.js";
import { contentsOf, listAt, type TreeEntry } from "./history.js";

const [LINK, SUBMODULE] = ["120000", "160000"];
const WANTED = /(?:\.(?:ya?ml|json)|(?:^|\/)\.remitignore)$/i;
const UNWANTED = /(?:^|\/)(?:node_modules|\.remit)\//;
/** As many links may lead on to another link. */
const MOST_LINKS = 40;

/**
 * The files of a commit, as if they stood in a folder of this machine. Contents are only there of what may be a manifest,
 * of rules for ignoring, and of links. Rejects where this checkout lacks one of them.
 */
export async function commitTree(git: Git, listed: readonly TreeEntry[], root: string): Promise<Tree> {
  const entries = new Map(listed.map((entry) => [join(root, entry.path), entry]));
  const wanted = listed.filter(
    ({ path, mode, size }) =>
      mode === LINK || (mode !== SUBMODULE && WANTED.test(path) && !UNWANTED.test(path) && size <= LARGEST),
  );
  const contents = await contentsOf(git, wanted);
  const folders = foldersOf(entries, root);

  function real(path: string, left = MOST_LINKS): string {
    const inside = relative(root, path);
    if (!isWithin(root, path)) return path;
    let here = root;
    const names = inside === "" ? [] : inside.split(sep);
    for (const [place, name] of names.entries()) {
      here = join(here, name);
      const entry = entries.get(here);
      if (entry?.mode !== LINK) continue;
      if (left === 0) throw failure("ELOOP");
      const target = contents.get(entry.object)?.toString("utf8") ?? "";
      return real(resolve(dirname(here), target, ...names.slice(place + 1)), left - 1);
    }
    if (!entries.has(here) && !folders.has(here)) throw failure("ENOENT");
    return here;
  }

  function bytes(path: string): Buffer {
    const content = contents.get(entries.get(real(path))?.object ?? "");
    if (content === undefined) throw failure("ENOENT");
    return content;
  }

  return {
    real,
    about(path) {
      const here = real(path);
      const entry = entries.get(here);
      if (entry === undefined) return folders.has(here) ? { is: "folder", size: 0 } : null;
      return { is: entry.mode === SUBMODULE ? "folder" : "file", size: entry.size };
    },
    list(path) {
      const here = real(path);
      if (entries.get(here)?.mode === SUBMODULE) throw failure("ESUBMODULE");
      return folders.get(here) ?? [];
    },
    text: (path) => bytes(path).toString("utf8"),
    bytes,
  };
}

/** The files of a folder as a commit has them; null where this checkout does not contain all of them. */
export async function treeAt(
  root: string,
  commit: string,
  environment: GitEnvironment,
): Promise<Tree | null> {
  const checkout = findCheckout(root);
  if (checkout === null) return null;
  const git = openGit(checkout, environment);
  const listed = await listAt(git, commit, insideOf(checkout, root)).catch(() => null);
  return listed === null ? null : commitTree(git, listed, resolve(root)).catch(() => null);
}

/** The members of each folder. */
function foldersOf(
  entries: ReadonlyMap<string, TreeEntry>,
  root: string,
): ReadonlyMap<string, readonly Listed[]> {
  const folders = new Map<string, Map<string, Listed>>([[root, new Map()]]);
  const add = (path: string, is: Listed["is"]): void => {
    const folder = dirname(path);
    const name = path.slice(folder.length + (folder.endsWith(sep) ? 0 : 1));
    const members = folders.get(folder);
    if (members !== undefined) {
      members.set(name, { name, is });
      return;
    }
    folders.set(folder, new Map([[name, { name, is }]]));
    add(folder, "folder");
  };
  for (const [path, { mode }] of entries)
    add(path, mode === LINK ? "link" : mode === SUBMODULE ? "folder" : "file");
  return new Map([...folders].map(([folder, members]) => [folder, [...members.values()]]));
}
