import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileStore } from "../../src/state/file.js";
import { failure, owner } from "../contracts/store.js";
import { handClock } from "../fakes/handClock.js";
import { runInside } from "../fakes/inside.js";

const SECRET = "AKIA-very-secret-value";
const TEAM = `apiVersion: remit/v1
kind: ResourceType
metadata: {name: "team"}
spec: {appId: 2fsgTvxP0DVTsNXEUBI7hOe0l5C, id: 2fsgTvxP0DVTsNXEUBI7hOe0l5E, displayName: Team}
`;

let home: string;
let cwd: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "remit-threat-")));
  cwd = join(home, "project");
  write("remit.yaml", "server: sandbox\nmanifests: [manifests]\nsandbox: { seed: seed.yaml }\n");
  write("seed.yaml", readFileSync("examples/quickstart/seed.yaml", "utf8"));
  write("manifests/group.yaml", readFileSync("examples/quickstart/manifests/engineering-group.yaml", "utf8"));
  writeFileSync(join(home, "secret"), `key: ${SECRET}\n  bad: [yaml\n`);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
}
function link(path: string, target: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  symlinkSync(target, join(cwd, path));
}
const run = (...argv: readonly string[]) =>
  runInside(argv, { cwd, env: { PATH: process.env.PATH, HOME: home } });
