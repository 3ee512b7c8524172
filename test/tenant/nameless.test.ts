import { describe, expect, it } from "vitest";
import { snapshot } from "../plan/worlds.js";
import { aType, look, remembered, type, type World } from "./look.js";

describe("a resource type without an id", () => {
  const find = (name: string, displayName: string, world: World = {}) =>
    look([aType(name, { displayName })], world);

  it("is the one of that display name, and has its key from then on", async () => {
    const { keys, objects, names } = await find("crew", "Team");
    expect(keys).toEqual(["gh/team"]);
    expect(objects.get("ResourceType:gh/team")).toMatchObject({ as: "present", key: ["gh", "team"] });
    expect(names.get("resourceType:gh/team")).toBe("Team");
  });

  it.each(["team", "TEAM", "Tea", "Old", "None"])(
    "is absent where no object has exactly the name %s",
    async (name) => {
      const { keys, seen } = await find("crew", name);
      expect([keys, seen]).toEqual([[null], { "ResourceType/crew": "absent" }]);
    },
  );

  it("is unclear where several have that name, and they are listed", async () => {
    const { objects, keys } = await find("crew", "Twin");
    expect(keys).toEqual([null]);
    expect(objects.get("ResourceType/crew")).toMatchObject({
      as: "unread",
      diagnostic: {
        code: "reference/ambiguous",
        hint: "Write the id of the right one: Twin (twin1), Twin (twin2).",
      },
    });
  });

  it("is one object where its row is on two pages of the list", async () => {
    const pages = [[type("team", "Team"), type("crew", "Crew")], [type("crew", "Crew")]];
    const { keys, diagnostics } = await find("crew", "Crew", {
      says: { "apps/gh/resource_types": { pages } },
    });
    expect([keys, diagnostics]).toEqual([["gh/crew"], []]);
  });

  it("is the one that is remembered, whatever it is called by now", async () => {
    const state = snapshot([remembered("crew", ["gh", "twin2"]), remembered("crew", ["gl", "team"])]);
    const { keys, seen } = await find("crew", "Crew", { snapshot: state });
    expect([keys, seen]).toEqual([["gh/twin2"], { "ResourceType:gh/twin2": "present" }]);
  });

  it("has no key any more once what is remembered has gone", async () => {
    const state = snapshot([remembered("crew", ["gh", "gone"])]);
    const { keys, objects } = await find("crew", "Crew", { snapshot: state });
    expect([keys, objects.get("ResourceType/crew")]).toEqual([[null], { as: "absent" }]);
  });

  it("is found by its name again where what is remembered was made anew", async () => {
    const state = snapshot([remembered("crew", ["gh", "gone"])]);
    const { keys } = await find("crew", "Team", { snapshot: state });
    expect(keys).toEqual(["gh/team"]);
  });

  it("is not the former one of that address", async () => {
    const former = { ...remembered("crew", ["gh", "twin1"]), former: true } as const;
    const state = snapshot([remembered("crew", ["gh", "team"]), former]);
    expect((await find("crew", "Crew", { snapshot: state })).keys).toEqual(["gh/team"]);
  });

  it("is the one that the state has by its name where the service is not asked, under any address", async () => {
    const state = snapshot([remembered("Crew", ["gh", "team"]), remembered("Crew", ["gl", "team"])]);
    const { keys, objects } = await find("other", "Crew", { snapshot: state, offline: true });
    expect([keys, objects.get("ResourceType:gh/team")?.as]).toEqual([["gh/team"], "recorded"]);
  });

  it("is new where the service is not asked and the state has none of its app by its name", async () => {
    const state = snapshot([remembered("Crews", ["gh", "team"]), remembered("Crew", ["gl", "team"])]);
    const { keys } = await find("other", "Crew", { snapshot: state, offline: true });
    expect(keys).toEqual([null]);
  });

  it("is unclear where the service is not asked and the state has several by its name", async () => {
    const entries = [remembered("Crew", ["gh", "two"]), remembered("Crew", ["gh", "one"])];
    const { keys, objects } = await find("other", "Crew", { snapshot: snapshot(entries), offline: true });
    expect(keys).toEqual([null]);
    expect(objects.get("ResourceType/other")).toMatchObject({
      as: "unread",
      diagnostic: {
        code: "reference/ambiguous",
        hint: "Write the id of the right one: Crew (one), Crew (two).",
      },
    });
  });

  it("keeps the key that is remembered where nothing can be read", async () => {
    const state = snapshot([remembered("crew", ["gh", "team"])]);
    const { keys, objects } = await find("crew", "Crew", { snapshot: state, asked: "core" });
    expect([keys, objects.get("ResourceType:gh/team")?.as]).toEqual([["gh/team"], "recorded"]);
  });
});
