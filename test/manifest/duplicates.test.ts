import fc from "fast-check";
import { expect, it } from "vitest";
import { customEntitlement } from "../../src/kinds/customEntitlement.js";
import { duplicates } from "../../src/manifest/duplicates.js";
import type { JsonObject } from "../../src/model/json.js";
import { cases } from "../fakes/cases.js";
import { resource } from "../plan/worlds.js";

const membersOf = (specs: readonly JsonObject[], kind = customEntitlement) =>
  specs.map((spec, at) => ({ kind, resource: resource({ kind: kind.name, name: `m${at}` }, spec) }));
const optional = <T>(name: string, value: fc.Arbitrary<T>) =>
  fc.option(value).map((one) => (one === null ? {} : { [name]: one }));
const spec = fc
  .tuple(
    fc.record({ appId: fc.constantFrom("A", "B"), appResourceId: fc.constantFrom("R", "S") }),
    optional("displayName", fc.constantFrom("one", "two")),
    optional("alias", fc.constantFrom("one", "x")),
    optional("id", fc.uuid()),
  )
  .map((parts): JsonObject => Object.assign({}, ...parts));

it("two manifests of one description are found wherever they stand", () => {
  fc.assert(
    fc.property(fc.array(spec, { maxLength: 8 }), (specs) => {
      const { matches = () => false } = customEntitlement;
      const expected = specs.flatMap((one, at) => {
        const isLike = (other: JsonObject) =>
          other.appId === one.appId &&
          !("id" in one && "id" in other) &&
          matches(one, { key: [], fields: other });
        return specs.slice(0, at).some(isLike) ? [`Entitlement/m${at}`] : [];
      });
      const found = duplicates(membersOf(specs), {}).map(({ resources: [, later] }) => later?.address);
      expect(found.map((address) => `${address?.kind}/${address?.name}`)).toEqual(expected);
    }),
    { numRuns: cases(60) },
  );
});

it("a manifest is compared with those of its own name alone", () => {
  let compared = 0;
  const matches = () => {
    compared += 1;
    return false;
  };
  const specs = Array.from({ length: 50 }, (_, at) => ({ appId: "A", displayName: `${at}` }));
  expect(duplicates(membersOf(specs, { ...customEntitlement, matches }), {})).toEqual([]);
  expect(compared).toBe(0);
});
