import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { GitEnvironment } from "../../src/model/variables.js";

/** A checkout of git in a new folder. */
export interface FakeCheckout {
  readonly root: string;
  readonly environment: GitEnvironment;
  /** The same, as variables of a run. */
  readonly env: Readonly<Record<string, string>>;
  readonly git: (...argv: readonly string[]) => string;
  readonly write: (file: string, text?: string) => void;
  readonly remove: (file: string) => void;
  /** Commits everything, and gives the commit. */
  readonly commit: () => string;
}

const AUTHOR = ["-c", "user.name=a", "-c", "user.email=a@example", "-c", "protocol.file.allow=always"];

/** Makes a checkout with a branch `main` and no commit; it is removed when the test ends. */
export function makeCheckout(files: Readonly<Record<string, string>> = {}): FakeCheckout {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "remit-checkout-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const checkout = checkoutAt(join(home, "checkout"), home);
  cpSync(emptyCheckout(), checkout.root, { recursive: true });
  for (const [file, text] of Object.entries(files)) checkout.write(file, text);
  return checkout;
}

/**
 * A checkout without a commit, to be copied. A process as large as a worker takes longer to start git than git works,
 * so it is started as seldom as possible.
 */
export function emptyCheckout(): string {
  const { REMIT_TEST_FOLDER = tmpdir() } = process.env;
  if (empty === null) {
    empty = mkdtempSync(join(REMIT_TEST_FOLDER, "empty-"));
    execFileSync("git", ["init", "-q", "-b", "main", empty], {
      env: { PATH: process.env.PATH, HOME: empty },
    });
    appendFileSync(join(empty, ".git", "config"), NOT_TIDIED);
    for (const sample of readdirSync(join(empty, ".git", "hooks")))
      rmSync(join(empty, ".git", "hooks", sample));
  }
  return empty;
}
let empty: string | null = null;

/**
 * Makes a checkout as a job of a pipeline has it: detached at a commit or a ref of its origin, whose branches and tags it
 * has. It shares the objects with the origin, so that git starts once.
 */
export function cloneAt(root: string, origin: string, ref: string): void {
  cpSync(emptyCheckout(), root, { recursive: true });
  const inside = join(root, ".git");
  appendFileSync(join(inside, "config"), `[remote "origin"]\n\turl = ${origin}\n`);
  appendFileSync(join(inside, "config"), "\tfetch = +refs/heads/*:refs/remotes/origin/*\n");
  writeFileSync(join(inside, "objects", "info", "alternates"), `${join(origin, "objects")}\n`);
  for (const [from, to] of [
    ["heads", join("remotes", "origin")],
    ["tags", "tags"],
  ] as const)
    if (existsSync(join(origin, "refs", from)))
      cpSync(join(origin, "refs", from), join(inside, "refs", to), { recursive: true });
  const commit = HASH.test(ref) ? ref : readFileSync(join(origin, ref), "utf8").trim();
  execFileSync("git", ["checkout", "-q", "--detach", commit], { cwd: root, stdio: "pipe" });
}

/** No command of git starts another one that tidies up. */
export const NOT_TIDIED = "[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n";

/** Commits everything. */
const COMMIT = `number=$1; shift
git "$@" add -A
exec git "$@" commit -q --allow-empty -m "change $number"`;

const HASH = /^[0-9a-f]{40}$/;

/** The commit of HEAD or of a branch, which needs no program where git keeps it in a file of its own; null elsewhere. */
export function commitOf(root: string, name: string): string | null {
  const at = (path: string) => {
    try {
      return readFileSync(join(root, ".git", path), "utf8").trim();
    } catch {
      return "";
    }
  };
  const isTag = existsSync(join(root, ".git", "refs", "tags", name));
  const ref = name.startsWith("refs/heads/") ? name : `refs/heads/${name}`;
  const text = name === "HEAD" ? at("HEAD").replace(/^ref: (.*)$/, (_, of) => at(of)) : at(ref);
  return !isTag && HASH.test(text) ? text : null;
}

/** A checkout that is there. */
export function checkoutAt(root: string, home: string): FakeCheckout {
  const { PATH: path = "" } = process.env;
  const run = (program: string, argv: readonly string[]) =>
    execFileSync(program, argv, {
      cwd: root,
      env: { PATH: path, HOME: home },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  const git = (...argv: readonly string[]) => {
    const [command, name = "", ...more] = argv;
    const known = command === "rev-parse" && more.length === 0 ? commitOf(root, name) : null;
    return known ?? run("git", [...AUTHOR, ...argv]);
  };
  let commits = 0;
  return {
    root,
    environment: { path, home },
    env: { PATH: path, HOME: home },
    git,
    write(file, text = "") {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    },
    remove: (file) => rmSync(join(root, file), { recursive: true }),
    commit() {
      commits += 1;
      run("sh", ["-ec", COMMIT, "sh", String(commits), ...AUTHOR]);
      return git("rev-parse", "HEAD");
    },
  };
}
