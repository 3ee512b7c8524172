import { describe, expect, it } from "vitest";
import guard from "../../schemas/guard.json" with { type: "json" };
import test from "../../schemas/test.json" with { type: "json" };
import { kinds } from "../../src/kinds/index.js";
import { GUARD_ACTIONS } from "../../src/plan/guards/own/ownGuard.js";

/** Every list of a member with that name, wherever it stands in a schema. */
function listsOf(name: string, value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const [one] = key === name ? [inner as { enum?: unknown; items?: { enum?: unknown } }] : [];
    const list = one?.enum ?? one?.items?.enum;
    return [...(list === undefined ? [] : [list]), ...listsOf(name, inner)];
  });
}

describe("what two schemas say of the same thing", () => {
  it("is one person in the tests of rules and in those of guards", () => {
    expect(guard.$defs.person).toEqual(test.$defs.person);
  });

  it("is the list of the kinds, and that of what is done by a step", () => {
    const names = kinds.map(({ name }) => name).sort();
    const found = [...listsOf("kind", guard), ...listsOf("kinds", guard)];
    expect(found).toEqual([names, names, names]);
    const actions = [...listsOf("action", guard), ...listsOf("actions", guard)];
    expect(actions).toEqual(actions.map(() => GUARD_ACTIONS));
    expect(actions).toHaveLength(3);
  });
});
