import { describe, expect, it } from "vitest";
import { loadManifests } from "../../src/manifest/load.js";
import { loadProject } from "../../src/manifest/project.js";
import { folder } from "./folder.js";
import { line, load, marked, resourceType, templateScope, told } from "./loading.js";

describe("a manifest becomes a resource", () => {
  it("with its address, what is said of it, its spec as written and its file", async () => {
    const text = resourceType({ rest: "  traitIds: []\n" }).replace(
      "name: team",
      'name: team\n  labels: { a: b }\n  annotations: { remit/protect: "true" }',
    );
    const { value, diagnostics } = await load(text);
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject([
      {
        address: { kind: "ResourceType", name: "team" },
        labels: { a: "b" },
        annotations: { "remit/protect": "true" },
        spec: { appId: "app1", id: "type1", displayName: "Team", traitIds: [] },
        file: "-",
      },
    ]);
  });

  it("of which each value keeps its place, in whatever file and document", async () => {
    const cwd = folder({
      "a/x.yaml": `${resourceType()}---\n${resourceType({ name: "other", id: "two" })}`,
      "b.json":
        '{"apiVersion":"remit/v1","kind":"ResourceType","metadata":{"name":"j"},"spec":{"appId":"a","id":"b"}}',
    });
    const { value } = await loadManifests({ paths: ["."], cwd });
    const [, second, json] = value;
    expect(second?.place(["spec", "id"])).toEqual({
      span: { file: "a/x.yaml", start: { line: 16, column: 7 }, end: { line: 16, column: 10 } },
      excerpt: { text: "  id: two", column: 1 },
    });
    expect(second?.place(["spec", "id"], "name").span.start).toEqual({ line: 16, column: 3 });
    expect(json?.place(["spec", "id"]).span.start).toEqual({ line: 1, column: 97 });
  });

  it("and a value that is not written has the place of what would hold it", async () => {
    const { value } = await load(resourceType());
    const [resource] = value;
    expect(resource?.place(["spec", "traitIds", 3]).span.start).toEqual({ line: 5, column: 1 });
    expect(resource?.place([]).span.start).toEqual({ line: 1, column: 1 });
    expect(resource?.place(["nothing", "here"]).span.start).toEqual({ line: 1, column: 1 });
  });

  it("a manifest without its version has its line, a document of another tool has not", async () => {
    const manifest = resourceType().replace("apiVersion: remit/v1\n", "");
    const stranger = `apiVersion: example/v1\n${manifest}`;
    const faults = async (text: string) => {
      const cwd = folder({ "a.yaml": text });
      return (await loadManifests({ paths: ["a.yaml"], cwd })).diagnostics;
    };
    const place = { span: expect.objectContaining({ start: { line: 1, column: 1 } }) };
    const excerpt = { text: "kind: ResourceType", column: 1 };
    expect(await faults(manifest)).toMatchObject([
      { ...place, excerpt, hint: "Add `apiVersion: remit/v1`." },
    ]);
    expect((await faults(stranger)).map(({ excerpt }) => excerpt)).toEqual([undefined]);
  });

  it("of a very long line, the excerpt is the part around the place", async () => {
    const { value } = await load(resourceType({ rest: `  traitIds: [${"abc, ".repeat(500)}last]\n` }));
    const place = value[0]?.place(["spec", "traitIds", 500]);
    const { text = "", column = 0 } = place?.excerpt ?? {};
    expect(text.length).toBeLessThan(300);
    expect(text.slice((place?.span.start.column ?? 0) - column)).toBe("last]");
  });
});

