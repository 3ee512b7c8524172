import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plan as makePlan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { kinds } from "../../src/kinds/index.js";
import type { Json } from "../../src/model/json.js";
import { guardNames } from "../../src/plan/guards/guards.js";
import { totalsOf } from "../../src/plan/people/totals.js";
import { describePlan } from "../../src/report/plan/describe.js";
import type { Rule as Fault } from "../../src/sandbox/faults/plan.js";
import { typeIdOf } from "../../src/sandbox/tenant/builtin.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { COUNTING, user } from "../apply/people.js";
import { type SessionScene, sessionScene } from "../apply/sessionScene.js";
import { cases } from "../fakes/cases.js";
import {
  anyWorld,
  before,
  GROUPS,
  LAST,
  mayStay,
  momentsOf,
  partsOf,
  type Rule,
  type Truths,
  truthsOf,
  type World,
} from "./witness.js";

/** A second witness of the people of whole plans: it shares no code with what counts them. */

const DELETE = { address: "Entitlement/last", key: null, decision: "delete", span: null } as const;
const ACKNOWLEDGED = guardNames.map((guard) => ({ by: "flag", guard, address: null }) as const);
const numbers = Array.from({ length: GROUPS }, (_, number) => number);
const TEMPLATE = "2quarterly00000000000000000";
const aliasOf = (number: number) => `c1-g${number}-member`;

function seedOf(world: World): string {
  const held = before(world);
  const email = (at: number) => `u${at}@x.test`;
  const holders = (number: number, isByHand: boolean) =>
    world.people.flatMap((_, at) =>
      held[number]?.[at] === true && (world.groups[number]?.byHand[at] === true) === isByHand
        ? [email(at)]
        : [],
    );
  return JSON.stringify({
    apps: [
      {
        name: "C1",
        types: [
          {
            name: "Group",
            kind: "GROUP",
            resources: numbers.map((number) => `G${number}`),
            entitlements: ["Member"],
          },
        ],
      },
    ],
    users: world.people.map(({ name, department, jobTitle }) => user(name, department, jobTitle)),
    members: numbers.flatMap((number) =>
      [true, false].flatMap((isByHand) => {
        const users = holders(number, isByHand);
        const reason = isByHand ? "hand" : "rule";
        return users.length === 0 ? [] : [{ entitlement: `C1/${aliasOf(number)}`, users, reason }];
      }),
    ),
    templates: [
      {
        id: TEMPLATE,
        name: "Quarterly",
        scope: { specificResources: {} },
        entitlements: world.review.before.map((number) => `C1/${aliasOf(number)}`),
      },
    ],
  });
}

function expressionOf({ asks, isNot }: Rule, idOf: (number: number) => string): string {
  const is =
    "group" in asks
      ? `c1.user.v1.HasEntitlement(subject, "${APP}", "${idOf(asks.group)}")`
      : "department" in asks
        ? `subject.department == "${asks.department}"`
        : `subject.jobTitle == "${asks.jobTitle}"`;
  return isNot ? `!(${is})` : is;
}

const APP = C1_APP_ID;
const TYPE = { appId: APP, appResourceTypeId: typeIdOf("GROUP") };
type IdsOf = (number: number) => { readonly id: string; readonly appResourceId: string };

