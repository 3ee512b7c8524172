import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import events from "../../schemas/events.json" with { type: "json" };
import { exit, interrupted } from "../../src/cli/exitCode.js";
import { SCHEMAS } from "../../src/commands/schema/schemas.js";
import { VARIABLES } from "../../src/model/variables.js";
import { MOST_BYTES } from "../../src/report/forms/html/plan.js";

const ROOT = join(import.meta.dirname, "..", "..");

test("every exit code is in docs/exit-codes.md, and no other is", () => {
  const documented = [...read("docs/exit-codes.md").matchAll(/^\| (\d[\d, ]*?) +\|/gm)].flatMap(
    ([, codes = ""]) => codes.split(", ").map(Number),
  );
  const signals = ["SIGHUP", "SIGINT", "SIGTERM"].map(interrupted);
  expect(documented).toEqual([...Object.values(exit), ...signals]);
});

test("docs/formats.md names the size of a page", () => {
  expect(read("docs/formats.md")).toContain(`at most ${MOST_BYTES / 1_000_000} MB.`);
});

test("every type of event is in docs/formats.md, in the order of its schema", () => {
  const types = events.oneOf.map(({ properties }) => properties.type.const);
  const documented = [...read("docs/formats.md").matchAll(/^\| `([a-z ]+)` +\| (?!`)/gm)].map(
    ([, type]) => type,
  );
  expect(documented).toEqual(types);
});

test("docs/formats.md names schemas that `remit schema` prints", () => {
  const named = [...read("docs/formats.md").matchAll(/ \| `([a-z]+)` +\|$/gm)].map(([, name]) => name ?? "");
  expect(named).toHaveLength(9);
  expect(named.filter((name) => !SCHEMAS.has(name))).toEqual([]);
});

test("every variable with remit's prefix that the source names is in the list of variables", () => {
  // The pipelines and the manifests of Kubernetes that it writes have variables of their own.
  const sources = filesIn("src").filter((file) => /(?<!\/pipelines|\/contexts\/contexts)\.ts$/.test(file));
  const named = new Set(sources.flatMap((file) => read(file).match(/\bREMIT_[A-Z_]+/g) ?? []));
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((name) => !Object.hasOwn(VARIABLES, name))).toEqual([]);
});

test("docs/variables.md is what the list of variables says; `npm run docs` makes it so", () => {
  const script = join(ROOT, "scripts", "variables.mjs");
  expect(() => execFileSync(process.execPath, [script, "--check"], { stdio: "pipe" })).not.toThrow();
});

test("only the list of variables reads the environment", () => {
  const sources = filesIn("src").filter((file) => file.endsWith(".ts") && !file.startsWith("src/sandbox/"));
  expect(sources.length).toBeGreaterThan(100);
  const direct = sources.filter((file) => /\benv(\.[A-Z]|\[)/.test(read(file)));
  expect(direct).toEqual(["src/model/variables.ts"]);
});

test("every link and every path of a document leads somewhere", () => {
  const folders = [...filesIn("docs"), ...filesIn("examples")];
  const documents = ["README.md", "CONTRIBUTING.md", ...folders.filter((file) => file.endsWith(".md"))];
  const astray = documents.flatMap((file) => {
    const text = read(file);
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = ""]) =>
      join(dirname(file), link),
    );
    const paths = [
      ...text.replaceAll(/\S*NAME\S*/g, "").matchAll(/`((?:src|test|examples|schemas|docs)\/[\w./-]+)`/g),
    ].map(([, path = ""]) => path);
    return [...links, ...paths]
      .filter((path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, `${path}.ts`)))
      .map((path) => `${file}: ${path}`);
  });
  expect(astray).toEqual([]);
});

test("every link of a document that is released leads to a file that is released with it", () => {
  // The archive of the executable has the documents that the npm package lists, and not its code.
  const released = [
    ...packageFile.files.filter((name) => !/[!*]|^(dist|sbom)/.test(name)),
    "README.md",
    "LICENSE",
  ];
  const isReleased = (file: string) => released.some((one) => file === one || file.startsWith(`${one}/`));
  const documents = [
    "README.md",
    "AGENTS.md",
    "CHANGELOG.md",
    ...filesIn("docs"),
    ...filesIn("examples"),
  ].filter((file) => file.endsWith(".md"));
  expect(documents.filter((file) => !isReleased(file))).toEqual([]);
  const astray = documents.flatMap((file) =>
    [...read(file).matchAll(/(?:\]\(|(?:src|href)=")(?!https?:|#|mailto:)([^)#"]+)/g)]
      .map(([, link = ""]) => join(dirname(file), link))
      .filter((path) => !isReleased(path) || !existsSync(join(ROOT, path)))
      .map((path) => `${file}: ${path}`),
  );
  expect(astray).toEqual([]);
});

function filesIn(folder: string): readonly string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return files.map((file) => join(folder, file));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}