/** What restricts nothing, or chooses nothing: the line in a scope, the diagnostic with its place, and what it underlines. */
const EMPTY = [
  ["allUsers:", "8:14 schema/empty", ""],
  ["allUsers: null", "8:15 schema/empty", "null"],
  ["userCriteria: {}", "8:19 schema/empty", "{}"],
  ["userCriteria: { userStatus: [] }", "8:33 schema/empty", "[]"],
  ["userCriteria: { multiUserProfileAttributes: {} }", "8:49 schema/empty", "{}"],
  ["userCriteria: { multiUserProfileAttributes: { team: { values: [] } } }", "8:67 schema/empty", "[]"],
  ["userCriteria: { multiUserProfileAttributes: { team: {} } }", "8:51 schema/required", "team"],
  ["userCriteria: { multiUserProfileAttributes: { team: } }", "8:57 schema/type", ""],
  [
    'userCriteria: { multiUserProfileAttributes: { team: { values: [{ value: "" }] } } }',
    "8:77 schema/value",
    '""',
  ],
  ["grantsByCriteria: {}", "8:23 schema/empty", "{}"],
] as const;

describe("remit reports no error for", () => {
  it("ids of a filter that it does not know", async () => {
    const { value, diagnostics } = await load(
      templateScope(
        "  scope:\n    grantsByCriteria:\n      accessProfileFilter:\n        filterType: ACCESS_PROFILE_FILTER_TYPE_NEWEST\n        includedAccessProfileIds: [a]\n",
      ),
    );
    expect(diagnostics).toMatchObject([{ code: "schema/enum", severity: "warning" }]);
    expect(value).toHaveLength(1);
  });

  it("the escape of a carriage return in double quotes, and lines that end with CRLF", async () => {
    const text = templateScope('  scope:\n    celExpression: { expression: "true &&\\r true" }\n');
    const { value, diagnostics } = await load(text.replaceAll("\n", "\r\n"));
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject([{ spec: { scope: { celExpression: { expression: "true &&\r true" } } } }]);
  });
});

