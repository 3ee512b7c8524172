import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kinds } from "../../../src/kinds/index.js";
import { cases } from "../../fakes/cases.js";
import { anyDrift, judge } from "./acceptLaw.js";

const RUNS = Number(process.env.ACCEPT_RUNS ?? cases(6, 15));

// Nearly every made-up policy is one that the service would refuse.
const free = kinds.filter(({ mistakes }) => mistakes === undefined);

describe("accepting one drifted field", () => {
  it.each(free.map((kind) => [kind.name, kind] as const))(
    "of a %s changes no byte outside the value, and leaves nothing to plan",
    (_name, kind) => {
      const seen = new Map<string, number>();
      fc.assert(
        fc.property(anyDrift(kind), (drifted) => {
          const { is, faults, why, after } = judge(drifted, kind);
          seen.set(is, (seen.get(is) ?? 0) + 1);
          if (is === "refused") seen.set(why, (seen.get(why) ?? 0) + 1);
          if (faults.length > 0)
            throw new Error(
              `${faults.join(", ")}\n${drifted.text}\n──── ${JSON.stringify(drifted.other)}\n${after}`,
            );
        }),
        { numRuns: RUNS },
      );
      expect(seen.get("written") ?? 0).toBeGreaterThan(RUNS / 10);
    },
  );
});
