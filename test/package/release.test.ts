import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
// @ts-expect-error a script has no types
import { archive } from "../../scripts/release/archive.mjs";
// @ts-expect-error a script has no types
import { checkFetched, checkSame, sha256 } from "../../scripts/release/checksum.mjs";
// @ts-expect-error a script has no types
import { debianComponent, nodeComponent, withComponents } from "../../scripts/release/contents.mjs";
import debian from "../../scripts/release/debian.json" with { type: "json" };
import pins from "../../scripts/release/pins.json" with { type: "json" };
// @ts-expect-error a script has no types
import { releaseNotes } from "../../scripts/release/ready.mjs";
// @ts-expect-error a script has no types
import { sbomOf, sbomProblems } from "../../scripts/sbom.mjs";

const ROOT = resolve(import.meta.dirname, "..", "..");
const CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [1.2.0] - 2026-01-02\n\n- Old.\n";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "remit-release-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A checkout of version 1.2.0 with the release's scripts; gives what the release says of it. */
function checkout(changelog = CHANGELOG) {
  const folder = newFolder();
  cpSync(join(ROOT, "scripts"), join(folder, "scripts"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ version: "1.2.0", type: "module" }));
  writeFileSync(join(folder, "CHANGELOG.md"), changelog);
  const git = (...argv: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=ada", "-c", "user.email=ada@example", ...argv], { cwd: folder });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "one");
  const release = (...argv: readonly string[]) => {
    const all = [join(folder, "scripts", "release.mjs"), ...argv];
    const { status, stderr } = spawnSync(process.execPath, all, { cwd: folder, encoding: "utf8" });
    return { status, stderr };
  };
  return { folder, git, release };
}

describe("a release is not built", () => {
  test("without a tag, or with one that is not the version", () => {
    const { release } = checkout();
    expect(release()).toEqual({
      status: 1,
      stderr: "release: A release needs its tag: --tag vVERSION. To build without one, use --dry-run.\n",
    });
    expect(release("--tag", "v1.3.0")).toEqual({
      status: 1,
      stderr:
        "release: The tag v1.3.0 is not the version 1.2.0 of package.json. Use the tag v1.2.0, or change the version first.\n",
    });
  });

  test("from a tree with changes", () => {
    const { folder, release } = checkout();
    writeFileSync(join(folder, "new.txt"), "");
    expect(release("--dry-run")).toEqual({
      status: 1,
      stderr:
        "release: The checkout has changes that are not committed: new.txt. Commit or stash them: a release is built from a commit.\n",
    });
  });

  test("where the changelog has no entry of the version", () => {
    const { release } = checkout("# Changelog\n\n## [Unreleased]\n\n## [1.2.0]\n\n## [1.1.0]\n\n- Old.\n");
    const stderr =
      'release: CHANGELOG.md has no entry for 1.2.0. Write what changed below the heading "## [1.2.0] - YYYY-MM-DD".\n';
    expect(release("--tag", "v1.2.0")).toEqual({ status: 1, stderr });
    expect(release("--dry-run")).toEqual({ status: 1, stderr });
  });

  test("from another commit than that of the tag", () => {
    const { git, release } = checkout();
    git("tag", "v1.2.0");
    git("commit", "-q", "--allow-empty", "-m", "two");
    const { status, stderr } = release("--tag", "v1.2.0");
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^release: The tag v1\.2\.0 is on commit [0-9a-f]{40}, and [0-9a-f]{40} is checked out\. Check out the tag\.\n$/,
    );
  });

  test("where what was fetched has another checksum, or two builds differ", () => {
    const file = join(newFolder(), "node");
    writeFileSync(file, "other");
    const pinned = { name: "Node 1", file, where: "pins.json" };
    expect(() => checkFetched({ ...pinned, expected: sha256(file) })).not.toThrow();
    expect(() => checkFetched({ ...pinned, expected: "00" })).toThrow(
      /^The checksum of Node 1 differs: pins\.json has 00, and what was fetched has d9298a10/,
    );
    const one = new Map([["a", "1"]]);
    expect(() => checkSame(one, new Map(one))).not.toThrow();
    expect(() =>
      checkSame(
        one,
        new Map([
          ["a", "2"],
          ["b", "1"],
        ]),
      ),
    ).toThrow(/differ in a, b\./);
  });
});

describe("what is released", () => {
  test("has the changelog's entry as its notes", () => {
    expect(releaseNotes(CHANGELOG, "1.2.0", false)).toBe("- Old.\n");
    expect(releaseNotes(CHANGELOG, "1.3.0", true)).toBe("- New.\n");
    expect(() => releaseNotes(CHANGELOG, "1.3.0", false)).toThrow("no entry for 1.3.0");
  });

  test("is archived with the same bytes, whenever and by whomever its files were written", () => {
    const [one, two] = [newFolder(), newFolder()];
    for (const name of ["b", "a"]) writeFileSync(join(one, name), name);
    for (const name of ["a", "b"]) writeFileSync(join(two, name), name);
    const files = [one, two].map((folder, at) => {
      const file = join(newFolder(), `${at}.tar`);
      archive(folder, file);
      return sha256(file);
    });
    expect(files[0]).toBe(files[1]);
  });

  test("lists Node and every pinned Debian package in a valid bill of materials", async () => {
    const project = { name: "remit-cli", version: "1.2.0", description: "d", license: "Apache-2.0" };
    const bill = sbomOf(project, { packages: [], direct: [] });
    const all = withComponents(bill, [nodeComponent(pins.node), ...debian.packages.map(debianComponent)]);
    expect(await sbomProblems(all)).toBeNull();
    const { components, dependencies } = JSON.parse(all);
    expect(components).toHaveLength(debian.packages.length + 1);
    const direct = dependencies.find((one: { ref: string }) => one.ref.startsWith("pkg:npm/remit-cli@"));
    expect(direct.dependsOn).toHaveLength(debian.packages.length + 1);
  });

  test("pins each Debian package by version and hash, once", () => {
    const names = debian.packages.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toEqual(expect.arrayContaining(["git", "libc6", "libstdc++6", "ca-certificates"]));
    for (const { version, sha256: hash } of debian.packages) {
      expect(version).toMatch(/^\d/);
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
    }
  });
});
