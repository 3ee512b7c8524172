// The single executable: Node's program with remit inside it. It needs no Node on the machine, only the C library.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";
import { inject } from "postject";
import { versionOnly } from "../entry.mjs";

/** Node looks for its application under this name, and only in a program whose fuse is set. */
const RESOURCE = "NODE_SEA_BLOB";
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/**
 * Makes the executable from the built package.
 * @param {{ root: string, dist: string, node: string, work: string, file: string }} places: the project, its built
 * modules, Node's program, a folder to work in, the executable
 */
export async function makeExecutable({ root, dist, node, work, file }) {
  mkdirSync(work, { recursive: true });
  const bundle = JSON.parse(readFileSync(join(root, "scripts", "bundle.json"), "utf8"));
  await build({
    ...bundle,
    format: "cjs",
    splitting: false,
    banner: {},
    absWorkingDir: root,
    entryPoints: ["src/bin/executable.ts"],
    outfile: join(work, "main.cjs"),
    plugins: [versionOnly],
  });
  const modules = readdirSync(join(dist, "command")).filter((name) => name.endsWith(".js"));
  const config = {
    main: "main.cjs",
    output: "remit.blob",
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // A code cache holds what one processor compiled, so it would differ from build to build.
    useCodeCache: false,
    assets: Object.fromEntries(
      modules.sort().map((name) => [name, relative(work, join(dist, "command", name))]),
    ),
  };
  writeFileSync(join(work, "sea.json"), JSON.stringify(config));
  // Paths are relative: Node writes them into the application.
  execFileSync(node, ["--experimental-sea-config", "sea.json"], { cwd: work, stdio: "ignore" });
  copyFileSync(node, file);
  await silently(() =>
    inject(file, RESOURCE, readFileSync(join(work, "remit.blob")), { sentinelFuse: FUSE }),
  );
  chmodSync(file, 0o755);
}

/** Runs what prints its own progress to the console. */
async function silently(work) {
  const { log, warn } = console;
  Object.assign(console, { log: () => undefined, warn: () => undefined });
  try {
    await work();
  } finally {
    Object.assign(console, { log, warn });
  }
}
