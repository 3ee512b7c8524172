import { describe, expect, it } from "vitest";
import { resourceType } from "../../src/kinds/resourceType.js";
import { entry, snapshot } from "../plan/worlds.js";
import { NOT_FOUND } from "./asked.js";
import { aType, look, one, type } from "./look.js";

/** A list may show objects as they were: where the state expects something else, the object itself is read. */

const LIST = "apps/gh/resource_types";
const key = ["gh", "team"];
const state = snapshot([entry(resourceType, "team", key, { displayName: "Crew" })]);
const crew = { [`${LIST}/team`]: one(type("team", "Crew")) };
const team = () => [aType("team", { displayName: "Crew", resourceType: "CUSTOM" })];

describe("a list that lags behind", () => {
  it("does not make a remembered object absent: no second one is created", async () => {
    const { objects, keys, paths } = await look(team(), {
      snapshot: state,
      says: { [LIST]: { pages: [[]] }, ...crew },
    });
    expect(keys).toEqual(["gh/team"]);
    expect(objects.get("ResourceType:gh/team")).toMatchObject({
      as: "present",
      fields: { displayName: "Crew" },
    });
    expect(paths).toContain(`${LIST}/team`);
  });

  it("does not show drift that there was never", async () => {
    const { objects } = await look(team(), { snapshot: state, says: crew });
    expect(objects.get("ResourceType:gh/team")).toMatchObject({ fields: { displayName: "Crew" } });
  });

  it("costs no read where it shows what is expected, or where nothing is", async () => {
    const says = { [LIST]: { pages: [[type("team", "Crew")]] } };
    expect((await look(team(), { snapshot: state, says })).paths).not.toContain(`${LIST}/team`);
    expect((await look(team(), { says })).paths).not.toContain(`${LIST}/team`);
  });

  it("proves nothing where it is not found: a remembered object is read, and a new one is not created", async () => {
    const says = { [LIST]: NOT_FOUND };
    const known = await look(team(), { snapshot: state, says: { ...says, ...crew } });
    expect(known.seen).toEqual({ "ResourceType:gh/team": "present" });
    const unknown = await look(team(), { says });
    expect(unknown.seen).toEqual({ "ResourceType/team": "unread" });
  });

  it("does not make an object absent whose id the author wrote: it is read itself", async () => {
    const says = { [LIST]: { pages: [[]] }, ...crew };
    const written = [aType("team", { id: "team", displayName: "Crew" })];
    expect((await look(written, { says })).seen).toEqual({ "ResourceType:gh/team": "present" });
  });

  it("leaves an object unread whose own read fails", async () => {
    const says = { [LIST]: { pages: [[]] }, [`${LIST}/team`]: { status: 500 } };
    expect((await look(team(), { snapshot: state, says })).seen).toEqual({
      "ResourceType:gh/team": "unread",
    });
  });
});
