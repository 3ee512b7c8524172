import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "../../src/model/json.js";
import { sharing } from "../../src/plan/record/record.js";

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

it("changes no value, whatever is shared", () => {
  fc.assert(
    fc.property(json, json, (value, other) => {
      const before = structuredClone(value);
      expect(sharing(value, other)).toEqual(before);
      expect(sharing<Json>({ value, other }, { value: other, other })).toEqual({ value: before, other });
    }),
    { numRuns: 200 },
  );
});

it("keeps what is equal once, and the rest as it was", () => {
  const sent = { scope: { users: ["a"] }, entitlements: [{ id: "1" }] };
  const shown = { scope: { users: ["a"] }, entitlements: [{ id: "2" }], more: { x: 1 } };
  const shared = sharing(shown, sent);
  expect(shared).toEqual(shown);
  expect(shared.scope).toBe(sent.scope);
  expect(shared.entitlements).toBe(shown.entitlements);
});