describe("a problem is reported with its place:", () => {
  it.each<{ what: string; text: string; says: readonly string[]; under: string }>([
    {
      what: "a missing name",
      text: resourceType().replace("  name: team", "  labels: {}"),
      says: ["3:1 schema/required"],
      under: "metadata",
    },
    { what: "an unfit name", text: resourceType({ name: "a/b" }), says: ["4:9 schema/value"], under: "a/b" },
    {
      what: "an unknown kind",
      text: resourceType().replace("ResourceType", "ResourceTypo"),
      says: ["2:7 manifest/kind"],
      under: "ResourceTypo",
    },
    {
      what: "no kind",
      text: resourceType().replace("kind: ResourceType\n", ""),
      says: ["1:1 manifest/kind"],
      under: "apiVersion",
    },
    {
      what: "a later version",
      text: resourceType().replace("v1", "v9"),
      says: ["1:13 manifest/version"],
      under: "remit/v9",
    },
    {
      what: "no version",
      text: resourceType().replace("apiVersion: remit/v1\n", ""),
      says: ["1:1 schema/required"],
      under: "kind",
    },
    {
      what: "an unknown field",
      text: resourceType({ rest: "  traitIdz: []\n" }),
      says: ["9:3 schema/unknown-field"],
      under: "traitIdz",
    },
    { what: "an empty id", text: resourceType({ id: '""' }), says: ["7:7 rule/empty-id"], under: '""' },
    {
      what: "an id with a slash",
      text: resourceType({ id: "a/b" }),
      says: ["7:7 rule/unfit-id"],
      under: "a/b",
    },
    {
      what: "an id with a space",
      text: resourceType({ id: "a b" }),
      says: ["7:7 rule/unfit-id"],
      under: "a b",
    },
    { what: "an id of two dots", text: resourceType({ id: ".." }), says: ["7:7 rule/unfit-id"], under: ".." },
    {
      what: "dates that run backwards",
      text: templateScope(
        "  scope:\n    grantsByCriteria:\n      grantsAddedBetween: { startDate: 2026-02-01T00:00:00Z, endDate: 2026-01-31T23:00:00-01:00 }\n      sourceFilter: GRANT_SOURCE_FILTER_DIRECT\n",
      ).replace("23:00:00-01:00", "20:00:00-01:00"),
      says: ["9:40 rule/dates-reversed"],
      under: "2026-02-01T00:00:00Z",
    },
    {
      what: "ids to include where all specific ones are excluded",
      text: templateScope(
        "  scope:\n    grantsByCriteria:\n      accessProfileFilter:\n        filterType: ACCESS_PROFILE_FILTER_TYPE_EXCLUDE_SPECIFIC\n        includedAccessProfileIds: [a]\n",
      ),
      says: ["11:9 rule/unused-ids"],
      under: "includedAccessProfileIds",
    },
    ...EMPTY.map(([lines, says, under]) => ({
      what: `\`${lines.trim()}\` in a scope`,
      text: templateScope(`  scope:\n    ${lines}\n`),
      says: [says],
      under,
    })),
    {
      what: "a carriage return without a line feed",
      text: `${resourceType()}# one\rtwo\n`,
      says: ["9:6 yaml/carriage-return"],
      under: "\r",
    },
    {
      what: "two members of one group",
      text: templateScope("  scope:\n    userCriteria: { userStatus: [ENABLED] }\n    allUsers: {}\n"),
      says: ["9:5 schema/one-of"],
      under: "allUsers",
    },
    {
      what: "an entitlement that is listed twice",
      text: templateScope(
        "  entitlements:\n    - { appId: a, appEntitlementId: e }\n    - { appEntitlementId: e, appId: a }\n",
      ),
      says: ["9:7 rule/repeated-item"],
      under: "{ appEntitlementId: e, appId: a }",
    },
  ])("$what", async ({ text, says, under }) => {
    const { diagnostics, value } = await load(text);
    expect(diagnostics.map(line)).toEqual(says);
    expect(diagnostics[0] && marked(text, diagnostics[0])).toBe(under);
    expect(value).toEqual([]);
  });

  it("all faults of all documents, by place", async () => {
    const text = `${resourceType({ id: "a/b", rest: "  x: 1\n" })}---\n${resourceType({ name: "_", appId: "7" })}`;
    expect(await told(text)).toEqual([
      "7:7 rule/unfit-id",
      "9:3 schema/unknown-field",
      "14:9 schema/value",
      "16:10 schema/type",
    ]);
  });

  it("both places of a name that is written twice", async () => {
    const { diagnostics } = await load(resourceType({ rest: "  id: x\n" }));
    expect(diagnostics[0]?.related?.map(({ span }) => span.start)).toEqual([{ line: 7, column: 3 }]);
  });

  it("a warning as an error where strictness is asked for", async () => {
    const cwd = folder({ "x.yaml": templateScope("  scope: { userCriteria: { userStatus: [ENABLD] } }\n") });
    const severities = async (strict: boolean) =>
      (await loadManifests({ paths: ["."], cwd, strict })).diagnostics.map(({ severity }) => severity);
    expect(await severities(false)).toEqual(["warning"]);
    expect(await severities(true)).toEqual(["error"]);
  });
});

describe("two manifests", () => {
  it("of one name are an error that shows both places", async () => {
    const cwd = folder({ "a.yaml": resourceType(), "b.yaml": resourceType({ id: "two" }) });
    const { diagnostics } = await loadManifests({ paths: ["."], cwd });
    expect(diagnostics).toMatchObject([
      {
        code: "manifest/duplicate-name",
        span: { file: "b.yaml", start: { line: 4, column: 9 } },
        related: [{ span: { file: "a.yaml", start: { line: 4, column: 9 } } }],
      },
    ]);
  });

  it("that are completely the same are reported once", async () => {
    expect(await told(`${resourceType()}---\n${resourceType()}`)).toEqual(["13:9 manifest/duplicate-name"]);
  });

  it("of one name but two kinds are fine", async () => {
    expect(await told(`${resourceType({ name: "q4" })}---\n${templateScope("")}`)).toEqual([]);
  });

  it("for one object of the service are an error that shows both places", async () => {
    const { diagnostics } = await load(`${resourceType()}---\n${resourceType({ name: "other" })}`);
    expect(diagnostics).toMatchObject([
      { code: "manifest/duplicate-key", related: [{ span: { start: { line: 7 } } }] },
    ]);
  });

  it("for one object are found though one names its app and one gives the id", async () => {
    const text = `${resourceType()}---\n${resourceType({ name: "other", appId: "{ name: GitHub }" })}`;
    expect(await told(text, { GitHub: "app1" })).toEqual(["16:7 manifest/duplicate-key"]);
    expect(await told(text, { GitHub: "app2" })).toEqual([]);
  });
});

