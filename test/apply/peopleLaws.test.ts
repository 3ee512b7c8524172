import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Call, formatCallPath } from "../../src/model/call.js";
import { isObject, type Json } from "../../src/model/json.js";
import { countPeople } from "../../src/people/count.js";
import type { PeopleCount, PlanImpact, StepImpact } from "../../src/plan/people/impact.js";
import type { Plan } from "../../src/plan/plan.js";
import type { Step } from "../../src/plan/step.js";
import type { Remote } from "../../src/tenant/reads.js";
import { makeTenant } from "../../src/tenant/tenant.js";
import { makeRandom } from "../fakes/governed.js";
import { pagesOf as given } from "../fakes/pagesOf.js";

/** How many tenants are generated: a hundred in CI, and as many as a person asks for. */
const TENANTS = Number(process.env.TENANTS ?? 40);

const MIDNIGHT = Date.UTC(2026, 10, 20);
const HOUR = 3_600_000;

interface Someone {
  readonly id: string;
  readonly department: string;
  /** The hour of the day at which their contract ends; before and after the day where it is outside. */
  readonly ends: number;
  /** Which entitlements they hold, and which of them they were given by hand. */
  readonly holds: readonly boolean[];
  readonly isByHand: readonly boolean[];
}

/** What holds at one moment of the day, with the entitlements that people have then. */
interface Moment {
  readonly hour: number;
  readonly holds: (person: Someone, entitlement: number) => boolean;
}

/** A rule, and whom it matches, written a second time in plain code. */
interface Sample {
  readonly expression: string;
  readonly matches: (person: Someone, moment: Moment) => boolean;
}

/** Rules for the entitlement of a number: they ask for entitlements of lower numbers, so none of them asks for itself. */
function samplesFor(number: number): readonly Sample[] {
  const ENDS = "timestamp(subject.profile.ends)";
  const plain: readonly Sample[] = [
    { expression: "subject.department == 'A'", matches: ({ department }) => department === "A" },
    { expression: "subject.department == 'Nowhere'", matches: () => false },
    { expression: "subject.department != 'B'", matches: ({ department }) => department !== "B" },
    { expression: `${ENDS} > now()`, matches: ({ ends }, { hour }) => ends > hour },
    {
      expression: `subject.department == 'A' && !(now() - ${ENDS} >= duration('2h'))`,
      matches: ({ department, ends }, { hour }) => department === "A" && hour - ends < 2,
    },
    {
      expression: `now() > ${ENDS} && now() < ${ENDS} + duration('3h')`,
      matches: ({ ends }, { hour }) => hour > ends && hour < ends + 3,
    },
  ];
  const asking = Array.from({ length: number }, (_, other): readonly Sample[] => [
    {
      expression: `c1.user.v1.HasEntitlement(subject, 'app', 'e${other}')`,
      matches: (person, { holds }) => holds(person, other),
    },
    {
      expression: `subject.department == 'B' || !c1.user.v1.HasEntitlement(subject, 'app', 'e${other}')`,
      matches: (person, { holds }) => person.department === "B" || !holds(person, other),
    },
    {
      expression: `c1.directory.apps.v1.GetEntitlementMembers('app', 'e${other}').exists(m, m.id == subject.id)`,
      matches: (person, { holds }) => holds(person, other),
    },
  ]);
  return [...plain, ...asking.flat()];
}

const three = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean());

const someone = fc.record({
  department: fc.constantFrom("A", "B", "C"),
  ends: fc.integer({ min: -5, max: 30 }),
  holds: three,
  isByHand: three,
});

const edit = (number: number) =>
  fc.option(
    fc.record({
      before: fc.constantFrom(...samplesFor(number)),
      after: fc.constantFrom(...samplesFor(number)),
    }),
    { freq: 3 },
  );

