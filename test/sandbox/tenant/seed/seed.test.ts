import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readSeed } from "../../../../src/cli/open/sandboxInput.js";
import { startSandbox } from "../../../../src/sandbox/http/server.js";
import { BadFile } from "../../../../src/sandbox/tenant/document.js";
import { generateTenant } from "../../../../src/sandbox/tenant/generate.js";
import { makeStore } from "../../../../src/sandbox/tenant/store.js";
import { C1_APP_ID } from "../../../../src/sandbox/tenant/tenant.js";

const COMPANY = readFileSync("examples/company/seed.yaml", "utf8");
const ID = /^[a-zA-Z0-9]{27}$/;

const validate = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync("schemas/seed.json", "utf8")),
);

/** What is wrong with a seed, line by line; empty where nothing is. */
function faults(source: string): readonly string[] {
  try {
    readSeed(source, "seed.yaml");
    return [];
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    return error.diagnostics.map(
      ({ message, span }) => `${span?.start.line}:${span?.start.column}: ${message}`,
    );
  }
}

describe("a seed", () => {
  it("gives every name an id, the same each time", () => {
    const source =
      "apps:\n  - name: GitHub\n    types: [{ name: Team, resources: [core], entitlements: [Member] }]";
    const { tenant } = readSeed(source, "seed.yaml");
    const [app] = tenant.apps;
    const [type] = tenant.resourceTypes;
    expect(app?.id).toMatch(ID);
    expect(type).toMatchObject({ appId: app?.id, displayName: "Team", resourceType: "CUSTOM" });
    expect(tenant.entitlements).toMatchObject([
      {
        appId: app?.id,
        id: expect.stringMatching(ID),
        displayName: "core Member",
        alias: "github-core-member",
        appResourceTypeId: type?.id,
      },
    ]);
    expect(readSeed(source, "seed.yaml")).toEqual({ tenant, clients: [] });
  });

  it("takes the service's own words where it says so, as the service would", () => {
    const { tenant } = readSeed(
      `
apps:
  - name: C1
    fields: { is_directory: true, userCount: 12 }
    entitlements: [Admins]
templates:
  - name: Q4
    scope:
      userCriteria: { groupAppEntitlementsRef: [C1/Admins] }
      grantsByCriteria: { daysSinceAdded: 7776000.000s }
    entitlements: [C1/c1-admins]
automations:
  - { entitlement: C1/Admins, cel: "true", excludedUsers: [u1] }
`,
      "seed.yaml",
    );
    expect(tenant.c1AppId).toBe(C1_APP_ID);
    expect(tenant.apps).toMatchObject([{ id: C1_APP_ID, isDirectory: true, userCount: "12" }]);
    const id = tenant.entitlements[0]?.id;
    expect(tenant.templates).toMatchObject([
      {
        displayName: "Q4",
        scope: {
          userCriteria: { groupAppEntitlementsRef: [{ appId: C1_APP_ID, id }] },
          grantsByCriteria: { daysSinceAdded: "7776000s" },
        },
      },
    ]);
    expect(tenant.setups).toMatchObject([{ entitlements: [{ appId: C1_APP_ID, appEntitlementId: id }] }]);
    expect(tenant.automations).toMatchObject([{ appEntitlementId: id, cel: { expression: "true" } }]);
    expect(tenant.exclusions).toEqual([{ appId: C1_APP_ID, appEntitlementId: id, userIds: ["u1"] }]);
  });

  it("may hold what only a later version of the service knows", () => {
    const { tenant } = readSeed(
      `
laterVersion: true
apps: [{ name: C1, entitlements: [{ name: Engineering }] }]
templates: [{ name: Q, scope: { allUsers: { futureOption: 1 }, futureScope: { a: b } } }]
automations: [{ entitlement: C1/Engineering, fields: { futureConditions: { by: moon } } }]
`,
      "seed.yaml",
    );
    expect(tenant).toMatchObject({
      laterVersion: true,
      templates: [{ scope: { allUsers: { futureOption: 1 }, futureScope: { a: "b" } } }],
      automations: [{ futureConditions: { by: "moon" } }],
    });
    expect(makeStore(tenant).toTenant().laterVersion).toBe(true);
  });

  it("may be empty", () => {
    expect(readSeed("", "seed.yaml").tenant).toMatchObject({ open: false, apps: [] });
  });

  const APP = "apps:\n  - name: A\n    entitlements: [E, F]\n";
  it.each<[string, string, readonly string[], boolean]>([
    ["no YAML", "apps: [", ["1:7: this [ is never closed"], false],
    [
      "a field that is not known",
      "apps:\n  - name: A\n    nmae: B\n",
      ["3:5: nmae is not a field of item 1 of apps"],
      false,
    ],
    ["no name", "apps:\n  - description: B\n", ["2:5: item 1 of apps has no name"], false],
    [
      "an id of another form",
      "apps:\n  - { name: A, id: x }\n",
      ['2:20: id is "x", which does not have the required form'],
      false,
    ],
    [
      "two faults",
      "apps: 1\nclients:\n  - { secret: s }\n",
      ["1:7: apps must be a list", "3:5: item 1 of clients has no id"],
      false,
    ],
    [
      "faults in every part",
      `${APP}templates: [{ name: T, entitlements: [B/E] }]\nautomations: [{ entitlement: A/G }]`,
      ["4:39: templates[0]", "5:30: automations[0]"],
      true,
    ],
    ["an app twice", "apps:\n  - name: A\n  - name: A\n", ["3:5: apps[1] appears twice"], true],
    ["no such app", `${APP}templates: [{ name: T, entitlements: [B/E] }]`, ["4:39: templates[0]"], true],
    ["no such entitlement", `${APP}automations: [{ entitlement: A/G }]`, ["4:30: automations[0]"], true],
    [
      "what the service would refuse",
      `${APP}templates: [{ name: T, scope: { allUsers: {}, celExpression: {} } }]`,
      ["4:31: templates[0].scope would be refused by the service"],
      true,
    ],
    [
      "two conditions",
      `${APP}automations: [{ entitlement: A/E, cel: x, basic: y }]`,
      ["4:15: automations"],
      true,
    ],
    ["no text for an entitlement", "apps: [{ name: A, entitlements: [1] }]", ["1:34: "], false],
    ["an empty risk level", 'riskLevels: [""]', ["1:14: "], false],
    [
      "two proofs",
      "clients: [{ id: a, secret: b, publicKey: {} }]",
      ["1:11: item 1 of clients needs secret"],
      false,
    ],
  ])("with %s is refused, and says where", (_, source, expected, passesSchema) => {
    const found = faults(source);
    expect(found).toHaveLength(expected.length);
    for (const [place, line] of expected.entries()) expect(found[place]).toContain(line);
    if (!source.endsWith("[")) expect(validate(parse(source))).toBe(passesSchema);
  });
});

