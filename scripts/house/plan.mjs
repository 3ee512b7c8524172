// What a plan and an apply of one manifest execute, from the sources, with the service in another process.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const MANIFEST = "engineering-group.yaml";

/**
 * Counts what node's own coverage sees of a line: the modules loaded, the functions executed, and their files.
 * With them the own frames of the stack at which the plan is printed.
 * @param {string} root of the project
 * @param {string[]} line
 */
export async function runOfOne(root, line) {
  const folder = mkdtempSync(join(tmpdir(), "remit-house-"));
  const project = join(folder, "project");
  cpSync(join(root, "examples", "quickstart"), project, {
    recursive: true,
    filter: (path) => !/manifests\/./.test(path) || path.endsWith(MANIFEST),
  });
  const service = start(root, ["sandbox", "--seed", join(project, "seed.yaml"), "--port", "0"], folder, {});
  try {
    const env = {
      REMIT_SERVER: await firstUrl(service),
      REMIT_TOKEN: "sandbox",
      NODE_V8_COVERAGE: join(folder, "coverage"),
      SHOWN_AT: join(folder, "stack"),
    };
    const { code, said } = await ended(start(root, line, project, env));
    if (code !== 0) throw new Error(`remit ${line.join(" ")} ended with ${code}: ${said}`);
    const sources = pathToFileURL(join(root, "src", "/")).href;
    const stack = readFileSync(env.SHOWN_AT, "utf8").split("\n");
    return {
      ...executed(env.NODE_V8_COVERAGE, sources),
      frames: stack.filter((frame) => frame.includes(sources)).length,
    };
  } finally {
    service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reports of the threads of a process: that of the loader has none of the sources. */
function executed(folder, sources) {
  const reports = readdirSync(folder).map(
    (file) => JSON.parse(readFileSync(join(folder, file), "utf8")).result,
  );
  const own = reports.flat().filter(({ url }) => url.startsWith(sources));
  // The first function of a script is its module.
  const counts = own.map(
    ({ functions }) => functions.slice(1).filter(({ ranges }) => ranges[0].count > 0).length,
  );
  return {
    modules: own.length,
    functions: counts.reduce((sum, count) => sum + count, 0),
    files: counts.filter((count) => count > 0).length,
  };
}

function start(root, line, cwd, env) {
  const run = ["--no-warnings", "--import", join(root, "scripts/house/sourceLoader.mjs")];
  return spawn(process.execPath, [...run, join(root, "scripts/house/shownAt.mjs"), ...line], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function ended(child) {
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, said })));
}

/** The address that a server prints when it listens. */
function firstUrl(child) {
  return new Promise((resolve, reject) => {
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text) => {
        said += text;
        const [url] = said.match(/http:\/\/\S+/) ?? [];
        if (url !== undefined) resolve(url);
      });
    child.once("close", () => reject(new Error(`it did not start: ${said}`)));
  });
}
