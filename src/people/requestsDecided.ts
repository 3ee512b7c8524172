import { type Agreement, agreementOf, type Requested } from "../impact/agreement.js";
import { answersFrom } from "../impact/census.js";
import { AskedEntitlement, CLASSIC, policyLanguage } from "../impact/entitlement.js";
import { peopleOf } from "../impact/person.js";
import { routingOf } from "../impact/routing.js";
import { type PolicyLookup, waysBy } from "../impact/ways.js";
import { accessProfile } from "../kinds/accessProfile.js";
import { customEntitlement } from "../kinds/customEntitlement.js";
import { searchEntitlementsBy, searchEntitlementsOf } from "../kinds/holdings.js";
import { managedApp } from "../kinds/managedApp.js";
import { entitlementIn } from "../kinds/people.js";
import { policy, searchPolicies } from "../kinds/policy.js";
import { inside, listOf, search, textOf, textsOf } from "../kinds/spelling.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { onceFor } from "../model/onceFor.js";
import { writes } from "../plan/calls.js";
import { specOf, worldOf } from "../plan/guards/approvals.js";
import type { Counting } from "../plan/people/impact.js";
import type { Plan, Policies, RequestsDecide } from "../plan/plan.js";
import type { Step } from "../plan/step.js";
import type { PeopleReads } from "../tenant/peopleReads.js";
import { audiencesIn, profilesOf } from "./audiences.js";
import { DEFAULTS, defaultPolicyIn, NO_REQUESTS } from "./deciding.js";
import { NO_USERS, NOT_READ } from "./notCounted.js";

/** An entitlement, and which policies may decide about requests for it: empty where none does, null where that is not known. */
interface Decided {
  readonly row: JsonObject;
  readonly before: readonly (string | null)[];
  readonly after: readonly (string | null)[];
}

/** What a step decides about; `areAll` where nothing else is. */
interface Reach {
  readonly decided: readonly Decided[];
  readonly areAll: boolean;
}

/** Who may request what each of some steps decides about, and who of them would get it with no one else agreeing. */
export async function requestsDecided(
  asked: readonly Step[],
  { steps, policies }: Pick<Plan, "steps"> & { readonly policies: Policies },
  reads: PeopleReads,
  counting: Counting,
): Promise<readonly RequestsDecide[]> {
  if (asked.length === 0) return [];
  const worlds = {
    before: worldOf("before", steps, { policies }),
    after: worldOf("after", steps, { policies }),
  };
  const appOf = onceFor(async (id: string): Promise<JsonObject | null> => {
    const shown = await reads.object(managedApp.reads.one([id]));
    return inside(shown ?? null, "app") ?? null;
  });
  const rows: JsonObject[] = [];
  const [reaches, users, profiles] = await Promise.all([
    Promise.all(asked.map((step) => reachOf(step, appOf, reads, counting))),
    reads.users(null, (some) => rows.push(...some)),
    profilesOf(reads),
  ]);
  const areAll = await users.isSteady;
  const people = peopleOf(rows);
  const missing = new Map<string, JsonObject>();
  const ids = reaches.flatMap(
    (reach) => reach?.decided.flatMap(({ before, after }) => [...before, ...after]) ?? [],
  );
  await addMissing(ids, worlds.after.lookup, missing, reads);
  const lookup =
    (side: "before" | "after"): PolicyLookup =>
    (id) =>
      worlds[side].lookup(id) ?? missing.get(id);
  const language = policyLanguage(answersFrom(censusOf(people, areAll)), counting.today);
  const isChanged = steps.some((step) => step.address.kind === accessProfile.name && writes(step));
  const audiences = audiencesIn(profiles, rows);
  const all = await Promise.all(
    asked.map(async ({ address }, at): Promise<RequestsDecide | null> => {
      const nothing = { ...NO_REQUESTS, address };
      const reach = reaches[at] ?? null;
      if (reach === null) return { ...nothing, uncounted: "its entitlements were not read" };
      if (reach.areAll && reach.decided.length === 0) return null;
      if (rows.length === 0) return { ...nothing, uncounted: users.isEnded ? NO_USERS : NOT_READ };
      const found = await Promise.all(
        reach.decided.map(
          async ({ row, before, after }): Promise<Requested & { readonly isKnown: boolean }> => {
            const app = await appOf(textOf(row, "appId"));
            const { audience, isKnown } = audiences(row, app);
            const ways = (some: readonly (string | null)[], side: "before" | "after") =>
              some.map((id) => waysOf(id, lookup(side)));
            const isClassic = textOf(app ?? {}, "accessModel") === CLASSIC;
            return {
              entitlement: new AskedEntitlement(row, isClassic),
              audience,
              isKnown,
              before: ways(before, "before"),
              after: ways(after, "after"),
            };
          },
        ),
      );
      const counted = agreementOf(found, people, language, counting.evaluate);
      if (counted === null) return { ...nothing, uncounted: "the conditions take too long" };
      const why = [
        ...(areAll ? [] : ["not all users were read"]),
        ...(reach.areAll ? [] : ["not all entitlements were read"]),
        ...(profiles !== null && found.every(({ isKnown }) => isKnown)
          ? []
          : ["not every access profile was read"]),
        ...(isChanged ? ["the plan changes an access profile"] : []),
      ];
      return { ...nothing, uncounted: null, ...openedBy(counted, why), entitlements: found.length };
    }),
  );
  return all.filter((one) => one !== null);
}

function openedBy({ people, before, after, unknown }: Agreement, why: readonly string[]) {
  const open = ({ low, high }: Agreement["people"]) => ({ low, high: why.length === 0 ? high : null });
  return { people: open(people), before: open(before), after: open(after), unknown: [...why, ...unknown] };
}

