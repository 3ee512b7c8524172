import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ForgeName } from "../../src/forge/forge.js";
import { readSeed } from "../../src/sandbox/seed/seed.js";
import { startSandbox } from "../../src/sandbox/server.js";
import { PULL, REPOSITORY, startStandIn } from "../forge/standIn.js";

/** The package as npm gets it, and a folder in which it is installed once for all runners. */
export interface Packed {
  readonly home: string;
  readonly tarball: string;
  close(): void;
}

/** Builds and packs this project, as it is published. */
export function packRemit(): Packed {
  const home = realpathSync(mkdtempSync(join(process.cwd(), "node_modules", ".workflows-")));
  execFileSync(process.execPath, [join("scripts", "build.mjs"), "--into", home], { stdio: "pipe" });
  for (const name of ["package.json", "README.md", "LICENSE", "CHANGELOG.md"]) cpSync(name, join(home, name));
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts"], { cwd: home, stdio: "pipe" }).toString(),
  );
  return {
    home,
    tarball: join(home, packed.filename),
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** A team's repository with an open pull request that edits one automation, on a forge, for a tenant. */
export async function beginTeam(name: ForgeName) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "remit-team-")));
  const [origin, work] = [join(folder, "origin.git"), join(folder, "work")];
  const git = (...argv: readonly string[]) => {
    const all = ["-c", "user.name=ada", "-c", "user.email=ada@example", ...argv];
    return execFileSync("git", all, { cwd: work, stdio: "pipe" }).toString().trim();
  };
  cpSync(join("examples", "quickstart"), work, {
    recursive: true,
    filter: (path) => !path.endsWith(".remit"),
  });
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", origin]);
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", origin);
  git("add", "-A");
  git("commit", "-qm", "project");
  git("push", "-q", "origin", "main");
  git("checkout", "-q", "-b", "topic");
  const manifest = join(work, "manifests", "engineering-group.yaml");
  writeFileSync(
    manifest,
    readFileSync(manifest, "utf8").replace("displayName: Engineering", "displayName: Engineers"),
  );
  git("commit", "-qam", "change");
  git("push", "-q", "origin", "topic");
  git("checkout", "-q", "main");
  git("merge", "-q", "--no-ff", "-m", "merge", "topic");
  git("push", "-q", "origin", "HEAD:refs/pull/41/merge");
  git("reset", "-q", "--hard", "main~1");
  const { tenant } = readSeed(readFileSync(join("examples", "quickstart", "seed.yaml"), "utf8"), "seed.yaml");
  const sandbox = await startSandbox({ tenant });
  const forge = await startStandIn(name);
  const head = git("rev-parse", "topic");
  forge.pulls.splice(0, 1, { ...PULL, head: { sha: head, ref: "topic", repository: REPOSITORY } });
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
    /** Merges the pull request as one commit. */
    merge() {
      git("merge", "-q", "--squash", "topic");
      git("commit", "-qm", "change (#41)");
      git("push", "-q", "origin", "main");
      const commit = git("rev-parse", "HEAD");
      const [known = PULL] = forge.pulls;
      forge.pulls.splice(0, 1, { ...known, state: "merged", mergeCommit: commit, merged: [commit] });
    },
  };
}
