import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { isIgnored, type Rules, readRules } from "./ignored.js";
import { placeAt, type Source } from "./source.js";

/** What to read, and from where relative paths count. */
export interface Wanted {
  /** Files, folders, and `-` for standard input. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Everything standard input holds; asked for only when `-` is among the paths. */
  readonly stdin?: () => Promise<Uint8Array>;
}

/** A file that is to be read: where it is, and whether the author named it. */
interface Found {
  readonly path: string;
  readonly named: boolean;
}

/** A folder on the walk: its path, its path without symlinks, and what is left out below it. */
interface Folder {
  readonly path: string;
  readonly real: string;
  readonly rules: readonly Rules[];
}

/** The largest file that is read, in bytes: far beyond any manifest, and parsed in a second or two. */
export const LARGEST = 8 * 1024 * 1024;

const IGNORE_FILE = ".remitignore";
const NEVER_ENTERED = new Set(["node_modules", ".git", ".remit"]);
const MANIFEST = /\.(ya?ml|json)$/i;
const DECODER = new TextDecoder("utf-8", { fatal: true });

/** Reads every manifest file the paths lead to, once each, in the order of their names by code unit. */
export async function readSources(wanted: Wanted): Promise<Checked<readonly Source[]>> {
  const diagnostics: Diagnostic[] = [];
  const found = new Map<string, Found>();
  for (const path of wanted.paths)
    if (path !== "-") for (const fault of find(path, wanted.cwd, found)) diagnostics.push(fault);
  const sources: Source[] = [];
  const add = (read: Source | Diagnostic) => {
    if ("code" in read) diagnostics.push(read);
    else sources.push(read);
  };
  if (wanted.paths.includes("-") && wanted.stdin !== undefined) add(decode("-", true, await wanted.stdin()));
  const shown = [...found.values()].map((file) => ({ ...file, shown: show(file.path, wanted.cwd) }));
  shown.sort((one, other) => (one.shown < other.shown ? -1 : 1));
  for (const file of shown) add(read(file.path, file.shown, file.named));
  return { value: sources, diagnostics };
}

/** Adds the files a path leads to, by their real paths; gives what stood in the way. */
function* find(path: string, cwd: string, found: Map<string, Found>): Generator<Diagnostic> {
  const absolute = resolve(cwd, path);
  const shown = show(absolute, cwd);
  let real: string;
  let isFolder: boolean;
  try {
    real = realpathSync(absolute);
    isFolder = statSync(real).isDirectory();
  } catch (error) {
    yield unreadable(shown, error);
    return;
  }
  if (!isFolder) {
    found.set(real, { path: absolute, named: true });
    return;
  }
  const before = found.size;
  const above = rulesAbove(absolute, resolve(cwd));
  const rules = isIgnored(above, `${absolute}${sep}`) ? [] : above;
  let faults = 0;
  for (const fault of walk({ path: absolute, real, rules }, cwd, found, new Set())) {
    faults += 1;
    yield fault;
  }
  if (found.size === before && faults === 0)
    yield fileFault(shown, "manifest/none", "warning", `no manifest was found in ${shown}`, {
      hint: "remit reads the files of a folder, and of those below it, that end in .yaml, .yml or .json.",
    });
}

/** The rules that stand between the project and a folder inside it. */
function rulesAbove(folder: string, project: string): readonly Rules[] {
  if (!`${folder}${sep}`.startsWith(`${project}${sep}`) || folder === project) return [];
  const rules: Rules[] = [];
  let here = project;
  for (const name of relative(project, folder).split(sep)) {
    const text = readIgnoreFile(here);
    if (text !== undefined) rules.push(readRules(`${here}${sep}`, text));
    here = join(here, name);
  }
  return rules;
}