describe("a document that is not a remit manifest", () => {
  const deployment = "apiVersion: apps/v1\nkind: Deployment\n";
  it.each([
    { what: "a manifest of another tool", text: deployment, code: "manifest/foreign" },
    { what: "settings", text: "a: 1\n", code: "manifest/foreign" },
    { what: "a list", text: "- a\n", code: "manifest/foreign" },
    { what: "YAML with tags of its own", text: "a: !reference [b]\n", code: "manifest/foreign" },
    { what: "a text", text: "hello\n", code: "manifest/not-understood" },
    {
      what: "a template that is no YAML",
      text: "{{- if .x }}\na: {{ .b }}\n{{ end }}\n",
      code: "manifest/not-understood",
    },
    {
      what: "a manifest with another apiVersion",
      text: "apiVersion: rmit/v1\nkind: ResourceType\n",
      code: "manifest/not-understood",
    },
    {
      what: "a pointer of git-LFS",
      text: "version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 1\n",
      code: "manifest/not-understood",
    },
  ])("is a warning in a folder and an error where it is named: $what", async ({ text, code }) => {
    const cwd = folder({ "a.yaml": text, "b.yaml": resourceType() });
    const inFolder = await loadManifests({ paths: ["."], cwd });
    expect(inFolder.value).toHaveLength(1);
    expect(inFolder.diagnostics).toMatchObject([{ code, severity: "warning" }]);
    expect(inFolder.diagnostics[0]?.hint).toMatch(/\.remitignore|git lfs pull/);
    const named = await loadManifests({ paths: ["a.yaml"], cwd });
    expect(named.diagnostics.map(({ severity }) => severity)).toContain("error");
  });

  it("is reported once for its whole file", async () => {
    const { diagnostics } = await load(`${deployment}---\n${deployment}---\n${resourceType()}`);
    expect(diagnostics.map(line)).toEqual(["1:13 manifest/not-understood"]);
  });

  it.each([
    ["a spec", "spec: { appId: a }\n", ["1:1 manifest/version", "1:1 manifest/kind"]],
    ["a kind of remit's", "kind: ResourceType\nmetadata: { name: a }\n", ["1:1 schema/required"]],
    ["a version that is a list", "apiVersion: [remit/v1]\nkind: ResourceType\n", ["1:13 schema/value"]],
    ["its manifests as a list", "- apiVersion: remit/v1\n  kind: ResourceType\n", ["1:3 manifest/list"]],
  ])("is an error at its line in a folder, too, where it has %s", async (_, text, expected) => {
    const cwd = folder({ "a.yaml": text, "b.yaml": resourceType() });
    const { diagnostics } = await loadManifests({ paths: ["."], cwd });
    const told = diagnostics.filter(({ severity }) => severity === "error").map(line);
    expect(told).toEqual(expect.arrayContaining(expected));
  });

  it("is passed over in a folder where it is the project's file", async () => {
    const cwd = folder({ "remit.yaml": "server: sandbox\n", "x.yaml": resourceType() });
    expect((await loadManifests({ paths: ["."], cwd })).diagnostics).toEqual([]);
  });
});

