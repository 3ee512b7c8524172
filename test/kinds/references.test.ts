import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inOrder, kinds } from "../../src/kinds/index.js";
import type { Kind } from "../../src/kinds/kind.js";
import type { Shape, SpecShape } from "../../src/schema/shape.js";

/** The kinds whose manifests may stand somewhere in a value. */
function namedIn(shape: Shape | SpecShape): readonly string[] {
  switch (shape.type) {
    case "string":
      return shape.form.is === "id" && shape.form.manifest !== undefined ? [shape.form.manifest] : [];
    case "list":
      return namedIn(shape.item);
    case "map":
      return namedIn(shape.value);
    case "object":
      return [...shape.fields.values()].flatMap(namedIn);
    default:
      return [];
  }
}

const namesOf = (some: readonly Kind[]) => some.map(({ name }) => name);

/** Apps and entitlements have policies, an app offers its entitlements in profiles, and a policy belongs to an app or asks who holds an entitlement. */
const RING = ["Policy", "App", "ResourceType", "Resource", "Entitlement", "AccessProfile"];
const isRing = (one: string, other: string) => RING.includes(one) && RING.includes(other);

describe("the order of kinds", () => {
  it("has each kind behind those that its manifests name, in whatever order they are listed", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...kinds], { minLength: kinds.length }), (listed) => {
        const ordered = inOrder(listed);
        expect(namesOf(ordered).toSorted()).toEqual(namesOf(kinds).toSorted());
        for (const [place, { name, shape }] of ordered.entries()) {
          const first = [...namedIn(shape)].filter((other) => !isRing(name, other));
          expect(namesOf(ordered.slice(0, place)), name).toEqual(expect.arrayContaining(first));
        }
      }),
    );
  });
  it("is as they are listed where no reference says anything else", () => {
    expect(namesOf(inOrder(kinds))).toEqual(namesOf(kinds));
  });
  it("lets kinds that refer to each other stand as they are listed, before what refers to them", () => {
    const ring = namesOf(kinds).filter((name) => RING.includes(name));
    const turned = namesOf(inOrder(kinds.toReversed())).filter((name) => RING.includes(name));
    expect([ring, turned]).toEqual([
      RING,
      ["AccessProfile", "Entitlement", "ResourceType", "App", "Resource", "Policy"],
    ]);
  });
});