describe("the company", () => {
  const { tenant, clients } = readSeed(COMPANY, "seed.yaml");
  const store = makeStore(tenant);

  it("has 12 apps and 302 entitlements, two of them of its access profile", () => {
    expect(store.apps.all()).toHaveLength(12);
    expect(store.entitlements.all()).toHaveLength(302);
    expect([tenant.templates.length, tenant.automations.length, clients.length]).toEqual([4, 6, 2]);
  });

  it("passes its schema", () => {
    expect(validate(parse(COMPANY))).toBe(true);
  });

  it("has 1,830 people, of all statuses and types, with managers", () => {
    expect(tenant.users.filter(({ status }) => status !== "DELETED")).toHaveLength(1830);
    expect(new Set(tenant.users.map((user) => user.id)).size).toBe(tenant.users.length);
    expect([...new Set(tenant.users.map((user) => user.status))].sort()).toEqual([
      "DELETED",
      "DISABLED",
      "ENABLED",
      "UNKNOWN",
    ]);
    expect(new Set(tenant.users.map((user) => user.type)).size).toBe(4);
    const ids = new Set(tenant.users.map((user) => user.id));
    const managers = tenant.users.flatMap((user) => (user.managerIds as readonly string[] | undefined) ?? []);
    expect(managers.length).toBeGreaterThan(1800);
    expect(managers.every((id) => ids.has(id))).toBe(true);
    const profiles = tenant.users.map((user) => Object.keys(user.profile ?? {}));
    expect(profiles.some((keys) => keys.includes("Cost Center"))).toBe(true);
    const withLevel = profiles.filter((keys) => keys.includes("level"));
    expect(withLevel.length).toBeGreaterThan(1000);
    expect(withLevel.length).toBeLessThan(1700);
  });

  it("gives by rule exactly what the rules say", () => {
    const byRule = (alias: string) => {
      const [entitlement] = store.aliased(alias);
      const rows = tenant.grants.filter((row) => row.appEntitlementId === entitlement?.id);
      const ruled = rows.filter((row) => JSON.stringify(row.grantReasons).includes("automation"));
      const owners = new Map(tenant.accounts.map((row) => [row.id, row.identityUserId]));
      return ruled.map((row) => owners.get(row.appUserId)).sort();
    };
    const present = tenant.users.filter((user) => user.status !== "DELETED");
    const engineers = present.filter((user) => user.department === "Engineering").map((user) => user.id);
    expect(byRule("c1-engineering-member")).toEqual(engineers.sort());
    const contractors = present
      .filter((user) => user.employmentType === "Contractor" && user.email !== "auditor@larkspur.example")
      .map((user) => user.id);
    expect(byRule("c1-contractors-member")).toEqual(contractors.sort());
    expect(tenant.exclusions).toMatchObject([{ userIds: [expect.stringMatching(/^[a-zA-Z0-9]{27}$/)] }]);
  });

  it("has grants by rule, by hand, by request, through a group and with an end, each by an account", () => {
    const reasons = new Set(
      tenant.grants.flatMap((row) =>
        (row.grantReasons as readonly { readonly derivedIdType: string }[]).map((each) => each.derivedIdType),
      ),
    );
    expect([...reasons].sort()).toEqual(["app_entitlement_automation", "group", "manual", "ticket"]);
    expect(tenant.grants.some((row) => row.deprovisionAt !== undefined)).toBe(true);
    expect(tenant.grants.every((row) => store.accounts.get(row.appId, row.appUserId) !== undefined)).toBe(
      true,
    );
  });

  it("has campaigns that know their template, and counts them on it", () => {
    const template = tenant.templates.find((row) => row.displayName === "Quarterly privileged access");
    expect(template).toMatchObject({ occurrences: 2 });
    const cut = tenant.campaigns.filter((row) => row.accessReviewTemplateId === template?.id);
    expect(cut).toMatchObject([{ expectedTicketCount: 41 }, { expectedTicketCount: 38 }]);
    expect(cut[0]?.entitlements).toHaveLength(8);
    expect(tenant.operatorId).toBe(tenant.users.find((user) => user.email === "ana@larkspur.example")?.id);
  });

  it("names every entitlement by an alias of its own", () => {
    const aliases = tenant.entitlements.map((row) => row.alias);
    expect(new Set(aliases).size).toBe(aliases.length);
  });

  it("is served", async () => {
    const sandbox = await startSandbox({ tenant, auth: { clients } });
    const headers = { authorization: `Bearer ${sandbox.token}` };
    const reply = await fetch(`${sandbox.url}/api/v1/apps?page_size=100`, { headers });
    expect(((await reply.json()) as { readonly list: readonly object[] }).list).toHaveLength(12);
    await sandbox.close();
  });
});

describe("a generated tenant", () => {
  it("is of the size asked for, and the same each time", () => {
    const tenant = generateTenant(1000, 7);
    expect(tenant.entitlements).toHaveLength(1000);
    expect([tenant.apps.length, tenant.templates.length]).toEqual([4, 5]);
    expect(generateTenant(1000, 7)).toEqual(tenant);
    expect(generateTenant(1000, 8)).not.toEqual(tenant);
  });

  it.each([0, 1, 250, 251])("may be of %i entitlements", (size) => {
    const tenant = generateTenant(size);
    expect(tenant.entitlements).toHaveLength(size);
    const ids = tenant.entitlements.map((row) => `${row.appId}/${row.id}`);
    expect(new Set(ids).size).toBe(size);
    expect(tenant.entitlements.every((row) => ID.test(row.id))).toBe(true);
  });
});
