import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/http/server.js";
import { SHRUGS, startDocumented } from "../fakes/documented.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";
import { json, type Script, startServer } from "../fakes/server.js";

/** How a tenant is read, from the command line to the wire: what is asked, how often, and what is said of trouble. */

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5B";
const TYPE = "2fsgTvxP0DVTsNXEUBI7hOe0l5C";
const ENTITLEMENT = "2fsgTvxP0DVTsNXEUBI7hOe0l5D";
const TOKEN = "s3cr3t-t0ken";

const scope: Manifest = {
  kind: "TemplateScope",
  name: "quarterly",
  spec: {
    templateId: TEMPLATE,
    scope: { specificResources: {}, allUsers: {} },
    entitlements: [{ appId: APP, appEntitlementId: ENTITLEMENT }],
  },
};
const automation: Manifest = {
  kind: "EntitlementAutomation",
  name: "engineering",
  spec: {
    appId: APP,
    appEntitlementId: ENTITLEMENT,
    displayName: "Engineering",
    basic: { expression: 'subject.department == "Engineering"' },
  },
};
const type: Manifest = {
  kind: "ResourceType",
  name: "team",
  spec: { appId: APP, id: TYPE, displayName: "Team", traitIds: [] },
};
const everything = [scope, automation, type];

let named: string;
let project: Project;
afterEach(() => project.close());

function open(server: string, manifests: readonly Manifest[], settings = {}): void {
  named = server;
  project = makeProject({ server, ...settings });
  project.write(manifests);
}

function remit(...argv: readonly string[]): Promise<Seen> {
  const env = { REMIT_SERVER: named, REMIT_TOKEN: TOKEN, NO_COLOR: "1" };
  return runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
}

async function serve(script: Script): Promise<string> {
  const server = await startServer(script);
  onTestFinished(() => server.close());
  return server.url;
}

