import { expect, it } from "vitest";
import { kindNamed } from "../../src/kinds/index.js";

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