const tenant = fc.record({
  people: fc.array(someone, { maxLength: 9 }).map((all) => all.map((one, at) => ({ ...one, id: `u${at}` }))),
  edits: fc.tuple(edit(0), edit(1), edit(2)),
  /** The place of a list that shows an earlier row again, in place of its own. */
  repeats: fc.constantFrom(null, null, 1, 4),
  /** Whether a whole page comes again with its rows in another order, in place of the next. */
  turnsPage: fc.boolean(),
  pageSize: fc.integer({ min: 1, max: 4 }),
  calls: fc.constantFrom(1, 4, 200, 200, 200),
});

/** Tenants in which rules stay as they are and ask for what others give. */
const staying = tenant.chain((world) =>
  fc
    .record({
      edits: fc.tuple(edit(0), stays(1), stays(2)),
      repeats: fc.constantFrom(null, null, null, 1),
    })
    .map((drawn) => ({ ...world, ...drawn })),
);

function stays(number: number) {
  const asking = samplesFor(number).filter(({ expression }) => expression.includes("Entitle"));
  return fc.oneof(
    edit(number),
    fc.constantFrom(...asking).map((one) => ({ before: one, after: one })),
  );
}

type Drawn = typeof tenant extends fc.Arbitrary<infer T> ? T : never;

type Tenant = Omit<Drawn, "calls"> & { readonly calls: number };

/** The pages of a list that changes while it is read. */
function pagesOf<T>(rows: readonly T[], { repeats, turnsPage, pageSize }: Tenant): readonly (readonly T[])[] {
  const shown = rows.map((row, at) => (at === repeats ? (rows[at - 1] as T) : row));
  const pages = Array.from({ length: Math.ceil(shown.length / pageSize) }, (_, at) =>
    shown.slice(at * pageSize, (at + 1) * pageSize),
  );
  return turnsPage && repeats !== null && pages.length > 2
    ? pages.map((page, at) => (at === 1 ? (pages[0] ?? []).toReversed() : page))
    : pages;
}

/** The service: users, entitlements, grants and exclusions. */
function serviceOf(world: Tenant): Remote {
  const { people } = world;
  const userOf = ({ id, department, ends }: Someone): Json => ({
    user: {
      id,
      department,
      status: "ENABLED",
      profile: { ends: new Date(MIDNIGHT + ends * HOUR).toISOString() },
    },
  });
  const holdersOf = (number: number) => people.filter(({ holds }) => holds[number]);

  function rowsOf({ body }: Call, path: string): readonly (readonly Json[])[] {
    if (path.endsWith("/search/users")) {
      const departments = isObject(body) && Array.isArray(body.departments) ? body.departments : null;
      const refs = isObject(body) && Array.isArray(body.refs) ? JSON.stringify(body.refs) : null;
      const wanted = people.filter(
        ({ id, department }) =>
          departments?.includes(department) !== false && refs?.includes(`"${id}"`) !== false,
      );
      return refs === null ? pagesOf(wanted.map(userOf), world) : [wanted.map(userOf)];
    }
    if (path.endsWith("/search/entitlements")) {
      return [
        [0, 1, 2].map((number) => ({
          appEntitlement: { appId: "app", id: `e${number}`, grantCount: `${holdersOf(number).length}` },
        })),
      ];
    }
    const [, number] = /\/entitlements\/e(\d)\/grants$/.exec(path) ?? [];
    if (number !== undefined)
      return pagesOf(
        holdersOf(Number(number)).map((one) => ({
          ...(userOf(one) as object),
          appUser: { id: `a-${one.id}` },
        })),
        world,
      );
    return [[]];
  }

  return {
    async send(call) {
      const path = call.path.join("/");
      const [, number, id] = /entitlements\/e(\d)\/users\/(u\d+)\/grants$/.exec(path) ?? [];
      const isHeld = people.some((one) => one.id === id && one.holds[Number(number)] === true);
      const body: Json =
        number === undefined
          ? { userId: "" }
          : { bindings: isHeld ? [{ appEntitlementId: `e${number}` }] : [] };
      return { status: 200, body, attempts: 1 };
    },
    async *pages(call, effort) {
      yield* given(rowsOf(call, formatCallPath(call)), effort?.from);
    },
    pace: {
      limit: (work: () => unknown) => work(),
      lend: (wait: () => unknown) => wait(),
    } as unknown as Remote["pace"],
  };
}

