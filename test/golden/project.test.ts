import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { SCHEMAS } from "../../src/commands/schema/schemas.js";
import { expectFace, face, type Given } from "./harness.js";

const FACES = join(import.meta.dirname, "faces");

/** Every file of a folder with its text; of the schemas only their names. */
function tree(cwd: string): string {
  const entries = readdirSync(cwd, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const [schemas, others] = [files.filter((file) => file.includes("/schemas/")), files.filter((file) => !file.includes("/schemas/"))];
  const texts = others.sort().map((file) => `${relative(cwd, file)}:\n${readFileSync(file, "utf8")}`);
  return [...texts, schemas.sort().map((file) => `${relative(cwd, file)}\n`).join("")].join("\n");
}

describe("remit init", () => {
  type Run = readonly [name: string, argv: readonly string[], given: Given];
  const runs: readonly Run[] = [
    ["here", [], { look: tree }],
    ["folder", ["reviews/prod"], { look: tree }],
    ["ignoring", [], { prepare: (cwd) => writeFileSync(join(cwd, ".gitignore"), "node_modules"), look: tree }],
    ["no-folder", ["taken/deep"], { prepare: (cwd) => writeFileSync(join(cwd, "taken"), "a file\n") }],
    ["server", ["--server", "https://fernhill.example"], { look: tree }],
    ["server-unusable", ["--server", "fernhill"], { look: tree }],
    ["kubernetes", ["--ci", "kubernetes", "--server", "https://fernhill.example"], { look: tree }],
    ["kubernetes-taken", ["--ci", "kubernetes"], { before: [["init", "--ci", "kubernetes"]] }],
    [
      "kubernetes-refused",
      ["--ci", "kubernetes"],
      { prepare: (cwd) => writeFileSync(join(cwd, "remit.yaml"), "contexts:\n  eu: {}\n"), look: tree },
    ],
    ["taken", [], { prepare: (cwd) => writeFileSync(join(cwd, "remit.yaml"), "server: x\n"), look: tree }],
  ];

  test.each(runs)("%s", async (name, argv, given) => {
    expectFace(join(FACES, `init-${name}.face`), await face(null, ["init", ...argv], given));
  });

  const before = [["init"]];

  test("writes files that name schemas which are there, offline", async () => {
    const named: string[] = [];
    const look = (cwd: string) => {
      for (const file of ["remit.yaml", "manifests/first-review.yaml"]) {
        const path = join(cwd, file);
        const [, schema = ""] = /^# yaml-language-server: \$schema=(.+)\n/.exec(readFileSync(path, "utf8")) ?? [];
        named.push(JSON.parse(readFileSync(resolve(dirname(path), schema), "utf8")).title);
      }
      return "";
    };
    await face(null, ["version"], { before, look });
    expect(named).toEqual(["remit.yaml", "TemplateScope"]);
  });

  test("writes objects of a cluster that are not read as manifests, also where the project is the whole folder", async () => {
    const added = [["init", "--ci", "kubernetes"], (cwd: string) => writeFileSync(join(cwd, "remit.yaml"), "server: sandbox\n")] as const;
    expect(await face(null, ["validate"], { before: added })).toBe("$ remit validate\nexit 0\n──── stdout\nthe manifest is valid\n");
  });

  test("writes a project that is valid and laid out", async () => {
    expect(await face(null, ["validate"], { before })).toBe("$ remit validate\nexit 0\n──── stdout\nthe manifest is valid\n");
    expect(await face(null, ["fmt", "--check", ".", "remit.yaml"], { before })).toBe(
      "$ remit fmt --check . remit.yaml\nexit 0\n",
    );
  });

  test("writes nothing over what it wrote before", async () => {
    expect(await face(null, ["init"], { before })).toContain("exit 1");
  });
});

describe("remit schema", () => {
  test("has every schema of the folder", () => {
    const files = [...SCHEMAS.values()].map(({ file }) => file);
    const folder = readdirSync("schemas").filter((name) => name !== "source" && name !== "parts.json");
    expect(files.sort()).toEqual(folder.sort());
  });

  test("lists what there is", async () => {
    expectFace(join(FACES, "schema-list.face"), await face(null, ["schema"]));
  });

  test("says what there is where a name is none of it", async () => {
    expectFace(join(FACES, "schema-unknown.face"), await face(null, ["schema", "TemplateScop"]));
    expectFace(join(FACES, "schema-case.face"), await face(null, ["schema", "Templatescope"]));
  });

  test.each(["TemplateScope", "EntitlementAutomation", "ResourceType", "config", "diagnostics"])("prints %s", async (name) => {
    const seen = await face(null, ["schema", name]);
    const text = seen.slice(seen.indexOf("stdout\n") + "stdout\n".length);
    const titles: Readonly<Record<string, string>> = { config: "remit.yaml", diagnostics: "remit diagnostics" };
    expect(JSON.parse(text).title).toBe(titles[name] ?? name);
  });

  test("writes one to a file and all to a folder, where they find each other", async () => {
    const look = (cwd: string) => readdirSync(join(cwd, "out")).join(" ");
    expect(await face(null, ["schema", "config", "--out", "out/c.json"], { look })).toContain("c.json");
    const all = await face(null, ["schema", "--out", "out"], { look });
    expect(all).toContain("manifest.json");
    expect(all).toContain("template-scope.json");
  });
});

describe("remit docs", () => {
  test("lists the pages, and says what there is where a name is none of them", async () => {
    const seen = await face(null, ["docs"]);
    const written = ["", "kinds/"].flatMap((folder) => readdirSync(`docs/${folder}`).map((file) => folder + file));
    const pages = written.filter((file) => file.endsWith(".md") && !file.endsWith("README.md"));
    const listed = [...seen.matchAll(/^([\w/-]+) {2,}\S/gm)].map(([, page]) => `${page}.md`);
    expect(listed.sort()).toEqual(pages.sort());
    expect(seen).toMatch(/^kinds\/review-template +ReviewTemplate$/m);
    expectFace(join(FACES, "docs-unknown.face"), await face(null, ["docs", "polcy"]));
    expect(await face(null, ["docs", "nix"])).toContain("  = The nearest: faq, get, app. `remit docs` lists the pages.");
  });

  test.each([
    ["import", "docs/import.md"],
    ["pull-requests.md", "docs/pull-requests.md"],
    ["kinds/access-profile", "docs/kinds/access-profile.md"],
    ["AccessProfile", "docs/kinds/access-profile.md"],
  ])("prints %s", async (name, file) => {
    const seen = await face(null, ["docs", name]);
    const text = readFileSync(file, "utf8");
    expect(seen).toContain(text.slice(text.indexOf("# ")).trimEnd());
    expect(seen).not.toContain("<!--");
  });
});
