import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/sandbox/faults/plan.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { parts } from "../../src/sandbox/wire/member.js";
import { cases } from "../fakes/cases.js";
import { resource } from "../plan/worlds.js";
import { actions, setScene } from "./scene.js";

/** What an unfinished write put into a group of a conflict is remit's to remove: no list would show it. */

const ID = "2fsgTvxP0DVTsNXEUBI7hOe0l5C";
const [ONE, TWO, THREE] = ["A", "B", "D"].map((end) => ({
  appId: C1_APP_ID,
  id: `2fsgTvxP0DVTsNXEUBI7hOe0l5${end}`,
}));

const FIRSTS = ["in the state", "not in the state", "not made yet"] as const;
type First = (typeof FIRSTS)[number];

const BINDING = "/api/v1/appentitlementmonitorbinding";
const UNREAD: readonly Rule[] = [
  { fault: "error", status: 500, method: "GET" },
  { fault: "error", status: 500, path: `${BINDING}/get` },
];
const UNANSWERED: Rule = { fault: "error", status: 503, written: true, path: BINDING };
const REFUSED: Rule = { fault: "error", status: 403, path: BINDING };

/** A run of tests stops at some events and calls, others for each conflict, and the soak at each. */
const [EVENTS, CALLS] = cases(1) > 1 ? [1, 1] : [9, 5];
const OFFSET = { "in the state": 0, "not in the state": 1, "not made yet": 3 };

async function sceneOf(first: First) {
  const scene = await setScene({ on: "full", width: 2 });
  const id = first === "not made yet" ? {} : { id: ID };
  const planOf = (displayName: string, ...groupA: readonly unknown[]) =>
    scene.plan([resource({ kind: "AccessConflict", name: "pay" }, { ...id, displayName, groupA } as never)]);
  if (first !== "not made yet") scene.sandbox.store.conflicts.put(ROOT, ID, { id: ID, displayName: "Pay" });
  if (first === "in the state") await scene.apply(await planOf("Pay", ONE));
  return {
    scene,
    planOf,
    strike: (...rules: readonly Rule[]) => scene.sandbox.faults.set({ seed: 1, rules }),
  };
}
type Set = Awaited<ReturnType<typeof sceneOf>>;

/** With another manifest than that of the write, which alone would have named what it added. */
async function expectNothingLeft({ scene, planOf }: Set, when: string) {
  const { conflicts } = scene.sandbox.store;
  await scene.apply(await planOf("Pays", THREE));
  expect(actions(await planOf("Pays", THREE)), when).toEqual([]);
  const bound = conflicts.all().map((row) => parts(row, "bindings").map((one) => one.appEntitlementId));
  expect(bound, when).toEqual([[THREE?.id]]);
}

describe.each(FIRSTS)("a conflict that is %s keeps nothing in its groups that no manifest wants", (first) => {
  it.each([
    ["and read back", []],
    ["and could not be read back", UNREAD],
  ])("after an apply that was killed at any event %s", async (_, rules) => {
    let isCut = true;
    for (let place = OFFSET[first]; isCut; place += EVENTS) {
      const set = await sceneOf(first);
      isCut = await set.scene.wreck(await set.planOf("Pay", TWO, THREE), place, "after");
      set.strike(...rules);
      await set.scene.recover();
      set.strike();
      await expectNothingLeft(set, `cut after event ${place}`);
    }
  });

  it.each([
    ["was not answered", [UNANSWERED]],
    ["was not answered, and the conflict could not be read", [UNANSWERED, ...UNREAD]],
    ["was refused, and the conflict could not be read", [REFUSED, ...UNREAD]],
  ])("after a call that %s", async (_, rules) => {
    let isMet = true;
    for (let place = OFFSET[first] % CALLS; isMet; place += CALLS) {
      const set = await sceneOf(first);
      isMet = false;
      await set.scene.apply(await set.planOf("Paid", TWO, THREE), {
        recorder: async (event) => {
          if (event.type !== "intended" || event.call !== place) return;
          isMet = true;
          set.strike(...rules);
        },
      });
      set.strike();
      await expectNothingLeft(set, `failed at call ${place}`);
    }
  });
});

it("a conflict whose create was cut off is made once at most, and its create is not forgotten", async () => {
  for (let place = 0; place < OFFSET["not made yet"] + 1; place += 1) {
    const { scene, planOf } = await sceneOf("not made yet");
    await scene.wreck(await planOf("Pay", TWO), place, "after");
    await scene.recover();
    await scene.apply(await planOf("Pay", TWO));
    const left = actions(await planOf("Pay", TWO));
    const made = scene.sandbox.store.conflicts.all().length;
    expect([left, made], `cut after event ${place}`).toBeOneOf([
      [[], 1],
      [["blocked AccessConflict/pay"], 1],
      [["blocked AccessConflict/pay"], 0],
    ]);
  }
});
