import { listApps, readApp } from "../kinds/app.js";
import { listEntitlements, readEntitlement } from "../kinds/entitlement.js";
import type { Interface, Kind, Observed } from "../kinds/kind.js";
import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import { type Candidate, type Candidates, makeCandidates } from "./candidates.js";
import type { Fetched } from "./fetched.js";
import type { Remembered } from "./remembered.js";
import type { Reader } from "./remote.js";

/** The tenant's names: each list is asked for once, when somebody first needs it. */
export interface Directory {
  /** The id that the project file gives to an app of that name. */
  given(app: string): string | undefined;
  apps(): Promise<Fetched<Candidates>>;
  entitlements(app: string): Promise<Fetched<Candidates>>;
  resourceTypes(app: string): Promise<Fetched<Candidates>>;
  /** The resource types of an app that the state remembers, where nobody is asked; null where the service is. */
  rememberedTypes(app: string): Candidates | null;
  /** An entitlement, where those of its app were asked for already. */
  known(app: string, entitlement: string): Candidate | undefined;
  /** Whether apps can be listed, as they can of every full service; one page tells. */
  glanceAtApps(): Promise<Fetched<unknown>>;
  /** Whether the one documented list can be read; any app will do, because "no such app" is an answer too. */
  glanceAtEntitlements(app: string): Promise<Fetched<unknown>>;
  /** Notes the name of an object that was read for its own sake. */
  meet(kind: Kind, observed: Observed): void;
  /** Display names of every id met: `app:ID`, `entitlement:APP/ID`, `resourceType:APP/ID`. */
  readonly names: ReadonlyMap<string, string>;
}

/** A directory over a reader; null reads nothing, so that only what the project file and the state name is known. */
export function makeDirectory(
  reader: Reader | null,
  given: Readonly<Record<string, string>>,
  resourceType: Kind,
  on: Interface = "full",
  remembered: Remembered | null = null,
): Directory {
  const names = new Map<string, string>();
  const asked = new Map<string, Promise<Fetched<Candidates>>>();
  const known = new Map<string, Candidates>();

  // What the author calls an app goes before what the service calls it.
  function note(id: string, name: string): void {
    if (name !== "" && !names.has(id)) names.set(id, name);
  }

  function list(
    scope: string,
    purpose: string,
    call: Call,
    read: (row: Json) => Candidate | undefined,
  ): Promise<Fetched<Candidates>> {
    if (reader === null) {
      const isRemembered = purpose === resourceType.name;
      return notAsked(isRemembered ? OFFLINE : `${OFFLINE}, and the state keeps no names of ${purpose}`);
    }
    const { all } = reader;
    async function look(): Promise<Fetched<Candidates>> {
      const rows = await all(purpose, call);
      if (rows.as !== "got") return rows;
      const found = makeCandidates(rows.value.flatMap((row) => read(row) ?? []));
      for (const { id, name } of found.every) note(`${scope}${id}`, name);
      known.set(scope, found);
      return { as: "got", value: found };
    }
    const answer = asked.get(scope) ?? look();
    asked.set(scope, answer);
    return answer;
  }

  function glance(purpose: string, call: Call): Promise<Fetched<unknown>> {
    return reader?.glance(purpose, call) ?? notAsked("nothing is asked offline");
  }

  for (const [name, id] of Object.entries(given)) note(`app:${id}`, name);
  const { list: types } = resourceType.reads;

  return {
    names,
    given: (app) => (Object.hasOwn(given, app) ? given[app] : undefined),
    apps: () =>
      on === "core" ? notAsked("`core` has no list of apps") : list("app:", "apps", listApps(), readApp),
    entitlements: (app) => list(entitlementsOf(app), "entitlements", listEntitlements(app), readEntitlement),
    resourceTypes: (app) =>
      on === "core" || types === undefined
        ? notAsked("`core` has no list of resource types")
        : list(`resourceType:${app}/`, resourceType.name, types.of([app]), (row) =>
            named(types.row(row, [app])),
          ),
    rememberedTypes: (app) => (reader === null ? (remembered?.candidates([app]) ?? null) : null),
    known: (app, entitlement) => known.get(entitlementsOf(app))?.withId(entitlement),
    glanceAtApps: () => glance("apps", listApps()),
    glanceAtEntitlements: (app) => glance("entitlements", listEntitlements(app)),
    meet(kind, observed) {
      const type = kind.name === resourceType.name ? named(observed) : undefined;
      if (type !== undefined) note(`resourceType:${observed.key.join("/")}`, type.name);
    },
  };
}

const OFFLINE = "nothing is looked up offline";

const entitlementsOf = (app: string) => `entitlement:${app}/`;

async function notAsked(why: string): Promise<Fetched<never>> {
  return { as: "not offered", why };
}

function named(observed: Observed | undefined): Candidate | undefined {
  const [name, id] = [observed?.fields.displayName, observed?.key.at(-1)];
  return typeof name === "string" && id !== undefined ? { id, name } : undefined;
}
