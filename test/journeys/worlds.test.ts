import { afterEach, describe, expect, it } from "vitest";
import type { Interface } from "../../src/kinds/interface.js";
import { auditTenant } from "./kill/audit.js";
import { type World, worldsOn } from "./worlds.js";
import { ANSWERS, openStage, type Stage, text } from "./worldsStage.js";

/** Worlds applied in turn, each planned again to nothing. */

let stage: Stage;
afterEach(() => stage.close());

describe.each(["full", "core"] as const)("a story on %s", (spoken) => {
  it("is applied world by world, and each is planned again to nothing", async () => {
    stage = await openStage(spoken);
    for (const world of worldsOn(spoken)) await live(world, spoken);
  });

  it("comes to a late world without those between, and back", async () => {
    stage = await openStage(spoken);
    const [first, ...rest] = worldsOn(spoken);
    const late = rest.find(({ name }) => name === "a manifest that is gone");
    for (const world of [first, late, first]) if (world !== undefined) await live(world, spoken);
  });
});

describe("a story of a service that shows what is deleted", () => {
  it("is applied and planned again no otherwise", async () => {
    stage = await openStage("full");
    stage.trouble([{ fault: "quirks", quirks: { softDeleted: "shown" } }]);
    const worlds = worldsOn("full");
    const pruned = worlds.findIndex(({ flags }) => flags?.includes("--prune"));
    // The first world wants again what was deleted last.
    for (const world of [...worlds.slice(0, pruned + 1), ...worlds.slice(0, 1)]) await live(world, "full");
  });
});

describe("a story without a state", () => {
  it("is applied all the same where the tenant can be read", async () => {
    stage = await openStage("full");
    for (const [place, world] of worldsOn("full").slice(0, 5).entries()) {
      await live(world, "full", ["--state", `.remit/${place}.json`]);
    }
  });
});

/** Applies a world, plans it again, and looks at the tenant. */
async function live(world: World, spoken: Interface, more: readonly string[] = []): Promise<void> {
  const { project, sandbox, run } = stage;
  project.write(world.wanted);
  world.meddle?.(sandbox);
  const flags = [...(world.flags ?? []), ...more, ...ANSWERS];
  const applied = await run("apply", "--yes", ...flags);
  expect(applied.code, `${world.name}: ${text(applied)}`).toBe(0);
  const planned = await run("plan", "--detailed-exitcode", ...flags);
  expect(planned.code, `${world.name}, planned again: ${text(planned)}`).toBe(0);
  if (world.unlike?.includes(spoken) !== true) {
    expect(auditTenant(world.wanted, sandbox), world.name).toEqual([]);
  }
  if (world.look === undefined) return;
  const { seen = null } = world;
  const expected = isPerInterface(seen) ? seen[spoken] : seen;
  expect(world.look(sandbox, spoken), world.name).toEqual(expected);
}

function isPerInterface(seen: unknown): seen is Readonly<Record<Interface, unknown>> {
  return typeof seen === "object" && seen !== null && "full" in seen && "core" in seen;
}
