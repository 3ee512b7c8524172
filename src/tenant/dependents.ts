import { recordIn } from "../kinds/envelope.js";
import type { DependentSearch, Kind } from "../kinds/kind.js";
import { referable } from "../kinds/referable.js";
import { isGone, nameIn, textOf } from "../kinds/spelling.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Json } from "../model/json.js";
import { formatKey, type Key } from "../model/key.js";
import type { Target } from "../schema/shape.js";
import { say } from "../words/say.js";
import type { Reader } from "./reader.js";

/** An object of the tenant that names another one. */
interface Dependent {
  readonly of: Target;
  /** As the names of a plan spell it: `entitlement:APP/ID`. */
  readonly reference: string;
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

/** Every object that names one, by each search of its kind; null where the kind has none. */
export async function dependentsOf(kind: Kind, key: Key, reader: Reader): Promise<DependentsSeen | null> {
  if (kind.dependents === undefined) return null;
  const found = new Map<string, Dependent>();
  for (const search of kind.dependents) {
    const fetched = await reader.all(kind.name, search.call(key));
    if (fetched.as !== "got") {
      const why = fetched.as === "absent" ? "the service has no such search" : fetched.why;
      const values = { noun: kind.noun.one, dependents: referable(search.of).noun.many, why };
      return { as: "unread", diagnostic: say("plan/dependents-unread", values) };
    }
    for (const row of fetched.value) {
      const one = dependentIn(row, search, key);
      if (one !== undefined) found.set(one.reference, one);
    }
  }
  const inOrder = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  return { as: "known", dependents: inOrder.map(([, one]) => one) };
}

function dependentIn(row: Json, { of, around, names }: DependentSearch, key: Key): Dependent | undefined {
  const [record] = recordIn(row, around);
  if (record === undefined || isGone(record) || names?.(record, key) === false) return undefined;
  const [app, id] = [textOf(record, "appId"), textOf(record, "id")];
  return { of, reference: `${of}:${app === "" ? id : `${app}/${id}`}`, name: nameIn(record) };
}

/** Why an object is not deleted that others name. */
export function stillNamed(kind: Kind, dependents: readonly Dependent[]): Diagnostic {
  const shown = dependents.slice(0, 3).map(({ of, name }) => `the ${referable(of).noun.one} "${name}"`);
  const rest = dependents.length - shown.length;
  const named = rest === 0 ? shown : [...shown, `${rest} more`];
  return say("plan/still-named", { noun: kind.noun.one, count: dependents.length, named });
}