function stepsOf({ edits }: Tenant): readonly Step[] {
  return edits.flatMap((one, number): readonly Step[] => {
    if (one === null) return [];
    const step = {
      address: { kind: "EntitlementAutomation", name: `e${number}` },
      key: ["app", `e${number}`],
      action: isEdited(one) ? "update" : "keep",
      recorded: { driftedFrom: null },
      sight: { exists: "yes" },
      before: { cel: { expression: one.before.expression } },
      after: { cel: { expression: one.after.expression } },
    };
    return [step as unknown as Step];
  });
}

async function counted(world: Tenant): Promise<readonly StepImpact[]> {
  return (await impactOf(world, serviceOf(world)))?.steps ?? [];
}

async function impactOf(world: Tenant, remote: Remote): Promise<PlanImpact | null> {
  const plan = {
    steps: stepsOf(world),
    interface: { asked: "full", kinds: { EntitlementAutomation: { source: "live", interface: "full" } } },
  } as unknown as Plan;
  const { impact } = await countPeople(plan, makeTenant(remote), {
    about: "changes",
    calls: world.calls,
    names: false,
    evaluate: (work) => ({ value: work(), milliseconds: 1 }),
    today: new Date(MIDNIGHT),
  });
  return impact;
}

/** The same service, whose replies come in an order of chance. */
function shuffled(remote: Remote, seed: number): Remote {
  const random = makeRandom(seed);
  const wait = async () => {
    for (let turns = Math.floor(random() * 8); turns > 0; turns -= 1)
      await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...remote,
    async send(call) {
      await wait();
      return remote.send(call);
    },
    async *pages(call, effort) {
      for await (const page of remote.pages(call, effort)) {
        await wait();
        yield page;
      }
    },
  };
}

function isEdited({ before, after }: { readonly before: Sample; readonly after: Sample }): boolean {
  return before.expression !== after.expression;
}

/**
 * What the service does by brute force, at one hour: who holds what after the plan, and who would without it. `next`: the
 * same by the next run of each rule that stays.
 */
function truthOf({ people, edits }: Tenant, hour: number) {
  const now: Moment = { hour, holds: (person, number) => person.holds[number] === true };
  const after = new Map<string, boolean>();
  const later: Moment = { hour, holds: (person, number) => after.get(`${person.id}/${number}`) === true };
  const first = edits.map((one, number) => {
    const isChanged = one !== null && isEdited(one);
    const moves = people.map((person) => {
      const [holds, stays] = [
        now.holds(person, number),
        now.holds(person, number) && person.isByHand[number] === true,
      ];
      const [old, fresh] = [
        one?.before.matches(person, now) === true,
        one?.after.matches(person, later) === true,
      ];
      return { person, holds, old, fresh, without: stays || old, next: isChanged ? stays || fresh : holds };
    });
    for (const { person, next } of moves) after.set(`${person.id}/${number}`, next);
    const count = (test: (move: (typeof moves)[number]) => boolean) => moves.filter(test).length;
    return {
      before: count(({ old }) => old),
      after: count(({ fresh }) => fresh),
      gains: count(({ holds, without, next }) => !holds && next && !without),
      loses: count(({ holds, without, next }) => holds && !next && without),
      keeps: count(({ holds, old, fresh }) => holds && old && fresh),
    };
  });
  const second = edits.map((one, number) => {
    const moves = people.map((person) => {
      const [holds, old] = [now.holds(person, number), one?.after.matches(person, now) === true];
      const stays = holds && person.isByHand[number] === true;
      return { holds, without: stays || old, next: stays || one?.after.matches(person, later) === true };
    });
    return {
      gains: moves.filter(({ holds, without, next }) => !holds && next && !without).length,
      loses: moves.filter(({ holds, without, next }) => holds && !next && without).length,
    };
  });
  return { first, second };
}

