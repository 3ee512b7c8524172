// Builds everything that a release publishes, twice from clean clones, and compares the bytes. `--dry-run` needs no tag;
// `--tag TAG` is for a release. `--newest-packages` only pins the newest Debian packages for the image.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkSame, sha256 } from "./release/checksum.mjs";
import { fetchPackages, newestPackages } from "./release/debian.mjs";
import { pinnedNode } from "./release/node.mjs";
import { checkTag, checkTree, releaseNotes } from "./release/ready.mjs";
import { isRefusal, refusal } from "./release/refusal.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const PACKAGES = join("scripts", "release", "debian.json");
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
// The modes of folders are a part of the bytes.
process.umask(0o022);

const work = mkdtempSync(join(tmpdir(), "remit-release-"));
let isKept = false;
try {
  main();
} catch (error) {
  if (!isRefusal(error)) throw error;
  console.error(`release: ${error instanceof Error ? error.message : ""}`);
  process.exitCode = 1;
} finally {
  if (isKept) console.error(`release: the builds are in ${work}`);
  else rmSync(work, { recursive: true, force: true });
}

function main() {
  const { values } = parseArgs({
    options: {
      "dry-run": { type: "boolean", default: false },
      tag: { type: "string" },
      into: { type: "string", default: "release" },
      "newest-packages": { type: "boolean", default: false },
    },
  });
  if (values["newest-packages"]) return pinNewestPackages();
  const isDryRun = values["dry-run"];
  const { tag = null } = values;
  if (!isDryRun && tag === null)
    throw refusal("A release needs its tag: --tag vVERSION. To build without one, use --dry-run.");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  checkTag(tag, version);
  checkTree(git("status", "--porcelain"));
  const notes = releaseNotes(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version, isDryRun);
  if (!isDryRun) checkCommitOf(`v${version}`);

  const node = pinnedNode(join(root, "node_modules", ".node"));
  const { packages } = JSON.parse(readFileSync(join(root, PACKAGES), "utf8"));
  const debian = fetchPackages(packages, work);
  const builds = ["one", "two"].map((name) => buildFrom(join(work, name), { node, debian }));
  const [first = "", second = ""] = builds;
  isKept = true;
  checkSame(checksumsIn(first), checksumsIn(second));
  isKept = false;

  const into = resolve(root, values.into);
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  cpSync(first, into, { recursive: true });
  const sums = [...checksumsIn(into)];
  writeFileSync(join(into, "SHA256SUMS"), sums.map(([name, sum]) => `${sum}  ${name}\n`).join(""));
  writeFileSync(join(into, "notes.md"), notes);
  for (const [name, sum] of sums)
    console.log(`${sum}  ${String(statSync(join(into, name)).size).padStart(9)}  ${name}`);
  console.log(`remit ${version}, commit ${git("rev-parse", "HEAD")}: two builds, the same bytes`);
}

/** Builds the commit in a clone of its own, with the pinned Node alone; gives the folder of what it made. */
function buildFrom(clone, { node, debian }) {
  execFileSync("git", ["clone", "--quiet", "--no-local", root, clone]);
  execFileSync("git", ["checkout", "--quiet", "--detach", git("rev-parse", "HEAD")], { cwd: clone });
  const env = { ...process.env, PATH: `${node.folder}${delimiter}${process.env.PATH}` };
  const run = (command, args) =>
    execFileSync(command, args, { cwd: clone, env, stdio: ["ignore", "ignore", "inherit"] });
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]);
  run("npm", ["run", "--silent", "build"]);
  const made = `${clone}-artefacts`;
  const places = ["--node", node.file, "--node-licence", node.licence, "--into", made];
  run("node", ["scripts/release/artefacts.mjs", ...places, ...debian]);
  return made;
}

function checksumsIn(folder) {
  return new Map(
    readdirSync(folder)
      .sort()
      .map((name) => [name, sha256(join(folder, name))]),
  );
}

function checkCommitOf(tag) {
  const tagged = git("rev-list", "-n", "1", tag, "--");
  const head = git("rev-parse", "HEAD");
  if (tagged !== head)
    throw refusal(`The tag ${tag} is on commit ${tagged}, and ${head} is checked out. Check out the tag.`);
}

function pinNewestPackages() {
  const file = join(root, PACKAGES);
  const before = readFileSync(file, "utf8");
  const lines = newestPackages(work).map((one) => `    ${JSON.stringify(one)}`);
  const text = `{\n  "packages": [\n${lines.join(",\n")}\n  ]\n}\n`;
  writeFileSync(file, text);
  console.log(
    text === before
      ? "The image has the newest packages."
      : `${PACKAGES} has newer packages now: review and commit it.`,
  );
}
