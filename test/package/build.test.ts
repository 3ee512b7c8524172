import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { buildProject } from "../fakes/build.js";

const ROOT = join(import.meta.dirname, "..", "..");
const SCRIPTS = join(ROOT, "scripts");
const folder = mkdtempSync(join(tmpdir(), "remit-build-"));
const [one, two] = [join(folder, "one"), join(folder, "two")];

beforeAll(async () => {
  cpSync(await buildProject(), one, { recursive: true });
  execFileSync(process.execPath, [join(SCRIPTS, "build.mjs"), "--into", two], { cwd: folder });
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("the build", () => {
  test("gives the same bytes twice, wherever they are written", () => {
    const files = filesIn(one);
    expect(filesIn(two)).toEqual(files);
    expect(files).toEqual(expect.arrayContaining(["THIRD_PARTY_NOTICES", "dist/remit.js", "sbom.cdx.json"]));
    expect(files.filter((file) => !read(one, file).equals(read(two, file)))).toEqual([]);
  });

  test("writes a notice and an SBOM entry for every bundled package", async () => {
    expect(await check(one)).toBeGreaterThan(40);
  });

  test.each([
    [
      "a licence text is missing",
      "THIRD_PARTY_NOTICES",
      "Copyright (c) 2025 Marc Bachmann",
      "",
      "lacks the licence text of",
    ],
    ["a section is missing", "THIRD_PARTY_NOTICES", "\nyaml@", "\n", "has no section for yaml@"],
    [
      "the SBOM misses a package",
      "sbom.cdx.json",
      '"name": "yaml"',
      '"name": "y"',
      "sbom.cdx.json lists what is bundled",
    ],
    [
      "the SBOM breaks its schema",
      "sbom.cdx.json",
      '"bomFormat"',
      '"format"',
      "breaks the schema of CycloneDX",
    ],
  ])("the check fails when %s", async (_, file, text, planted, says) => {
    const broken = join(folder, "broken");
    cpSync(two, broken, { recursive: true });
    const before = readFileSync(join(broken, file), "utf8");
    writeFileSync(join(broken, file), before.replace(text, planted));
    await expect(check(broken)).rejects.toThrow(says);
  });

  test("stops at a bundled package without a licence text", async () => {
    const project = join(folder, "unlicensed");
    mkdirSync(join(project, "node_modules", "planted"), { recursive: true });
    writeFileSync(
      join(project, "node_modules", "planted", "package.json"),
      JSON.stringify({ name: "planted", version: "1.0.0", license: "MIT" }),
    );
    const inputs = { "node_modules/planted/index.js": { bytesInOutput: 1 } };
    const metafile = { inputs: {}, outputs: { "remit.js": { inputs } } };
    const { bundledPackages } = (await import(join(SCRIPTS, "bundled.mjs"))) as {
      bundledPackages(metafiles: readonly object[], root: string): unknown;
    };
    expect(() => bundledPackages([metafile], project)).toThrow(
      "planted is bundled, but its package has no licence file",
    );
  });

  test("answers `remit version` with one small file", () => {
    expect(loaded("remit.js", STATIC)).toEqual(["remit.js"]);
    expect(read(one, "dist/remit.js").toString()).not.toMatch(/^import |require\(/m);
    expect(read(one, "dist/remit.js").length).toBeLessThan(2_000);
  });

  test("starts every other command with few files", () => {
    const files = loaded("command/start.js", REQUIRED);
    expect(files).toContain("command/start.js");
    expect(files.length).toBeGreaterThan(3);
    expect(files.length).toBeLessThan(10);
  });

  test("takes what its first run compiled, and writes it once", () => {
    const used = mkdtempSync(join(folder, "used-"));
    cpSync(one, used, { recursive: true });
    const modules = join(used, "dist", "command");
    const helped = () => {
      // No variable names code.
      const env = { NODE_DISABLE_COMPILE_CACHE: "1", NODE_COMPILE_CACHE: used, XDG_CACHE_HOME: used };
      execFileSync(process.execPath, [join(used, "dist", "remit.js"), "plan", "--help"], {
        env,
        stdio: "ignore",
      });
      const file = readdirSync(modules).find((name) => name.startsWith("compiled-"));
      return statSync(join(modules, file ?? "")).ino;
    };
    const first = helped();
    expect([helped(), helped()]).toEqual([first, first]);
    expect(readdirSync(used)).toEqual(readdirSync(one));
  });

  test("runs through a link, and says its version the same in every way to ask for it", () => {
    const link = join(folder, "remit");
    symlinkSync(join(one, "dist", "remit.js"), link);
    const ways = [["version"], ["--version"], ["-V"], ["-C", ".", "version"]];
    const said = ways.map((line) => execFileSync(process.execPath, [link, ...line], { encoding: "utf8" }));
    expect(said).toEqual(ways.map(() => `remit ${packageFile.version}\n`));
  });

  test("has the examples in the command, each whole", () => {
    const [brought, shipped] = [join(folder, "brought"), join(ROOT, "examples", "brownfield")];
    const line = [join(one, "dist", "remit.js"), "init", "--example", "brownfield", brought];
    execFileSync(process.execPath, line, { stdio: "ignore" });
    expect(readFileSync(join(brought, "seed.yaml"), "utf8").split("\n").slice(1)).toEqual(
      readFileSync(join(shipped, "seed.yaml"), "utf8").split("\n").slice(1),
    );
    expect(readFileSync(join(brought, ".gitignore"), "utf8")).toContain(".remit/*");
  });

  test("checks manifests by schemas that it has compiled, and has no compiler", () => {
    const file = join(folder, "mistakes.yaml");
    writeFileSync(file, MISTAKES);
    const line = [join(one, "dist", "remit.js"), "validate", file, "--format", "json"];
    const { status, stdout } = spawnSync(process.execPath, line, { encoding: "utf8" });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { code: string }[] };
    expect([status, diagnostics.map(({ code }) => code).sort()]).toEqual([
      5,
      ["schema/enum", "schema/format", "schema/one-of", "schema/required", "schema/unknown-field"],
    ]);
    const compiler = filesIn(one).filter((name) => read(one, name).includes("strictRequired"));
    expect(compiler.filter((name) => name.endsWith(".js"))).toEqual([]);
  });

  test("gives the library nothing of the command line", () => {
    const maps = loaded("index.js", ANY).map((file) => read(one, join("dist", `${file}.map`)).toString());
    const sources = maps.flatMap((text) => (JSON.parse(text) as { sources: string[] }).sources);
    expect(sources.filter((source) => source.includes("src/apply/"))).not.toEqual([]);
    expect(sources.filter((source) => /src\/(bin|cli|commands)\//.test(source))).toEqual([]);
  });

  test("names no path of this machine", () => {
    expect(filesIn(one).filter((file) => read(one, file).includes(ROOT))).toEqual([]);
  });
});

const MISTAKES = `apiVersion: remit/v1
kind: TemplateScope
metadata: { name: wrong }
spec:
  templateId: 2fsgTvxP0DVTsNXEUBI7T000001
  scope:
    userCriteria: { userStatus: [ENABLD] }
    allUsers: {}
    grantsByCriteria: { daysSinceLastUsed: soon }
  entitlements:
    - { appId: 2fsgTvxP0DVTsNXEUBI7A000001 }
  extra: 1
`;

const STATIC = /^(?:import|export|\}) (?:[^"]*from )?"(\.[^"]+)"/gm;
const ANY = /(?:from |import |import\()"(\.[^"]+\.js)"/g;

/** A module of the command that another one loads before it runs. */
const REQUIRED = /^var \w+ = (?:__toESM\()?require\("(\.[^"]+)"\)/gm;

/** The files of the package that a file imports, and itself. */
function loaded(entry: string, pattern: RegExp): readonly string[] {
  const files = new Set([entry]);
  for (const file of files)
    for (const [, path = ""] of read(one, join("dist", file)).toString().matchAll(pattern))
      files.add(join(dirname(file), path));
  return [...files];
}

/** Runs the check of the smoke run on a build. */
async function check(folder: string): Promise<number> {
  const { checkShipped } = (await import(join(SCRIPTS, "shipped.mjs"))) as {
    checkShipped(build: { folder: string; root: string }): Promise<number>;
  };
  return checkShipped({ folder, root: ROOT });
}

function filesIn(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

function read(root: string, file: string): Buffer {
  return readFileSync(join(root, file));
}
