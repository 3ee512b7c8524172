import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import { resourceType } from "../../../src/kinds/resourceType.js";
import { templateScope } from "../../../src/kinds/templateScope.js";
import type { Diagnostic } from "../../../src/model/diagnostic.js";
import type { JsonObject } from "../../../src/model/json.js";
import { makeCatalogue } from "../../../src/tenant/names/catalogue.js";
import { makeDirectory } from "../../../src/tenant/names/directory.js";
import { makeTenant } from "../../../src/tenant/tenant.js";
import { snapshot } from "../../plan/worlds.js";
import { answering, NO_ROUTE, NOT_FOUND, REFUSED, type Says } from "../asked.js";
import { remembered } from "../look.js";
import { entitlement, type Options, resolving } from "../resolving.js";

const told = ({ code, severity, message, hint, span }: Diagnostic) => ({
  code,
  severity,
  message,
  hint,
  line: span?.start.line,
});

describe("a name", () => {
  it.each<[string, JsonObject, string, string, string, number]>([
    [
      "that nothing has",
      { appId: "gh", appEntitlementId: { alias: "admin" } },
      "reference/not-found",
      'no entitlement has the alias "admin"',
      "The service lists 2, the nearest first: Admin (alias github-admin, admin), Member (alias github-member, member).",
      3,
    ],
    [
      "that nothing is like",
      { appId: "gh", appEntitlementId: { name: "xyz" } },
      "reference/not-found",
      'no entitlement has the name "xyz"',
      "The service lists 2, the nearest first: Admin (alias github-admin, admin), Member (alias github-member, member).",
      3,
    ],
    [
      "in an empty list",
      { appId: "empty", appEntitlementId: { name: "x" } },
      "reference/not-found",
      'no entitlement has the name "x"',
      "The service lists none at all.",
      3,
    ],
    [
      "in another case",
      { appId: { name: "github" }, appEntitlementId: "x" },
      "reference/not-found",
      'no app has the name "github"',
      "Did you mean GitHub? The service lists 3, the nearest first: GitHub (gh), Twin (t1), Twin (t2).",
      3,
    ],
    [
      "of something deleted",
      { appId: { name: "Old" }, appEntitlementId: "x" },
      "reference/not-found",
      'no app has the name "Old"',
      "The service lists 3, the nearest first: Twin (t1), Twin (t2), GitHub (gh).",
      3,
    ],
    [
      "that several have",
      { appId: { name: "Twin" }, appEntitlementId: "x" },
      "reference/ambiguous",
      '2 apps have the name "Twin"',
      "Write the id of the right one: Twin (t1), Twin (t2).",
      3,
    ],
    [
      "that several share as slug",
      { appId: "gh", appEntitlementId: { slug: "Member" } },
      "reference/ambiguous",
      '2 entitlements have the slug "Member"',
      "Write the id of the right one: Admin (alias github-admin, admin), Member (alias github-member, member).",
      3,
    ],
  ])("%s is an error with the candidates", async (_, spec, code, message, hint, line) => {
    const { faults, unseen } = await resolving(entitlementAutomation, spec);
    expect(faults.map(told)).toEqual([{ code, severity: "error", message, hint, line }]);
    expect(unseen).toEqual([]);
  });

  it("that cannot be found is reported once, and names inside it are not looked up", async () => {
    const { faults, paths } = await resolving(entitlementAutomation, {
      appId: { name: "Nowhere" },
      appEntitlementId: { alias: "github-admin" },
    });
    expect([faults.length, paths]).toEqual([1, ["apps"]]);
  });

  it("shows ten candidates and counts the rest", async () => {
    const many = Array.from({ length: 14 }, (_, place) => entitlement(`e${place + 10}`, "Same"));
    const { faults } = await resolving(
      entitlementAutomation,
      { appId: "gh", appEntitlementId: { name: "Same" } },
      { says: { "apps/gh/entitlements": { pages: [many.reverse()] } } },
    );
    expect(faults[0]?.hint).toMatch(
      /^Write the id of the right one: Same \(e10\), .*Same \(e19\) and 4 more\.$/,
    );
  });

  it.each<[string, Options, JsonObject, string, string]>([
    [
      "offline",
      { offline: true },
      { appId: { name: "GitHub" }, id: "x" },
      'app "GitHub" could not be looked up: nothing is looked up offline, and the state keeps no names of apps',
      "Write its id, or name it under `apps:` in remit.yaml.",
    ],
    [
      "offline, of a type that the state does not remember",
      { offline: true, snapshot: snapshot([remembered("Team", ["gl", "team"])]) },
      { appId: "gh", id: { name: "Team" } },
      'resource type "Team" could not be looked up: nothing is looked up offline, and the state has no entry with that name',
      "Write its id, or plan where the service can be asked.",
    ],
    [
      "offline, of types that the state remembers by one name",
      {
        offline: true,
        snapshot: snapshot([remembered("Team", ["gh", "one"]), remembered("Team", ["gh", "two"])]),
      },
      { appId: "gh", id: { name: "Team" } },
      'resource type "Team" could not be looked up: nothing is looked up offline, and the state has several entries: Team (one), Team (two)',
      "Write its id, or plan where the service can be asked.",
    ],
    [
      "on core",
      { on: "core" },
      { appId: { name: "GitHub" }, id: "x" },
      'app "GitHub" could not be looked up: `core` has no list of apps',
      "Write its id, or name it under `apps:` in remit.yaml.",
    ],
    [
      "on core, of a type",
      { on: "core" },
      { appId: "gh", id: { name: "Team" } },
      'resource type "Team" could not be looked up: `core` has no list of resource types',
      "Write its id, or plan where the service can be asked.",
    ],
    [
      "where the list is not offered",
      { says: { apps: NO_ROUTE } },
      { appId: { name: "GitHub" }, id: "x" },
      'app "GitHub" could not be looked up: GET /api/v1/apps answered 404',
      "Write its id, or name it under `apps:` in remit.yaml.",
    ],
    [
      "where the list is not found",
      { says: { apps: NOT_FOUND } },
      { appId: { name: "GitHub" }, id: "x" },
      'app "GitHub" could not be looked up: the service does not list them',
      "Write its id, or name it under `apps:` in remit.yaml.",
    ],
    [
      "where it may not be read",
      { says: { apps: REFUSED } },
      { appId: { name: "GitHub" }, id: "x" },
      'app "GitHub" could not be looked up: GET /api/v1/apps: answered 403',
      "Write its id, or name it under `apps:` in remit.yaml.",
    ],
    [
      "of an app that is not there",
      {},
      { appId: "gone", id: { name: "Team" } },
      'resource type "Team" could not be looked up: no app has the id gone',
      "Write its id, or plan where the service can be asked.",
    ],
  ])("that cannot be looked up %s is not an error", async (_, options, spec, message, hint) => {
    const { faults, unseen } = await resolving(resourceType, spec, options);
    expect(faults).toEqual([]);
    expect(unseen.map(told)).toEqual([
      { code: "reference/unseen", severity: "warning", message, hint, line: 3 },
    ]);
  });

  it("may be any text at all", async () => {
    const { faults } = await resolving(resourceType, { appId: { name: "__proto__" }, id: "x" });
    expect(faults.map(({ code }) => code)).toEqual(["reference/not-found"]);
  });
});

