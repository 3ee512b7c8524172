import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runInside, type Seen, type Surroundings } from "./inside.js";

/** A project in a checkout of git, with the branch `main`. */
export interface ProjectCheckout {
  readonly home: string;
  readonly root: string;
  git(...argv: readonly string[]): string;
  write(path: string, text: string): void;
  read(path: string): string;
  remove(path: string): void;
  /** Commits everything; gives the commit. */
  commit(): string;
  remit(...argv: readonly string[]): Promise<Seen>;
  /** The same, with more variables, in another folder, or at a terminal. */
  remitIn(more: Partial<Surroundings>, ...argv: readonly string[]): Promise<Seen>;
  close(): void;
}

/** Makes a checkout from an example, in which nothing below `.remit` is tracked. */
export function makeProjectCheckout(example: string): ProjectCheckout {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "remit-checkout-")));
  const root = join(home, "checkout");
  cpSync(example, root, { recursive: true, filter: (path) => !path.endsWith(".remit") });
  const git = (...argv: readonly string[]) => {
    const all = ["-c", "user.name=a", "-c", "user.email=a@example", ...argv];
    return execFileSync("git", all, { cwd: root, stdio: "pipe" }).toString().trim();
  };
  const at = (path: string) => join(root, path);
  const commit = () => {
    git("add", "-A");
    git("commit", "-qm", "change");
    return git("rev-parse", "HEAD");
  };
  const checkout: ProjectCheckout = {
    home,
    root,
    git,
    write: (path, text) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    },
    read: (path) => readFileSync(at(path), "utf8"),
    remove: (path) => rmSync(at(path)),
    commit,
    remit: (...argv) => checkout.remitIn({}, ...argv),
    remitIn: ({ env = {}, ...more }, ...argv) =>
      runInside(argv, { cwd: root, ...more, env: { PATH: process.env.PATH, HOME: home, ...env } }),
    close: () => rmSync(home, { recursive: true, force: true }),
  };
  checkout.write(".gitignore", ".remit/\n*.json\n");
  git("init", "-q", "-b", "main");
  commit();
  return checkout;
}
