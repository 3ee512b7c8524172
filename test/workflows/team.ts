import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import type { ForgeName } from "../../src/forge/forge.js";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { buildProject } from "../fakes/build.js";
import { commitOf, emptyCheckout } from "../fakes/checkout.js";
import { emptyRemote } from "../fakes/gitRemote.js";
import { once } from "../fakes/once.js";
import { PULL, REPOSITORY, startStandIn } from "../forge/standIn.js";

/** The package as npm gets it, and a folder in which it is installed once for all runners. */
export interface Packed {
  readonly home: string;
  readonly tarball: string;
  /** What the pipelines install: this package, or the executable of the release in the folder REMIT_TEST_RELEASE. */
  readonly installed: { readonly install: string; readonly package: string; readonly checksum: string };
}

/** npm packs and installs once: the next runner gets what it made, if it asks for the same. */
const NPM = `#!/bin/sh
tools=$(dirname "$(dirname "$0")")
PATH=\${PATH#*"$tools/bin:"}
case $1 in
  pack)
    [ -e "$tools/packed.tgz" ] && cp "$tools/packed.tgz" remit.tgz && exit
    npm "$@" && cp ./*.tgz "$tools/packed.tgz" ;;
  install)
    [ -e "$tools/installed.tgz" ] && cmp -s ./*.tgz "$tools/installed.tgz" && exit
    npm "$@" --prefix "$tools" && cp ./*.tgz "$tools/installed.tgz" ;;
  *) npm "$@" ;;
esac
`;

/** Builds and packs this project, as it is published; once in a run of tests. */
export async function packRemit(): Promise<Packed> {
  const home = await once("packed", async (into) => {
    cpSync(await buildProject(), into, { recursive: true });
    for (const name of ["package.json", "README.md", "LICENSE", "CHANGELOG.md"])
      cpSync(name, join(into, name));
    const pack = ["pack", "--silent", "--ignore-scripts"];
    const tarball = execFileSync("npm", pack, { cwd: into, stdio: "pipe" }).toString().trim();
    renameSync(join(into, tarball), join(into, "remit.tgz"));
    mkdirSync(join(into, "tools", "bin"), { recursive: true });
    writeFileSync(join(into, "tools", "bin", "npm"), NPM, { mode: 0o755 });
  });
  if (home === null) throw new Error("the package is built in a run of tests");
  const tarball = join(home, "remit.tgz");
  return { home, tarball, installed: executableIn(process.env.REMIT_TEST_RELEASE) ?? asPackage(tarball) };
}

/** How a job gets the packed package: the folder with the `npm` that packs and installs once, and where that installs. */
export function packedPrograms({ home, installed }: Packed) {
  const tools = join(home, "tools");
  return { folders: [join(tools, "bin")], tools, installed };
}

function asPackage(tarball: string): Packed["installed"] {
  return { install: "npm", package: tarball, checksum: "" };
}

function executableIn(release: string | undefined): Packed["installed"] | null {
  if (release === undefined) return null;
  const name = `remit-${packageFile.version}-linux-x64.tar.gz`;
  const sums = readFileSync(join(release, "SHA256SUMS"), "utf8").split("\n");
  const checksum = sums.find((line) => line.endsWith(`  ${name}`))?.slice(0, 64) ?? "";
  return { install: "binary", package: `file://${resolve(release, name)}`, checksum };
}

/** How a team names its things: the folder of its project, its default branch, the branch of its pull request, and who writes what in commits. */
export interface Named {
  readonly project: string;
  readonly main: string;
  readonly topic: string;
  readonly person: string;
  readonly subject: string;
}

export const PLAIN: Named = { project: ".", main: "main", topic: "topic", person: "ada", subject: "change" };

interface TeamGit {
  (...argv: readonly string[]): string;
  /** Runs a script of commands of git, where `$1` and so on are the words: one program of this size is started, and not one for each. */
  readonly script: (text: string, ...words: readonly string[]) => string;
}

