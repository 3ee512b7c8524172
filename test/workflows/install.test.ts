import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { shell, workflowNamed } from "./runner.js";

const NAMES = ["remit-contexts", "remit-plan", "remit-apply", "remit-drift"];

/** The scripts that install remit: one for each job on GitHub, and the one of GitLab, where it is given other variables. */
const onGitHub = NAMES.flatMap((name) =>
  Object.values(workflowNamed(name).jobs).map(({ steps }) => {
    const step = steps.find((one) => one.name === "Install remit");
    return step?.run ?? "";
  }),
);
const beforeOnGitLab: readonly string[] = parse(readFileSync(join("gitlab", "remit.yml"), "utf8"))[".remit"]
  .before_script;
const onGitLab = beforeOnGitLab.find((script) => script.includes("npm install --global")) ?? "";

let folder: string;
let archive: string;
let checksum: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "remit-install-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "remit"), "#!/bin/sh\necho remit 9.9.9\n");
  chmodSync(join(folder, "remit"), 0o755);
  archive = join(folder, "some.tar.gz");
  execFileSync("tar", ["-czf", archive, "-C", folder, "remit"]);
  checksum = createHash("sha256").update(readFileSync(archive)).digest("hex");
});

/** Runs an install script as its forge does, and then the command that it installed. */
async function install(script: string, given: Readonly<Record<string, string>>) {
  const own = Object.entries(given).flatMap(([name, value]) => [
    [name, value],
    [`REMIT_${name}`, value],
  ]);
  const home = mkdtempSync(join(folder, "home-"));
  const paths = join(home, "paths");
  const env = { PATH: `.:${process.env.PATH}`, HOME: home, GITHUB_PATH: paths, ...Object.fromEntries(own) };
  const isGitLab = script === onGitLab;
  // A checkout that has a `remit` where a folder of PATH without a whole path would find it.
  const checkout = mkdtempSync(join(folder, "checkout-"));
  writeFileSync(join(checkout, "remit"), "#!/bin/sh\necho of the checkout\n", { mode: 0o755 });
  const after = `cd ${checkout}; ${isGitLab ? "remit" : 'PATH="$(cat "$GITHUB_PATH"):$PATH" remit'}`;
  const installed = await shell(`${script}\n${after}`, home, env);
  return { ...installed, isOnPath: isGitLab ? installed.code === 0 : existsSync(paths) };
}

test("every job on GitHub installs remit with the same script", () => {
  expect(onGitHub).toHaveLength(6);
  expect(new Set(onGitHub).size).toBe(1);
});

test("a job on GitLab has one script that installs remit", () => {
  expect(beforeOnGitLab.filter((script) => script.includes("$REMIT_INSTALL"))).toEqual([onGitLab]);
});

describe.each([
  ["GitHub", onGitHub[0] ?? ""],
  ["GitLab", onGitLab],
])("a job on %s", (_forge, script) => {
  const binary = () => ({
    INSTALL: "binary",
    VERSION: "9.9.9",
    PACKAGE: `file://${archive}`,
    CHECKSUM: checksum,
  });

  test("installs the executable that has the checksum", async () => {
    expect(await install(script, binary())).toEqual({ code: 0, output: "remit 9.9.9\n", isOnPath: true });
  });

  test("installs nothing that has another checksum, or none to compare with", async () => {
    const other = await install(script, { ...binary(), CHECKSUM: "0".repeat(64) });
    expect(other).toMatchObject({ code: 1, isOnPath: false });
    expect(other.output).toContain(`does not have the checksum ${"0".repeat(64)}. Nothing was installed.`);
    const none = await install(script, { ...binary(), CHECKSUM: "" });
    expect(none).toMatchObject({ code: 1, isOnPath: false });
    expect(none.output).toContain("the line of the executable in SHA256SUMS of the release");
  });

  test("checks the package of npm, too", async () => {
    writeFileSync(join(folder, "package.json"), '{"name":"remit-cli","version":"9.9.9"}');
    execFileSync("npm", ["pack", "--silent"], { cwd: folder });
    const tarball = join(folder, "remit-cli-9.9.9.tgz");
    const given = { INSTALL: "npm", VERSION: "9.9.9", PACKAGE: tarball, CHECKSUM: "0".repeat(64) };
    const { code, output } = await install(script, given);
    expect(code).toBe(1);
    expect(output).toContain("Nothing was installed.");
  });

  test("installs the package of npm, which runs wherever PATH leads first", async () => {
    writeFileSync(
      join(folder, "package.json"),
      '{"name":"remit-cli","version":"9.9.9","bin":{"remit":"remit"}}',
    );
    execFileSync("npm", ["pack", "--silent"], { cwd: folder });
    const tarball = join(folder, "remit-cli-9.9.9.tgz");
    const given = { INSTALL: "npm", VERSION: "9.9.9", PACKAGE: tarball, CHECKSUM: "" };
    const { code, output } = await install(script, given);
    expect([code, output.split("\n").slice(-2)]).toEqual([0, ["remit 9.9.9", ""]]);
  });

  test("says which ways to install there are", async () => {
    const { code, output } = await install(script, { ...binary(), INSTALL: "brew" });
    expect(code).toBe(1);
    expect(output).toContain("is npm or binary, and not brew.");
  });
});
