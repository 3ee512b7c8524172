import type { DependentInApps, DependentSearch, Kind } from "../kinds/kind.js";
import { listOfApps, referable } from "../kinds/referable.js";
import { isGone, nameIn, recordIn, textOf } from "../kinds/spelling.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isObject, type Json } from "../model/json.js";
import { formatKey, type Key } from "../model/key.js";
import { say } from "../words/say.js";
import type { Fetched, Missed } from "./fetched.js";
import type { Reader } from "./reader.js";

/** What names an object of the tenant. */
interface Dependent {
  /** The kind of the manifests that write the reference. */
  readonly by: string;
  /** As the names of a plan spell it: `entitlement:APP/ID`. */
  readonly reference: string;
  /** As a sentence calls it: `the app "GitHub"`. */
  readonly name: string;
}

/** Which objects of the tenant name one, or why that is not known. */
export type DependentsSeen =
  | { readonly as: "known"; readonly dependents: readonly Dependent[] }
  | { readonly as: "unread"; readonly diagnostic: Diagnostic };

/** What names some objects, by `formatKey(kind, key)`; nothing for kinds that no search shows the dependents of. */
export async function dependentsOfAll(
  objects: readonly { readonly kind: Kind; readonly key: Key }[],
  reader: Reader | null,
): Promise<ReadonlyMap<string, DependentsSeen>> {
  const seen = new Map<string, DependentsSeen>();
  if (reader === null) return seen;
  for (const { kind, key } of objects) {
    const known = await dependentsOf(kind, key, reader);
    if (known !== null) seen.set(formatKey(kind.name, key), known);
  }
  return seen;
}

/** Everything that names one, by each search of its kind and in each app; null where the kind has no such search. */
export async function dependentsOf(kind: Kind, key: Key, reader: Reader): Promise<DependentsSeen | null> {
  if (kind.dependents === undefined) return null;
  const found: Dependent[] = [];
  for (const search of kind.dependents) {
    const fetched = await reader.all(kind.name, search.call(key));
    if (fetched.as !== "got") return unread(kind, referable(search.of).noun.many, fetched);
    found.push(...fetched.value.flatMap((row) => dependentIn(row, search, key) ?? []));
  }
  const inApps = kind.dependentsInApps ?? [];
  const apps = inApps.length === 0 ? null : await reader.all(kind.name, listOfApps());
  if (apps !== null && apps.as !== "got") return unread(kind, "apps", apps);
  const listed = (apps?.value ?? []).filter(isObject).filter((app) => !isGone(app));
  for (const part of inApps) {
    // Nothing of one app waits for another one.
    const all = await Promise.all(listed.map((app) => inApp(textOf(app, "id"), part, kind, reader)));
    const [failed] = all.filter((rows) => rows.as === "failed" || rows.as === "not offered");
    if (failed !== undefined) return unread(kind, `${part.noun} of apps`, failed);
    found.push(
      ...listed
        .filter((_, at) => namesOne(all[at], part, key))
        .map((app) => ({
          by: part.by,
          reference: `app:${textOf(app, "id")}`,
          name: `${part.noun} of the app "${nameIn(app)}"`,
        })),
    );
  }
  const byPlace = new Map(found.map((one) => [`${one.reference} ${one.by}`, one]));
  const inOrder = [...byPlace].sort(([one], [other]) => (one < other ? -1 : 1));
  return { as: "known", dependents: inOrder.map(([, one]) => one) };
}

function unread(kind: Kind, dependents: string, fetched: Missed): DependentsSeen {
  const why = fetched.as === "absent" ? "the service has no such search" : fetched.why;
  return {
    as: "unread",
    diagnostic: say("plan/dependents-unread", { noun: kind.noun.one, dependents, why }),
  };
}

async function inApp(
  app: string,
  { call, isList }: DependentInApps,
  { name }: Kind,
  reader: Reader,
): Promise<Fetched<readonly Json[]>> {
  if (isList) return reader.all(name, call(app));
  const fetched = await reader.one(name, call(app));
  return fetched.as === "got" ? { as: "got", value: [fetched.value] } : fetched;
}

/** Whether what an app has names an object; an app that has no such thing names nothing. */
function namesOne(
  rows: Fetched<readonly Json[]> | undefined,
  { names }: Pick<DependentInApps, "names">,
  key: Key,
): boolean {
  return rows?.as === "got" && rows.value.filter(isObject).some((row) => !isGone(row) && names(row, key));
}

function dependentIn(row: Json, { of, by, around, names }: DependentSearch, key: Key): Dependent | undefined {
  const [record] = recordIn(row, around);
  if (record === undefined || isGone(record) || names?.(record, key) === false) return undefined;
  const [app, id] = [textOf(record, "appId"), textOf(record, "id")];
  const reference = `${of}:${app === "" ? id : `${app}/${id}`}`;
  return { by, reference, name: `the ${referable(of).noun.one} "${nameIn(record)}"` };
}

/** Why an object is not deleted that others name. */
export function stillNamed(kind: Kind, dependents: readonly Dependent[]): Diagnostic {
  const shown = dependents.slice(0, 3).map(({ name }) => name);
  const rest = dependents.length - shown.length;
  const named = rest === 0 ? shown : [...shown, `${rest} more`];
  return say("plan/still-named", { noun: kind.noun.one, count: dependents.length, named });
}
