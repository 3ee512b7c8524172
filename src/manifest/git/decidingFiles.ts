import { posix } from "node:path";
import { isObject, type Json } from "../../model/json.js";
import { PROJECT_FILES, settingsOfContext } from "../contexts.js";
import { readDocument } from "../document.js";
import { type Git, pathspecOf } from "./git.js";
import { contentsOf, listAt, type TreeEntry } from "./history.js";

const IGNORE_FILE = ".remitignore";
const LINK = "120000";
const PLAIN_FILE = /^100/;

/** What the settings of a project name: files and folders whose text decides about its plan. */
interface DecidingPaths {
  readonly manifests: readonly string[];
  readonly values: readonly string[];
  readonly guards: readonly string[];
  readonly tests: readonly string[];
}

/** The deciding files that settings name, from the folder of the project. */
export function decidingPathsIn(settings: Json): DecidingPaths {
  const { manifests, values, guards, tests } = isObject(settings) ? settings : {};
  return {
    manifests: textsIn(manifests) ?? ["."],
    values: textsIn(values) ?? [],
    guards: (isObject(guards) ? textsIn(guards.own) : null) ?? [],
    tests: textsIn(tests) ?? ["tests"],
  };
}

function textsIn(value: Json | undefined): readonly string[] | null {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : null;
}

/** Whose deciding files are asked for. */
export interface DecidedProject {
  /** The folder of the project in the checkout; empty at its root. */
  readonly folder: string;
  readonly context: string | null;
  /** Files and folders of the checkout that the operator names. */
  readonly named: readonly string[];
}

/**
 * The files and folders of the checkout whose text decides about a project's plan: settings, manifests, named values,
 * guards, tests and `.remitignore`. The settings of both commits name them, and so do those of each commit between them:
 * a file counts also where a later commit no longer names it. Rejects where this checkout lacks one of the commits.
 */
export async function decidingFiles(
  git: Git,
  { after, head }: { readonly after: string; readonly head: string },
  project: DecidedProject,
): Promise<readonly string[]> {
  const settings = PROJECT_FILES.map((name) => posix.join(project.folder, name));
  const walk = ["rev-list", "--first-parent", `${after}..${head}`, "--", ...settings.map(pathspecOf)];
  const between = (await git(walk)).split("\n").filter((line) => line !== "");
  const paths = new Set([...settings, ...project.named]);
  for (const commit of new Set([after, ...between, head]))
    for (const path of await decidingAt(git, commit, project)) paths.add(path);
  return [...paths];
}

async function decidingAt(
  git: Git,
  commit: string,
  { folder, context }: DecidedProject,
): Promise<readonly string[]> {
  const listed = (await listAt(git, commit, folder)) ?? [];
  const file = PROJECT_FILES.flatMap((name) => listed.filter(({ path }) => path === name))[0];
  const links = listed.filter(({ mode }) => mode === LINK);
  const contents = await contentsOf(git, file === undefined ? links : [file, ...links]);
  const textOf = ({ object }: TreeEntry) => contents.get(object)?.toString("utf8") ?? "";
  const names = file === undefined ? decidingNames({}) : namesIn(file, textOf(file), context);
  const targets = links.map((link) => [link.path, textOf(link)] as const);
  return throughLinks(names, targets).map((name) => inCheckout(folder, name));
}

/** Where the settings cannot be read, everything in the folder decides. */
function namesIn(file: TreeEntry, text: string, context: string | null): readonly string[] {
  const source = { file: file.path, text, named: true };
  const document = PLAIN_FILE.test(file.mode) ? readDocument(source, () => []).value : null;
  if (document === null) return ["."];
  const { value } = document;
  if (!isObject(value)) return decidingNames({});
  return decidingNames(context === null ? value : settingsOfContext(value, context).value);
}

function decidingNames(settings: Json): readonly string[] {
  const { manifests, values, guards, tests } = decidingPathsIn(settings);
  const named = [...manifests, ...values, ...guards, ...tests].map((name) => posix.normalize(name));
  const folders = new Set([".", ...named.flatMap(foldersAbove)]);
  return [...PROJECT_FILES, ...[...folders].map((one) => posix.join(one, IGNORE_FILE)), ...named];
}

function foldersAbove(path: string): readonly string[] {
  const above = posix.dirname(path);
  return above === "." || above === ".." || above === path ? [] : [...foldersAbove(above), above];
}

/** The names, and where links at, above or below them lead; a link counts from the folder it stands in. */
function throughLinks(
  names: readonly string[],
  links: readonly (readonly [path: string, target: string])[],
): readonly string[] {
  const found = new Set(names);
  // A set gives what is added while it is walked.
  for (const name of found)
    for (const [path, target] of links) {
      const isBelow = name === "." || isAtOrIn(name, path);
      if (!isBelow && !isAtOrIn(path, name)) continue;
      const rest = isBelow ? "" : name.slice(path.length);
      const leadsTo = posix.normalize(posix.join(posix.dirname(path), target, rest));
      found.add(path);
      // What leads outside the project is not read. A link into itself adds no name.
      if (!leadsTo.startsWith("..") && !posix.isAbsolute(target) && found.size < MOST_NAMES)
        found.add(leadsTo);
    }
  return [...found];
}

const MOST_NAMES = 10_000;

function isAtOrIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder.replace(/\/$/, "")}/`);
}

/** A path as git names it: empty for the whole checkout. */
function inCheckout(folder: string, name: string): string {
  return posix.normalize(posix.join(folder, name)).replace(/^\.$|\/$/g, "");
}
