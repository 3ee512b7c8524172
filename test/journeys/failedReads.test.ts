import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import type { Ending } from "../../src/sandbox/faults/plan.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";
import { startServer } from "../fakes/server.js";

/** A read that fails is a failure: never a missing object, and never a service without reads. */

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5B";
const OTHER = "2fsgTvxP0DVTsNXEUBI7hOe0l5F";
const TYPE = "2fsgTvxP0DVTsNXEUBI7hOe0l5C";
const ENTITLEMENT = "2fsgTvxP0DVTsNXEUBI7hOe0l5D";

const review = (name: string, templateId: string): Manifest => ({
  kind: "TemplateScope",
  name,
  spec: { templateId, scope: { allUsers: {} } },
});
const automation: Manifest = {
  kind: "EntitlementAutomation",
  name: "engineering",
  spec: { appId: APP, appEntitlementId: ENTITLEMENT, displayName: "E", basic: { expression: "1 == 2" } },
};
const type: Manifest = {
  kind: "ResourceType",
  name: "team",
  spec: { appId: APP, id: TYPE, displayName: "Teams", traitIds: [] },
};
const everything = [review("quarterly", TEMPLATE), automation, type];

const { tenant } = readSeed(
  `
apps:
  - name: C1
    types: [{ name: Team, id: ${TYPE} }]
    entitlements: [{ name: Engineering, id: ${ENTITLEMENT}, alias: engineering }]
templates:
  - { name: Q4, id: ${TEMPLATE} }
  - { name: Q3, id: ${OTHER} }
`,
  "seed.yaml",
);

const FAULTS: Readonly<Record<string, Ending>> = {
  "401": { fault: "error", status: 401 },
  "403": { fault: "error", status: 403 },
  "500": { fault: "error", status: 500 },
  "503": { fault: "error", status: 503 },
  "404 with a page": { fault: "html", status: 404 },
  "200 with a page": { fault: "html" },
  "200 and {}": { fault: "empty" },
  "a reset": { fault: "reset" },
};
/** What the error of each says, and how to continue. */
const WAYS_ON: Readonly<Record<string, RegExp>> = {
  "401": /refused the token: it answered 401.* Get a new one/,
  "403": /Give the client a role .*`interface: core`/,
  "500": /Try again later/,
  "503": /Try again later/,
  "404 with a page": /answered 404.*interface: \{ \w+: core \}/,
  "200 with a page": /Check the server's address.*`--interface core`/,
  "200 and {}": /Check the server's address.*`--interface core`/,
  "a reset": /Try again later/,
};
const READS: Readonly<Record<string, string>> = {
  "a scope": "/api/v1/access_review_template/*",
  "an automation": "*/automation",
  "the types of an app": "*/resource_types",
};

let project: Project;
afterEach(() => project.close());

async function start(manifests: readonly Manifest[], settings = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ tenant });
  onTestFinished(() => sandbox.close());
  project = makeProject({ server: sandbox.url, guards: { maxChangesPercent: 100 }, ...settings });
  project.write(manifests);
  return sandbox;
}

function remit({ url, token }: Pick<Sandbox, "url" | "token">, ...argv: readonly string[]): Promise<Seen> {
  const env = { REMIT_SERVER: url, REMIT_TOKEN: token, NO_COLOR: "1" };
  return runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
}

const written = (sandbox: Sandbox) => sandbox.log.count({ written: true });
const words = ({ stdout, stderr }: Seen) => (stdout + stderr).replace(/\s+/g, " ");
const meet = (sandbox: Sandbox, ending: Ending | undefined, path: string) =>
  sandbox.faults.set({ seed: 1, rules: ending === undefined ? [] : [{ ...ending, method: "GET", path }] });

const cases = Object.keys(FAULTS).flatMap((fault) =>
  Object.keys(READS).map((read) => [fault, read] as const),
);

