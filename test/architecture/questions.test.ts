import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exportsOf, foldersIn, foldersOf, questionsIn } from "./map.js";
import { FLOORS } from "./rules.js";

const page = readFileSync("CONTRIBUTING.md", "utf8");
const questions = questionsIn(page);
const folders = foldersIn(page);

describe("the map of CONTRIBUTING.md", () => {
  it("names every folder of src, and the rooms of each", () => {
    expect([...folders].sort()).toEqual([...foldersOf("src/")].sort());
  });

  it("lists the folders in the order in which they may import", () => {
    const named = folders.filter((path) => path.split("/").length === 3);
    const floors = FLOORS.filter((floor) => !/[./]/.test(floor));
    expect(named).toEqual(floors.map((floor) => `src/${floor}/`));
  });

  it("has twenty questions, each with a file of its own", () => {
    expect(questions).toHaveLength(20);
    expect(new Set(questions.map(({ question }) => question)).size).toBe(20);
    expect(new Set(questions.map(({ file }) => file)).size).toBe(20);
  });

  it.each(questions)("$question $file exports $read", ({ file, read }) => {
    expect(existsSync(file), `${file} exists`).toBe(true);
    expect(exportsOf(file, readFileSync(file, "utf8"))).toContain(read);
  });
});

describe("the paths of a document", () => {
  it.each(["README.md", "CONTRIBUTING.md", "docs/adding-a-kind.md", "docs/questions.md"])(
    "all exist: %s",
    (document) => {
      const named = readFileSync(document, "utf8").matchAll(/`((?:src|test|scripts|bench)\/[\w./-]+)`/g);
      const paths = [...named].map(([, path = ""]) => path);
      expect(paths.filter((path) => !existsSync(path) && !/[A-Z]{3}/.test(path))).toEqual([]);
    },
  );
});
