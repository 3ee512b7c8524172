import { execFile } from "node:child_process";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { GitEnvironment } from "../../model/variables.js";
import { isWithin } from "../files.js";

/** A checkout: its folder, and where git keeps its data. Both are absolute and without links. */
interface Checkout {
  readonly root: string;
  readonly gitFolder: string;
}

/** Runs git in one checkout; rejects where git refuses, is not installed, or takes too long. */
export interface Git {
  (argv: readonly string[]): Promise<string>;
  /** What git prints as bytes, with a text on its standard input. */
  readonly bytes: (argv: readonly string[], input: string) => Promise<Buffer>;
}

/** How one command of git ended. */
export interface GitEnd {
  /** Null where it could not be started, or was stopped because it took too long. */
  readonly code: number | null;
  /** False where git is not installed. */
  readonly isStarted: boolean;
  readonly output: Buffer;
  /** What it said about it. */
  readonly words: string;
}

/** Runs git in a repository that belongs to remit; never rejects for what git does. */
export type BareGit = (argv: readonly string[], input?: string | Buffer) => Promise<GitEnd>;

/** What git may use to reach a remote: only a fetch and a push of the state get it. */
interface RemoteAccess {
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: readonly string[];
}

/** Gets the files that a partial clone lacks. */
export const FETCH_FILES = "git fetch --refetch --no-filter origin";

/** Milliseconds that one command of git may take. */
const TIME_LIMIT = 20_000;
/** The same of one that talks with a remote. */
const REMOTE_TIME_LIMIT = 60_000;
/** Bytes that one command of git may print. */
const OUTPUT_LIMIT = 64 * 1024 * 1024;

/** What a repository could make git run, switched off. */
const HARMLESS = [
  "safe.bareRepository=explicit",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.attributesFile=/dev/null",
  "core.sshCommand=false",
  "core.gitProxy=",
  "core.askPass=",
  "core.pager=cat",
  "core.editor=false",
  "credential.helper=",
  "diff.external=",
  "blame.ignoreRevsFile=",
  "gpg.program=false",
  "submodule.recurse=false",
  "gc.auto=0",
  "maintenance.auto=false",
];

/** The checkout that a folder belongs to, found by its `.git` as git finds it; null where there is none. */
export function findCheckout(folder: string): Checkout | null {
  for (let root = folder; ; root = dirname(root)) {
    const gitFolder = gitFolderOf(join(root, ".git"));
    if (gitFolder !== null) return { root: realpathSync(root), gitFolder };
    if (dirname(root) === root) return null;
  }
}

/** A folder of that name, or the folder that a file of that name points to. */
function gitFolderOf(path: string): string | null {
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
    const target = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
    return target === undefined ? null : realpathSync(resolve(dirname(path), target.trim()));
  } catch {
    return null;
  }
}

/** Commands that read what git keeps and no file of the work tree, so that no filter runs. */
const OF_WHAT_IS_KEPT: ReadonlySet<string | undefined> = new Set([
  "cat-file",
  "config",
  "for-each-ref",
  "log",
  "ls-files",
  "ls-tree",
  "merge-base",
  "rev-list",
  "rev-parse",
]);

/**
 * Opens git for a checkout. It is given that checkout's own data and folder by name and never searches for a
 * repository. It runs nothing that a repository names: no hook, monitor, filter, external diff or credential helper.
 */
export function openGit(checkout: Checkout, { path = "", home }: GitEnvironment): Git {
  const env = {
    PATH: trustedPath(path, checkout.root),
    // No protocol is allowed, whatever the configuration says: git cannot fetch what a partial clone lacks.
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_LAZY_FETCH: "1",
    ...(home === undefined ? {} : { HOME: home }),
  };
  const runWith = (settings: readonly string[], argv: readonly string[], input: string) =>
    run([...namesOf(checkout), ...settingsOf([...HARMLESS, ...settings]), ...argv], input, checkout, env);
  let filters: Promise<readonly string[]> | null = null;
  const bytes: Git["bytes"] = async (argv, input) => {
    if (OF_WHAT_IS_KEPT.has(argv[0])) return runWith([], argv, input);
    filters ??= filtersIn(git);
    return runWith((await filters).flatMap(switchedOff), argv, input);
  };
  const git = Object.assign(async (argv: readonly string[]) => (await bytes(argv, "")).toString("utf8"), {
    bytes,
  });
  return git;
}

function settingsOf(settings: readonly string[]): readonly string[] {
  return settings.flatMap((setting) => ["-c", setting]);
}

/**
 * Opens git for a bare repository of remit's own. No checkout's configuration is read: only the user's own, and what is
 * given for the remote. `checkout` is the checkout that may hold a program of the name `git`.
 */
export function openBareGit(
  folder: string,
  checkout: string,
  { path = "", home }: GitEnvironment,
  { environment, settings }: RemoteAccess,
): BareGit {
  const env = {
    PATH: trustedPath(path, checkout),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    ...(home === undefined ? {} : { HOME: home }),
    ...environment,
  };
  const harmless = HARMLESS.filter((setting) => !setting.startsWith("credential.helper="));
  const all = settingsOf([...harmless, "protocol.version=2", ...settings]);
  const first = ["--no-pager", `--git-dir=${folder}`, ...all];
  return (argv, input = "") =>
    new Promise((done) => {
      const limits = {
        timeout: REMOTE_TIME_LIMIT,
        killSignal: "SIGKILL",
        maxBuffer: 8 * OUTPUT_LIMIT,
      } as const;
      const options = { cwd: folder, env, encoding: "buffer", ...limits } as const;
      const { stdin } = execFile("git", [...first, ...argv], options, (error, output, words) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        const isStarted = error === null || !("syscall" in error);
        done({ code, isStarted, output, words: words.toString("utf8") });
      });
      stdin?.on("error", () => undefined);
      stdin?.end(input);
    });
}

