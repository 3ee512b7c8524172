import { dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Ignore } from "ignore";
import ignore from "ignore";
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { say } from "../words/say.js";
import { disk } from "./disk.js";
import {
  LARGEST,
  noFolder,
  noneFound,
  notUtf8,
  type ReadFor,
  tooLarge,
  unreadable,
} from "./fileDiagnostics.js";
import { BEGINNING, ownOutput } from "./ownOutput.js";
import type { Source } from "./source.js";
import type { Listed, Tree } from "./tree.js";

/** What to read, and from where relative paths count. */
export interface InputPaths {
  /** Files, folders, and `-` for standard input. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Everything standard input holds; asked for only when `-` is among the paths. */
  readonly stdin?: () => Promise<Uint8Array>;
  /** What the files should have; manifests when absent. */
  readonly sought?: ReadFor;
}

/** A file to read: where it is, how it is shown, and whether the author named it. */
interface FileToRead {
  readonly path: string;
  readonly shown: string;
  readonly named: boolean;
}

/** A folder on the walk: its path, its path without symlinks, how it is shown, and what is left out below it. */
interface Folder {
  readonly path: string;
  readonly real: string;
  readonly shown: string;
  readonly rules: readonly IgnoreRules[];
  /** The folder, without symlinks, that holds everything the walk may read. */
  readonly bound: string;
  readonly tree: Tree;
}

const IGNORE_FILE = ".remitignore";

const NEVER_ENTERED = new Set(["node_modules", ".git", ".remit", ".vscode"]);

const OF_GIT = /^\.git$/i;

const JSON_FILE = /\.json$/i;

/** Of a larger file, remit does not even look at the beginning. */
const LARGEST_OUTPUT = 256 * 1024 * 1024;

const MANIFEST = /\.(ya?ml|json)$/i;

const DECODER = new TextDecoder("utf-8", { fatal: true });

/** The rules of one `.remitignore`, and the folder they count from, as the walk knows it. */
interface IgnoreRules {
  readonly folder: string;
  readonly ignore: Ignore;
}

/** Reads every manifest file the paths lead to, once each, in the order of their names by code unit. */
export async function readSources(
  wanted: InputPaths,
  tree: Tree = disk,
): Promise<Checked<readonly Source[]>> {
  const diagnostics: Diagnostic[] = [];
  const found = new Map<string, FileToRead>();
  for (const path of wanted.paths)
    if (path !== "-") for (const fault of find(path, wanted, found, tree)) diagnostics.push(fault);
  const sources: Source[] = [];
  const add = (read: Source | Diagnostic) => {
    if ("code" in read) diagnostics.push(read);
    else sources.push(read);
  };
  if (wanted.paths.includes("-") && wanted.stdin !== undefined) add(decode("-", true, await wanted.stdin()));
  const files = [...found.values()].sort((one, other) => (one.shown < other.shown ? -1 : 1));
  for (const file of files) add(read(file, tree));
  return { value: sources, diagnostics };
}

/**
 * Adds the files that a path leads to, by their real paths; gives what it could not read. A path inside the project
 * must really be inside it. A path outside it was named by the operator, and what is found below it stays below it.
 */
function* find(
  path: string,
  { cwd, sought = "manifest" }: InputPaths,
  found: Map<string, FileToRead>,
  tree: Tree,
): Generator<Diagnostic> {
  const absolute = resolve(cwd, path);
  const shown = show(absolute, cwd);
  let real: string;
  let isFolder: boolean;
  let bound: string;
  try {
    real = tree.real(absolute);
    const project = resolve(cwd);
    bound = isWithin(project, absolute) ? tree.real(project) : real;
    if (!isReadable(bound, real)) {
      yield say("file/outside#read", { file: shown });
      return;
    }
    isFolder = tree.about(real)?.is === "folder";
  } catch (error) {
    const beside = namesBeside(absolute, tree);
    const fault = unreadable(shown, error, beside);
    const isNoFolder = fault.code === "file/missing" && extname(shown) === "";
    yield isNoFolder ? noFolder(shown, beside, sought) : fault;
    return;
  }
  if (!isFolder) {
    found.set(real, { path: absolute, shown, named: true });
    return;
  }
  const above = rulesAbove(absolute, resolve(cwd), bound, tree);
  const rules = isIgnored(above, `${absolute}${sep}`) ? [] : above;
  const below = new Map<string, FileToRead>();
  let faults = 0;
  for (const fault of walk({ path: absolute, real, shown, rules, bound, tree }, below, new Set())) {
    faults += 1;
    yield fault;
  }
  for (const [file, read] of below) if (!found.has(file)) found.set(file, read);
  if (below.size === 0 && faults === 0) yield noneFound(shown, sought);
}

