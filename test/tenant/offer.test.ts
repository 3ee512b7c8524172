import { describe, expect, it } from "vitest";
import type { Kind } from "../../src/kinds/kind.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import { type LiveSources, readLive } from "../../src/tenant/live.js";
import { makeDirectory } from "../../src/tenant/names/directory.js";
import type { Wanted } from "../../src/tenant/reads.js";
import { makeTenant } from "../../src/tenant/tenant.js";
import { answering, DOWN, type Fault, NO_ROUTE, NOT_FOUND, PAGE, REFUSED, type Says } from "./asked.js";

const LISTED: Says = { pages: [[]] };
const LOST: Fault = { status: null, progress: "no reply" };
const BROKEN: Fault = { status: 500, own: true };
const SET: Says = { body: { list: [], scope: {} } };

const scope: Wanted = {
  kind: templateScope,
  key: ["q4"],
  parent: [],
  name: "TemplateScope:q4",
  spec: null,
  expected: null,
};
const type: Wanted = {
  kind: resourceType,
  key: ["gh", "t"],
  parent: ["gh"],
  name: "ResourceType:gh/t",
  spec: null,
  expected: null,
};

async function offers(
  opening: Says,
  apps: Says,
  types: Says | null,
  more: Partial<LiveSources> = {},
  unread: readonly Kind[] = [],
) {
  const { remote, paths } = answering({
    "access_review_template/q4/scope_and_entitlements": opening,
    apps,
    ...(types === null ? {} : { "apps/gh/resource_types": types }),
  });
  const reader = makeTenant(remote).reader();
  const directory = makeDirectory({ reader, given: {}, on: "full", remembered: null });
  const wanted = new Map<Kind, readonly Wanted[]>([[templateScope, [scope]]]);
  if (types !== null) wanted.set(resourceType, [type]);
  for (const kind of unread) wanted.set(kind, []);
  const sources = { asked: "auto", reader, directory, wasRead: false, isUnknown: () => true } as const;
  const { kinds, failures } = await readLive(wanted, { ...sources, ...more });
  const found = kinds.get(templateScope);
  const as = failures.length > 0 ? "failed" : found?.offered === true ? "offered" : "not offered";
  const ofNone = (kind: Kind) => (kinds.get(kind)?.offered === true ? "offered" : "not offered");
  return { as, failures, found, paths, ofNone };
}

describe("whether a kind can be read", () => {
  it.each<[string, Says, Says, Says | null, string]>([
    ["an object", SET, LISTED, null, "offered"],
    ["an object, of a service without a list of apps", SET, NO_ROUTE, null, "offered"],
    ["no such object, of a service that lists apps", NOT_FOUND, LISTED, null, "offered"],
    ["no such object, of a service without a list of apps", NOT_FOUND, NO_ROUTE, null, "offered"],
    ["no such path, of a service without a list of apps", NO_ROUTE, NO_ROUTE, null, "not offered"],
    ["405 and 501", { status: 405 }, { status: 501 }, null, "not offered"],
    ["no such path, of a service that lists apps", NO_ROUTE, LISTED, null, "failed"],
    ["no such path, of a service that shows another kind", NO_ROUTE, NO_ROUTE, LISTED, "failed"],
    ["no such path, of a service that may not list apps", NO_ROUTE, REFUSED, null, "failed"],
    ["404 in the service's own form to everything", NOT_FOUND, NOT_FOUND, null, "failed"],
    ["a refusal", REFUSED, LISTED, null, "failed"],
    ["a refusal of everything", REFUSED, REFUSED, null, "failed"],
    ["a refusal, of a service without a list of apps", REFUSED, NO_ROUTE, null, "failed"],
    ["an error", BROKEN, NO_ROUTE, null, "failed"],
    ["a page", PAGE, LISTED, null, "failed"],
    ["a page, of a service without a list of apps", PAGE, NO_ROUTE, null, "failed"],
    ["a lost reply", LOST, NO_ROUTE, null, "failed"],
    ["no connection", DOWN, DOWN, null, "failed"],
    ["an object, of a service that may not list apps", SET, REFUSED, null, "failed"],
  ])("is decided by %s", async (_, opening, apps, types, as) => {
    expect((await offers(opening, apps, types)).as).toBe(as);
  });

  // The id of such an object may be one that the same plan makes: it has a step, and no read.
  it.each<[string, Says, Says, string]>([
    ["has no reads", NO_ROUTE, NO_ROUTE, "not offered"],
    ["answers 405 and 501 to reads", { status: 405 }, { status: 501 }, "not offered"],
    ["lists apps", SET, LISTED, "offered"],
    ["shows another kind, and has no list of apps", SET, NO_ROUTE, "offered"],
  ])("is the same for a kind that nothing is read of, where the server %s", async (_, opening, apps, as) => {
    const { ofNone } = await offers(opening, apps, null, {}, [resourceType]);
    expect(ofNone(resourceType)).toBe(as);
  });

  it("costs one read for each kind and one list of apps", async () => {
    const { paths } = await offers(SET, LISTED, LISTED);
    expect([...paths].sort()).toEqual([
      "access_review_template/q4/scope_and_entitlements",
      "apps",
      "apps/gh/resource_types",
    ]);
  });

  it("costs nothing where the state says that the server was read", async () => {
    const { as, paths } = await offers(SET, REFUSED, null, { wasRead: true });
    expect([as, paths]).toEqual(["offered", ["access_review_template/q4/scope_and_entitlements"]]);
  });

  it("is never denied by a server that was read before: the object counts as not read", async () => {
    const { found } = await offers(NO_ROUTE, NO_ROUTE, null, { wasRead: true });
    expect(found?.offered === true && found.objects.get(scope.name)?.as).toBe("unread");
  });

  it("names the setting where only one kind has no read", async () => {
    const { failures } = await offers(NO_ROUTE, LISTED, null);
    expect(failures[0]?.diagnostic).toMatchObject({
      code: "service/not-offered",
      hint: expect.stringContaining("interface: { TemplateScope: core }"),
    });
  });

  it("does not matter to a list that fails: it ends the run whatever is known", async () => {
    for (const wasRead of [true, false]) {
      const { as } = await offers(SET, LISTED, BROKEN, { wasRead });
      expect(as).toBe("failed");
    }
  });
});