/** `entered` holds the real paths of folders already walked: a symlink back into one of them ends there. */
function* walk(
  folder: Folder,
  cwd: string,
  found: Map<string, Found>,
  entered: Set<string>,
): Generator<Diagnostic> {
  if (entered.has(folder.real)) return;
  entered.add(folder.real);
  let entries: Dirent[];
  let rules = folder.rules;
  try {
    entries = readdirSync(folder.path, { withFileTypes: true });
    const own = entries.some((entry) => entry.name === IGNORE_FILE)
      ? readFileSync(join(folder.path, IGNORE_FILE), "utf8")
      : undefined;
    if (own !== undefined) rules = [...rules, readRules(`${folder.path}${sep}`, own)];
  } catch (error) {
    yield unreadable(show(folder.path, cwd), error);
    return;
  }
  for (const entry of entries) {
    const path = join(folder.path, entry.name);
    const real = entry.isSymbolicLink() ? follow(path) : join(folder.real, entry.name);
    const isFolder = entry.isSymbolicLink() ? statOf(real)?.isDirectory() === true : entry.isDirectory();
    if (isFolder) {
      if (!NEVER_ENTERED.has(entry.name) && !isIgnored(rules, `${path}${sep}`))
        yield* walk({ path, real, rules }, cwd, found, entered);
    } else if (MANIFEST.test(entry.name) && !isIgnored(rules, path) && !found.has(real))
      found.set(real, { path, named: false });
  }
}

function read(path: string, shown: string, named: boolean): Source | Diagnostic {
  try {
    const about = statSync(path);
    if (!about.isFile())
      return fileFault(shown, "file/not-a-file", "error", `${shown} is neither a file nor a folder`, {
        hint: "Pipe it in and name it `-`, or leave it out with a line in .remitignore.",
      });
    if (about.size > LARGEST) return tooLarge(shown, about.size);
    const text = readFileSync(path, "utf8");
    // A text without this character was decoded without loss.
    if (text.includes("\uFFFD")) return decode(shown, named, readFileSync(path));
    return { file: shown, text: text.startsWith("\uFEFF") ? text.slice(1) : text, named };
  } catch (error) {
    return unreadable(shown, error);
  }
}

function decode(file: string, named: boolean, bytes: Uint8Array): Source | Diagnostic {
  if (bytes.length > LARGEST) return tooLarge(file, bytes.length);
  try {
    return { file, text: DECODER.decode(bytes), named };
  } catch {
    return invalid(file, bytes);
  }
}

function invalid(file: string, bytes: Uint8Array): Diagnostic {
  const text = new TextDecoder("utf-8").decode(bytes);
  const at = text.indexOf("\uFFFD");
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return {
    code: "file/not-utf8",
    severity: "error",
    message: `${file} is not valid UTF-8`,
    ...placeAt({ file, text, named: true }, at, at + 1),
    hint: wide ? "It looks like UTF-16. Save it as UTF-8." : "Save the file as UTF-8.",
  };
}

function tooLarge(file: string, size: number): Diagnostic {
  const megabytes = (count: number) => `${Math.ceil(count / 1024 / 1024)} MB`;
  return fileFault(
    file,
    "file/too-large",
    "error",
    `${file} holds ${megabytes(size)}; at most ${megabytes(LARGEST)} are read of one file`,
    { hint: "Split it into several files, or leave it out with a line in .remitignore." },
  );
}

function unreadable(file: string, error: unknown): Diagnostic {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT")
    return fileFault(file, "file/missing", "error", `${file} does not exist`, {
      hint: "Check the path; it counts from the working directory.",
    });
  const why = REASONS[code] ?? (code === "" ? "the system refused it" : code);
  return fileFault(file, "file/unreadable", "error", `${file} cannot be read: ${why}`, {
    hint: "Make it readable, or leave it out with a line in .remitignore.",
  });
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "its symbolic links lead in a circle",
  ENOTDIR: "a part of the path is not a folder",
  EMFILE: "too many files are open",
};

function fileFault(
  file: string,
  code: string,
  severity: "error" | "warning",
  message: string,
  more: Pick<Diagnostic, "hint">,
): Diagnostic {
  const start = { line: 1, column: 1 };
  return { code, severity, message, span: { file, start, end: start }, ...more };
}

function readIgnoreFile(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, IGNORE_FILE), "utf8");
  } catch {
    return undefined;
  }
}

function follow(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A link to nowhere: reading it says so.
    return path;
  }
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function show(path: string, cwd: string): string {
  return relative(cwd, path).split(sep).join("/") || ".";
}