/** The manifests of one side of a world. */
function manifestsOf(world: World, side: "before" | "after", idsOf: IdsOf): string {
  const idOf = (number: number) => idsOf(number).id;
  const resource = (kind: string, name: string, spec: object) =>
    JSON.stringify({ apiVersion: "remit/v1", kind, metadata: { name }, spec });
  const rules = world.groups.flatMap((group, number) => {
    const rule = group[side];
    const spec = {
      appId: { name: "C1" },
      appEntitlementId: { alias: aliasOf(number) },
      displayName: `G${number}`,
      cel: { expression: rule === null ? "" : expressionOf(rule, idOf) },
    };
    return rule === null ? [] : [resource("EntitlementAutomation", `g${number}`, spec)];
  });
  // Only what has a manifest can lose it.
  const entitlement =
    side === "after" || !world.isDeleted
      ? []
      : [resource("Entitlement", "last", { ...TYPE, ...idsOf(LAST), displayName: `G${LAST} Member` })];
  const review = resource("TemplateScope", "quarterly", {
    templateId: TEMPLATE,
    scope: { specificResources: {} },
    entitlements: world.review[side].map((number) => ({
      appId: { name: "C1" },
      appEntitlementId: { alias: aliasOf(number) },
    })),
  });
  const profile =
    side === "before" || world.profile === null
      ? []
      : [
          resource("AccessProfile", "starter", {
            displayName: "Starter",
            published: true,
            requestableEntries: [{ appId: { name: "C1" }, id: idOf(0) }],
            bundleAutomation: { enabled: true, cel: { expression: expressionOf(world.profile, idOf) } },
          }),
        ];
  const { conflict } = world;
  const refs = (some: readonly number[]) => some.map((number) => ({ appId: APP, id: idOf(number) }));
  const conflicts =
    conflict === null || (side === "before" && conflict.isNew)
      ? []
      : [
          resource("AccessConflict", "apart", {
            displayName: "Apart",
            negateGroupB: conflict.isNegated,
            groupA: refs(conflict.a),
            groupB: refs(conflict.b),
          }),
        ];
  return [...rules, ...entitlement, review, ...profile, ...conflicts].join("\n---\n");
}

const SAID = new Set(["people/access", "people/reviews", "people/conflicts"]);

const FAULTS: Readonly<Record<World["refuses"], readonly Fault[]>> = {
  nothing: [],
  users: [{ fault: "error", status: 403, operation: "SearchUsers" }],
  grants: [{ fault: "error", status: 403, operation: "ListGrantsOfEntitlement" }],
  "more calls": [],
};

type Client = NonNullable<SessionScene["session"]["client"]>;

/** The list of users has two of them a page, and someone leaves it. */
function moving(client: Client, { person, after }: NonNullable<World["leaves"]>): Client {
  let given = 0;
  return {
    ...client,
    async *pages(call, effort) {
      if (call.path.at(-1) !== "users") return yield* client.pages(call, effort);
      const all: Json[] = [];
      for await (const page of client.pages(call)) all.push(...page.rows);
      const isLeft = (row: Json) => JSON.stringify(row).includes(`"u${person}@x.test"`);
      for (let token = effort?.from ?? "0"; ; ) {
        const rows = given >= after ? all.filter((row) => !isLeft(row)) : all;
        const end = Number(token) + 2;
        given += 1;
        yield { rows: rows.slice(Number(token), end), next: end < rows.length ? String(end) : "" };
        token = String(end);
        if (end >= rows.length) return;
      }
    },
  };
}

async function plannedIn(world: World) {
  const seeded = readSeed(seedOf(world), "seed.json").tenant;
  // People made the groups, so that they may delete them.
  const entitlements = seeded.entitlements.map((row) => ({ ...row, isManuallyManaged: true }));
  const tenant = { ...seeded, entitlements };
  const scene: SessionScene = await sessionScene("full", { sandbox: { tenant } });
  const rows = scene.sandbox.store.entitlements.all();
  const idsOf = (number: number) => {
    const row = rows.find(({ alias }) => alias === aliasOf(number));
    return { id: String(row?.id), appResourceId: String(row?.appResourceId) };
  };
  const first = await apply(
    scene.order(scene.request(manifestsOf(world, "before", idsOf), { acknowledgements: ACKNOWLEDGED })),
    scene.session,
  );
  if (!["applied", "unchanged"].includes(first.as)) throw new Error(JSON.stringify(first));
  scene.sandbox.faults.set({ seed: 1, rules: FAULTS[world.refuses] });
  const calls = world.refuses === "more calls" ? 3 : 500;
  const request = scene.request(manifestsOf(world, "after", idsOf), {
    counting: { ...COUNTING, names: false, calls },
    acknowledgements: ACKNOWLEDGED,
    removals: { decisions: world.isDeleted ? [DELETE] : [], isPruneStanding: false },
  });
  const mode = { ...request.mode, prune: true };
  const { client } = scene.session;
  const session =
    world.leaves === null || client === null
      ? scene.session
      : { ...scene.session, client: moving(client, world.leaves) };
  const { value, diagnostics } = await makePlan({ ...request, mode }, session);
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  const { access, reviews } = totalsOf(value);
  const said = describePlan(value, "", (name) => kinds.find((kind) => kind.name === name))
    .statements.filter(({ code }) => SAID.has(code))
    .flatMap(({ text, objects }) => [text, ...objects.map((one) => one.text)])
    .join("\n");
  const { enters, leaves } = reviews;
  const [conflict] = value.impact?.conflicts ?? [];
  const conflicts = conflict?.newly ?? { low: 0, high: 0 };
  return {
    stated: { gains: access.gains, loses: access.loses, enters, leaves, conflicts },
    said,
    plan: value,
  };
}

