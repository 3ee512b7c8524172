import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finder, Named } from "../../../src/kinds/named.js";
import { alike, byName, type Candidates, makeCandidates } from "../../../src/tenant/names/candidates.js";
import { makeRoster } from "../../../src/tenant/names/nameList.js";

const TEXTS = ["", "one", "One", "two\n", "Übung 😀", "x".repeat(300)];

const named: fc.Arbitrary<Named> = fc.record(
  {
    id: fc.constantFrom("", "a", "b", "c", "d", "e", "a/b", ".."),
    name: fc.constantFrom(...TEXTS),
    alias: fc.constantFrom(...TEXTS),
    slug: fc.string(),
    email: fc.constantFrom("a@x.test", "b@x.test"),
    emails: fc.array(fc.constantFrom("a@x.test", "b@x.test", "c@x.test")),
    automated: fc.boolean(),
  },
  { requiredKeys: ["id", "name"] },
);

function collected(rows: readonly Named[], most: number): Candidates {
  const roster = makeRoster(most);
  for (const row of rows) roster.add(row);
  return roster.candidates();
}

const FINDERS: readonly Finder[] = ["name", "alias", "slug", "email"];

describe("a roster", () => {
  it("says the same as candidates, whether its rows are objects or bytes", () => {
    const law = fc.property(fc.array(named, { maxLength: 20 }), fc.nat(8), (rows, most) => {
      const [bytes, objects] = [collected(rows, most), makeCandidates(rows)];
      expect(bytes.size).toBe(objects.size);
      expect([...bytes.every()].sort(byName)).toEqual([...objects.every()]);
      for (const id of ["", "a", "b", "c", "d", "e", "f", "a/b", ".."])
        expect(bytes.withId(id)).toEqual(objects.withId(id));
      const texts = ["none", ...TEXTS.slice(1), "c@x.test", ...rows.flatMap(({ slug = "" }) => slug || [])];
      for (const by of FINDERS)
        for (const text of texts) expect(bytes.called(by, text)).toEqual(objects.called(by, text));
      expect(alike(bytes, "name", "twu")).toBe(alike(objects, "name", "twu"));
    });
    fc.assert(law, { numRuns: 200 });
  });

  it("finds each of many rows, of which some share a name", () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => ({
      id: `id-${at}`,
      name: `Group ${at % 20_000}`,
    }));
    const found = collected(rows, 10);
    expect(found.size).toBe(30_000);
    for (const at of [0, 9_999, 12_345, 29_999]) {
      expect(found.withId(`id-${at}`)).toEqual(rows[at]);
      expect(found.called("name", `Group ${at % 20_000}`).map(({ id }) => id)).toContain(`id-${at}`);
    }
    expect(found.called("name", "Group 5").map(({ id }) => id)).toEqual(["id-20005", "id-5"]);
    expect(found.called("name", "Group 15000").map(({ id }) => id)).toEqual(["id-15000"]);
  });
});
