import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkoutAt, emptyCheckout, type FakeCheckout } from "./checkout.js";
import { runInside, type Seen, type Surroundings } from "./inside.js";

/** A project in a checkout of git, with the branch `main`. */
export interface ProjectCheckout extends Omit<FakeCheckout, "env" | "environment"> {
  readonly home: string;
  read(path: string): string;
  remit(...argv: readonly string[]): Promise<Seen>;
  /** The same, with more variables, in another folder, or at a terminal. */
  remitIn(more: Partial<Surroundings>, ...argv: readonly string[]): Promise<Seen>;
  close(): void;
}

/** Makes a checkout from an example, in which nothing below `.remit` is tracked. */
export function makeProjectCheckout(example: string): ProjectCheckout {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "remit-checkout-")));
  const root = join(home, "checkout");
  cpSync(committed(example), root, { recursive: true });
  const { git, write, remove, commit, env: own } = checkoutAt(root, home);
  const remitIn: ProjectCheckout["remitIn"] = ({ env = {}, ...more }, ...argv) =>
    runInside(argv, { cwd: root, ...more, env: { ...own, ...env } });
  return {
    home,
    root,
    git,
    write,
    read: (path) => readFileSync(join(root, path), "utf8"),
    remove,
    commit,
    remit: (...argv) => remitIn({}, ...argv),
    remitIn,
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

const examples = new Map<string, string>();

/** A checkout with an example as its first commit, to be copied: git is started as seldom as possible. */
function committed(example: string): string {
  const made = examples.get(example);
  if (made !== undefined) return made;
  const { REMIT_TEST_FOLDER = tmpdir() } = process.env;
  const root = mkdtempSync(join(REMIT_TEST_FOLDER, "example-"));
  cpSync(emptyCheckout(), root, { recursive: true });
  cpSync(example, root, { recursive: true, filter: (path) => !path.endsWith(".remit") });
  const { write, commit } = checkoutAt(root, root);
  write(".gitignore", ".remit/\n*.json\n");
  commit();
  examples.set(example, root);
  return root;
}
