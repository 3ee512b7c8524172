import { join, posix } from "node:path";
import type { GitEnvironment } from "../../model/variables.js";
import { LARGEST } from "../fileDiagnostics.js";
import type { Source } from "../source.js";
import { type CommitFound, findCommit, missing, type QuietGit, quiet } from "./findCommit.js";
import { findCheckout, insideOf, openGit, pathspecOf } from "./git.js";
import { entriesIn, type TreeEntry } from "./history.js";

/** A file as a commit has it, or why it could not be read. */
export type FileAt =
  /** `folder` is where the file is in the checkout; `reached` is the deepest folder on the way that the commit has. */
  | {
      readonly as: "found";
      readonly commit: string;
      readonly folder: string;
      readonly reached: string;
      readonly source: Source;
    }
  /** The commit has no file of these names. */
  | { readonly as: "absent"; readonly commit: string }
  /** The commit has something else there. */
  | { readonly as: "unusable"; readonly path: string; readonly why: string }
  | { readonly as: "no checkout" }
  | Exclude<CommitFound, { readonly as: "commit" }>;

/**
 * Reads a file that a folder has at a commit under one of the names, or the nearest folder above it in the checkout. It
 * is read as git keeps it: no filter, no link and no work tree has a part in it. Each folder on the way is one in the commit, too,
 * or is not there at all.
 */
export async function fileAt(
  folder: string,
  names: readonly string[],
  name: string,
  environment: GitEnvironment,
): Promise<FileAt> {
  const checkout = findCheckout(folder);
  if (checkout === null) return { as: "no checkout" };
  const git = quiet(openGit(checkout, environment));
  const named = await findCommit(git, name);
  if (named.as !== "commit") return named;
  const { commit } = named;
  const folders = foldersUpFrom(insideOf(checkout, folder));
  const paths = folders.flatMap((one) => names.map((file) => posix.join(one, file)));
  const listed = await git(
    ...["ls-tree", "-z", "-l", "-t", commit, "--"],
    ...[...folders.filter((one) => one !== ""), ...paths].map(pathspecOf),
  );
  if (listed === null) return await missing(git, name);
  const entries = entriesIn(listed);
  const onTheWay = entries.filter(({ path }) => folders.includes(path));
  const other = onTheWay.find(({ mode }) => mode !== FOLDER);
  if (other !== undefined)
    return {
      as: "unusable",
      path: other.path,
      why: "it is a folder here, and something else in that commit",
    };
  const entry = paths.flatMap((path) => entries.find((one) => one.path === path) ?? [])[0];
  if (entry === undefined) return { as: "absent", commit };
  const text = await textOf(git, entry);
  if (text === null) return await missing(git, name);
  if (typeof text !== "string") return { as: "unusable", path: entry.path, ...text };
  const source = { file: `${name}:${entry.path}`, text, named: true };
  const deepest = folders.find((one) => onTheWay.some(({ path }) => path === one)) ?? "";
  const here = (one: string) => join(checkout.root, one);
  return { as: "found", commit, folder: here(posix.dirname(entry.path)), reached: here(deepest), source };
}

function foldersUpFrom(inside: string): readonly string[] {
  if (inside === "") return [""];
  const above = posix.dirname(inside);
  return [inside, ...foldersUpFrom(above === "." ? "" : above)];
}

const FOLDER = "040000";
const PLAIN_FILE = /^100(?:644|755)$/;

/** The text of a file of a commit, or why it is none; null where the checkout lacks it. */
async function textOf(
  git: QuietGit,
  { mode, object, size }: TreeEntry,
): Promise<string | { readonly why: string } | null> {
  if (!PLAIN_FILE.test(mode)) return { why: "it is not a plain file" };
  if (size > LARGEST) return { why: "it is too large" };
  const text = await git("cat-file", "blob", object);
  if (text === null) return null;
  if (text.includes("\uFFFD")) return { why: "it is not UTF-8" };
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
