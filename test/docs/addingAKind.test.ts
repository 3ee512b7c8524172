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

test("it explains every column of a row", () => {
  const source = readFileSync("src/kinds/row.ts", "utf8");
  const [, row = ""] = /export interface KindRow\n([\s\S]+?)\n\}/.exec(source) ?? [];
  const [, taken = ""] = /Pick<\s*Kind,([\s\S]+?)>/.exec(row) ?? [];
  const columns = [
    ...[...row.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = ""]) => name),
    ...[...taken.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name),
  ];
  const told = [...text.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| /gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
  );
  expect(columns).toContain("at");
  expect(columns.filter((name) => !told.includes(name))).toEqual([]);
  expect(told.filter((name) => !columns.includes(name))).toEqual([]);
});

test("its example is the row of Webhook", () => {
  const [, example = "none"] = /```ts\n([\s\S]+?)\n```/.exec(text) ?? [];
  expect(readFileSync("src/kinds/webhook.ts", "utf8")).toContain(example);
});
