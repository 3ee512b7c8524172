import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apply } from "../../src/apply/run.js";
import type { JsonObject } from "../../src/model/json.js";
import { guardNames } from "../../src/plan/guards/guards.js";
import { typeIdOf } from "../../src/sandbox/tenant/builtin.js";
import { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import { cases } from "../fakes/cases.js";
import { fakeClock } from "../fakes/clock.js";
import { directClient } from "../fakes/directClient.js";
import { orderFor } from "./order.js";
import { requestFor } from "./request.js";

/** A first run over owners: what was written before it may not be shown yet, so a difference is read once more before a write. */

const LAG = 600_000;
const GROUP = { appId: C1_APP_ID, appResourceTypeId: typeIdOf("GROUP") };
const ENGINEERS = { ...GROUP, id: "engineers".padEnd(27, "0"), displayName: "Engineers" };
const PEOPLE = [0, 1, 2, 3].map((at) => `user${at}`.padEnd(27, "0"));
const users = PEOPLE.map((id) => ({ id, displayName: id, email: `${id}@example.test`, status: "ENABLED" }));
const acknowledgements = guardNames.map((guard) => ({ by: "flag", guard, address: null }) as const);

/** A tenant with a group, where the owners that each run writes are shown `lag` later. */
function openScene(lag: number) {
  const clock = fakeClock();
  const tenant = {
    ...EMPTY_TENANT,
    open: false,
    apps: [{ id: C1_APP_ID, displayName: "C1" }],
    users,
    resources: [ENGINEERS],
  };
  const direct = directClient({ tenant, quirks: { ownersLag: lag } }, clock);
  let contents = memoryContents();
  let heard = 0;
  return {
    clock,
    forget: () => {
      contents = memoryContents();
    },
    async applied(owners: readonly string[], interrupt = new AbortController().signal) {
      const items = owners.map((user) => ({ user, role: "keeper" }));
      const spec: JsonObject = { ...ENGINEERS, owners: items };
      const text = JSON.stringify({
        apiVersion: "remit/v1",
        kind: "Resource",
        metadata: { name: "one" },
        spec,
      });
      const request = requestFor(text, {
        interface: "full",
        acknowledgements,
        ownersLag: LAG,
        lateSince: new Date(clock.now() - LAG).toISOString(),
      });
      const waiting = { requestTimeout: 0, createLag: 0 };
      const session = { store: memoryStore(contents, clock), client: direct.client, clock, ...waiting };
      return apply(orderFor(request, { interrupt }), session);
    },
    /** The people who were added and removed since this was asked last. */
    written() {
      const calls = direct.writes
        .slice(heard)
        .flatMap(({ method, person }) => (person ? [{ method, person }] : []));
      heard = direct.writes.length;
      return calls;
    },
  };
}

const people = fc.uniqueArray(fc.constantFrom(...PEOPLE), { minLength: 1 }).map((some) => some.toSorted());
const worlds = fc.record({
  before: people,
  last: people,
  wanted: people,
  lag: fc.constantFrom(0, 120_000, LAG),
  since: fc.integer({ min: 0, max: 900_000 }),
});

describe("a first run over owners", () => {
  it("writes what differs once all is shown that was written before, and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ before, last, wanted, lag, since }) => {
        const scene = openScene(lag);
        await scene.applied(before);
        scene.clock.advance(LAG + 1);
        await scene.applied(last);
        scene.written();
        scene.clock.advance(since);
        scene.forget();
        await scene.applied(wanted);
        // What seemed to be as wanted is seen to differ once all is shown.
        scene.clock.advance(LAG + 1);
        await scene.applied(wanted);
        const [added, removed] = [
          wanted.filter((one) => !last.includes(one)),
          last.filter((one) => !wanted.includes(one)),
        ];
        expect(scene.written()).toEqual([
          ...added.map((person) => ({ method: "POST", person })),
          ...removed.map((person) => ({ method: "DELETE", person })),
        ]);
      }),
      { seed: 49, numRuns: cases(12) },
    );
  });

  it("says that it waits, and ends at once when it is interrupted", async () => {
    const scene = openScene(0);
    await scene.applied(PEOPLE.slice(0, 1));
    scene.forget();
    scene.written();
    const stop = new AbortController();
    const began = scene.clock.elapsed();
    const { sleep } = scene.clock;
    Object.assign(scene.clock, {
      async sleep(milliseconds: number) {
        stop.abort("SIGINT");
        return sleep(milliseconds);
      },
    });
    const ended = await scene.applied(PEOPLE.slice(0, 2), stop.signal);
    expect(ended).toMatchObject({ as: "applied", summary: { outcomes: { left: 1 } } });
    expect(scene.written()).toEqual([]);
    expect(scene.clock.elapsed() - began).toBeLessThan(LAG);
  });
});
