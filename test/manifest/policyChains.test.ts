import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policy } from "../../src/kinds/policy.js";
import { policyChains } from "../../src/manifest/policyChains.js";
import type { JsonObject } from "../../src/model/json.js";
import { cases } from "../fakes/cases.js";
import { resource } from "../plan/worlds.js";

const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"];

function mistakesIn(specs: Readonly<Record<string, JsonObject>>): readonly string[] {
  const members = Object.entries(specs).map(([name, spec]) => ({
    resource: resource({ kind: policy.name, name }, { policyType: "POLICY_TYPE_GRANT", ...spec }),
    kind: policy,
  }));
  return policyChains(members).map(({ diagnostic: { code, message } }) => `${code}: ${message}`);
}

const leadingTo = (all: readonly string[]): JsonObject => ({
  rules: all.map((manifest) => ({ condition: "true", policyId: { manifest } })),
});

describe("policies that lead to each other", () => {
  it("are refused exactly where someone can go six policies further", () => {
    let refused = 0;
    const graph = fc.record(
      Object.fromEntries(
        NAMES.map((name) => [name, fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 })]),
      ),
    ) as fc.Arbitrary<Readonly<Record<string, readonly string[]>>>;
    fc.assert(
      fc.property(graph, (next) => {
        const canWalk = (from: string, steps: number): boolean =>
          steps === 0 || (next[from] ?? []).some((to) => canWalk(to, steps - 1));
        const isRefused = NAMES.some((name) => canWalk(name, 6));
        if (isRefused) refused++;
        const specs = Object.fromEntries(NAMES.map((name) => [name, leadingTo(next[name] ?? [])]));
        expect(mistakesIn(specs).length > 0).toBe(isRefused);
      }),
      { numRuns: cases(100) },
    );
    expect(refused).toBeGreaterThan(20);
  });

  it("are named: the ring once, the chain from its first policy, the other type", () => {
    expect(mistakesIn({ a: { baselinePolicyId: { manifest: "b" } }, b: leadingTo(["a"]) })).toEqual([
      "policy/ring: the policy leads back to itself, over Policy/b and Policy/a",
    ]);
    const chain = Object.fromEntries(
      NAMES.slice(0, 7).map((name, at) => [name, leadingTo(NAMES.slice(at + 1, at + 2))]),
    );
    expect(mistakesIn({ ...chain, g: { id: "g1" } })).toEqual([
      "policy/too-deep: Policy/b, Policy/c, Policy/d, Policy/e, Policy/f and Policy/g follow one behind the other; the service takes 5",
    ]);
    expect(
      mistakesIn({ a: { baselinePolicyId: "r1" }, b: { id: "r1", policyType: "POLICY_TYPE_REVOKE" } }),
    ).toEqual(["policy/other-type: Policy/b has POLICY_TYPE_REVOKE, and this policy has POLICY_TYPE_GRANT"]);
  });

  it("mean the policy of the same row of a shape, wherever it stands", () => {
    const row = { baselinePolicyId: { manifest: "base" } };
    const revoke = { policyType: "POLICY_TYPE_REVOKE" };
    expect(mistakesIn({ base: revoke, "base[eng]": {}, "own[eng]": row })).toEqual([]);
    expect(mistakesIn({ base: {}, "base[eng]": revoke, "own[eng]": row })).toEqual([
      "policy/other-type: Policy/base[eng] has POLICY_TYPE_REVOKE, and this policy has POLICY_TYPE_GRANT",
    ]);
  });
});