const victim = () => join(home, "victim");
const git = (...argv: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example", ...argv], { cwd });

describe("a link that the repository puts where remit writes", () => {
  const apply = ["apply", "--yes"];
  it.each([
    [".remit/state.json", apply],
    [".remit/state.json.backup", apply],
    [".remit/state.json.journal", apply],
    [".remit/state.json.lock", apply],
    [".remit/sandbox.json", apply],
    ["plan.json", ["plan", "--out", "plan.json"]],
    ["report.md", ["plan", "--report", "markdown=report.md"]],
    ["rest.json", ["schema", "config", "--out", "rest.json"]],
  ])("%s is refused, whether something is there or not", async (path, argv) => {
    for (const text of [null, "before\n"]) {
      if (text !== null) writeFileSync(victim(), text);
      link(path, `${"../".repeat(path.split("/").length)}victim`);
      const { code, stderr } = await run(...argv);
      expect(stderr).toContain("error[file/link]");
      expect(code).not.toBe(0);
      expect(existsSync(victim()) ? readFileSync(victim(), "utf8") : null).toBe(text);
      rmSync(join(cwd, path));
    }
  });

  it("as a folder on the way is refused", async () => {
    mkdirSync(join(home, "elsewhere"));
    link(".remit", "../elsewhere");
    const { code, stderr } = await run("apply", "--yes");
    expect([code, stderr]).toEqual([5, expect.stringContaining("leads through a symbolic link")]);
    expect(existsSync(join(home, "elsewhere", "state.json"))).toBe(false);
  });

  it("as a manifest that fmt would lay out is refused", async () => {
    write("other/team.yaml", TEAM);
    link("manifests/team.yaml", "../other/team.yaml");
    const { code, stderr } = await run("fmt");
    expect([code, stderr]).toEqual([1, expect.stringContaining("error[file/link]")]);
    expect(readFileSync(join(cwd, "other/team.yaml"), "utf8")).toBe(TEAM);
  });
});

describe("a lock that is a link to nowhere", () => {
  it("ends a run of the library, too, instead of being waited for", async () => {
    link("state.json.lock", "nowhere");
    const options = { path: join(cwd, "state.json"), name: "state.json", version: "1", isDead: () => false };
    const store = fileStore({ ...options, clock: handClock() });
    const refused = await failure(store.lock(owner("run"), { timeout: 0 }));
    expect(refused.diagnostic.code).toBe("state/link");
  });
});

describe("a state that git tracks", () => {
  it("is never used, and its message says how to remove it from git", async () => {
    expect((await run("apply", "--yes")).code).toBe(0);
    git("init", "-q");
    expect((await run("plan")).code).toBe(0);
    git("add", "-f", ".remit/state.json");
    const { code, stderr } = await run("plan");
    expect(code).toBe(4);
    expect(stderr).toContain("error[state/tracked]: git tracks .remit/state.json");
    expect(stderr).toContain("git rm --cached .remit/state.json");
  });
});

describe("a new file", () => {
  it("is readable to its owner alone, reports included", async () => {
    await run("plan", "--out", "plan.json", "--report", "markdown=report.md");
    await run("apply", "--yes");
    const files = ["plan.json", "report.md", ".remit/state.json", ".remit/sandbox.json"];
    const modes = files.map((file) => (statSync(join(cwd, file)).mode & 0o777).toString(8));
    expect(modes).toEqual(["600", "600", "600", "600"]);
  });
});

describe("what remit does not read for a project", () => {
  const outside = async (...argv: readonly string[]) => {
    const { code, stdout, stderr } = await run(...argv);
    expect(stdout + stderr).not.toContain(SECRET);
    expect(stdout + stderr).toContain("file/outside");
    expect(code).toBe(5);
  };

  it("a file that a link in the manifests folder leads to", async () => {
    link("manifests/leak.yaml", "../../secret");
    await outside("validate");
    await outside("plan");
  });

  it("a file that a typed link of the project leads to", async () => {
    link("manifests/leak.yaml", "../../secret");
    await outside("validate", "manifests/leak.yaml");
  });

  it("a file below a linked folder", async () => {
    mkdirSync(join(home, "aws"));
    writeFileSync(join(home, "aws", "credentials.yaml"), `key: ${SECRET}\n  bad: [yaml\n`);
    link("manifests/more", "../../aws");
    await outside("validate");
  });

  it.each([["manifests: [../secret]"], ["manifests: [/proc/self/environ]"], ["manifests: [manifests, ../]"]])(
    "a place outside the project that remit.yaml names: %s",
    async (line) => {
      write("remit.yaml", `server: sandbox\n${line}\n`);
      await outside("validate");
      await outside("plan");
    },
  );

  it.each([["seed: ../secret"], ["faults: ../secret"], ["seed: seed.yaml"], ["faults: seed.yaml"]])(
    "a sandbox file outside the project: %s",
    async (line) => {
      rmSync(join(cwd, "seed.yaml"));
      link("seed.yaml", "../secret");
      write("remit.yaml", `server: sandbox\nmanifests: [manifests]\nsandbox: { ${line} }\n`);
      await outside("plan");
    },
  );

  it("the data of git", async () => {
    git("init", "-q");
    writeFileSync(join(cwd, ".git", "x.yaml"), `token: ${SECRET}\n  bad: [yaml\n`);
    write("remit.yaml", "server: sandbox\nmanifests: [.git]\n");
    await outside("validate");
    write("remit.yaml", "server: sandbox\nmanifests: [.git/x.yaml]\n");
    await outside("validate");
    write("remit.yaml", "server: sandbox\nmanifests: [manifests]\n");
    link("manifests/config.yaml", "../.git/x.yaml");
    await outside("validate");
  });

  it("a project file that is a link to somewhere else", async () => {
    rmSync(join(cwd, "remit.yaml"));
    link("remit.yaml", "../secret");
    await outside("plan");
  });

  it("a device that .remitignore is a link to", async () => {
    link(".remitignore", "/dev/zero");
    link("manifests/.remitignore", "/dev/zero");
    await outside("validate");
  });

  it("the lines of a file that is not a manifest, in any message", async () => {
    write(".env", `${SECRET}\n`);
    write("gha-creds.json", `{ "private_key": "${SECRET}", "x": [ }`);
    write("remit.yaml", "server: sandbox\nmanifests: [.env, gha-creds.json]\nsandbox: { seed: .env }\n");
    for (const argv of [["validate"], ["validate", "--format", "json"], ["plan"]]) {
      const { code, stdout, stderr } = await run(...argv);
      expect(stdout + stderr).not.toContain(SECRET);
      expect(code).toBe(5);
    }
    const laidOut = await run("fmt", "--check");
    expect(laidOut.stdout + laidOut.stderr).not.toContain(SECRET);
    write("remit.yaml", "server: sandbox\nmanifests: [manifests]\nsandbox: { seed: .env }\n");
    const { code, stdout, stderr } = await run("plan");
    expect([code, stdout + stderr]).toEqual([5, expect.not.stringContaining(SECRET)]);
    rmSync(join(cwd, "remit.yaml"));
    link("remit.yaml", ".env");
    const linked = await run("plan");
    expect([linked.code, linked.stdout + linked.stderr]).toEqual([5, expect.not.stringContaining(SECRET)]);
  });
});