describe("a reference to an app by name", () => {
  const named = (name: string) => resourceType({ appId: `{ name: ${name} }` });
  it.each([
    { what: "that apps: does not know is no fault", name: "Jira", apps: { GitHub: "a" }, says: [] },
    { what: "that apps: knows is no fault", name: "GitHub", apps: { GitHub: "a" }, says: [] },
    {
      what: "that differs in case is a warning",
      name: "github",
      apps: { GitHub: "a" },
      says: ["6:18 reference/look-alike"],
    },
    {
      what: "that differs in spaces is a warning",
      name: "Git Hub",
      apps: { GitHub: "a" },
      says: ["6:18 reference/look-alike"],
    },
    {
      what: "like two others is an error",
      name: "github",
      apps: { GitHub: "a", Github: "b" },
      says: ["6:18 reference/ambiguous"],
    },
    {
      what: "like another one is a warning",
      name: "GitHub",
      apps: { GitHub: "a", Github: "b" },
      says: ["6:18 reference/ambiguous"],
    },
    {
      what: "like another one of the same app is none",
      name: "GitHub",
      apps: { GitHub: "a", Github: "a" },
      says: [],
    },
    {
      what: "like a property of every object is no fault",
      name: "constructor",
      apps: { GitHub: "a" },
      says: [],
    },
  ])("$what", async ({ name, apps, says }) => {
    expect(await told(named(name), apps)).toEqual(says);
  });
});

describe("a long text", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => resourceType({ name: `team-${at}`, id: `type${at}` })).join(
      "---\n",
    );

  it("is read in pieces, between which other work has its turn, and says the same", async () => {
    const cwd = folder({ "a.yaml": many(25), "b.yaml": `${many(2)}---\n{`, "c.yaml": many(8) });
    let turns = 0;
    const load = { project: ["."], paths: [], cwd };
    const inTurns = await loadProject(load, async () => {
      turns += 1;
    });
    expect(turns).toBe(3);
    const texts = ({ resources, diagnostics }: typeof inTurns) => JSON.stringify([resources, diagnostics]);
    expect(texts(inTurns)).toBe(texts(await loadProject(load)));
    expect(inTurns.resources).toHaveLength(35);
  });
});

describe("a hint says how to write what was meant:", () => {
  const automation = (spec: string) =>
    `apiVersion: remit/v1\nkind: EntitlementAutomation\nmetadata: { name: a }\nspec:\n${spec}`;
  it.each([
    ["a number of days", templateScope("  scope: { grantsByCriteria: { daysSinceLastUsed: 90 } }\n"), "90d"],
    [
      "a quoted number of days",
      templateScope('  scope: { grantsByCriteria: { daysSinceLastUsed: "90" } }\n'),
      "90d",
    ],
    [
      "an alias where an id belongs",
      automation("  appId: a\n  appEntitlementId: github-admin\n"),
      "`{ alias: github-admin }`",
    ],
    [
      "a bare word where an id belongs",
      automation("  appId: a\n  appEntitlementId: admin\n"),
      "`{ alias: admin }`",
    ],
    [
      "an alias without braces",
      automation("  appId: a\n  appEntitlementId: alias: github-admin\n"),
      "`appId: { name: GitHub }`",
    ],
    [
      "an alias in the place of an object",
      templateScope("  entitlements: [github-admin]\n"),
      "appId and appEntitlementId",
    ],
    [
      "an expression beside cel",
      automation('  appId: a\n  appEntitlementId: b\n  cel: {}\n  expression: "true"\n'),
      "It is a field of cel: write it below `cel:`.",
    ],
    [
      "an expression alone",
      automation('  appId: a\n  appEntitlementId: b\n  expression: "true"\n'),
      "It is a field of cel and basic: write it below one of them.",
    ],
  ])("%s", async (_, text, hint) => {
    const { diagnostics } = await load(text);
    expect(diagnostics.map((one) => one.hint)).toContainEqual(expect.stringContaining(hint));
  });
});