describe("a name in a list that shows only part of it", () => {
  const directory = (says: Readonly<Record<string, Says>>) => {
    const { remote, paths } = answering(says);
    const reader = makeTenant(remote).reader();
    return { paths, directory: makeDirectory({ reader, given: {}, on: "full", remembered: null }) };
  };
  const campaign = (accessReviewTemplateId: string) => ({
    accessReview: { id: "c", displayName: "Q4 2026", accessReviewTemplateId },
  });
  const template = (id: string, displayName: string): Says => ({
    body: { accessReviewTemplate: { id, displayName } },
  });

  it("is read for each template that a campaign names, once", async () => {
    const { directory: names, paths } = directory({
      access_reviews: { pages: [[campaign("t1"), campaign("t1"), campaign(""), campaign("t2")]] },
      "access_review_template/t1": template("t1", "Quarterly"),
      "access_review_template/t2": NOT_FOUND,
    });
    const list = await names.list({
      target: "template",
      app: "",
      by: "name",
      text: "Quarterly",
      probable: null,
    });
    expect(list.as === "got" && list.value.every()).toEqual([{ id: "t1", name: "Quarterly" }]);
    expect(paths).toEqual(["access_reviews", "access_review_template/t1", "access_review_template/t2"]);
  });

  it("is not found among templates with what no list shows", async () => {
    const says = {
      access_reviews: { pages: [[campaign("t1")]] },
      "access_review_template/t1": template("t1", "Q4"),
    };
    const { faults } = await resolving(templateScope, { templateId: { name: "Q3" } }, { says });
    expect(faults.map(({ hint }) => hint)).toEqual([
      "Did you mean Q4? The service lists 1, the nearest first: Q4 (t1). A template that never started a campaign is in no list of the service: write its id.",
    ]);
  });

  it("leaves the list unknown where one of the names cannot be read", async () => {
    const { directory: names } = directory({
      access_reviews: { pages: [[campaign("t1"), campaign("t2")]] },
      "access_review_template/t1": template("t1", "Quarterly"),
      "access_review_template/t2": REFUSED,
    });
    expect(
      await names.list({ target: "template", app: "", by: "name", text: "Quarterly", probable: null }),
    ).toMatchObject({ as: "failed" });
  });

  it("is asked for with its users together, and with nothing else where the service refuses them", async () => {
    const user = (id: string, displayName: string) => ({ user: { id, displayName, email: `${id}@x.test` } });
    const { remote, paths } = answering({
      "search/users": { pages: [[user("u2", "Bo"), user("u1", "Al")]] },
    });
    const catalogue = makeCatalogue(makeTenant(remote).reader());
    const find = (id: string) => catalogue.find({ of: "user", app: "", id });
    const found = await Promise.all(["u1", "u2", "u3", "u1"].map(find));
    expect(found.map((one) => one?.name)).toEqual(["Al", "Bo", undefined, "Al"]);
    expect(paths).toEqual(["search/users"]);

    const refused = makeTenant(answering({ "search/users": REFUSED }).remote).reader();
    expect(await makeCatalogue(refused).find({ of: "user", app: "", id: "u1" })).toBeUndefined();
    expect(refused.unknown()).toEqual([{ what: "users", why: "POST /api/v1/search/users: answered 403" }]);
  });

  it("of one app is not that of another one with the same id", async () => {
    const row = (appId: string) => ({ appEntitlement: { id: "e", appId, displayName: `of ${appId}` } });
    const { remote } = answering({
      "apps/A/entitlements": REFUSED,
      "apps/B/entitlements": REFUSED,
      "search/entitlements": { pages: [[row("A"), row("B")]] },
    });
    const catalogue = makeCatalogue(makeTenant(remote).reader());
    const find = async (app: string) => (await catalogue.find({ of: "entitlement", app, id: "e" }))?.name;
    expect([await find("A"), await find("B")]).toEqual(["of A", "of B"]);
  });

  it("that no user has is said without a list of others: there is only a search", async () => {
    const scope = { scope: { selectedUsers: { userIds: [{ email: "al@x.test" }] } }, templateId: "t" };
    const { faults } = await resolving(templateScope, scope, { says: { "search/users": { pages: [[]] } } });
    expect(faults.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      ["reference/not-found", 'no user has the e-mail address "al@x.test"', "remit finds no deleted user."],
    ]);
  });

  it("may be any e-mail address of a user, where only one user has it", async () => {
    const users = [
      { id: "u1", displayName: "Bo", email: "bo@x.test", emails: ["bo@x.test", "b@x.test", "shared@x.test"] },
      { id: "u2", displayName: "Al", email: "shared@x.test", emails: ["shared@x.test"] },
    ];
    const says = { "search/users": { pages: [users.map((user) => ({ user }))] } };
    const scope = (email: string) => ({
      scope: { selectedUsers: { userIds: [{ email }] } },
      templateId: "t",
    });
    const found = await resolving(templateScope, scope("b@x.test"), { says });
    expect([found.faults, found.spec.scope]).toEqual([[], { selectedUsers: { userIds: ["u1"] } }]);
    const shared = await resolving(templateScope, scope("shared@x.test"), { says });
    expect(shared.faults.map(({ code }) => code)).toEqual(["reference/ambiguous"]);
  });

  it("is searched for each user by the e-mail address", async () => {
    const { directory: names, paths } = directory({
      "search/users": { pages: [[{ user: { id: "u1", displayName: "Bo", email: "bo@example.test" } }]] },
    });
    for (const email of ["bo@example.test", "bo@example.test", "al@example.test"]) {
      const list = await names.list({ target: "user", app: "", by: "email", text: email, probable: null });
      expect(list.as === "got" && list.value.called("email", email).map(({ id }) => id)).toEqual(
        email.startsWith("bo") ? ["u1"] : [],
      );
    }
    expect(paths).toEqual(["search/users", "search/users"]);
  });
});
