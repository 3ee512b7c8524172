import { unitsOf } from "../../../diff/own.js";
import { kinds } from "../../../kinds/index.js";
import type { Kind } from "../../../kinds/kind.js";
import { groupAt } from "../../../model/groupBy.js";
import type { JsonObject } from "../../../model/json.js";
import type { Key } from "../../../model/key.js";
import { differencesOf } from "../../../report/plan/fields.js";
import type { FieldReport } from "../../../report/plan/report.js";
import type { KnownObject, KnownTenant } from "./known.js";

/** One of two tenants. */
export type Side = "first" | "second";

/** An object of one tenant. */
export interface TenantObject {
  readonly kind: string;
  readonly name: string;
  readonly key: Key;
}

/** What both tenants have. */
export interface SharedObject {
  readonly kind: string;
  readonly name: string;
  readonly keys: Readonly<Record<Side, Key>>;
  /** Where they differ. */
  readonly fields: readonly FieldReport[];
  /** Fields that cannot be compared, and why. */
  readonly notCompared: readonly { readonly field: string; readonly why: string }[];
}

/** What cannot be said of an object of one tenant. */
interface UnsureObject extends TenantObject {
  readonly side: Side;
  readonly why: string;
}

/** What one tenant has and the other has not. */
export interface TenantDifference {
  readonly only: Readonly<Record<Side, readonly TenantObject[]>>;
  readonly differing: readonly SharedObject[];
  /** The same as far as they could be compared. */
  readonly partly: readonly SharedObject[];
  /** How many objects are the same. */
  readonly same: number;
  /** Objects of which it is not known what the other tenant has. */
  readonly unsure: readonly UnsureObject[];
}

/** Compares what two tenants have, matched by the names that people give. What was not read is never listed as absent. */
export function compareTenants(first: KnownTenant, second: KnownTenant): TenantDifference {
  const parts = kinds.map((kind) => compareKind(kind, { first, second }));
  return {
    only: {
      first: parts.flatMap(({ only }) => only.first),
      second: parts.flatMap(({ only }) => only.second),
    },
    differing: parts.flatMap(({ differing }) => differing),
    partly: parts.flatMap(({ partly }) => partly),
    same: parts.reduce((sum, { same }) => sum + same, 0),
    unsure: parts.flatMap(({ unsure }) => unsure),
  };
}

function compareKind(kind: Kind, tenants: Readonly<Record<Side, KnownTenant>>): TenantDifference {
  const own = ({ objects }: KnownTenant) => objects.filter((one) => one.kind === kind);
  const sides = { first: named(own(tenants.first)), second: named(own(tenants.second)) };
  const only: Record<Side, TenantObject[]> = { first: [], second: [] };
  const shared: SharedObject[] = [];
  const unsure: UnsureObject[] = [];
  const met = new Set<KnownObject>();
  for (const object of sides.first.objects) {
    const other = counterpart(object, sides.first, sides.second);
    if (other === undefined) continue;
    met.add(object).add(other);
    if (object.isLeftAlone && other.isLeftAlone) continue;
    shared.push(compareObjects(object, other));
  }
  for (const side of ["first", "second"] as const) {
    const away = side === "first" ? "second" : "first";
    for (const object of sides[side].objects) {
      if (met.has(object) || object.isLeftAlone) continue;
      const why = doubtOf(object, sides[side], sides[away], tenants[away].incomplete.has(kind.name));
      if (why === null) only[side].push(foundOf(object));
      else unsure.push({ side, ...foundOf(object), why });
    }
  }
  const sorted = <T extends TenantObject | SharedObject>(all: readonly T[]) =>
    all.toSorted((one, two) => (one.name === two.name ? 0 : one.name < two.name ? -1 : 1));
  return {
    only: { first: sorted(only.first), second: sorted(only.second) },
    differing: sorted(shared.filter(({ fields }) => fields.length > 0)),
    partly: sorted(shared.filter(({ fields, notCompared }) => fields.length === 0 && notCompared.length > 0)),
    same: shared.filter(({ fields, notCompared }) => fields.length + notCompared.length === 0).length,
    unsure: sorted(unsure),
  };
}

/** Whether all is the same, and known to be. */
export function isSame({ only, differing, partly, unsure }: TenantDifference): boolean {
  return [only.first, only.second, differing, partly, unsure].every((all) => all.length === 0);
}

/** The objects of one kind in a tenant, by each of their names. */
interface Named {
  readonly objects: readonly KnownObject[];
  readonly called: ReadonlyMap<string, readonly KnownObject[]>;
}

function named(objects: readonly KnownObject[]): Named {
  const called = new Map<string, KnownObject[]>();
  for (const object of objects) for (const name of placesOf(object)) groupAt(called, name).push(object);
  return { objects, called };
}

/** Each name of an object with what it belongs to; none where that is not sure. */
function placesOf({ within, names }: KnownObject): readonly string[] {
  return "nameless" in within ? [] : [...new Set(names)].map((name) => JSON.stringify([...within, name]));
}

/** The one object of the other tenant with a name that no other has in either. */
function counterpart(object: KnownObject, own: Named, other: Named): KnownObject | undefined {
  for (const place of placesOf(object)) {
    const [found, ...more] = other.called.get(place) ?? [];
    if (found !== undefined && more.length === 0 && own.called.get(place)?.length === 1) return found;
  }
  return undefined;
}

/** Why it is not known whether the other tenant has an object; null where it has none. */
function doubtOf(object: KnownObject, own: Named, other: Named, isIncomplete: boolean): string | null {
  if ("nameless" in object.within) return `its ${object.within.nameless} has no name that it alone has`;
  if (object.names.length === 0) return "it has no name";
  if (isIncomplete) return "the other tenant's objects were not all read";
  for (const place of placesOf(object)) {
    const [here, there] = [own.called.get(place)?.length ?? 0, other.called.get(place)?.length ?? 0];
    if (there > 0) return `${here} of that name here, and ${there} in the other tenant`;
  }
  return null;
}

function foundOf(object: KnownObject): TenantObject {
  return { kind: object.kind.name, name: nameOf(object), key: object.key };
}

function nameOf({ within, names, key }: KnownObject): string {
  return [...("nameless" in within ? [] : within), names[0] ?? key.join("/")].join(" › ");
}

function compareObjects(first: KnownObject, second: KnownObject): SharedObject {
  const unsure = new Map([...second.unsure, ...first.unsure]);
  const { shape } = first.kind;
  const members = [...unsure.keys()].flatMap(
    (name) => unitsOf(shape).find((unit) => unit.name === name)?.members ?? [name],
  );
  const sure = ({ spec }: KnownObject): JsonObject =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !members.includes(name)));
  const fields = differencesOf(sure(first), sure(second), shape);
  const notCompared = [...unsure].map(([field, why]) => ({ field, why }));
  return {
    kind: first.kind.name,
    name: nameOf(first),
    keys: { first: first.key, second: second.key },
    fields,
    notCompared,
  };
}
