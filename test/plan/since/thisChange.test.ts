import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plan } from "../../../src/apply/preview.js";
import { apply } from "../../../src/apply/run.js";
import type { EarlierProject } from "../../../src/manifest/git/earlierProject.js";
import { NO_VOCABULARY } from "../../../src/manifest/vocabulary.js";
import { NO_SETTINGS } from "../../../src/plan/guards/rules.js";
import { DEFAULT_LIMITS } from "../../../src/plan/guards/settings.js";
import { type Planned, pendingIn } from "../../../src/plan/plan.js";
import type { Request } from "../../../src/plan/request.js";
import { effectOf } from "../../../src/plan/saved/effect.js";
import { type ProjectChange, part } from "../../../src/plan/since/thisChange.js";
import { memoryContents, memoryStore } from "../../../src/state/memory.js";
import { orderFor } from "../../apply/order.js";
import { cases } from "../../fakes/cases.js";
import { directClient, SERVER } from "../../fakes/directClient.js";
import { hastyClock } from "../../fakes/inside.js";
import { resourceType } from "../../report/plans.js";

/** What each object has, by its number; a missing one is not there. */
type Contents = Readonly<Record<number, { readonly name: string; readonly description: string }>>;

/** A tenant, and a change that someone proposes to it. */
interface History {
  /** What was applied when the state was written; the state is lost where this is null. */
  readonly applied: Contents | null;
  /** What the tenant has now. */
  readonly tenant: Contents;
  readonly base: Contents;
  readonly now: Contents;
  readonly prune: boolean;
}

const NUMBERS = [1, 2, 3, 4, 5];
const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

function manifestsOf(contents: Contents): string {
  return Object.entries(contents)
    .map(([number, { name, description }]) =>
      JSON.stringify({
        apiVersion: "remit/v1",
        kind: "EntitlementAutomation",
        metadata: { name: `object-${number}` },
        spec: {
          appId: APP,
          appEntitlementId: `entitlement000000000000000${number}`,
          displayName: name,
          description,
          cel: { expression: 'subject.department == "Red"' },
        },
      }),
    )
    .join("\n---\n");
}

function requestFor(text: string, past: EarlierProject | null, prune: boolean): Request {
  const limits = { ...DEFAULT_LIMITS, maxDeletes: 100, maxForgets: 100, changesFloor: 100 };
  return {
    project: {
      name: null,
      manifests: { project: ["-"], paths: [], cwd: "/", stdin: async () => Buffer.from(text) },
      commit: null,
      removals: { decisions: [], isPruneStanding: false },
      moved: [],
    },
    history: { since: past, reviewed: null, mainline: null },
    tenant: { server: SERVER, interface: "full", width: 4 },
    mode: { offline: false, refreshOnly: false, prune, cascade: [], targets: [], selector: null },
    rules: { limits, acknowledgements: [], today: "2026-01-01", settings: NO_SETTINGS },
    optional: { counting: null, nameCalls: 0 },
  };
}

const EMPTY = `apiVersion: remit/v1\nkind: EntitlementAutomation\nmetadata: { name: other }\nspec: { appId: ${APP}, appEntitlementId: entitlement0000000000000009, displayName: Other, cel: { expression: "subject.a == 1" } }\n`;

/** The text of a project, which always has one manifest that never changes. */
const projectOf = (contents: Contents) => `${EMPTY}---\n${manifestsOf(contents)}`;

async function planOf({ applied, tenant, base, now, prune }: History): Promise<Planned> {
  const clock = hastyClock(1000);
  const { client } = directClient({ retries: 0 }, clock);
  const session = (contents: ReturnType<typeof memoryContents>) => ({
    store: memoryStore(contents, clock),
    client,
    clock,
    requestTimeout: 0,
    createLag: 0,
  });
  const known = memoryContents();
  // Another program brings the tenant from there to what it has now: its own state knows all of it.
  const other = memoryContents();
  async function write(contents: Contents, to: ReturnType<typeof memoryContents>) {
    const result = await apply(
      orderFor(requestFor(projectOf(contents), null, applied !== null && to === other)),
      session(to),
    );
    if (result.as === "refused") throw new Error(JSON.stringify(result.diagnostics));
  }
  if (applied !== null) {
    await write(applied, known);
    Object.assign(other, structuredClone(known));
  }
  await write(tenant, other);
  const past: EarlierProject = {
    ref: "main",
    commit: "0".repeat(40),
    sources: [{ file: "-", text: projectOf(base), named: true }],
    vocabulary: NO_VOCABULARY,
    removed: [],
    prunes: false,
    isComplete: true,
    authorship: {},
  };
  const made = await plan(requestFor(projectOf(now), past, prune), session(known));
  if (made.value === null) throw new Error(JSON.stringify(made.diagnostics));
  return made.value;
}

