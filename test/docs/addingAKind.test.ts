import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/index.js";

const text = readFileSync("docs/adding-a-kind.md", "utf8");

test("the page about adding a kind explains every hint that a schema of a kind has", () => {
  const used = new Set(
    kinds
      .flatMap(({ schema }) => [...JSON.stringify(schema).matchAll(/"(x-[a-z-]+)":/g)])
      .map(([, hint = ""]) => hint),
  );
  const told = new Set(
    [...text.matchAll(/^\| (`x-.+?) \| /gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(x-[a-z-]+)`/g)].map(([, hint = ""]) => hint),
    ),
  );
  expect([...used].filter((hint) => !told.has(hint))).toEqual([]);
});