describe("a server with the four documented operations alone", () => {
  const unknownRoutes = ["404 in plain text", "404 in JSON of its own", "405", "501"];
  const others = Object.keys(SHRUGS).filter((name) => !unknownRoutes.includes(name));

  it.each(others)("that answers %s to everything else ends the run, and nothing is sent", async (name) => {
    const server = await startDocumented(SHRUGS[name] ?? (() => undefined));
    onTestFinished(() => server.close());
    open(server.url, everything);
    const isToken = name === "401";
    for (const command of [["plan"], ["apply", "--yes", "--acknowledge", "unknown-current"]]) {
      const { code, stdout, stderr } = await remit(...command);
      expect([code, stdout, stderr.match(/error\[/g)?.length]).toEqual([isToken ? 4 : 1, "", 1]);
      expect(stderr.replace(/\s+/g, " ")).toMatch(
        isToken
          ? /the service refused the token.* = .* Get a new one/
          : /the tenant could not be read: GET \/api\/v1\/.* = .*(`interface: core`|`--interface core`|later|address)/,
      );
    }
    expect(server.seen.filter(({ method }) => method === "POST")).toHaveLength(0);
  });

  it.each(unknownRoutes)("that answers %s to everything else is planned and applied", async (name) => {
    const server = await startDocumented(SHRUGS[name] ?? (() => undefined));
    onTestFinished(() => server.close());
    open(server.url, everything);

    const planned = await remit("plan", "--detailed-exitcode");
    expect(planned.code, planned.stderr + planned.stdout).toBe(4);
    for (const kind of ["template scopes", "entitlement automations", "resource types"])
      expect(planned.stdout).toContain(`Not read: ${kind}: `);
    expect((await remit("apply", "--yes")).code).toBe(4);
    expect(server.seen.filter(({ method }) => method === "POST")).toHaveLength(0);
    const applied = await remit("apply", "--yes", "--acknowledge", "unknown-current");
    expect(applied.code, applied.stderr + applied.stdout).toBe(0);
    const written = server.seen.filter(({ method }) => method === "POST").length;
    expect(written).toBe(3);

    const again = await remit("plan", "--detailed-exitcode");
    expect(again.code, again.stderr + again.stdout).toBe(0);
    expect(server.seen.filter(({ method }) => method === "POST")).toHaveLength(3);
  });
});

describe("a tenant that does not say anything", () => {
  const everywhere = (name: string): Script => {
    return (_, response) => SHRUGS[name]?.(response);
  };

  it.each([
    ["a token without a role", "403", "service/not-allowed", "role"],
    ["a proxy's page in its place", "200 and a page", "service/strange-reply", "proxy"],
    ["a sign-in page elsewhere", "301", "service/strange-reply", "sign-in"],
    ["a service that is down", "503", "service/read-failed", "Try again"],
  ])("is one error: %s", async (_, shrug, code, hint) => {
    open(await serve(everywhere(shrug)), everything);
    for (const command of [["plan"], ["apply", "--yes"]]) {
      const { code: exit, stdout, stderr } = await remit(...command);
      expect([exit, stdout]).toEqual([1, ""]);
      expect(stderr.match(/error\[/g)).toHaveLength(1);
      expect(stderr).toContain(`error[${code}]: the tenant could not be read: GET /api/v1/`);
      expect(stderr).toContain(hint);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(stderr).not.toContain(TOKEN);
    }
  });

  it("is one refusal where the token is wrong", async () => {
    open(await serve(everywhere("401")), everything);
    for (const command of [["plan"], ["apply", "--yes"]]) {
      const { code, stdout, stderr } = await remit(...command);
      expect([code, stdout, stderr.match(/error\[/g)]).toEqual([4, "", ["error["]]);
      expect(stderr).toContain(
        "error[service/refused-token]: the service refused the token: it answered 401",
      );
      expect(stderr).toContain("Get a new one");
      expect(stderr).not.toContain(TOKEN);
    }
  });

  it("is one error where no server listens, after as few requests as possible", async () => {
    const server = await startServer(() => undefined);
    await server.close();
    const many = Array.from({ length: 200 }, (_, place) => ({
      ...scope,
      name: `review-${place}`,
      spec: { ...scope.spec, templateId: `template${String(place).padStart(19, "0")}` },
    }));
    open(server.url, many);
    const { code, stderr } = await remit("plan");
    expect([code, stderr.match(/error\[/g)?.length]).toEqual([1, 1]);
    expect(stderr).toContain("error[service/unreachable]: the tenant could not be read: GET /api/v1/");
    expect(stderr).toContain("ECONNREFUSED");
  });

  it("is one error where no token is available", async () => {
    const body = { error: "invalid_client", error_description: "no such client" };
    open(await serve((_, response) => json(response, 401, body)), everything);
    const env = { REMIT_CLIENT_ID: "ci@127.0.0.1/spc", REMIT_CLIENT_SECRET: TOKEN, NO_COLOR: "1" };
    const { code, stderr } = await runInside(["plan"], { cwd: project.cwd, env, clock: hastyClock(100) });
    expect([code, stderr.match(/error\[/g)?.length]).toEqual([5, 1]);
    expect(stderr).toContain(
      "error[service/wrong-credentials]: wrong client id or secret: the service answered 401: no such client\n",
    );
    expect(stderr).not.toContain("interface: core");
    expect(stderr).toContain("`remit config`");
    expect(stderr).not.toContain(TOKEN);
  });

  it("is an outage where the sign-in is not answered", async () => {
    open(await serve((_, response) => json(response, 503, {})), everything);
    const env = { REMIT_CLIENT_ID: "ci@127.0.0.1/spc", REMIT_CLIENT_SECRET: TOKEN, NO_COLOR: "1" };
    const { code, stderr } = await runInside(["plan"], { cwd: project.cwd, env, clock: hastyClock(100) });
    expect([code, stderr.match(/error\[[^\]]+/g)]).toEqual([1, ["error[service/unreachable"]]);
  });

  it("is one error where names need a lookup, too", async () => {
    const url = await serve(everywhere("401"));
    open(url, [
      { ...automation, spec: { ...automation.spec, appId: { name: "GitHub" } } },
      { ...type, spec: { ...type.spec, appId: { name: "GitLab" } } },
    ]);
    const { code, stderr } = await remit("plan");
    expect([code, stderr.match(/(error|warning)\[/g)]).toEqual([4, ["error["]]);
  });
});

describe("a tenant that can be read", () => {
  const { tenant } = readSeed(
    `
apps:
  - name: C1
    types: [{ name: Team, id: ${TYPE} }]
    entitlements:
      - { name: Engineering, id: ${ENTITLEMENT}, alias: engineering }
${Array.from({ length: 150 }, (_, place) => `      - { name: Group ${place}, alias: group-${place} }`).join("\n")}
  - { name: Twin, entitlements: [Admin] }
  - { name: Twin, id: 2fsgTvxP0DVTsNXEUBI7hOe0l5G }
templates:
  - { name: Q4, id: ${TEMPLATE} }
`,
    "seed.yaml",
  );
  const app = { name: "C1" };

  async function start(options: SandboxOptions = {}): Promise<Sandbox> {
    const sandbox = await startSandbox({ tenant, ...options });
    onTestFinished(() => sandbox.close());
    return sandbox;
  }

  function plan(sandbox: Sandbox, ...flags: readonly string[]): Promise<Seen> {
    const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, NO_COLOR: "1" };
    return runInside(["plan", "--detailed-exitcode", ...flags], {
      cwd: project.cwd,
      env,
      clock: hastyClock(100),
    });
  }

  const asked = (sandbox: Sandbox): string[] =>
    sandbox.log.entries().map(({ method, path }) => `${method} ${path}`);

  it("is asked once for each list, and for no automation that the list says is not there", async () => {
    const sandbox = await start();
    const groups = Array.from({ length: 100 }, (_, place) => ({
      kind: "EntitlementAutomation",
      name: `group-${place}`,
      spec: {
        appId: app,
        appEntitlementId: { alias: `group-${place}` },
        basic: { expression: "subject.department == 'Sales'" },
      },
    }));
    const types = Array.from({ length: 50 }, (_, place) => ({
      kind: "ResourceType",
      name: `type-${place}`,
      spec: { appId: APP, displayName: `Type ${place}`, resourceType: "CUSTOM" },
    }));
    open(sandbox.url, [...groups, ...types, type]);
    const { code, stdout, stderr } = await plan(sandbox, "--acknowledge", "unknown-current");
    expect(code, stderr + stdout).toBe(2);
    expect(asked(sandbox).sort()).toEqual([
      "GET /api/v1/apps",
      `GET /api/v1/apps/${APP}/entitlements`,
      `GET /api/v1/apps/${APP}/entitlements`,
      `GET /api/v1/apps/${APP}/resource_types`,
      // Without a state, it shows which types every app has: those are not one of these with another name.
      "POST /api/v1/search/app_resource_types",
      // Who gains by the new rules: their holders, and the users.
      "POST /api/v1/search/entitlements",
      "POST /api/v1/search/users",
    ]);
    expect(stdout).toContain("150 to create");
  });

  it("is asked for no list where ids are given, and for what they are called", async () => {
    const sandbox = await start();
    open(sandbox.url, everything, { apps: { C1: APP } });
    const { stdout } = await plan(sandbox, "--impact", "off");
    expect(asked(sandbox).sort()).toEqual([
      `GET /api/v1/access_review_template/${TEMPLATE}`,
      `GET /api/v1/access_review_template/${TEMPLATE}/scope_and_entitlements`,
      "GET /api/v1/apps",
      `GET /api/v1/apps/${APP}/entitlements/${ENTITLEMENT}/automation`,
      `GET /api/v1/apps/${APP}/resource_types`,
      "POST /api/v1/search/entitlements",
    ]);
    expect(stdout).toContain("C1 [remit.yaml] › Engineering (2fsg…5D)");
  });

  it("shows the names of what was looked up beside their ids", async () => {
    const sandbox = await start();
    const spec = { ...automation.spec, appId: app, appEntitlementId: { alias: "engineering" } };
    open(sandbox.url, [{ ...automation, spec }]);
    const { stdout } = await plan(sandbox);
    expect(stdout).toContain("C1 › Engineering (2fsg…5D)");
  });

  it("is asked for nothing but what a target needs", async () => {
    const sandbox = await start();
    open(sandbox.url, everything);
    const { code, stdout } = await plan(sandbox, "--target", "ResourceType/team");
    expect(code).toBe(0);
    expect(stdout).toMatch(/1 (object )?to adopt/);
    expect(asked(sandbox).sort()).toEqual(["GET /api/v1/apps", `GET /api/v1/apps/${APP}/resource_types`]);
  });

  it("says which things a name could mean, with the line and the ids, and plans nothing", async () => {
    const sandbox = await start();
    open(sandbox.url, [
      { ...automation, spec: { ...automation.spec, appId: { name: "Twin" } } },
      { ...type, spec: { ...type.spec, id: { name: "team" }, appId: app } },
    ]);
    const { code, stdout, stderr } = await plan(sandbox);
    const twins = tenant.apps.filter(({ displayName }) => displayName === "Twin").map(({ id }) => id);
    expect([code, stdout]).toEqual([5, ""]);
    expect(stderr).toContain('error[reference/ambiguous]: 2 apps have the name "Twin"');
    for (const id of twins) expect(stderr).toContain(`Twin (${id})`);
    expect(stderr).toContain('error[reference/not-found]: no resource type has the name "team"');
    expect(stderr).toContain(`the nearest first: Team (${TYPE})`);
    expect(stderr.match(/manifests\/all\.yaml:\d+:\d+/g)).toHaveLength(2);
  });

  it("is planned from what is recorded where it offers the documented operations alone", async () => {
    const sandbox = await start({ interface: "core" });
    open(sandbox.url, everything);
    const { code, stdout } = await plan(sandbox);
    expect(code).toBe(4);
    expect(stdout).toContain("Not read: template scopes");
    expect(sandbox.log.count({ method: "GET" })).toBeLessThanOrEqual(5);
  });
});