/** The entitlements that a step decides about; null where they could not be read. */
async function reachOf(
  step: Step,
  appOf: (id: string) => Promise<JsonObject | null>,
  reads: PeopleReads,
  { evaluate }: Counting,
): Promise<Reach | null> {
  const [first = "", id = first] = step.key ?? [];
  const inherited = async (row: JsonObject): Promise<string | null> => {
    const own = textOf(row, "grantPolicyId");
    const app = own === "" ? await appOf(textOf(row, "appId")) : {};
    return own || (app === null ? null : textOf(app, "grantPolicyId"));
  };
  switch (step.address.kind) {
    case policy.name: {
      const [named, apps] = await Promise.all([
        reads.listed("decided", searchEntitlementsBy(id)),
        reads.listed("decided", search("apps", { policyRefs: [{ id }] })),
      ]);
      if (named === null) return null;
      const own = shownIn(named).filter((row) => textOf(row, "grantPolicyId") === id);
      const within = (apps ?? []).filter(isObject).filter((app) => textOf(app, "grantPolicyId") === id);
      const others = await Promise.all(within.map((app) => reads.entitlementsIn(textOf(app, "id"))));
      const inheriting = others
        .flatMap((some) => some?.rows ?? [])
        .filter((row) => textOf(row, "grantPolicyId") === "");
      return {
        decided: [...own, ...inheriting].map((row) => ({ row, before: [id], after: [id] })),
        areAll: apps !== null && others.every((some) => some?.isAll === true),
      };
    }
    case customEntitlement.name: {
      const rows = shownIn(
        (await reads.listed("decided", searchEntitlementsOf({ as: "entitlement", appId: first, id }))) ?? [],
      );
      if (rows.length === 0) return null;
      const [was, is] = [specOf(step, "before") ?? {}, specOf(step, "after") ?? {}];
      const of = (side: JsonObject) =>
        inherited({ appId: first, grantPolicyId: textOf(side, "grantPolicyId") });
      const [before, after] = await Promise.all([of(was), of(is)]);
      return { decided: rows.map((row) => ({ row, before: [before], after: [after] })), areAll: true };
    }
    case managedApp.name: {
      const found = await reads.entitlementsIn(id);
      if (found === null) return null;
      const [was, is] = [
        textOf(step.before ?? {}, "grantPolicyId"),
        textOf(step.after ?? {}, "grantPolicyId"),
      ];
      const written = defaultPolicyIn(step);
      const types = textsOf(inside(step.after ?? {}, DEFAULTS) ?? {}, "resourceTypeIds");
      const decided = found.rows.flatMap((row): readonly Decided[] => {
        const own = textOf(row, "grantPolicyId");
        const isWritten =
          written !== null &&
          types.includes(textOf(row, "appResourceTypeId")) &&
          row.overrideAccessRequestsDefaults !== true;
        const [before, after] = [own || was, isWritten ? written : own || is];
        return before === after ? [] : [{ row, before: [before], after: [after] }];
      });
      return { decided, areAll: found.isAll };
    }
    default: {
      const found = await reads.entitlementsIn(first);
      if (found === null) return null;
      const app = await appOf(first);
      const asked = found.rows.map(
        (row) => new AskedEntitlement(row, textOf(app ?? {}, "accessModel") === CLASSIC),
      );
      const fallback = await Promise.all(found.rows.map(inherited));
      const decidedOn = (spec: JsonObject | null) => {
        const rules = listOf(spec ?? {}, "rules").filter(isObject);
        return routingOf(rules, asked, evaluate).deciders.map((places, at) =>
          places.map((place) => {
            const set =
              place === null ? "" : textOf(inside(rules[place] ?? {}, "settings") ?? {}, "requestPolicyId");
            return set || (fallback[at] ?? null);
          }),
        );
      };
      const [before, after] = [decidedOn(step.before), decidedOn(step.after)];
      const decided = found.rows.map((row, at) => ({
        row,
        before: before[at] ?? [null],
        after: after[at] ?? [null],
      }));
      const isMoved = ({ before, after }: Decided) =>
        before.join("\n") !== after.join("\n") || before.includes(null);
      return { decided: decided.filter(isMoved), areAll: found.isAll };
    }
  }
}

function shownIn(rows: readonly Json[]): readonly JsonObject[] {
  return rows.map(entitlementIn).filter((row) => isObject(row));
}

/** What the policies say that a step leads to otherwise than the plan's own guards follow. */
async function addMissing(
  ids: readonly (string | null)[],
  known: PolicyLookup,
  found: Map<string, JsonObject>,
  reads: PeopleReads,
): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => id !== null && id !== "" && known(id) === undefined);
  if (missing.length === 0) return;
  for (const row of (await reads.listed("decided", searchPolicies({}))) ?? []) {
    const shown = policy.reads.list?.row(row, []);
    if (shown !== undefined) found.set(shown.key.at(-1) ?? "", { ...shown.madeWith, ...shown.fields });
  }
}

/** The ways to access by a policy, which may be none; null where it, or one that it leads to, is not known. */
function waysOf(id: string | null, lookup: PolicyLookup) {
  if (id === null) return null;
  if (id === "") return [];
  let isKnown = true;
  const ways = waysBy("grantPolicyId", id, (other) => {
    const spec = lookup(other);
    if (spec === undefined) isKnown = false;
    return spec;
  });
  return isKnown ? ways : null;
}

function censusOf(people: ReturnType<typeof peopleOf>, areAll: boolean) {
  const none = new Map<string, never>();
  return { people, areAll, accounts: none, members: none, groups: none };
}
