import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundleCommand, type Command } from "../../fakes/command.js";
import { runInside } from "../../fakes/inside.js";

let command: Command;
let cwd: string;
beforeAll(async () => {
  command = await bundleCommand();
});
afterAll(() => command.close());
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "remit-write-")));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const at = (path: string) => join(cwd, path);
const read = (path: string) => readFileSync(at(path), "utf8");
const rights = (path: string) => (statSync(at(path)).mode & 0o777).toString(8);
const inside = (...argv: readonly string[]) => runInside(argv, { cwd, env: {} });
const prepared = (preparation: string, ...argv: readonly string[]) =>
  command.run(argv, { cwd, through: ["bash", "-c", `${preparation}; exec "$0" "$@"`] });

const UNTIDY = `kind: ResourceType
apiVersion: 'remit/v1'
metadata: {name: "team"}
spec: {appId: 2fsgTvxP0DVTsNXEUBI7hOe0l5C, id: 2fsgTvxP0DVTsNXEUBI7hOe0l5E, displayName: Team}
`;
const isTidy = (path: string) => read(path).startsWith("apiVersion: remit/v1\nkind: ResourceType\n");

describe("a disk without room", () => {
  it("leaves the manifest unchanged, and nothing beside it", async () => {
    const manifest = `${UNTIDY}${"# What it is for.\n".repeat(1000)}`;
    writeFileSync(at("team.yaml"), manifest);
    const { code, stderr } = await prepared("ulimit -f 8", "fmt", "team.yaml");
    expect(stderr).toContain("error[file/unwritable]: team.yaml cannot be written: no space is left\n");
    expect(code).toBe(1);
    expect(read("team.yaml")).toBe(manifest);
    expect(readdirSync(cwd)).toEqual(["team.yaml"]);
  });

  it("leaves no half of a new file", async () => {
    const { code, stderr } = await prepared("ulimit -f 4", "schema", "TemplateScope", "--out", "schema.json");
    expect(stderr).toContain("schema.json cannot be written: no space is left\n");
    expect(code).toBe(1);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe("who may read a file", () => {
  const plan = [
    "plan",
    "--server",
    "sandbox",
    "--out",
    "plan.json",
    "--report",
    "json=report.json",
    "team.yaml",
  ];

  it("is its owner alone for a saved plan and a new report", async () => {
    writeFileSync(at("team.yaml"), UNTIDY);
    writeFileSync(at("plan.json"), "{}", { mode: 0o644 });
    const { code, stderr } = await prepared("umask 027", ...plan);
    expect([code, stderr]).toEqual([0, ""]);
    expect([rights("plan.json"), rights("report.json")]).toEqual(["600", "600"]);
  });

  it("stays as it was for a file that was there", async () => {
    writeFileSync(at("team.yaml"), UNTIDY);
    writeFileSync(at("report.json"), "");
    chmodSync(at("report.json"), 0o606);
    chmodSync(at("team.yaml"), 0o751);
    await inside("fmt");
    await inside(...plan);
    expect([isTidy("team.yaml"), rights("team.yaml"), rights("report.json")]).toEqual([true, "751", "606"]);
  });

  it.skipIf(process.getuid?.() !== 0)("keeps the owner when another user writes", async () => {
    writeFileSync(at("team.yaml"), UNTIDY);
    chownSync(at("team.yaml"), 65_534, 65_533);
    await inside("fmt");
    const { uid, gid } = statSync(at("team.yaml"));
    expect([isTidy("team.yaml"), uid, gid]).toEqual([true, 65_534, 65_533]);
  });
});

describe("a symbolic link outside the project", () => {
  const project = () => {
    mkdirSync(at("project"), { recursive: true });
    return { cwd: at("project"), env: {} };
  };

  it("stays, and what it leads to is written", async () => {
    mkdirSync(at("shared"));
    writeFileSync(at("shared/team.yaml"), UNTIDY);
    symlinkSync("shared/team.yaml", at("team.yaml"));
    const { code, stderr } = await runInside(["fmt", "../team.yaml"], project());
    expect([code, stderr]).toEqual([0, ""]);
    expect([lstatSync(at("team.yaml")).isSymbolicLink(), isTidy("shared/team.yaml")]).toEqual([true, true]);
    expect(readdirSync(at("shared"))).toEqual(["team.yaml"]);
  });

  it("stays though nothing is there yet, and though links and folders are between", async () => {
    mkdirSync(at("links"));
    symlinkSync("links", at("way"));
    symlinkSync("further.json", at("links/first.json"));
    symlinkSync("../made/for/it.json", at("links/further.json"));
    const { code } = await runInside(["schema", "config", "--out", "../way/first.json"], project());
    expect([code, JSON.parse(read("made/for/it.json")).title]).toEqual([0, "remit.yaml"]);
    expect(readdirSync(at("links")).sort()).toEqual(["first.json", "further.json"]);
  });

  it("that leads in a circle is an error that says so", async () => {
    symlinkSync("b", at("a"));
    symlinkSync("a", at("b"));
    const { code, stderr } = await runInside(["schema", "config", "--out", "../a"], project());
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("a cannot be written: its symbolic links form a loop"),
    ]);
  });
});

describe("what is not a file", () => {
  // Only root may mount; without the rights of root, a folder that takes no other file refuses it, too.
  it.skipIf(spawnSync("unshare", ["--mount", "true"]).status !== 0).each([
    ["of the same file system", "", "touch under"],
    [
      "in a folder that takes no other file",
      "setpriv --bounding-set=-all",
      "mount -t tmpfs none room; touch room/under",
    ],
  ])("but a file that is mounted takes the text in its place, %s", async (_, rights, prepare) => {
    mkdirSync(at("room"));
    writeFileSync(at("seen"), "");
    writeFileSync(at("report.json"), "earlier, and longer than nothing");
    const under = prepare.endsWith("room/under") ? "room/under" : "under";
    const script = `${prepare}; mount --bind ${under} report.json; chmod 555 .; ${rights} "$0" "$@"; code=$?; chmod 755 .; cat report.json > seen; exit $code`;
    const { code, stderr } = await command.run(["schema", "config", "--out", "report.json"], {
      cwd,
      through: ["unshare", "--mount", "bash", "-c", script],
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(read("seen")).title).toBe("remit.yaml");
    expect(readdirSync(cwd).filter((name) => !["room", "seen", "under"].includes(name))).toEqual([
      "report.json",
    ]);
  });

  it("but a pipe takes the text, and stays", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    // Open in both directions and without waiting, it takes what fits into it without a reader.
    const reader = openSync(at("pipe"), constants.O_RDWR | constants.O_NONBLOCK);
    const { code, stdout } = await inside("schema", "config");
    await inside("schema", "config", "--out", "pipe");
    const heard = Buffer.alloc(1 << 16);
    const length = readSync(reader, heard);
    closeSync(reader);
    expect([code, heard.toString("utf8", 0, length)]).toEqual([0, stdout]);
    expect(lstatSync(at("pipe")).isFIFO()).toBe(true);
  });

  it("but a folder refuses", async () => {
    mkdirSync(at("folder"));
    const { code, stderr } = await inside("schema", "config", "--out", "folder");
    expect([code, stderr]).toEqual([1, expect.stringContaining("folder cannot be written: it is a folder")]);
  });

  it("but this process's own output is printed with the rest of it", async () => {
    writeFileSync(at("team.yaml"), UNTIDY);
    const plan = ["plan", "--server", "sandbox", "team.yaml"];
    const text = (await inside(...plan)).stdout;
    const report = (await inside(...plan, "--format", "markdown")).stdout;
    // Opened anew, a file would be written over from its beginning.
    await prepared("export COLUMNS=80; exec >seen.txt", ...plan, "--report", "markdown=/dev/stdout");
    expect(read("seen.txt")).toBe(`${text}${report}`);
  });
});
