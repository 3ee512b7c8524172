import fc from "fast-check";
import { expect, it } from "vitest";
import { configurationRules } from "../../src/kinds/configurationRules.js";
import { customEntitlement } from "../../src/kinds/customEntitlement.js";
import { managedApp } from "../../src/kinds/managedApp.js";
import { policy } from "../../src/kinds/policy.js";
import { type Call, formatCallPath } from "../../src/model/call.js";
import type { JsonObject } from "../../src/model/json.js";
import { changesRequests } from "../../src/people/deciding.js";
import { requestsDecided } from "../../src/people/requestsDecided.js";
import type { PeopleReads } from "../../src/tenant/peopleReads.js";
import { cases } from "../fakes/cases.js";
import { current, type Fact, planOf, present, wish } from "../plan/worlds.js";

/** Who may request what a step decides about, beside a loop over people and over each answer to what is not known. */

const APP = "a";
const ENTITLEMENTS = ["e0", "e1", "e2"];
const POLICIES = ["p1", "p2"];

const conditions = [
  'subject.department == "Tax"',
  'entitlement.displayName == "e1"',
  "task.isGrantPermanent",
];
const rule = fc.record({
  condition: fc.constantFrom(...conditions, ...conditions.slice(0, 2)),
  stepKey: fc.constantFrom("open", "asks"),
});
const grant = fc.constantFrom("open", "asks", "asks", "owners", "self");
const spec = fc.record({ rules: fc.array(rule, { maxLength: 2 }), grant });
type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;

const STEPS: Readonly<Record<string, JsonObject>> = {
  open: { steps: [{ accept: {} }] },
  asks: { steps: [{ approval: { manager: {} } }] },
  owners: { steps: [{ approval: { appOwners: {} } }] },
  self: { steps: [{ approval: { self: {} } }] },
};
const written = ({ rules, grant }: Spec): JsonObject => ({
  policyType: "POLICY_TYPE_GRANT",
  rules: [...rules],
  policySteps: { grant: STEPS[grant] ?? {}, open: STEPS.open ?? {}, asks: STEPS.asks ?? {} },
});