function gitIn(work: string, person: string): TeamGit {
  const who = ["-c", `user.name=${person}`, "-c", "user.email=ada@example"];
  const run = (program: string, argv: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    execFileSync(program, argv, { cwd: work, stdio: "pipe", env: { ...process.env, ...more } })
      .toString()
      .trim();
  const author = { NAME: person };
  const git = (...argv: readonly string[]) => {
    const [command, name = "", ...more] = argv;
    const known = command === "rev-parse" && more.length === 0 ? commitOf(work, name) : null;
    return known ?? run("git", [...who, ...argv]);
  };
  return Object.assign(git, {
    script: (text: string, ...words: readonly string[]) =>
      run("sh", ["-ec", `${GIT}${text}`, "sh", ...words], author),
  });
}

const GIT = `git() { command git -c "user.name=$NAME" -c user.email=ada@example "$@"; }\n`;

/** Commits what is in the checkout of the pull request's branch, and merges it as the forge tries it. */
function pushTopic(git: TeamGit, { main, topic, subject }: Named): string {
  return git.script(PUSH, main, topic, subject);
}

const PUSH = `git add -A -f .
git commit -q --allow-empty -m "$3"
git push -q -f origin "refs/heads/$2"
git checkout -q "$1"
git merge -q --no-ff -m merge "$2"
git push -q -f origin HEAD:refs/pull/41/merge
git reset -q --hard HEAD~1
git rev-parse "$2"`;

const MANIFEST = join("manifests", "engineering-group.yaml");

const BEGIN = `git remote add origin "$1"
git add -A
git commit -qm project
git push -q origin "refs/heads/$2"
git checkout -q -b "$3"`;

const REBASE = `base=$(git rev-parse HEAD)
git cherry-pick "HEAD..$2" > /dev/null
git commit -q --amend --allow-empty -m rebased
git push -q origin "refs/heads/$1"
git rev-list "$base..HEAD"`;

const MERGE = `git merge -q --squash "$2" > /dev/null
git commit -qm "$3 (#41)"
git push -q origin "refs/heads/$1"
git rev-parse HEAD`;

const teams = new Map<string, string>();

/** A folder with a team's repository and its first checkout, where the pull request is open; to be copied. */
function teamFolder(named: Named): string {
  const key = JSON.stringify(named);
  const made = teams.get(key);
  if (made !== undefined) return made;
  const { REMIT_TEST_FOLDER = tmpdir() } = process.env;
  const folder = realpathSync(mkdtempSync(join(REMIT_TEST_FOLDER, "team-")));
  const [origin, work] = [join(folder, "origin.git"), join(folder, "work")];
  const { project, main, topic, person } = named;
  const git = gitIn(work, person);
  cpSync(emptyRemote(), origin, { recursive: true });
  cpSync(emptyCheckout(), work, { recursive: true });
  for (const repository of [origin, join(work, ".git")])
    writeFileSync(join(repository, "HEAD"), `ref: refs/heads/${main}\n`);
  cpSync(join("examples", "quickstart"), join(work, project), {
    recursive: true,
    filter: (path) => !path.endsWith(".remit"),
  });
  git.script(BEGIN, origin, main, topic);
  const manifest = join(work, project, MANIFEST);
  const edited = readFileSync(manifest, "utf8").replace("Name: Engineering", "Name: Engineers");
  writeFileSync(manifest, edited);
  pushTopic(git, named);
  teams.set(key, folder);
  return folder;
}

/** A team's repository with an open pull request that edits one automation, on a forge, for a tenant. */
export async function beginTeam(name: ForgeName, named: Named = PLAIN) {
  const { project, main, topic, person, subject } = named;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "remit-team-")));
  const [origin, work] = [join(folder, "origin.git"), join(folder, "work")];
  cpSync(teamFolder(named), folder, { recursive: true });
  const config = join(work, ".git", "config");
  writeFileSync(config, readFileSync(config, "utf8").replace(/url = .*/, `url = ${origin}`));
  const git = gitIn(work, person);
  const forge = await startStandIn(name);
  forge.branches = { default: main, ofTenant: [main] };
  const open = (sha: string) => {
    forge.pulls.splice(0, 1, { ...PULL, base: main, head: { sha, ref: topic, repository: REPOSITORY } });
    return sha;
  };
  const head = open(git("rev-parse", topic));
  const pushAll = () => open(pushTopic(git, named));
  /** Commits files on that branch. */
  const push = (files: Readonly<Record<string, string>>) => {
    git("checkout", "-q", topic);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(work, project, name), text);
    return pushAll();
  };
  let begun: string | null = null;
  const { tenant } = readSeed(readFileSync(join("examples", "quickstart", "seed.yaml"), "utf8"), "seed.yaml");
  const sandbox = await startSandbox({ tenant });
  onTestFinished(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    folder,
    origin,
    git,
    sandbox,
    forge,
    head,
    work,
    /** Commits files on the branch of the pull request, or all that is there; it then has a new head. */
    push,
    pushAll,
    /** Merges the pull request's commits one by one. */
    rebase() {
      begun ??= git("rev-parse", "HEAD");
      const merged = git.script(REBASE, main, topic).split("\n");
      const [known = PULL] = forge.pulls;
      forge.pulls.splice(0, 1, {
        ...known,
        state: "merged",
        mergeCommit: merged[0] ?? null,
        merged,
        mergedAt: forge.now(),
      });
    },
    /** The commit before the first merge: what was there then counts as applied. */
    begun: () => begun ?? git("rev-parse", `refs/heads/${main}`),
    /** Merges the pull request as one commit. */
    merge() {
      begun ??= git("rev-parse", "HEAD");
      const commit = git.script(MERGE, main, topic, subject);
      const [known = PULL] = forge.pulls;
      forge.pulls.splice(0, 1, {
        ...known,
        state: "merged",
        mergeCommit: commit,
        merged: [commit],
        mergedAt: forge.now(),
      });
    },
  };
}
