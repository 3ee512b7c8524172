import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { runInside, type Seen } from "../fakes/inside.js";
import { idOf } from "../fakes/many.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";

/**
 * How many calls a run makes: lists, at most one fresh read, and the writes of each object. Names of ids that are only
 * shown take a search for each sort, or a read of each template where they are few.
 */

const SIZE = 50;
const APPS = 5;
const numbers = Array.from({ length: SIZE }, (_, number) => number);

let project: Project;
afterEach(() => project.close());

async function serve(): Promise<Sandbox> {
  const sandbox = await startSandbox({
    tenant: {
      ...EMPTY_TENANT,
      open: false,
      apps: [
        { id: C1_APP_ID, displayName: "C1" },
        ...numbers.slice(0, APPS).map((app) => ({ id: idOf("app", app), displayName: `App ${app}` })),
      ],
      entitlements: numbers.map((number) => ({
        appId: C1_APP_ID,
        id: idOf("entitlement", number),
        displayName: `Group ${number}`,
        alias: `group-${number}`,
      })),
      templates: numbers.map((number) => ({ id: idOf("template", number), displayName: `Review ${number}` })),
    },
  });
  onTestFinished(() => sandbox.close());
  project = makeProject({ server: sandbox.url, guards: { maxChangesPercent: 100 } });
  return sandbox;
}

/** Applies manifests without a question; gives how often each method was called. */
async function apply(
  sandbox: Sandbox,
  manifests: readonly Manifest[],
): Promise<Seen & { readonly calls: readonly [reads: number, writes: number] }> {
  project.write(manifests);
  sandbox.log.clear();
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, NO_COLOR: "1" };
  const seen = await runInside(["apply", "--yes", "--impact", "off"], { cwd: project.cwd, env });
  const writes = sandbox.log.count({ written: true });
  return { ...seen, calls: [sandbox.log.count() - writes, writes] };
}

const PROBES = 1;
const RULE = { expression: 'subject.department == "Sales"' };

function automation(number: number, entitlement: Manifest["spec"], more = {}): Manifest {
  const spec = { ...entitlement, displayName: `Members ${number}`, description: "", ...more };
  return {
    kind: "EntitlementAutomation",
    name: `members-${number}`,
    spec: { cel: RULE, ...spec },
  };
}

const byId = (number: number) => ({ appId: C1_APP_ID, appEntitlementId: idOf("entitlement", number) });
const byName = (number: number) => ({
  appId: { name: "C1" },
  appEntitlementId: { alias: `group-${number}` },
});

function type(number: number, more = {}): Manifest {
  const spec = { appId: idOf("app", number % APPS), displayName: `Type ${number}`, resourceType: "CUSTOM" };
  return { kind: "ResourceType", name: `type-${number}`, spec: { ...spec, ...more } };
}

function scope(number: number, expression: string): Manifest {
  const spec = {
    templateId: idOf("template", number),
    scope: { specificResources: {}, celExpression: { expression } },
    entitlements: [byId(number)],
  };
  return { kind: "TemplateScope", name: `scope-${number}`, spec };
}

describe("a first apply", () => {
  it.each([
    // One automation finds the interface. A search shows that the others do not exist, and what all are called.
    ["ids", byId, PROBES + 2],
    ["names", byName, PROBES + 1],
  ] as const)("reads each new automation once, named by %s", async (_, reference, lists) => {
    const sandbox = await serve();
    const { code, calls, stderr } = await apply(
      sandbox,
      numbers.map((number) => automation(number, reference(number))),
    );
    expect(code, stderr).toBe(0);
    expect(calls).toEqual([lists + SIZE, SIZE]);
  });

  it.each([
    ["without", 0],
    ["with", 1],
  ] as const)("lists the resource types of each app once, %s traits", async (_, more) => {
    const sandbox = await serve();
    const traits = more === 0 ? {} : { traitIds: [idOf("trait", 1)] };
    const { code, calls, stderr } = await apply(
      sandbox,
      numbers.map((number) => type(number, traits)),
    );
    expect(code, stderr).toBe(0);
    // Once for the plan. After the last create, one search of all the apps finds a second type of one name.
    expect(calls).toEqual([PROBES + APPS + 1, SIZE * (1 + more)]);
  });

  it("reads each scope once", async () => {
    const sandbox = await serve();
    const { code, calls, stderr } = await apply(
      sandbox,
      numbers.map((number) => scope(number, 'subject.id == "1"')),
    );
    expect(code, stderr).toBe(0);
    expect(calls).toEqual([PROBES + SIZE + 1, SIZE]);
  });
});

describe("a change of a few", () => {
  const isChanged = (number: number) => number % 10 === 0;
  const changed = numbers.filter(isChanged).length;

  /** Applies a manifest per number, changes some of them, and gives the calls of the second apply. */
  async function changeSome(make: (number: number, word: string) => Manifest) {
    const sandbox = await serve();
    const first = await apply(
      sandbox,
      numbers.map((number) => make(number, "before")),
    );
    expect(first.code, first.stderr).toBe(0);
    const next = numbers.map((number) => make(number, isChanged(number) ? "after" : "before"));
    const { code, calls, stderr } = await apply(sandbox, next);
    expect(code, stderr).toBe(0);
    return calls;
  }

  it.each([
    [
      "automations",
      (number: number, word: string) => automation(number, byId(number), { description: word }),
      SIZE + 2,
    ],
    ["scopes", (number: number, word: string) => scope(number, `subject.id == "${word}"`), SIZE + changed],
    [
      "resource types",
      (number: number, word: string) => type(number, { traitIds: [idOf("trait", word.length)] }),
      APPS + 1,
    ],
  ] as const)("of many %s reads all of them once", async (_, make, reads) => {
    expect(await changeSome(make)).toEqual([reads, changed]);
  });

  it("reads those again whose write sends back what remit does not own", async () => {
    const make = (number: number, word: string): Manifest => ({
      kind: "EntitlementAutomation",
      name: `members-${number}`,
      spec: { ...byId(number), displayName: word, cel: RULE },
    });
    const [reads, writes] = await changeSome(make);
    expect(writes).toBe(changed);
    // Those whose turn comes within two seconds of the plan's read need no second one.
    expect(reads).toBeGreaterThanOrEqual(SIZE);
    expect(reads).toBeLessThanOrEqual(SIZE + changed);
  });
});
