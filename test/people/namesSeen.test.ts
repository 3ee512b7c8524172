import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plan as makePlan } from "../../src/apply/preview.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { peopleOf } from "../../src/impact/person.js";
import { NamesSeen } from "../../src/people/valuesSeen.js";
import { COUNTING, groupRule, taxSeed, user } from "../apply/people.js";
import { sessionScene } from "../apply/sessionScene.js";
import { cases } from "../fakes/cases.js";

const FIRST = ["Ana", "Bo", "Jos\u00e9", "Mark", "Grace", "\u738b"] as const;
const LAST = ["Silva", "Law", "M\u00fcller", "O'Neil", "\u4f1f"] as const;

/** How a value may contain the name of a person. */
const SPELLINGS: readonly ((first: string, last: string) => string)[] = [
  (first, last) => `Office of ${first} ${last}`,
  (first, last) => `${last}, ${first}: team`,
  (first, last) => `${first} M. ${last}`,
  (first, last) => `${first.charAt(0)}. ${last}`,
  (first, last) => `TEAM ${first.toUpperCase()}-${last.toUpperCase()}`,
  (first, last) => `${first}_${last}`.normalize("NFD"),
];

const named = fc.record({
  first: fc.constantFrom(...FIRST),
  last: fc.constantFrom(...LAST),
  spelling: fc.constantFrom(...SPELLINGS),
  where: fc.constantFrom("displayName", "username", "manager"),
});

function personOf(where: string, first: string, last: string) {
  const name = where === "username" ? `${first}.${last}` : `${first} ${last}`;
  const profile = where === "manager" ? { managerName: name } : {};
  return { id: "u1", displayName: "", email: "", username: "", profile, [where]: name };
}

describe("the names of people", () => {
  it("are found in a value however they are written, and a value without one is kept", () => {
    fc.assert(
      fc.property(named, ({ first, last, spelling, where }) => {
        const seen = new NamesSeen();
        seen.add(peopleOf([personOf(where, first, last)]));
        const value = spelling(first, last);
        expect([...seen.personalIn([value, "Marketing", "Sales EMEA"])]).toEqual([value]);
      }),
      { numRuns: cases(100) },
    );
  });

  it("are in no bar of a plan whose rules compare no attribute", async () => {
    const people = FIRST.slice(0, 5).map((first, at) => `${first} ${LAST[at]}`);
    const users = people.flatMap((name, at) => {
      const [first = "", last = ""] = name.split(" ");
      const department = SPELLINGS[at]?.(first, last) ?? "";
      return [0, 1, 2, 3, 4, 5].map((of) => user(of === 0 ? name : `u${at}${of}`, department, "Analyst"));
    });
    const more = [0, 1, 2, 3, 4].map((at) => user(`s${at}`, "Sales", "Analyst"));
    const seed = { ...taxSeed([...users, ...more]), automations: [], members: [] };
    const { request, session } = await sessionScene("full", {
      sandbox: { tenant: readSeed(JSON.stringify(seed), "seed.yaml").tenant },
    });
    const { value } = await makePlan(request(groupRule("true"), { counting: COUNTING }), session);
    const values = value?.impact?.spread.flatMap((one) => one.values.map((bar) => bar.value));
    expect(values).toEqual(["Sales", null]);
  });
});
