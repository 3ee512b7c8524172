import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { kinds } from "../../src/kinds/index.js";

const TEXT = readFileSync("docs/coverage.md", "utf8");
const ROW = /^\| `(conductorone_\w+\*?)` \| (\w+) \| (.+) \|$/gm;
const ROWS = [...TEXT.matchAll(ROW)].map(([, type = "", how = "", why = ""]) => ({ type, how, why }));
const managed = ROWS.filter(({ how }) => how === "managed" || how === "partly");

/** Whether a resource of the provider is a field of a kind. */
const isPart = (why: string) => / of `\w+`/.test(why);

describe("the page about what remit manages", () => {
  it("has every kind of remit as managed, and nothing else", () => {
    const ofKinds = kinds.flatMap(({ name, terraform }) =>
      terraform === undefined
        ? []
        : [terraform.type, ...(terraform.or ?? [])].map((type) => `${type} ${name}`),
    );
    const wholes = managed.filter(({ why }) => !isPart(why));
    const told = wholes.map(({ type, why }) => `${type} ${/^`(\w+)`/.exec(why)?.[1]}`);
    expect(told.sort()).toEqual(ofKinds.sort());
    for (const { why } of managed.filter((row) => isPart(row.why))) {
      const [, field = "", kind] = /^`(\w+)` of `(\w+)`/.exec(why) ?? [];
      expect(kinds.find(({ name }) => name === kind)?.shape.fields.has(field), why).toBe(true);
    }
  });

  it("says of each kind whether remit deletes it", () => {
    for (const { type, why } of managed.filter((row) => !isPart(row.why))) {
      const verbs: readonly string[] =
        kinds.find(({ terraform }) => [terraform?.type, ...(terraform?.or ?? [])].includes(type))?.verbs
          .full ?? [];
      const mayDelete = verbs.includes("delete") || verbs.includes("set");
      expect(why.includes("not deleted yet"), type).toBe(!mayDelete);
    }
  });

  it("has each resource once, with one of four words and a reason", () => {
    const lines = TEXT.split("\n").filter((line) => line.startsWith("| `"));
    expect(ROWS).toHaveLength(lines.length);
    expect(new Set(ROWS.map(({ type }) => type)).size).toBe(ROWS.length);
    for (const { how, why } of ROWS) {
      expect(["managed", "partly", "referenced", "not"]).toContain(how);
      expect(why.length).toBeGreaterThan(5);
    }
  });

  it("counts the resources beside the integrations", () => {
    const count = ROWS.filter(({ type }) => !type.endsWith("*")).length;
    expect(TEXT).toContain(`has ${count} resources`);
  });
});