const user = fc.record({
  department: fc.constantFrom("Tax", "Law"),
  status: fc.constantFrom("ENABLED", "ENABLED", "DISABLED"),
});
const profile = fc.record({
  offers: fc.subarray(ENTITLEMENTS, { minLength: 1 }),
  seenBy: fc.oneof(fc.constant("everyone" as const), fc.subarray(["u0", "u1", "u2", "u3"])),
  published: fc.constantFrom(true, true, false),
});
const world = fc.record({
  users: fc.array(user, { minLength: 2, maxLength: 4 }),
  profiles: fc.array(profile, { minLength: 1, maxLength: 3 }),
  named: fc.tuple(...ENTITLEMENTS.map(() => fc.constantFrom("", "p1", ...POLICIES))),
  ofApp: fc.constantFrom("", ...POLICIES),
  before: fc.tuple(spec, spec),
  after: fc.tuple(spec, spec),
  locked: fc.boolean(),
  change: fc.constantFrom("policy", "entitlement", "app", "defaults", "rules"),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

const other = (id: string) => (id === "p1" ? "p2" : "p1");

/** The policies of a world and what names them, before or after the change. */
function sideOf({ before, after, change, named, ofApp, locked }: World, side: "before" | "after") {
  const isAfter = side === "after";
  const [first, second] = isAfter && change === "policy" ? [after[0], before[1]] : before;
  const own = named.map((id, at) => (isAfter && change === "entitlement" && at === 0 ? other(id) : id));
  // Defaults are written into what is unlocked and of their type; a rule decides before what it takes is asked.
  const isOver = (at: number) => {
    if (!isAfter) return false;
    return change === "defaults" ? at === 0 || (at === 1 && !locked) : change === "rules" && at === 1;
  };
  return {
    isOver,
    specs: { p1: first, p2: second },
    named: own,
    ofApp: isAfter && change === "app" ? other(ofApp) : ofApp,
  };
}

async function counted(all: World, more: Partial<PeopleReads> = {}) {
  const [was, is] = [sideOf(all, "before"), sideOf(all, "after")];
  const one = <S extends JsonObject>(before: S, after: S) => ({ before, after });
  const defaults = { defaultsEnabled: true, resourceTypeIds: ["t0"], requestPolicyId: "p2" };
  const taking = { displayName: "r", condition: conditions[1] ?? "", settings: { requestPolicyId: "p2" } };
  const changed =
    all.change === "defaults"
      ? {
          kind: managedApp,
          key: [APP],
          id: { id: APP },
          ...one<JsonObject>(
            { grantPolicyId: all.ofApp },
            { grantPolicyId: all.ofApp, requestDefaults: defaults },
          ),
        }
      : all.change === "rules"
        ? {
            kind: configurationRules,
            key: [APP],
            id: { appId: APP },
            ...one<JsonObject>({ rules: [], ruleIds: [] }, { rules: [taking] }),
          }
        : all.change === "policy"
          ? {
              kind: policy,
              key: ["p1"],
              id: { id: "p1" },
              ...one(written(was.specs.p1), written(is.specs.p1)),
            }
          : all.change === "app"
            ? {
                kind: managedApp,
                key: [APP],
                id: { id: APP },
                ...one({ grantPolicyId: was.ofApp }, { grantPolicyId: is.ofApp }),
              }
            : {
                kind: customEntitlement,
                key: [APP, "e0"],
                id: { appId: APP, id: "e0" },
                ...one({ grantPolicyId: was.named[0] ?? "" }, { grantPolicyId: is.named[0] ?? "" }),
              };
  const { kind, key, id, before, after } = changed;
  const { policyType, ...fields } = before as JsonObject;
  const seen = {
    ...present(key, { displayName: "x", ...fields }),
    ...(policyType && { madeWith: { policyType } }),
  };
  const { steps } = planOf({
    desired: [
      wish(kind, "x", {
        ...id,
        ...(kind === configurationRules ? {} : { displayName: "x" }),
        ...(after as JsonObject),
      }),
    ],
    current: current("full", [[kind, key, seen] as Fact]),
  });
  const asked = steps.filter(changesRequests);
  const policies = { p1: written(was.specs.p1), p2: written(was.specs.p2) };
  if (asked.length === 0) return null;
  const [found] = await requestsDecided(asked, { steps, policies }, { ...readsOf(all), ...more }, {
    evaluate: (work: () => unknown) => ({ value: work(), milliseconds: 0 }),
    today: new Date(0),
  } as never);
  return found;
}

function readsOf({ users, profiles, named, ofApp, locked }: World): PeopleReads {
  const rows = ENTITLEMENTS.map((id, at) => ({
    appId: APP,
    id,
    displayName: id,
    grantPolicyId: named[at] ?? "",
    appResourceTypeId: at === 2 ? "t1" : "t0",
    overrideAccessRequestsDefaults: at === 1 && locked,
  }));
  const catalogs = profiles.map(({ published, seenBy }, at) => ({
    requestCatalog: {
      id: `c${at}`,
      displayName: `c${at}`,
      published,
      visibleToEveryone: seenBy === "everyone",
    },
  }));
  const profileIn = (path: string) => profiles[Number(/catalogs\/c(\d)/.exec(path)?.[1])];
  const listed = (call: Call): readonly JsonObject[] => {
    const [path, body] = [formatCallPath(call), (call.body ?? {}) as JsonObject];
    if (path.endsWith("search/apps")) return [{ id: APP, grantPolicyId: ofApp }];
    if (path.endsWith("visibility_entitlements")) {
      const id = /catalogs\/(c\d)/.exec(path)?.[1] ?? "";
      return [{ appEntitlement: { appId: APP, id } }];
    }
    if (path.endsWith("search/entitlements")) {
      const [ref] = (body.policyRefs ?? body.refs ?? []) as JsonObject[];
      return rows
        .filter((row) => (body.refs === undefined ? row.grantPolicyId : row.id) === ref?.id)
        .map((appEntitlement) => ({ appEntitlement }));
    }
    return catalogs;
  };
  return {
    async users(_: null, take: (rows: readonly JsonObject[]) => void) {
      take(users.map((one, at) => ({ id: `u${at}`, ...one })));
      return { isEnded: true, isSteady: Promise.resolve(true) };
    },
    listed: async (_: string, call: Call) => listed(call),
    entitlementsIn: async () => ({ rows, isAll: true }),
    async object(call: Call) {
      const path = formatCallPath(call);
      const offers = profileIn(path)?.offers ?? [];
      if (path.includes("catalogs")) return { refs: offers.map((id) => ({ appId: APP, id })) };
      return { app: { id: APP, grantPolicyId: ofApp, accessModel: "APP_ACCESS_MODEL_CLASSIC" } };
    },
    async holders({ id }: { readonly id: string }) {
      const { seenBy } = profiles[Number(id.slice(1))] ?? { seenBy: [] };
      return new Map((seenBy === "everyone" ? [] : seenBy).map((one) => [one, true]));
    },
  } as unknown as PeopleReads;
}

/** Whether no one else agrees, where the request is permanent or not, and the app has owners or not. */
function isAlone(
  one: Spec | undefined,
  department: string,
  entitlement: string,
  isPermanent: boolean,
  hasOwners: boolean,
) {
  if (one === undefined) return false;
  const holds = (condition: string) =>
    [department === "Tax", entitlement === "e1", isPermanent][conditions.indexOf(condition)] === true;
  const steps = one.rules.find(({ condition }) => holds(condition))?.stepKey ?? one.grant;
  return steps === "open" || steps === "self" || (steps === "owners" && !hasOwners);
}

/** The same numbers by a loop: the least and the most over each answer. */
function looped(all: World) {
  const [was, is] = [sideOf(all, "before"), sideOf(all, "after")];
  const policyOf = ({ named, ofApp, isOver }: typeof was, at: number) =>
    isOver(at) ? "p2" : named[at] || ofApp;
  const reached = ENTITLEMENTS.filter((_, at) => {
    if (all.change === "policy") return policyOf(was, at) === "p1";
    return all.change === "entitlement" ? at === 0 : policyOf(was, at) !== policyOf(is, at);
  });
  const people = all.users.flatMap(({ department, status }, at) => {
    const mayRequest = (id: string) =>
      all.profiles.some(
        ({ offers, seenBy, published }) =>
          published && offers.includes(id) && (seenBy === "everyone" || seenBy.includes(`u${at}`)),
      );
    const ids = status === "ENABLED" ? reached.filter(mayRequest) : [];
    return ids.length === 0 ? [] : [{ department, ids }];
  });
  const numberOf = (side: typeof was, isPermanent: boolean, hasOwners: boolean) =>
    people.filter(({ department, ids }) =>
      ids.some((id) => {
        const named = policyOf(side, ENTITLEMENTS.indexOf(id));
        return isAlone(side.specs[named as "p1"], department, id, isPermanent, hasOwners);
      }),
    ).length;
  const answers = [true, false].flatMap((one) => [true, false].map((two) => [one, two] as const));
  const range = (side: typeof was) => {
    const numbers = answers.map(([one, two]) => numberOf(side, one, two));
    return { low: Math.min(...numbers), high: Math.max(...numbers) };
  };
  return { reached, people: people.length, before: range(was), after: range(is) };
}

it.each([
  [true, "the service shows no users to this token"],
  [false, "the users could not be read"],
])("says why no one was counted, where the list of users came to its end: %s", async (isEnded, uncounted) => {
  const users = async () => ({ isEnded, isSteady: Promise.resolve(isEnded) });
  const all = fc.sample(world, { numRuns: 20, seed: 1 }).map((one) => counted(one, { users }));
  const found = (await Promise.all(all)).flatMap((one) => one?.uncounted ?? []);
  expect([...new Set(found)]).toEqual([uncounted]);
});

it("counts who may request what a step decides about, as a loop over people does", async () => {
  let exact = 0;
  await fc.assert(
    fc.asyncProperty(world, async (all) => {
      const found = await counted(all);
      if (found === null) return;
      const { reached, people, before, after } = looped(all);
      expect(found === undefined).toBe(reached.length === 0);
      if (found === undefined) return;
      expect(found.uncounted).toBe(null);
      expect(found.entitlements).toBe(reached.length);
      expect(found.people).toEqual({ low: people, high: people });
      for (const [said, is] of [[found.before, before] as const, [found.after, after] as const]) {
        if (found.unknown.length === 0) expect(said).toEqual(is);
        expect(said.low).toBeLessThanOrEqual(is.low);
        expect(said.high ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(is.high);
      }
      if (found.unknown.length === 0 && found.after.low > 0) exact++;
    }),
    { numRuns: cases(100) },
  );
  expect(exact).toBeGreaterThan(5);
});
