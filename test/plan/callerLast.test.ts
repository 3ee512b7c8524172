import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kindNamed } from "../../src/kinds/index.js";
import type { Call } from "../../src/model/call.js";
import { canonical, type JsonObject } from "../../src/model/json.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { cases } from "../fakes/cases.js";
import { current, entry, planOf, present, snapshot, wish } from "./worlds.js";

/** Who removes the own ownership does it with the last call of the step: before, the service takes the others. */

const PLACES = {
  App: { id: "app1" },
  Entitlement: { appId: "app1", id: "ent1" },
  Resource: { appId: "app1", appResourceTypeId: "type1", id: "res1" },
};
const owner = fc.record({
  sort: fc.constantFrom("user", "entitlement"),
  at: fc.nat({ max: 4 }),
  role: fc.constantFrom("keeper", "helper"),
});
const owners = fc
  .uniqueArray(owner, { selector: (one) => canonical(one), maxLength: 8 })
  .map((some) =>
    some.map(({ sort, at, role }) =>
      sort === "user"
        ? { user: `user${at}`, role }
        : { entitlement: { appId: "app1", id: `ent${at}` }, role },
    ),
  );
const worlds = fc.record({
  kind: fc.constantFrom("App", "Entitlement", "Resource" as const),
  before: owners,
  after: owners,
  caller: fc.constantFrom("user0", "user1", "user9"),
  description: fc.constantFrom("", "Ours"),
});
type World = typeof worlds extends fc.Arbitrary<infer W> ? W : never;

const planFor = ({ kind: name, before, after, description }: World, caller: string | null) => {
  const kind = kindNamed(name);
  if (kind === undefined) throw new Error(name);
  const place: JsonObject = PLACES[name as keyof typeof PLACES];
  const more = { displayName: "One", ...(description !== "" && { description }) };
  const desired = wish(kind, "one", { ...place, ...more, owners: after });
  const key = Object.values(place) as string[];
  const fields = { displayName: "One", owners: before };
  return planOf({
    desired: [desired],
    current: { ...current("full", [[kind, key, present(key, fields)]]), caller },
    snapshot: snapshot([entry(kind, "one", key, fields)]),
  });
};
const callsIn = ({ steps }: ReturnType<typeof planFor>) => steps[0]?.calls ?? [];
const isOf = (caller: string) => (call: Call) => call.method === "DELETE" && call.person === caller;

describe("the call that removes the caller", () => {
  it("is the last one, and the others are as without a caller, in their order", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const [plain, own] = [callsIn(planFor(world, null)), callsIn(planFor(world, world.caller))];
        const isOwn = isOf(world.caller);
        const others = plain.filter((call) => !isOwn(call));
        expect(own).toEqual([...others, ...plain.filter(isOwn)]);
      }),
      { seed: 49, numRuns: cases(60) },
    );
  });

  it("is the last one in a saved plan, too, whose effect does not depend on who makes it", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const [plain, plan] = [planFor(world, null), planFor(world, world.caller)];
        const written = writePlan(plan);
        expect(written.effect).toBe(writePlan(plain).effect);
        const { value } = readSavedPlan(written.text);
        expect(value?.plan.steps.map(({ calls }) => calls)).toEqual(plan.steps.map(({ calls }) => calls));
      }),
      { seed: 49, numRuns: cases(20) },
    );
  });
});
