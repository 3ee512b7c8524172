import { expect, it } from "vitest";
import { importObjects } from "../../../src/commands/import/objects.js";
import { kinds } from "../../../src/kinds/index.js";
import { C1_APP_ID, EMPTY_TENANT } from "../../../src/sandbox/tenant/tenant.js";
import { memorySession } from "../../apply/memorySession.js";
import { requestFor } from "../../apply/request.js";
import { virtualClock } from "../../fakes/clock.js";
import { directClient } from "../../fakes/directClient.js";
import { EVERYTHING } from "./importing.js";

const LATENCY = 100;
const WIDTH = 10;
const COUNT = 500;

const id = (letter: string, number: number) =>
  `2fsgTvxP0DVTsNXEUBI7${letter}${String(number).padStart(6, "0")}`;

const TENANT = {
  ...EMPTY_TENANT,
  apps: [{ id: C1_APP_ID, displayName: "C1" }],
  entitlements: Array.from({ length: COUNT }, (_, at) => ({
    appId: C1_APP_ID,
    id: id("G", at),
    displayName: `Group ${at}`,
    alias: `group-${at}`,
  })),
  automations: Array.from({ length: COUNT }, (_, at) => ({
    appId: C1_APP_ID,
    appEntitlementId: id("G", at),
    displayName: `Group ${at}`,
    cel: { expression: "true" },
  })),
};

// The clock stands still while the processor works, so this is the waiting alone.
it("an import waits little longer than its calls take at the given width", async () => {
  const clock = virtualClock();
  const { client, answered } = directClient({ tenant: TENANT, latency: LATENCY, width: WIDTH }, clock);
  const session = memorySession(client, clock);
  const order = {
    request: requestFor(null),
    choice: EVERYTHING,
    taken: () => new Set<string>(),
    schema: () => null,
    progress: () => undefined,
  };
  const { value } = await clock.run(importObjects(order, session));
  expect(value?.manifests).toHaveLength(COUNT);
  const bound = (answered() * LATENCY) / WIDTH;
  expect(clock.elapsed() / bound).toBeLessThan(1.15);
  expect(answered()).toBeLessThanOrEqual(COUNT + (4 * COUNT) / 100 + 3 + kinds.length);
});