/** What may have been meant by a path that leads to nothing. */
function namesBeside(path: string, tree: Tree): readonly string[] {
  try {
    return tree.list(dirname(path)).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** The rules that stand between the project and a folder inside it. */
function rulesAbove(folder: string, project: string, bound: string, tree: Tree): readonly IgnoreRules[] {
  if (!isWithin(project, folder) || folder === project) return [];
  const rules: IgnoreRules[] = [];
  let here = project;
  for (const name of relative(project, folder).split(sep)) {
    const text = readIgnoreFile(here, bound, tree);
    if (text !== undefined) rules.push(readRules(`${here}${sep}`, text));
    here = join(here, name);
  }
  return rules;
}

/** `entered` holds the real paths of folders already walked: a symlink back into one of them ends there. */
function* walk(folder: Folder, found: Map<string, FileToRead>, entered: Set<string>): Generator<Diagnostic> {
  if (entered.has(folder.real)) return;
  entered.add(folder.real);
  const { tree } = folder;
  let entries: readonly Listed[];
  let rules = folder.rules;
  try {
    entries = tree.list(folder.path);
    const own = entries.some((entry) => entry.name === IGNORE_FILE)
      ? readIgnoreFile(folder.path, folder.bound, tree)
      : undefined;
    if (own !== undefined) rules = [...rules, readRules(`${folder.path}${sep}`, own)];
  } catch (error) {
    yield unreadable(folder.shown, error);
    return;
  }
  for (const entry of entries) {
    const { name } = entry;
    const path = `${folder.path}${sep}${name}`;
    const shown = folder.shown === "." ? name : `${folder.shown}/${name}`;
    const isLink = entry.is === "link";
    const real = isLink ? follow(path, tree) : `${folder.real}${sep}${name}`;
    const isOutside = isLink && real !== path && !isReadable(folder.bound, real);
    if (isLink && !isOutside ? leadsToFolder(real, tree) : entry.is === "folder") {
      if (!NEVER_ENTERED.has(name) && !isIgnored(rules, `${path}${sep}`))
        yield* walk({ ...folder, path, real, shown, rules }, found, entered);
    } else if (isOutside) {
      // What it leads to is not looked at: it may be a folder with manifests.
      if (!NEVER_ENTERED.has(name) && !isIgnored(rules, path) && !isIgnored(rules, `${path}${sep}`))
        yield say("file/outside#read", { file: shown });
    } else if (MANIFEST.test(name) && !isIgnored(rules, path) && !found.has(real))
      found.set(real, { path, shown, named: false });
  }
}

function read({ path, shown, named }: FileToRead, tree: Tree): Source | Diagnostic {
  try {
    const about = tree.about(path);
    if (about === null) return say("file/missing#link", { file: shown });
    if (about.is !== "file") return say("file/not-a-file", { file: shown });
    if (about.size > LARGEST) return beginning(path, shown, named, about.size, tree);
    const text = tree.text(path);
    // A text without this character was decoded without loss.
    if (text.includes("\uFFFD")) return decode(shown, named, tree.bytes(path));
    return { file: shown, text: text.startsWith("\uFEFF") ? text.slice(1) : text, named };
  } catch (error) {
    return unreadable(shown, error);
  }
}

/** Nothing so large is a manifest; what remit itself wrote is not meant as one, and its beginning says so. */
function beginning(
  path: string,
  shown: string,
  named: boolean,
  size: number,
  tree: Tree,
): Source | Diagnostic {
  const isSmallEnough = !named && size <= LARGEST_OUTPUT && JSON_FILE.test(path);
  const source = { file: shown, text: isSmallEnough ? tree.text(path).slice(0, BEGINNING) : "", named };
  return ownOutput(source) === null ? tooLarge(shown, size) : source;
}

function decode(file: string, named: boolean, bytes: Uint8Array): Source | Diagnostic {
  if (bytes.length > LARGEST) return tooLarge(file, bytes.length);
  try {
    return { file, text: DECODER.decode(bytes), named };
  } catch {
    return notUtf8(file, bytes);
  }
}

function readIgnoreFile(folder: string, bound: string, tree: Tree): string | undefined {
  try {
    const real = tree.real(join(folder, IGNORE_FILE));
    const about = tree.about(real);
    const isUsable = isReadable(bound, real) && about?.is === "file" && about.size <= LARGEST;
    return isUsable ? tree.text(real) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a path without symlinks is inside a folder, and not among the data of git. */
function isReadable(bound: string, real: string): boolean {
  return (
    isWithin(bound, real) &&
    !relative(bound, real)
      .split(sep)
      .some((name) => OF_GIT.test(name))
  );
}

/** Whether a path is a folder or something inside it, by its name alone. */
export function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return !(inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside));
}

function follow(path: string, tree: Tree): string {
  try {
    return tree.real(path);
  } catch {
    // A link to nowhere: reading it says so.
    return path;
  }
}

function leadsToFolder(path: string, tree: Tree): boolean {
  try {
    return tree.about(path)?.is === "folder";
  } catch {
    return false;
  }
}

/** A path as messages show it: from the project, with forward slashes. */
export function show(path: string, cwd: string): string {
  return relative(cwd, resolve(cwd, path)).split(sep).join("/") || ".";
}

/** Reads the text of a `.remitignore` that stands in `folder`. */
function readRules(folder: string, text: string): IgnoreRules {
  return { folder, ignore: ignore().add(text) };
}

/**
 * Whether a path is left out, as git would decide: the nearest `.remitignore` that says anything of it decides.
 * `rules` are those of the folders above it, the outermost first; a folder's path ends with a slash.
 */
function isIgnored(rules: readonly IgnoreRules[], path: string): boolean {
  if (rules.length === 0) return false;
  for (const { folder, ignore } of rules.toReversed()) {
    const { ignored, unignored } = ignore.test(path.slice(folder.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
