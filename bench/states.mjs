// What looking at states of one repository costs beside a repository with one. node bench/states.mjs [--quick]; needs `npm run build`.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModule } from "../scripts/bundleModule.mjs";
import { median, row } from "./figure.mjs";
import { clock, entriesOf, owner } from "./kept.mjs";

const MANY = 50;
/** Each state adds a ref and its texts to one fetch, and starts no program of git. */
const MOST = 1.5;
const OBJECTS = 20;
const root = fileURLToPath(new URL("..", import.meta.url));
const command = join(root, "dist", "remit.js");

/** Measures and gives one row per figure. */
export async function figures({ quick = false } = {}) {
  if (!existsSync(command)) throw new Error("dist/remit.js is not there: npm run build");
  const folder = mkdtempSync(join(root, "node_modules", ".bench-"));
  const project = mkdtempSync(join(tmpdir(), "remit-states-"));
  try {
    writeFileSync(join(project, "remit.yaml"), "manifests: [manifests]\n");
    const engine = await loadModule("bench/sources/states.ts", folder);
    const remotes = [];
    for (const count of [1, MANY]) remotes.push(await repositoryOf(count, engine));
    const rounds = quick ? 3 : 9;
    const rows = ["stores", "list"].map((name) => compare(name, project, remotes, rounds));
    for (const remote of remotes) remote.close();
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(project, { recursive: true, force: true });
  }
}

/** Runs a command over one state and over many in turn, and takes the median of the ratios. */
function compare(name, cwd, remotes, rounds) {
  const timed = ({ folder }) => {
    const began = performance.now();
    execFileSync(process.execPath, [command, "state", name, "--state", `git:${folder}#state-0`], {
      cwd,
      stdio: "ignore",
    });
    return performance.now() - began;
  };
  for (const remote of remotes) timed(remote);
  const pairs = Array.from({ length: rounds }, () => remotes.map(timed));
  const ratio = median(pairs.map(([one, many]) => many / one));
  const took = Math.round(median(pairs.map(([, many]) => many)));
  const figure = `state ${name} over ${MANY} states in one repository`;
  return row(figure, took, "ms", `at most ${MOST} of over 1`, ratio, ratio <= MOST);
}

/** @param {typeof import("./sources/states.js")} engine */
async function repositoryOf(count, engine) {
  const remote = engine.makeGitRemote();
  const access = { environment: { GIT_ALLOW_PROTOCOL: "file" }, settings: [] };
  const user = { path: process.env.PATH, home: undefined };
  for (let number = 0; number < count; number += 1) {
    const state = `refs/remit/state-${number}`;
    const store = engine.gitStore({
      name: `git:state-${number}`,
      url: remote.folder,
      refs: { state, lock: `${state}-lock` },
      open: (folder) => engine.openBareGit(folder, "/nowhere", user, access),
      scratch: { folder: tmpdir(), user: null, mark: "bench", isOver: () => false },
      ...{ version: "0.1.0", requestTimeout: 30_000, cadence: { ...engine.CADENCE, push: 0 }, clock },
    });
    const lock = await store.lock(owner, { timeout: 0 });
    const project = `acme/project-${number}`;
    await lock.save({
      ...engine.newSnapshot(`lineage-${number}`, "server"),
      serial: 1,
      project,
      entries: entriesOf(OBJECTS),
    });
    await lock.release();
  }
  return remote;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await figures({ quick: process.argv.includes("--quick") });
  console.table(rows);
  process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;
}