describe("a first run whose probe fails", () => {
  it.each(cases)("with %s on %s ends, says why, and writes nothing", async (fault, read) => {
    const sandbox = await start(everything);
    meet(sandbox, FAULTS[fault], READS[read] ?? "");
    for (const argv of [["plan"], ["apply", "--yes", "--acknowledge", "unknown-current"]]) {
      const seen = await remit(sandbox, ...argv);
      expect([seen.code, seen.stdout], words(seen)).toEqual([fault === "401" ? 4 : 1, ""]);
      if (fault !== "401") expect(words(seen)).toMatch(/could not be read: GET \/api\/v1\//);
      expect(words(seen)).toMatch(WAYS_ON[fault] ?? "a way on");
    }
    expect(written(sandbox)).toBe(0);
  });

  it("of the list of apps ends, too", async () => {
    const sandbox = await start(everything);
    meet(sandbox, FAULTS["403"], "/api/v1/apps");
    const seen = await remit(sandbox, "plan");
    expect([seen.code, seen.stdout]).toEqual([1, ""]);
    expect(words(seen)).toContain("GET /api/v1/apps: answered 403");
  });
});

describe("a server that was read before", () => {
  it.each(cases)("and answers %s for %s keeps its objects", async (fault, read) => {
    const sandbox = await start(everything);
    expect((await remit(sandbox, "apply", "--yes")).code).toBe(0);
    expect(project.state()?.wasRead).toBe(true);
    const before = written(sandbox);
    project.write(
      everything.map((one) =>
        one.kind === "TemplateScope"
          ? { ...one, spec: { templateId: TEMPLATE, scope: { allUsers: {}, specificResources: {} } } }
          : { ...one, spec: { ...one.spec, displayName: "Changed" } },
      ),
    );
    sandbox.faults.set({
      seed: 1,
      rules: [FAULTS[fault]].flatMap((ending) =>
        ending === undefined
          ? []
          : [
              { ...ending, method: "GET", path: READS[read] ?? "" },
              { ...ending, method: "GET", path: "/api/v1/apps" },
            ],
      ),
    });
    const seen = await remit(sandbox, "apply", "--yes", "--acknowledge", "unknown-current");
    expect(seen.code, words(seen)).not.toBe(0);
    expect(words(seen)).toMatch(fault === "401" ? /refused the token/ : /GET \/api\/v1\//);
    const isList = read === "the types of an app";
    expect(written(sandbox) - before).toBe(isList ? 0 : 2);
  });

  it("blocks only the object that cannot be read", async () => {
    const sandbox = await start([review("quarterly", TEMPLATE)]);
    expect((await remit(sandbox, "apply", "--yes")).code).toBe(0);
    project.write([review("quarterly", TEMPLATE), review("other", OTHER)]);
    meet(sandbox, FAULTS["403"], `/api/v1/access_review_template/${TEMPLATE}/*`);
    const { stdout } = await remit(sandbox, "plan");
    expect(stdout).toMatch(/blocked\s+TemplateScope\/quarterly/);
    expect(stdout).toMatch(/update\s+TemplateScope\/other/);
  });
});

describe("an interface that is set for one kind", () => {
  it("leaves the others to be read", async () => {
    const sandbox = await start(everything, { interface: { TemplateScope: "core" } });
    const { stdout } = await remit(sandbox, "plan");
    expect(stdout).toContain("Not read: template scopes");
    expect(stdout).not.toContain("Not read: resource types");
    expect(sandbox.log.count({ path: "/api/v1/access_review_template/*" })).toBe(0);
    expect(sandbox.log.count({ path: "*/resource_types" })).toBe(1);
  });
});

describe("a server that hangs", () => {
  it.each([
    ["ids", everything],
    ["names", [{ ...automation, spec: { ...automation.spec, appId: { name: "C1" } } }]],
  ])("is found out after one request timeout where manifests give %s", async (_, manifests) => {
    const server = await startServer(() => undefined);
    onTestFinished(() => server.close());
    project = makeProject({ server: server.url, requestTimeout: "1s" });
    project.write(manifests);
    const seen = await remit({ url: server.url, token: "t" }, "plan");
    expect([seen.code, seen.stdout]).toEqual([1, ""]);
    expect(words(seen)).toContain("no whole reply came (ETIMEDOUT)");
    expect(words(seen)).not.toContain("taken effect");
    const asked = server.seen.map(({ url }) => url);
    expect(asked.length).toBe(new Set(asked).size);
  });
});