const content = fc.record({
  name: fc.constantFrom("One", "Two", "Three"),
  description: fc.constantFrom("x", "y"),
});
const contents = fc
  .tuple(...NUMBERS.map(() => fc.option(content, { freq: 4 })))
  .map((list): Contents => Object.fromEntries(list.flatMap((one, at) => (one ? [[at + 1, one]] : []))));

/** A history, and the same with anything else about the objects that the change leaves alone. */
const history = fc.record({
  applied: fc.option(contents),
  tenant: contents,
  base: contents,
  edits: contents,
  touched: fc.subarray(NUMBERS),
  prune: fc.boolean(),
  elsewhere: fc.record({ applied: contents, tenant: contents, base: contents }),
});
type Generated = Parameters<Parameters<typeof history.map>[0]>[0];

function pick(one: Contents, other: Contents, isOther: (number: number) => boolean): Contents {
  return Object.fromEntries(
    NUMBERS.flatMap((number) => {
      const value = (isOther(number) ? other : one)[number];
      return value === undefined ? [] : [[number, value]];
    }),
  );
}

function worldsOf({ applied, tenant, base, edits, touched, prune, elsewhere }: Generated) {
  const now = pick(base, edits, (number) => touched.includes(number));
  const isSame = (number: number) => JSON.stringify(base[number]) === JSON.stringify(now[number]);
  const one: History = { applied, tenant, base, now, prune };
  const other: History = {
    applied: applied === null ? null : pick(applied, elsewhere.applied, isSame),
    tenant: pick(tenant, elsewhere.tenant, isSame),
    base: pick(base, elsewhere.base, isSame),
    now: pick(now, elsewhere.base, isSame),
    prune,
  };
  return { one, other, changed: NUMBERS.filter((number) => !isSame(number)) };
}

const numRuns = cases(5);
const nameOf = (number: number) => `object-${number}`;

describe("the plan of a change", () => {
  it("does the same, whatever drifted or was merged elsewhere", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (generated) => {
        const { one, other, changed } = worldsOf(generated);
        const [plan, again] = [await planOf(one), await planOf(other)];
        expect(effectOf(again)).toBe(effectOf(plan));
        const names = new Set(changed.map(nameOf));
        for (const { address, action } of plan.steps)
          expect(action === "keep" || names.has(address.name), address.name).toBe(true);
        for (const { address } of pendingIn(plan)) expect(names.has(address.name), address.name).toBe(false);
      }),
      { numRuns },
    );
  }, 600_000);

  it("does something else once one of its own objects changed in the tenant", async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(), content, async (generated, at, drifted) => {
        const { one, changed } = worldsOf(generated);
        const own = changed.filter((number) => one.now[number] !== undefined);
        const number = own[at % Math.max(1, own.length)];
        fc.pre(number !== undefined && JSON.stringify(one.tenant[number]) !== JSON.stringify(drifted));
        const other = { ...one, tenant: { ...one.tenant, [number ?? 0]: drifted } };
        expect(effectOf(await planOf(other))).not.toBe(effectOf(await planOf(one)));
      }),
      { numRuns },
    );
  }, 600_000);
});

it("blocks a step that needs what only an earlier change would do", () => {
  const need = { kind: "ResourceType", name: "team" };
  const first = resourceType({ address: need, key: ["a", "1"] });
  const second = resourceType({
    address: { kind: "ResourceType", name: "other" },
    key: ["a", "2"],
    needs: [need],
  });
  const change: ProjectChange = {
    unchanged: new Set(),
    before: new Map(),
    removed: new Set(["ResourceType/other"]),
    decisions: [],
    prunes: false,
    authorship: {},
    texts: new Map(),
  };
  const parting = { desired: [], removals: { decisions: [], isPruneStanding: false }, change };
  const { steps, pending } = part([first, second], parting);
  expect(pending).toEqual([first]);
  expect(steps).toMatchObject([{ action: "blocked", needs: [], calls: [] }]);
  expect(steps[0]?.diagnostics).toMatchObject([{ code: "plan/need-pending" }]);
});
