import { expect, it } from "vitest";
import { kindNamed } from "../../src/kinds/index.js";
import { ownersOf } from "../../src/kinds/owners.js";

const people = Array.from({ length: 33 }, (_, at) => ({
  user: { email: `p${at}@larkspur.example` },
  role: "owner",
}));
const teams = Array.from({ length: 32 }, (_, at) => ({ entitlement: { name: `team-${at}` }, role: "owner" }));

it.each(["App", "Entitlement", "Resource"])("%s has at most 32 owners of each sort", (name) => {
  const mistakes = (owners: (typeof people | typeof teams)[number][]) =>
    kindNamed(name)?.mistakes?.({ owners }) ?? [];
  expect(mistakes([...people.slice(1), ...teams])).toEqual([]);
  expect(mistakes([...teams, ...people])).toMatchObject([
    {
      code: "rule/too-many-owners",
      message: "the service takes at most 32 people as owners of an object",
      path: ["spec", "owners", 64],
    },
  ]);
});

it.each([
  [32, 32],
  [32, 3],
  [31, 3],
  [2, 2],
])(
  "of %i people, %i replaced: never more than 32 at once, and never fewer than before and after",
  (many, replaced) => {
    const user = (at: number) => ({ user: `u${at}`, role: "owner" });
    const [was, is] = [0, replaced].map((from) => Array.from({ length: many }, (_, at) => user(from + at)));
    const calls = ownersOf("App", "apps").change(["a"], { owners: was ?? [] }, { owners: is ?? [] });
    let owners = new Set((was ?? []).map((one) => one.user));
    for (const { method, person } of calls) {
      owners = new Set(
        method === "POST" ? [...owners, person ?? ""] : [...owners].filter((one) => one !== person),
      );
      expect(owners.size).toBeLessThanOrEqual(32);
      expect(owners.size).toBeGreaterThanOrEqual(Math.min(many, 31));
    }
    expect([...owners].sort()).toEqual((is ?? []).map((one) => one.user).sort());
  },
);
