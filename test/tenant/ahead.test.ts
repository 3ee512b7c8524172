import { expect, it } from "vitest";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import type { AskedInterface } from "../../src/kinds/interface.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { readAhead } from "../../src/tenant/ahead.js";
import { openOrigin } from "../../src/tenant/origin.js";
import { makeTenant } from "../../src/tenant/tenant.js";
import { entry, snapshot } from "../plan/worlds.js";
import { type Asked, answering, REFUSED } from "./asked.js";
import { TENANT } from "./look.js";

const AUTOMATIONS = ["automated", "bundled", "deleted"].map((id) => `apps/gh/entitlements/${id}/automation`);
const LATER = { ...resourceType, name: "KindOfALaterRemit" };
const REMEMBERED = [
  ...["automated", "bundled", "deleted"].map((id) =>
    entry(entitlementAutomation, id, ["gh", id], { displayName: id }),
  ),
  entry(resourceType, "team", ["gh", "team"], { displayName: "Team" }),
  entry(LATER, "x", ["gh", "x"], {}),
];

function opening(asked: AskedInterface = "full", wasRead = true, { remote }: Asked = answering(TENANT)) {
  const known = snapshot(REMEMBERED, { wasRead });
  return openOrigin({
    asked,
    tenant: makeTenant(remote),
    snapshot: known,
    apps: {},
    progress: () => undefined,
  });
}

/** Lets everything go on that waits for nothing but its turn. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it("what the state remembers is read before anyone asks, and no second time", async () => {
  const asked = answering(TENANT);
  const origin = opening("full", true, asked);
  readAhead(origin, 2);
  await settled();
  expect([...asked.paths].sort()).toEqual([...AUTOMATIONS, "apps/gh/resource_types"].sort());
  expect(asked.width()).toBe(2);

  const path = ["api", "v1", ...(AUTOMATIONS[0] ?? "").split("/")];
  const call = { operation: "Test", method: "GET", path, effect: "read" } as const;
  const first = await origin.reader?.one("EntitlementAutomation", call);
  expect(first).toMatchObject({
    as: "got",
    value: { AppEntitlementAutomation: { displayName: "Automated" } },
  });
  expect(asked.paths).toHaveLength(4);
});

it("nothing more is read once it is stopped", async () => {
  const asked = answering(TENANT);
  const origin = opening("full", true, asked);
  readAhead(origin, 1).stop();
  await settled();
  expect(asked.paths).toHaveLength(1);
});

it("nothing more is read once a read has failed", async () => {
  const asked = answering({}, REFUSED);
  readAhead(opening("full", true, asked), 1);
  await settled();
  expect(asked.paths).toHaveLength(1);
});

it.each<[string, AskedInterface, boolean, number]>([
  ["is not known to be readable", "auto", false, 0],
  ["was read before", "auto", true, 4],
  ["is not read on core", "core", true, 0],
])("of a kind that %s, so many reads are made ahead", async (_, on, wasRead, reads) => {
  const asked = answering(TENANT);
  readAhead(opening(on, wasRead, asked), 5);
  await settled();
  expect(asked.paths).toHaveLength(reads);
});
