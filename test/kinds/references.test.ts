import { describe, expect, it } from "vitest";
import { kinds } from "../../src/kinds/index.js";
import type { Kind } from "../../src/kinds/kind.js";
import type { Shape, SpecShape, TextForm } from "../../src/schema/shape.js";

/** The forms of all ids that may stand somewhere in a value. */
function idsIn(shape: Shape | SpecShape): readonly Extract<TextForm, { is: "id" }>[] {
  switch (shape.type) {
    case "string":
      return shape.form.is === "id" ? [shape.form] : [];
    case "list":
      return idsIn(shape.item);
    case "map":
      return idsIn(shape.value);
    case "object":
      return [...shape.fields.values()].flatMap(idsIn);
    default:
      return [];
  }
}

/** What ids of a kind's objects point at; undefined where nothing points at them. */
function targetOf({ shape, isPointedAt }: Kind) {
  const own = shape.fields.get(shape.identity.at(-1) ?? "");
  return isPointedAt && own?.type === "string" && own.form.is === "id" ? own.form.of : undefined;
}

/** The kinds whose manifests or ids a manifest of a kind may name. */
function namedBy({ shape }: Kind): readonly Kind[] {
  const ids = idsIn(shape);
  return kinds.filter((other) => {
    const target = targetOf(other);
    return ids.some(({ manifest, of }) => manifest === other.name || (of !== "other" && of === target));
  });
}

/** All kinds that a kind leads to, by one reference after another. */
function behind(kind: Kind): ReadonlySet<Kind> {
  const found = new Set(namedBy(kind));
  for (const one of found) for (const other of namedBy(one)) found.add(other);
  return found;
}

const namesOf = (some: readonly Kind[]) => some.map(({ name }) => name);

/** Apps and entitlements have policies, an app offers its entitlements in profiles, and a policy belongs to an app or asks who holds an entitlement. */
const RING = ["Policy", "App", "ResourceType", "Resource", "Entitlement", "AccessProfile"];

describe("the order of kinds", () => {
  it("has each kind behind those that its manifests refer to, but for those that lead back to it", () => {
    for (const [place, kind] of kinds.entries()) {
      const first = namedBy(kind).filter((other) => other !== kind && !behind(other).has(kind));
      expect(namesOf(kinds.slice(0, place)), kind.name).toEqual(expect.arrayContaining(namesOf(first)));
    }
  });
  it("has one ring of kinds that lead to each other", () => {
    const inRings = kinds.filter((kind) =>
      [...behind(kind)].some((one) => one !== kind && behind(one).has(kind)),
    );
    expect(namesOf(inRings)).toEqual(RING);
  });
});
