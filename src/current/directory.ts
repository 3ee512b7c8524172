import { listApps, readApp } from "../kinds/app.js";
import { listEntitlements, readEntitlement } from "../kinds/entitlement.js";
import type { Kind, Observed } from "../kinds/kind.js";
import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import type { Fetched, Reader } from "./remote.js";

/** A thing that can be found by name: an app, an entitlement or a resource type. */
export interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly alias?: string;
  readonly slug?: string;
  /** False where the service says that an entitlement has no automation. */
  readonly automated?: boolean;
}

/** The tenant's names: each list is asked for once, when somebody first needs it. */
export interface Directory {
  apps(): Promise<Fetched<readonly Candidate[]>>;
  entitlements(app: string): Promise<Fetched<readonly Candidate[]>>;
  resourceTypes(app: string): Promise<Fetched<readonly Candidate[]>>;
  /** An app's entitlements, where somebody has asked for them already. */
  known(app: string): readonly Candidate[] | undefined;
  /** Display names of every id met: `app:ID`, `entitlement:APP/ID`, `resourceType:APP/ID`. */
  readonly names: ReadonlyMap<string, string>;
}

/** A directory over a reader; null reads nothing, so that only names given in the project file are known. */
export function makeDirectory(
  reader: Reader | null,
  given: Readonly<Record<string, string>>,
  resourceType: Kind,
): Directory {
  const names = new Map(Object.entries(given).map(([name, id]) => [`app:${id}`, name]));
  const entitlements = new Map<string, readonly Candidate[]>();

  const list = async (
    purpose: string,
    call: Call | undefined,
    read: (row: Json) => Candidate | undefined,
    scope: string,
  ): Promise<Fetched<readonly Candidate[]>> => {
    if (reader === null || call === undefined)
      return { as: "not offered", why: "nothing is looked up offline" };
    const rows = await reader.all(purpose, call);
    if (rows.as !== "got") return rows;
    const found = rows.value.flatMap((row) => read(row) ?? []);
    for (const one of found) if (one.name !== "") names.set(`${scope}${one.id}`, one.name);
    return { as: "got", value: found };
  };

  return {
    names,
    apps: () => list("apps", listApps(), readApp, "app:"),
    entitlements: async (app) => {
      const found = await list("entitlements", listEntitlements(app), readEntitlement, `entitlement:${app}/`);
      if (found.as === "got") entitlements.set(app, found.value);
      return found;
    },
    resourceTypes: (app) =>
      list(
        resourceType.name,
        resourceType.reads.list?.of([app]),
        (row) => typeNamed(resourceType.reads.list?.row(row, [app])),
        `resourceType:${app}/`,
      ),
    known: (app) => entitlements.get(app),
  };
}

function typeNamed(observed: Observed | undefined): Candidate | undefined {
  const [name, id] = [observed?.fields.displayName, observed?.key.at(-1)];
  return typeof name === "string" && id !== undefined ? { id, name } : undefined;
}
