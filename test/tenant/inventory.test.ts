import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { kindNamed, kinds } from "../../src/kinds/index.js";
import type { AskedInterface } from "../../src/kinds/interface.js";
import type { Kind } from "../../src/kinds/kind.js";
import type { Json } from "../../src/model/json.js";
import { formatKey, type Key } from "../../src/model/key.js";
import { readInventory, type Sighting } from "../../src/tenant/inventory.js";
import { makeTenant } from "../../src/tenant/tenant.js";
import { fakeClock } from "../fakes/clock.js";
import { directClient } from "../fakes/directClient.js";

const { tenant } = readSeed(readFileSync("examples/brownfield/seed.yaml", "utf8"), "seed.yaml");

function kind(name: string): Kind {
  const found = kindNamed(name);
  if (found === undefined) throw new Error(`${name} is gone`);
  return found;
}

interface Wishes {
  readonly asked?: AskedInterface;
  readonly on?: "core" | "full";
  readonly apps?: ReadonlySet<string>;
  readonly named?: readonly Key[];
  readonly isNamedOnly?: boolean;
  readonly fits?: (row: Json) => boolean;
}

async function look(name: string, wishes: Wishes = {}) {
  const { asked = "auto", on = "full", apps, named = [], isNamedOnly = false, fits = null } = wishes;
  const { client, writes } = directClient({ tenant, on }, fakeClock());
  const sightings: Sighting[] = [];
  const reader = makeTenant(client).reader();
  const sources = { reader, asked, apps: apps ?? null, named, isNamedOnly, withParts: true, fits };
  const { value: isWhole, diagnostics } = await readInventory(kind(name), sources, (one) =>
    sightings.push(one),
  );
  const present = sightings.flatMap((one) => (one.as === "present" ? [one] : []));
  const gone = sightings.filter(({ as }) => as === "deleted");
  return { present, gone, sightings, isWhole, diagnostics, writes, unknown: reader.unknown() };
}

describe("the inventory of the brownfield tenant", () => {
  it("has the templates of campaigns and workflows, and those that campaigns outlived", async () => {
    const { present, gone, isWhole, diagnostics } = await look("TemplateScope");
    expect([present.length, gone.length, isWhole, diagnostics]).toEqual([29, 2, true, []]);
  });

  it("reads a template that no list shows where its id is given", async () => {
    const unlisted = tenant.templates.find(({ displayName }) => displayName === "Never started");
    const { present } = await look("TemplateScope", { named: [[unlisted?.id ?? ""]] });
    expect(present).toHaveLength(30);
  });

  it.each(["TemplateScope", "EntitlementAutomation", "ResourceType"])(
    "reads each named %s only where a row that fits is about it",
    async (name) => {
      const all = await look(name);
      const keys = all.present.map(({ observed }) => observed.key);
      const named = keys.slice(0, 5);
      const each = await look(name, { named, isNamedOnly: true, fits: () => true });
      expect(each.present.map(({ observed }) => observed.key)).toEqual(expect.arrayContaining(named));
      expect(each.sightings).toHaveLength(named.length);
      const none = await look(name, { named, isNamedOnly: true, fits: () => false });
      expect(none.sightings).toEqual([]);
    },
  );

  it("has the automations, and says which of them an access profile manages", async () => {
    const { present, gone } = await look("EntitlementAutomation");
    expect([present.length, gone.length]).toEqual([66, 0]);
    expect(present.filter(({ observed }) => observed.managedBy !== undefined)).toHaveLength(4);
  });

  it("has the types of every app, and says which are built in and which a connector makes", async () => {
    const { present } = await look("ResourceType");
    const { isBuiltIn } = kind("ResourceType");
    const own = present.filter((one) => !one.isConnected && isBuiltIn?.(one.observed) !== true);
    expect(own).toHaveLength(43);
    expect(present.some((one) => one.isConnected)).toBe(true);
  });

  it.each(kinds.map(({ name }) => name))("has each %s once, and writes nothing", async (name) => {
    const { sightings, writes } = await look(name);
    const keys = sightings.map((one) => formatKey(name, one.as === "present" ? one.observed.key : one.key));
    expect(new Set(keys).size).toBe(keys.length);
    expect(writes).toEqual([]);
  });

  it("looks only through the apps that are asked for", async () => {
    const [app = ""] = (await look("ResourceType")).present[0]?.observed.key ?? [];
    const { present } = await look("ResourceType", { apps: new Set([app]) });
    expect(new Set(present.map(({ observed }) => observed.key[0]))).toEqual(new Set([app]));
  });

  it.each(kinds.map(({ name }) => name))("is an error for %s where the service has no list", async (name) => {
    for (const wishes of [{ asked: "core" }, { on: "core" }] as const) {
      const { isWhole, diagnostics, present } = await look(name, wishes);
      expect([isWhole, present]).toEqual([false, []]);
      expect(diagnostics[0]?.code).toBe("service/not-offered");
    }
  });
});