const NAMES = ["gains", "loses", "enters", "leaves", "conflicts"] as const;
/** What says of each number that it is 0. */
const NO_ONE: Readonly<Record<keyof Truths, RegExp>> = {
  gains: /no one (?:loses or )?gains (?:it|access)/,
  loses: /no one loses(?: or gains)? access/,
  enters: /no one (?:leaves or )?enters|no one enters/,
  leaves: /no one leaves/,
  conflicts: /no one would newly hold/,
};

/** Whether all is read, and the service can do one thing alone: what it does elsewhere is documented nowhere. */
function isDecided(world: World): boolean {
  const { groups, profile, isDeleted, refuses, review } = world;
  const changes = groups.map(({ before: one, after }) => JSON.stringify(one) !== JSON.stringify(after));
  const isOpen = ({ before: one, after }: World["groups"][number], number: number) => {
    const isThere = !isDeleted || number !== LAST;
    const isChanged = after !== null && "group" in after.asks && changes[after.asks.group] === true;
    return isChanged || (isThere && one !== null && after === null);
  };
  const isSame = String(review.before) === String(review.after);
  const listsChanged = review.after.some((number) => changes[number] === true);
  if (mayStay(world) || world.leaves !== null) return false;
  return refuses === "nothing" && profile === null && !groups.some(isOpen) && (isSame || !listsChanged);
}

/** No run of the law leaves one of these out. */
const PARTS = [
  "conflict",
  "delete",
  "grants",
  "more calls",
  "negated conflict",
  "new rule",
  "nothing",
  "profile",
  "review",
  "row that leaves",
  "rule that asks for a group",
  "rule that ends",
  "users",
];

describe("the people of a whole plan, beside a second witness", () => {
  it("are within each number that is stated, and no one is said only where it is so", async () => {
    let exact = 0;
    let decided = 0;
    const parts = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyWorld, async (world) => {
        const { stated, said } = await plannedIn(world);
        for (const part of partsOf(world)) parts.add(part);
        const moments = momentsOf(world).map(truthsOf);
        for (const name of NAMES) {
          const { low, high } = stated[name];
          const truths = moments.map((truth) => truth[name]);
          expect([name, stated[name], truths, said]).toSatisfy(() =>
            truths.some(({ least, most }) => low <= least && (high === null || most <= high)),
          );
          const least = Math.min(...truths.map(({ most }) => most));
          if (NO_ONE[name].test(said)) expect([name, least, said]).toEqual([name, 0, said]);
        }
        if (!isDecided(world)) return;
        decided += 1;
        if (NAMES.every((name) => stated[name].low === stated[name].high)) exact += 1;
      }),
      { numRuns: cases(40, 100) },
    );
    expect([...parts].sort()).toEqual(PARTS);
    expect(decided).toBeGreaterThan(0);
    expect(exact).toBeGreaterThanOrEqual(decided * 0.95);
  }, 600_000);
});
