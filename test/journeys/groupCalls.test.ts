import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GroupScene, memberNamed, openGroups, resourceNamed, ruleNamed } from "../fakes/groups.js";

/** How many calls it takes to make groups: lists, three writes for each, and one fresh read of each automation. */

const LISTS = ["ListApps", "ListEntitlements", "ListResources", "ListResources"];
const OF_EACH = ["CreateAutomation", "CreateEntitlement", "CreateResource", "GetAutomation"];

let scene: GroupScene;
beforeEach(async () => {
  // By a hasty clock, reads would grow old between two calls.
  scene = await openGroups(1);
});
afterEach(() => scene.close());

describe("groups of one file", () => {
  it.each([1, 2, 12])("take four lists, and three writes and one read for each of %d", async (count) => {
    const { log } = scene.sandbox;
    scene.project.write(
      Array.from({ length: count }, (_, place) => `group${place}`).flatMap((name, place) => [
        ruleNamed(name, name),
        memberNamed(name, name),
        resourceNamed(name, `Group ${place}`),
      ]),
    );
    await scene.remit(0, "apply", "--yes", "--impact", "off");
    const called = log.entries({}).map(({ operation }) => String(operation));
    const wanted = [...LISTS, ...Array.from({ length: count }, () => OF_EACH).flat()];
    expect(called.sort()).toEqual(wanted.sort());
    log.clear();
    await scene.remit(0, "plan", "--detailed-exitcode", "--impact", "off");
    expect(log.count()).toBe(2 + count);
  });
});
