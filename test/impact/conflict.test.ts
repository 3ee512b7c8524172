import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConflictFacts, type Move, newlyInConflict, nowInConflict } from "../../src/impact/conflict.js";
import { NONE, Tally, UNCOUNTED } from "../../src/impact/count.js";
import { cases } from "../fakes/cases.js";

/** A small tenant as it is, what a plan does to it, and what of that was read. */
interface Tenant {
  readonly isNegated: boolean;
  readonly parts: readonly {
    readonly inA: boolean;
    readonly inB: boolean;
    readonly isDeleted: boolean;
    /** Who holds it before and after, by the places of people. */
    readonly before: readonly boolean[];
    readonly after: readonly boolean[];
    readonly sight: "all" | "moves" | "holders" | "nothing";
    /** Of whom the counts are not certain, and whom no list of users shows. */
    readonly unsure: readonly boolean[];
    readonly hidden: readonly boolean[];
  }[];
}

const PEOPLE = 6;
const flags = fc.array(fc.boolean(), { minLength: PEOPLE, maxLength: PEOPLE });
const rarely = fc.array(
  fc.nat(3).map((one) => one === 0),
  { minLength: PEOPLE, maxLength: PEOPLE },
);
const tenants = (sights: readonly Tenant["parts"][number]["sight"][]): fc.Arbitrary<Tenant> =>
  fc.record({
    isNegated: fc.boolean(),
    parts: fc.array(
      fc
        .record({
          group: fc.constantFrom("A", "B", "both"),
          isDeleted: fc.nat(5).map((one) => one === 0),
          ...{ before: flags, after: flags, unsure: rarely, hidden: rarely },
          sight: fc.constantFrom(...sights),
        })
        .map(({ group, ...part }) => ({ ...part, inA: group !== "B", inB: group !== "A" })),
      { minLength: 1, maxLength: 4 },
    ),
  });

const idOf = (at: number) => `p${at}`;

function factsOf({ isNegated, parts }: Tenant): ConflictFacts {
  return {
    isNegated,
    parts: parts.map(({ inA, inB, isDeleted, before, after, sight, unsure, hidden }) => {
      const isAll = sight === "all";
      const counted = (moves: (at: number) => boolean) => {
        const tally = new Tally();
        let others = 0;
        for (let at = 0; at < PEOPLE; at += 1) {
          const isUnsure = !isAll && unsure[at] === true;
          if (!moves(at) && !isUnsure) continue;
          if (!isAll && hidden[at] === true) others += 1;
          else
            tally.add([idOf(at)], {
              ...{ certain: !isUnsure, possible: true, assumed: null, assumptions: [] },
            });
        }
        return tally.count(others);
      };
      const isKnown = sight === "all" || sight === "moves";
      const move: Move = isKnown
        ? {
            gains: counted((at) => after[at] === true && before[at] !== true),
            loses: counted((at) => after[at] !== true && before[at] === true),
            given: new Map(),
          }
        : { gains: UNCOUNTED, loses: UNCOUNTED, given: new Map() };
      const isListed = sight === "all" || sight === "holders";
      const held = before.flatMap((is, at) => (is ? [[idOf(at), true] as const] : []));
      return { inA, inB, isDeleted, holders: isListed ? new Map(held) : null, moves: [move] };
    }),
  };
}

/** Who is in the conflict, by plain loops. */
function truthOf({ isNegated, parts }: Tenant) {
  const isIn = (at: number, when: "before" | "after") => {
    const holds = (group: "inA" | "inB") =>
      parts.some((part) => part[group] && part[when][at] === true && !(when === "after" && part.isDeleted));
    return holds("inA") && holds("inB") !== isNegated;
  };
  const all = Array.from({ length: PEOPLE }, (_, at) => at);
  return {
    now: all.filter((at) => isIn(at, "before")).length,
    newly: all.filter((at) => isIn(at, "after") && !isIn(at, "before")).length,
  };
}

describe("who newly holds both sides of a conflict", () => {
  it("is within the bound, beside a count of each person", () => {
    fc.assert(
      fc.property(tenants(["all", "moves", "holders", "nothing"]), (tenant) => {
        const facts = factsOf(tenant);
        const truth = truthOf(tenant);
        for (const [count, number] of [
          [newlyInConflict(facts), truth.newly],
          [nowInConflict(facts), truth.now],
        ] as const)
          expect({ count, number }).toSatisfy(
            () => count.low <= number && (count.high === null || number <= count.high),
          );
      }),
      { numRuns: cases(100) },
    );
  });

  it("is one number where everything was read", () => {
    fc.assert(
      fc.property(tenants(["all"]), (tenant) => {
        const facts = factsOf(tenant);
        const truth = truthOf(tenant);
        expect(newlyInConflict(facts)).toMatchObject({ low: truth.newly, high: truth.newly });
        expect(nowInConflict(facts)).toMatchObject({ low: truth.now, high: truth.now });
      }),
      { numRuns: cases(100) },
    );
  });

  it("counts no one where nothing moves, whatever was read of the holders", () => {
    const still = {
      holders: null,
      moves: [{ gains: NONE, loses: NONE, given: new Map() }],
      isDeleted: false,
    };
    const facts = { isNegated: true, parts: [{ inA: true, inB: false, ...still }] };
    expect(newlyInConflict(facts)).toEqual({ ...NONE });
  });
});
