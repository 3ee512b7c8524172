import type { Census } from "../../impact/census.js";
import type { Person } from "../../impact/person.js";
import { type EntitlementRef, type Holders, isSameRef, refName } from "../../kinds/people.js";
import { listed } from "../../schema/wording.js";
import type { MadeUp, TestMistake } from "./people.js";

/** What a test says under `entitlements`, and what the names there mean. */
interface SaidHolders {
  readonly said: MadeUp["entitlements"];
  readonly people: ReadonlyMap<string, Person>;
  readonly apps: Readonly<Record<string, string>>;
  /** The entitlements of the project's rules, by the addresses of their manifests. */
  readonly addresses: ReadonlyMap<string, EntitlementRef>;
}

/** Who holds each entitlement that a rule asks for, as far as the test says it: what it does not name is unknown. */
export function membersIn(
  holders: SaidHolders,
  asked: readonly EntitlementRef[],
): ReadonlyMap<string, Holders> {
  return new Map(
    asked.flatMap((ref) => {
      const [name] = namesOf(ref, holders);
      if (name === undefined) return [];
      const ids = (holders.said[name] ?? []).flatMap((holder) => holders.people.get(holder)?.id ?? []);
      return [[refName(ref), new Map(ids.map((id) => [id, true as const]))] as const];
    }),
  );
}

/** Entitlements that a test names in two ways, with other people each time. */
export function contradictionsIn(
  holders: SaidHolders,
  asked: readonly EntitlementRef[],
): readonly TestMistake[] {
  const { said, addresses } = holders;
  const refs = [
    ...asked,
    ...addresses.values(),
    ...Object.keys(said).flatMap((name) => refIn(name, holders)),
  ];
  const found = refs.flatMap((ref): readonly TestMistake[] => {
    const names = namesOf(ref, holders);
    const [first = "", ...others] = names;
    const other = others.find((name) => holdersOf(name, said) !== holdersOf(first, said));
    if (other === undefined) return [];
    return [
      {
        problem: `${listed(names, "and")} are one entitlement, and have other people`,
        hint: `Keep one of them. To tell entitlements of several apps apart, write APP/ALIAS for each.`,
        path: ["entitlements", other],
      },
    ];
  });
  return [...new Map(found.map((one) => [one.problem, one])).values()];
}

/** The names under which a test says who holds an entitlement: an address, an alias or an id, with or without its app. */
function namesOf(ref: EntitlementRef, { said, apps, addresses }: SaidHolders): readonly string[] {
  const appNames = [ref.appId, ...Object.keys(apps).filter((name) => apps[name] === ref.appId)];
  const spellings = [ref.id, ...appNames.map((app) => `${app}/${ref.id}`)];
  return Object.keys(said).filter((name) => {
    const meant = addresses.get(name);
    return meant === undefined ? spellings.includes(name) : isSameRef(meant, ref);
  });
}

/** The entitlement that a name with an app means. */
function refIn(name: string, { apps, addresses }: SaidHolders): readonly EntitlementRef[] {
  const slash = name.indexOf("/");
  if (slash <= 0 || addresses.has(name)) return [];
  const app = name.slice(0, slash);
  return [{ appId: Object.hasOwn(apps, app) ? (apps[app] ?? app) : app, id: name.slice(slash + 1) }];
}

function holdersOf(name: string, said: MadeUp["entitlements"]): string {
  return JSON.stringify([...new Set(said[name])].sort());
}

/** A group that a rule finds by its name is an entitlement of that name. */
export function groupsIn(said: MadeUp["entitlements"]): Census["groups"] {
  return new Map(Object.keys(said).map((name) => [name, { id: name, appId: "", displayName: name }]));
}
