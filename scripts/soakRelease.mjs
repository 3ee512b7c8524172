// Uses what a release built, as a new user does who has nothing else: the checksums, the npm package, the executable, and the
// image's root file system. Each begins in empty folders, and goes on as README.md and docs/tenants.md say.
// `--from DIR` names the folder of the artefacts; without it, they are built.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { from: { type: "string" } } });
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "remit-soak-release-"));
chmodSync(folder, 0o755);
const isRoot = process.getuid?.() === 0;
const USER = 10001;
const ordinary = isRoot ? { uid: USER, gid: USER } : {};
const SHOWN = "init, plan with people, apply and plan; two tenants";

try {
  const from = resolve(values.from ?? build());
  execFileSync("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: from });
  console.log("checksums    every artefact has the checksum that was written");
  usePackage(from);
  useExecutable(from);
  useImage(from);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function build() {
  const into = join(folder, "release");
  const args = [join(root, "scripts", "release.mjs"), "--dry-run", "--into", into];
  execFileSync(process.execPath, args, { stdio: "inherit" });
  return into;
}

/** The package, installed by npm into a folder of its own, on the Node that runs this. */
function usePackage(from) {
  const place = join(folder, "package");
  const tarball = join(from, `remit-cli-${version}.tgz`);
  const install = ["install", "--global", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  execFileSync("npm", [...install, "--prefix", place, tarball], { stdio: "inherit" });
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
  const remit = (cwd, ...args) =>
    spawnSync(join(place, "bin", "remit"), args, { cwd, env: { PATH: path }, encoding: "utf8", ...ordinary });
  proveRuns(newProjects(place), remit);
  console.log(`package      ${SHOWN}: on Node ${process.versions.node}, not as root`);
}

function useExecutable(from) {
  const place = join(folder, "executable");
  mkdirSync(place);
  execFileSync("tar", ["-xzf", join(from, `remit-${version}-linux-x64.tar.gz`), "-C", place]);
  const runs = newProjects(place);
  const remit = (cwd, ...args) =>
    spawnSync(join(place, "remit"), args, {
      cwd,
      env: {},
      encoding: "utf8",
      ...ordinary,
    });
  proveRuns(runs, remit);
  console.log(`executable   ${SHOWN}: without a variable, not as root`);
}

function useImage(from) {
  const [layout, image] = [join(folder, "layout"), join(folder, "image")];
  for (const one of [layout, image]) mkdirSync(one);
  execFileSync("tar", ["-xf", join(from, `remit-${version}-linux-x64.image.tar`), "-C", layout]);
  const blob = (digest) => join(layout, "blobs", "sha256", digest.replace("sha256:", ""));
  const read = (digest) => JSON.parse(readFileSync(blob(digest), "utf8"));
  const index = JSON.parse(readFileSync(join(layout, "index.json"), "utf8"));
  const manifest = read(index.manifests[0].digest);
  const { config } = read(manifest.config.digest);
  for (const { digest, size } of [manifest.config, ...manifest.layers]) {
    const bytes = readFileSync(blob(digest));
    assert.equal(bytes.length, size);
    assert.equal(
      execFileSync("sha256sum", [blob(digest)], { encoding: "utf8" }).slice(0, 64),
      digest.slice(7),
    );
  }
  for (const { digest } of manifest.layers) execFileSync("tar", ["-xzf", blob(digest), "-C", image]);
  const [entry] = config.Entrypoint;
  const [uid] = config.User.split(":");
  const runs = newProjects(folder);
  const run = (project, command, ...args) =>
    inImage({ image, project, uid, env: config.Env, command: [command, ...args] });
  assert.equal(run(runs.init, "/usr/bin/id", "-u").stdout, `${uid}\n`);
  const refused = run(runs.init, "/usr/bin/touch", "/usr/x");
  assert.match(refused.stderr, /Read-only file system/);
  const setuid = execFileSync("find", [image, "-perm", "/6000"], { encoding: "utf8" });
  assert.equal(setuid, "", "no program of the image changes its user");
  proveRuns(runs, (project, ...args) => run(project, entry, ...args));
  proveGit(run, entry);
  console.log(`image        the same, and a state in git: as user ${uid}, on a read-only root`);
}

/** Runs a command with the image as its root file system, which it cannot change, and a project of its own mounted. */
function inImage({ image, project, uid, env, command }) {
  const script = [
    "set -e",
    'mount --bind "$1" "$1"',
    'mount --rbind /dev "$1/dev"',
    'mount --bind "$2" "$1/project"',
    'mount -t tmpfs tmpfs "$1/tmp"',
    'mount -o remount,bind,ro "$1"',
    `root=$1; shift 2`,
    `exec unshare --user --map-user=${uid} --map-group=${uid} --root="$root" --wd=/project /usr/bin/env -i "$@"`,
  ].join("\n");
  const args = [
    "--user",
    "--map-root-user",
    "--mount",
    "sh",
    "-c",
    script,
    "sh",
    image,
    project,
    ...env,
    ...command,
  ];
  return spawnSync("unshare", args, { encoding: "utf8", ...ordinary });
}

/** Empty folders, which the user of the runs owns. */
function newProjects(place) {
  const [init = "", company = "", tenants = ""] = ["init", "company", "tenants"].map((name) => {
    const project = join(place, `project-${name}`);
    mkdirSync(project);
    if (isRoot) chownSync(project, USER, USER);
    return project;
  });
  return { init, company, tenants };
}

function proveRuns({ init, company, tenants }, remit) {
  const ok = (project, ...args) => {
    const { status, stdout, stderr, error } = remit(project, ...args);
    assert.equal(status, 0, `remit ${args.join(" ")}: ${error ?? ""}${stdout}${stderr}`);
    return stdout;
  };
  assert.equal(ok(init, "version"), `remit ${version}\n`);
  ok(init, "init");
  assert.equal(JSON.parse(ok(init, "plan", "--format", "json")).pending, true);
  assert.equal(JSON.parse(ok(init, "apply", "--yes", "--format", "json")).outcomes.done, 1);
  ok(init, "plan", "--detailed-exitcode");
  ok(company, "init", "--example", "company");
  assert.match(ok(company, "plan", "--people"), /people: 90 to 94 gain it[^\n]*\n\s+gain it: Amir Costa/);
  ok(company, "apply", "--yes");
  ok(company, "plan", "--detailed-exitcode");

  ok(tenants, "init", "--example", "two-tenants");
  assert.match(ok(tenants, "validate"), /valid in 2 contexts/);
  assert.equal(remit(tenants, "plan").status, 5);
  for (const context of ["staging", "production"]) {
    ok(tenants, "apply", "--context", context, "--yes");
    ok(tenants, "plan", "--context", context, "--detailed-exitcode");
  }
  assert.equal(JSON.parse(ok(tenants, "contexts", "--format", "github")).include.length, 2);
}

/** The image's own git keeps a state in a repository. */
function proveGit(run, entry) {
  const project = join(folder, "project-git");
  mkdirSync(project);
  if (isRoot) chownSync(project, USER, USER);
  const script = [
    "git init -q --bare origin.git",
    "git init -q work && cd work",
    "git remote add origin ../origin.git",
    `${entry} init >/dev/null`,
    "git add -A && git -c user.name=a -c user.email=a@example commit -qm one && git push -q origin HEAD",
    `${entry} apply --yes --state git: >/dev/null`,
    `${entry} plan --detailed-exitcode --state git: >/dev/null`,
    "git -C ../origin.git for-each-ref | grep remit",
  ].join("\n");
  const { status, stdout, stderr } = run(project, "/usr/bin/bash", "-ec", script);
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /refs\/remit/);
}