/**
 * What the user's own configuration of git and the machine's say, and no repository's: the names that match a pattern,
 * each with its value.
 */
export async function readOwnConfiguration(
  pattern: string,
  checkout: string,
  { path = "", home }: GitEnvironment,
): Promise<readonly (readonly [name: string, value: string])[]> {
  const env = { PATH: trustedPath(path, checkout), ...(home === undefined ? {} : { HOME: home }) };
  const argv = ["--git-dir=/dev/null", "config", "--null", "--get-regexp", pattern];
  // git exits 1 where nothing matches.
  const found = (await run(argv, "", { root: checkout }, env).catch(() => "")).toString();
  const rows = found.split("\0").filter((row) => row.includes("\n"));
  return rows.map((row) => [row.slice(0, row.indexOf("\n")), row.slice(row.indexOf("\n") + 1)]);
}

function namesOf({ root, gitFolder }: Checkout): readonly string[] {
  return [
    "--no-optional-locks",
    "--no-pager",
    "--no-replace-objects",
    `--git-dir=${gitFolder}`,
    `--work-tree=${root}`,
  ];
}

/** The names of the filters that any configuration of git defines. Rejects for a name that `-c` cannot switch off. */
async function filtersIn(git: Git): Promise<readonly string[]> {
  const found = await git(["config", "--null", "--name-only", "--get-regexp", "^filter\\."]).catch(
    (error) => {
      if (error.code === NO_MATCH) return "";
      throw error;
    },
  );
  const names = found.split("\0").map((name) => name.slice("filter.".length, name.lastIndexOf(".")));
  // git ends the name of a setting at the first "=".
  if (names.some((name) => name.includes("="))) throw new Error("a filter of git cannot be switched off");
  return [...new Set(names)].filter((name) => name !== "");
}

/** What `git config` exits with where nothing matches. */
const NO_MATCH = 1;

function switchedOff(filter: string): readonly string[] {
  return ["clean=", "smudge=", "process=", "required=false"].map((setting) => `filter.${filter}.${setting}`);
}

/** The absolute folders of `PATH` outside the checkout: a repository may hold a program of the name `git`. */
function trustedPath(path: string, root: string): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isWithin(root, folder))
    .join(delimiter);
}

function run(
  argv: readonly string[],
  input: string,
  { root }: Pick<Checkout, "root">,
  env: Readonly<Record<string, string>>,
): Promise<Buffer> {
  const limits = { timeout: TIME_LIMIT, killSignal: "SIGKILL", maxBuffer: OUTPUT_LIMIT } as const;
  return new Promise((done, failed) => {
    const options = { cwd: root, env, encoding: "buffer", ...limits } as const;
    const { stdin } = execFile("git", argv, options, (error, stdout) => {
      if (error === null) done(stdout);
      else failed(error);
    });
    // A command that fails at once does not read its input.
    stdin?.on("error", () => undefined);
    stdin?.end(input);
  });
}

/** A path of the checkout as an argument of git, whatever letters it has and wherever git runs; empty for all of it. */
export function pathspecOf(path: string): string {
  return path === "" ? ":(top)" : `:(top,literal)${path}`;
}

/** Where a folder of this machine is in its checkout; empty for all of it. */
export function insideOf({ root }: Pick<Checkout, "root">, folder: string): string {
  return relative(root, realpathSync(folder)).split(sep).join("/");
}

/** The commit that is checked out, where git knows one and nothing below the folder differs from it. */
export async function commitOf(folder: string, environment: GitEnvironment): Promise<string | null> {
  const checkout = findCheckout(folder);
  if (checkout === null) return null;
  try {
    const git = openGit(checkout, environment);
    const inside = insideOf(checkout, folder);
    const status = await git([
      "status",
      "--porcelain=v2",
      "--branch",
      "--no-ahead-behind",
      "--untracked-files=normal",
      "--ignore-submodules=all",
      ...(inside === "" ? [] : ["--", pathspecOf(inside)]),
    ]);
    // Lines that do not begin so are changes. Before the first commit, no hash stands there.
    const isChanged = status.split("\n").some((line) => line !== "" && !line.startsWith("# "));
    return isChanged ? null : (/^# branch\.oid ([0-9a-f]+)$/m.exec(status)?.[1] ?? null);
  } catch {
    return null;
  }
}

/** Those of the paths that git tracks in the checkout that the folder belongs to, as that checkout names them. */
export async function trackedAmong(
  folder: string,
  paths: readonly string[],
  environment: GitEnvironment,
): Promise<readonly string[]> {
  const checkout = findCheckout(folder);
  if (checkout === null) return [];
  const inside = paths.filter((path) => isWithin(checkout.root, path) && existsSync(path));
  if (inside.length === 0) return [];
  // A file system may not tell upper case from lower case.
  const patterns = inside.map(
    (path) => `:(top,icase,literal)${relative(checkout.root, path).split(sep).join("/")}`,
  );
  try {
    const git = openGit(checkout, environment);
    return (await git(["ls-files", "-z", "--", ...patterns])).split("\0").filter((name) => name !== "");
  } catch {
    return [];
  }
}