function isInside({ low, high }: PeopleCount, truth: number): boolean {
  return low <= truth && (high === null || truth <= high);
}

describe("the people of a plan, whatever its rules ask and however its lists change", () => {
  it("are within what is printed, at every hour of the day", async () => {
    await fc.assert(
      fc.asyncProperty(tenant, async (world) => {
        const steps = await counted(world);
        for (let hour = 0; hour < 24; hour += 1) {
          const truths = truthOf(world, hour).first;
          for (const step of steps) {
            const truth = truths[Number(step.address.name.slice(1))];
            if (step.as !== "members" || truth === undefined) throw new Error("each step changes a rule");
            for (const name of ["before", "after", "gains", "loses", "keeps"] as const)
              expect([name, hour, step[name], truth[name]]).toSatisfy(() =>
                isInside(step[name], truth[name]),
              );
          }
        }
      }),
      { numRuns: TENANTS },
    );
  });

  it("are within what is said of the rules that stay, an hour later, and each of these that moves is named", async () => {
    let moved = 0;
    await fc.assert(
      fc.asyncProperty(staying, async (world) => {
        const impact = await impactOf(world, serviceOf(world));
        if (impact === null) return;
        for (let hour = 0; hour < 24; hour += 1) {
          for (const [number, truth] of truthOf(world, hour).second.entries()) {
            const one = world.edits[number];
            if (one === null || one === undefined || isEdited(one)) continue;
            const said = impact.follow?.find(({ address }) => address.name === `e${number}`);
            if (truth.gains + truth.loses > 0) {
              moved += 1;
              expect([said?.address.name, world.edits]).toEqual([`e${number}`, world.edits]);
            }
            for (const name of ["gains", "loses"] as const)
              if (said?.counts != null)
                expect([name, hour, said.counts[name], truth[name]]).toSatisfy(() =>
                  isInside(said.counts?.[name] as PeopleCount, truth[name]),
                );
          }
        }
      }),
      { numRuns: TENANTS },
    );
    expect(moved).toBeGreaterThan(0);
  });

  it("are exact where everything is read once, no rule asks for the hour, and none asks for what another gives", async () => {
    const isPlain = ({ expression }: Sample) => !/now|Entitlement/.test(expression);
    let exact = 0;
    await fc.assert(
      fc.asyncProperty(tenant, async (drawn) => {
        const world: Tenant = { ...drawn, repeats: null, calls: 200 };
        const isAll = world.edits.every((one) => one === null || (isPlain(one.before) && isPlain(one.after)));
        if (!isAll) return;
        for (const step of await counted(world)) {
          if (step.as !== "members") continue;
          expect([step.before.certainty, step.after.certainty, step.gains.certainty]).toEqual([
            "exact",
            "exact",
            "exact",
          ]);
          exact += 1;
        }
      }),
      { numRuns: TENANTS * 4 },
    );
    expect(exact).toBeGreaterThan(0);
  });

  it("are the same whichever reply comes first, and never cost more calls than there are", async () => {
    await fc.assert(
      fc.asyncProperty(tenant, fc.integer({ min: 0, max: 9 }), fc.nat(), async (drawn, calls, seed) => {
        const world = { ...drawn, calls };
        const [one, other] = [
          await impactOf(world, serviceOf(world)),
          await impactOf(world, shuffled(serviceOf(world), seed)),
        ];
        expect(other).toEqual(one);
        const spent = Object.values(one?.calls ?? {}).reduce((sum, some) => sum + some, 0);
        expect(spent).toBeLessThanOrEqual(calls);
      }),
      { numRuns: TENANTS * 2 },
    );
  });
});
