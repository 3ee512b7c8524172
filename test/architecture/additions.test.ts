import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readSources } from "./imports.js";
import { additionsIn, filesThatKnow } from "./map.js";

const sources = readSources("src");
const additions = additionsIn(readFileSync("CONTRIBUTING.md", "utf8"));

/** A guard is smaller than the others. A store is known to the library, too, which exports each store. */
const MOST: Readonly<Record<string, number>> = { "a guard": 3, "a store": 6 };

describe("the files that an addition touches, as CONTRIBUTING lists them", () => {
  it("are listed for a kind, a guard, a format, a store and a command", () => {
    expect(additions.map(({ addition }) => addition)).toEqual([
      "a kind",
      "a guard",
      "an output format",
      "a store",
      "a command",
    ]);
  });

  it.each(additions)("$addition", ({ addition, own, word, others }) => {
    for (const path of [...own, ...others]) expect(existsSync(path), `${path} exists`).toBe(true);
    const code = sources
      .filter((source) => filesThatKnow(own, word)(source))
      .map(({ path }) => `src/${path}`);
    const data = others.filter((path) => path.endsWith(".json"));
    for (const path of data) expect(readFileSync(path, "utf8"), path).toContain(`${word}"`);
    expect([...code, ...data].sort()).toEqual([...others].sort());
    expect(own.length + others.length).toBeLessThanOrEqual(MOST[addition] ?? 5);
  });
});
