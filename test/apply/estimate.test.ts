import { describe, expect, it } from "vitest";
import { apply } from "../../src/apply/run.js";
import type { Interface } from "../../src/kinds/interface.js";
import { measured } from "../../src/plan/estimate.js";
import { guardNames } from "../../src/plan/guards/guards.js";
import { isWriting } from "../../src/plan/saved/effect.js";
import { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import { PROMPT } from "../../src/state/store.js";
import type { Sort } from "../../src/tenant/client/replyTimes.js";
import { virtualClock } from "../fakes/clock.js";
import { directClient, type Latency } from "../fakes/directClient.js";
import { orderFor } from "./order.js";
import { requestFor } from "./request.js";

const COUNT = 60;
const idOf = (letter: string, number: number) =>
  `2fsgTvxP0DVTsNXEUBI7${letter}${String(number).padStart(6, "0")}`;

const automation = (number: number, word: string) => ({
  apiVersion: "remit/v1",
  kind: "EntitlementAutomation",
  metadata: { name: `group-${number}` },
  spec: {
    appId: C1_APP_ID,
    appEntitlementId: idOf("G", number),
    displayName: `Group ${number}`,
    description: word,
    cel: { expression: `subject.department == "Team ${number}"` },
  },
});

const newType = (number: number) => ({
  apiVersion: "remit/v1",
  kind: "ResourceType",
  metadata: { name: `type-${number}` },
  spec: {
    appId: idOf("P", number % 3),
    resourceType: "CUSTOM",
    displayName: `Team ${number}`,
    traitIds: [idOf("U", 1)],
  },
});

const many = (make: (number: number) => object) =>
  Array.from({ length: COUNT }, (_, number) => JSON.stringify(make(number))).join("\n---\n");

const TENANT = {
  ...EMPTY_TENANT,
  open: false,
  apps: [C1_APP_ID, ...[0, 1, 2].map((number) => idOf("P", number))].map((id) => ({ id, displayName: id })),
  entitlements: Array.from({ length: COUNT }, (_, number) => ({
    appId: C1_APP_ID,
    id: idOf("G", number),
    displayName: `Group ${number}`,
  })),
};

/** So many calls of an apply are answered before the service is busy. */
const BEFORE_BUSY = 40;

/**
 * Applies some manifests in turn in simulated time, and gives the seconds estimated and taken by the last one. Its plan
 * gets some replies of 503.
 */
async function seconds(
  on: Interface,
  texts: readonly string[],
  width: number,
  latency: Latency,
  busy: number,
) {
  const clock = virtualClock();
  const contents = memoryContents();
  let calls = 0;
  const isBusy = () => {
    calls += 1;
    return calls > BEFORE_BUSY && calls <= BEFORE_BUSY + busy;
  };
  const { client } = directClient({ tenant: TENANT, on, width, latency, isBusy, retries: 5 }, clock);
  let [estimated, begun] = [0, 0];
  const acknowledgements = guardNames.map((guard) => ({ by: "flag", guard, address: null }) as const);
  for (const text of texts) {
    calls = text === texts.at(-1) ? 0 : BEFORE_BUSY + busy;
    const done = await clock.run(
      apply(
        orderFor(requestFor(text, { interface: on, width, acknowledgements }), {
          async review({ plan }) {
            if (!plan.steps.some(isWriting)) throw new Error("nothing to apply");
            // Manifests take time to load, and the reply with the token comes meanwhile.
            await clock.sleep(1_000);
            estimated = measured(plan, { ...client.report(), rhythm: PROMPT }).estimate.seconds;
            begun = clock.elapsed();
            return true;
          },
        }),
        { store: memoryStore(contents, clock), client, clock, requestTimeout: 0, createLag: 0 },
      ),
    );
    if (done.as !== "applied") throw new Error(JSON.stringify(done));
  }
  return { estimated, taken: (clock.elapsed() - begun) / 1000 };
}

const first = many((number) => automation(number, "before"));
const tenth = many((number) => automation(number, number % 10 === 0 ? "after" : "before"));
const all = many((number) => automation(number, "after"));

/** Pages of lists are slow, as those of a service with much to search are. */
const SLOW_LISTS = (sort: Sort) => (sort === "page" ? 4_000 : 500);

describe("the estimate of an apply", () => {
  it.each<[string, Interface, readonly string[], number, Latency, number?]>([
    ["a first apply, ten at a time", "full", [first], 10, 500],
    ["a first apply, fifty at a time", "full", [first], 50, 2_000],
    ["a first apply, one at a time", "full", [first], 1, 100],
    ["a change of a tenth", "full", [first, tenth], 10, 2_000],
    ["a change of all", "full", [first, all], 10, 500],
    ["new types with traits", "full", [many(newType)], 10, 500],
    ["a first apply on core, where a list was read", "core", [first], 10, 1_000],
    ["a change of all on core, where a list was read", "core", [first, all], 10, 1_000],
    ["a first apply, where lists are slow", "full", [first], 10, SLOW_LISTS],
    ["a first apply on core, where lists are slow", "core", [first], 10, SLOW_LISTS],
    ["a change of all after a burst of 503, ten at a time", "full", [first, all], 10, 500, 8],
  ])("is within a factor of 1.5 of the time it takes: %s", async (_, on, texts, width, latency, busy = 0) => {
    const { estimated, taken } = await seconds(on, texts, width, latency, busy);
    const isNear = Math.abs(estimated - taken) <= 0.5;
    expect([estimated, taken, isNear || (estimated / taken > 1 / 1.5 && estimated / taken < 1.5)]).toEqual([
      estimated,
      taken,
      true,
    ]);
  });
});
