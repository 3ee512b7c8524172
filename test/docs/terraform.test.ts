import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kinds } from "../../src/kinds/index.js";
import provider from "./terraform.json" with { type: "json" };

/** The table of docs/terraform.md beside the arguments that the vendor's provider documents; test/docs/terraform.json has them. */

const page = readFileSync(join(import.meta.dirname, "../../docs/terraform.md"), "utf8");
const [byHand = "", table = ""] = page.split("<!-- arguments -->");
const resources: Readonly<Record<string, { arguments: string[]; readOnly: string[] }>> = provider.resources;

const snake = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

const managed = kinds.flatMap(({ name, shape, terraform }) =>
  terraform === undefined
    ? []
    : [terraform.type, ...(terraform.or ?? [])].map((type) => ({
        ...{ type, name, key: terraform.key },
        fields: [...shape.fields.keys()],
      })),
);

it("has a row for each resource of the provider that remit manages", () => {
  const rows = table.split("\n").flatMap((line) => line.match(/^\| `(conductorone_\w+)` /)?.[1] ?? []);
  expect(rows.toSorted()).toEqual(managed.map(({ type }) => type).toSorted());
  expect(Object.keys(resources).toSorted()).toEqual(rows.toSorted());
});

describe.each(managed)("$type", ({ type, name, key, fields }) => {
  const { arguments: written = [], readOnly = [] } = resources[type] ?? {};
  const cells = (table.split("\n").find((line) => line.startsWith(`| \`${type}\` `)) ?? "").split(" | ");
  const [, , keys = [], shared = [], left = [], unseen = []] = cells.map(codes);

  it("is named with arguments that it has", () => {
    expect([...written, ...readOnly]).toEqual(
      expect.arrayContaining([...keys, ...shared, ...left, ...unseen.map(snake)]),
    );
    expect(keys).toEqual(key);
  });

  it("has no argument that the table leaves out", () => {
    expect([...keys, ...shared, ...left]).toEqual(expect.arrayContaining(written));
    expect(left.filter((one) => fields.map(snake).includes(one))).toEqual([]);
  });

  it("says where each field is that the resource does not have", () => {
    const rows = byHand.split("\n").filter((line) => line.includes(`of \`${name}\``));
    const elsewhere = rows.flatMap((line) => codes(line.split(" | ")[0] ?? ""));
    const missing = fields.filter((field) => ![...written, ...readOnly].includes(snake(field)));
    expect(elsewhere).toEqual(expect.arrayContaining(missing));
  });
});
