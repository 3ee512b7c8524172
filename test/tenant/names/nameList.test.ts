import { describe, expect, it } from "vitest";
import type { Finder } from "../../../src/kinds/named.js";
import { makeDirectory } from "../../../src/tenant/names/directory.js";
import { makeTenant } from "../../../src/tenant/tenant.js";
import { answering, NO_ROUTE, REFUSED, type Says } from "../asked.js";
import { entitlement } from "../resolving.js";

const LIST = "apps/gh/entitlements";
const SEARCH = "search/entitlements";

/** An app whose list has three pages. */
const LONG: Says = {
  pages: [1, 2, 3].map((page) => [
    entitlement(`id-${page}`, `Group ${page}`, { appId: "gh", alias: `group-${page}`, slug: "Member" }),
  ]),
};

async function find(names: readonly (readonly [Finder, string])[], search: Says) {
  const { remote, paths } = answering({ [LIST]: LONG, [SEARCH]: search });
  const reader = makeTenant(remote).reader();
  const directory = makeDirectory({ reader, given: {}, on: "full", remembered: null });
  const lists = await Promise.all(
    names.map(async ([by, text]) => {
      const list = await directory.list({ target: "entitlement", app: "gh", by, text, probable: null });
      return list.as === "got" ? list.value.called(by, text).map(({ id }) => id) : list.as;
    }),
  );
  return { lists, paths, directory };
}

const found: Says = {
  pages: [[entitlement("id-3", "Group 3", { appId: "gh", isAutomationEnabled: false })]],
};

describe("a name in a long list", () => {
  it("is searched where the list has more pages than the names are worth", async () => {
    const { lists, paths, directory } = await find([["name", "Group 3"]], found);
    expect(lists).toEqual([["id-3"]]);
    expect(paths).toEqual([LIST, SEARCH]);
    expect(directory.names.get("entitlement:gh/id-3")).toBe("Group 3");
    expect(directory.known("entitlement", "gh", "id-3")?.automated).toBe(false);
  });

  it("is found in the list where many names are wanted", async () => {
    const many = Array.from({ length: 6 }, (_, place) => [
      "alias",
      `group-${(place % 3) + 1}${place > 2 ? "x" : ""}`,
    ]);
    const { lists, paths } = await find(many as [Finder, string][], found);
    expect(lists.slice(0, 3)).toEqual([["id-1"], ["id-2"], ["id-3"]]);
    expect(paths).toEqual([LIST]);
  });

  const other = (more: object): Says => ({
    pages: [[entitlement("x", "Group 3", { appId: "gh", ...more })]],
  });
  it.each([
    ["finds nothing", { pages: [[]] }],
    ["finds another spelling", { pages: [[entitlement("x", "group 3", { appId: "gh" })]] }],
    ["finds another app's", other({ appId: "other" })],
    ["finds a deleted one", other({ deletedAt: "2026-01-01T00:00:00Z" })],
    ["is refused", REFUSED],
    ["is not there", NO_ROUTE],
  ])("is looked for in the whole list where the search %s", async (_, search) => {
    const { lists, paths } = await find([["name", "Group 3"]], search);
    expect(lists).toEqual([["id-3"]]);
    // The list goes on where it was left.
    expect(paths).toEqual([LIST, SEARCH]);
  });

  it("that no search knows is looked for in the whole list", async () => {
    const { lists, paths } = await find([["slug", "Member"]], found);
    expect(lists).toEqual([["id-1", "id-2", "id-3"]]);
    expect(paths).toEqual([LIST]);
  });

  it("that several have is shown with all of them", async () => {
    const twins = ["a", "b"].map((id) => entitlement(id, "Group 3", { appId: "gh" }));
    const { lists } = await find([["name", "Group 3"]], { pages: [twins] });
    expect(lists).toEqual([["a", "b"]]);
  });
});

describe("a name that is probably an object's", () => {
  const asking = (says: Readonly<Record<string, Says>>, on: "core" | "full" = "full") => {
    const { remote, paths, width } = answering(says);
    const reader = makeTenant(remote).reader();
    const directory = makeDirectory({ reader, given: {}, on, remembered: null });
    const list = async (app: string, by: Finder, text: string, probable: string | null) => {
      const found = await directory.list({ target: "entitlement", app, by, text, probable });
      return found.as === "got" ? found.value.called(by, text).map(({ id }) => id) : found.as;
    };
    return { list, paths, width, reader };
  };
  const row = (number: number, appId = "gh") =>
    entitlement(`id-${number}`, `Group ${number}`, { appId, alias: `group-${number}`, slug: "Member" });

  it("is checked by its id, a hundred with one call", async () => {
    const many = Array.from({ length: 250 }, (_, number) => number);
    const { list, reader } = asking({ [LIST]: LONG, [SEARCH]: { pages: [many.map((one) => row(one))] } });
    const found = await Promise.all(many.map((one) => list("gh", "slug", "Member", `id-${one}`)));
    expect(found).toEqual(many.map((one) => [`id-${one}`]));
    expect(reader.calls()).toEqual({ entitlements: 4 });
  });

  it("is looked up in a list of one page, which shows the others of that name", async () => {
    const { list, paths } = asking({ [LIST]: { pages: [[row(1), row(2)]] } });
    expect(await list("gh", "slug", "Member", "id-1")).toEqual(["id-1", "id-2"]);
    expect(paths).toEqual([LIST]);
  });

  it.each<readonly [string, Says]>([
    ["it has another name now", { pages: [[entitlement("id-9", "Other", { appId: "gh", alias: "other" })]] }],
    ["it is gone", { pages: [[]] }],
    ["the search is refused", REFUSED],
    ["the service has no such search", NO_ROUTE],
  ])("is looked up anew where %s", async (_, search) => {
    const { list } = asking({ [LIST]: LONG, [SEARCH]: search });
    expect(await list("gh", "alias", "group-3", "id-9")).toEqual(["id-3"]);
  });

  it("is looked up in the whole list where the service has nothing else", async () => {
    const { list, paths } = asking({ [LIST]: LONG }, "core");
    expect(await list("gh", "alias", "group-3", "id-3")).toEqual(["id-3"]);
    expect(paths).toEqual([LIST]);
  });

  it("waits for no other app's list", async () => {
    const apps = Array.from({ length: 8 }, (_, at) => `app-${at}`);
    const says = Object.fromEntries(
      apps.map((app) => [`apps/${app}/entitlements`, { pages: [[row(1, app)], [row(2, app)]] }]),
    );
    const { list, width } = asking(says);
    await Promise.all(apps.map((app) => list(app, "slug", "Member", null)));
    expect(width()).toBe(apps.length);
  });
});
