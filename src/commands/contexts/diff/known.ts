import { authored } from "../../../author/authored.js";
import { identityOf, specOf } from "../../../author/manuscript.js";
import { pointersIn, renamed } from "../../../author/pointers.js";
import { unitsOf } from "../../../diff/own.js";
import type { AskedInterface } from "../../../kinds/interface.js";
import type { Kind, Observed } from "../../../kinds/kind.js";
import { referable } from "../../../kinds/referable.js";
import { nameIn, pick } from "../../../kinds/spelling.js";
import type { Diagnostic } from "../../../model/diagnostic.js";
import { isObject, type JsonObject } from "../../../model/json.js";
import type { Key } from "../../../model/key.js";
import type { Client } from "../../../tenant/client/client.js";
import { setByPeople } from "../../../tenant/given.js";
import { EVERY_OBJECT, readInventory } from "../../../tenant/inventory.js";
import {
  type Catalogue,
  makeCatalogue,
  type PointedAt,
  pointedText,
} from "../../../tenant/names/catalogue.js";
import type { Reader, UnknownRead } from "../../../tenant/reader.js";
import { makeTenant } from "../../../tenant/tenant.js";

/** An object as the people of its tenant know it. */
export interface KnownObject {
  readonly kind: Kind;
  readonly key: Key;
  /** What it belongs to, from the outside in; or the sort of that which has no name of its own. */
  readonly within: readonly string[] | { readonly nameless: string };
  /** What it is called, the best name first. */
  readonly names: readonly string[];
  /** What a manifest could hold of it, beside its key: with names for ids. */
  readonly spec: JsonObject;
  /** Why a field, or a choice of one of several, cannot be compared with that of another tenant. */
  readonly unsure: ReadonlyMap<string, string>;
  /** Whether the service or a connector makes it, so that no manifest does. */
  readonly isLeftAlone: boolean;
}

/** What one tenant has of some kinds. */
export interface KnownTenant {
  readonly objects: readonly KnownObject[];
  /** Kinds whose objects were not all read. */
  readonly incomplete: ReadonlySet<string>;
  /** Lists of names that could not be read. */
  readonly unknown: readonly UnknownRead[];
  readonly diagnostics: readonly Diagnostic[];
}

/** How a tenant is read. */
interface KnownSources {
  readonly client: Client;
  readonly asked: AskedInterface;
  readonly progress: (done: number, total: number) => void;
}

/** What tells things of one sort apart for people, the best first. */
const NAMES = ["name", "alias"] as const;

/** Reads every object of some kinds, with what names it and its ids for people. Nothing is remembered of it. */
export async function knownTenant(
  kinds: readonly Kind[],
  { client, asked, progress }: KnownSources,
): Promise<KnownTenant> {
  const reader = makeTenant(client).reader(progress);
  const catalogue = makeCatalogue(reader);
  const incomplete = new Set<string>();
  const each = await Promise.all(
    kinds.map(async (kind) => {
      const found: Sighted[] = [];
      const unread: Diagnostic[] = [];
      const whole = { ...EVERY_OBJECT, reader, asked };
      const { value: isWhole, diagnostics } = await readInventory(kind, whole, (sighting) => {
        if (sighting.as === "present") found.push({ kind, ...sighting });
        else if (sighting.as === "unread") unread.push(sighting.diagnostic);
      });
      if (!isWhole || unread.length > 0) incomplete.add(kind.name);
      return {
        objects: await known(kind, found, catalogue, reader),
        diagnostics: [...diagnostics, ...unread],
      };
    }),
  );
  return {
    objects: each.flatMap(({ objects }) => objects),
    incomplete,
    unknown: reader.unknown(),
    diagnostics: each.flatMap(({ diagnostics }) => diagnostics),
  };
}

interface Sighted {
  readonly kind: Kind;
  readonly observed: Observed;
  readonly isConnected: boolean;
}

async function known(
  kind: Kind,
  found: readonly Sighted[],
  catalogue: Catalogue,
  reader: Reader,
): Promise<readonly KnownObject[]> {
  const parts = await Promise.all(
    found.map(async (one) => {
      const own = await setByPeople(kind, one.observed, one.isConnected, reader);
      return { ...one, own: own ?? one.observed, isOurs: own !== null };
    }),
  );
  const pointed = parts.flatMap(({ own }) => pointersIn(specOf(kind, own), kind.shape));
  const callOf = await peopleCall(pointed, catalogue);
  return Promise.all(
    parts.map(async ({ observed, own, isOurs }): Promise<KnownObject> => {
      const parents = pointersIn(identityOf(kind, own.key), kind.shape).slice(0, -1);
      const within = parents.map((one) => Object.values(callOf(one) ?? {}).join());
      const nameless = parents[within.indexOf("")];
      return {
        kind,
        key: own.key,
        within: nameless === undefined ? within : { nameless: referable(nameless.of).noun.one },
        names: await namesOf(kind, own, catalogue),
        ...namedSpec(kind, own, callOf),
        isLeftAlone: !isOurs || observed.managedBy !== undefined || kind.isBuiltIn?.(observed) === true,
      };
    }),
  );
}

/** What an object is called: its own name, and the names of what its key ends in. */
async function namesOf(
  kind: Kind,
  { key, fields }: Observed,
  catalogue: Catalogue,
): Promise<readonly string[]> {
  const own = nameIn(fields);
  const last = pointersIn(identityOf(kind, key), kind.shape).at(-1);
  const hasAlias = last !== undefined && (referable(last.of).finders as readonly string[]).includes("alias");
  const target = last === undefined || (own !== "" && !hasAlias) ? undefined : await catalogue.find(last);
  const names = [own === "" ? (target?.name ?? "") : own, target?.alias ?? ""];
  return names.filter((name) => name !== "");
}

/** The spec without the key, with what people call its ids, and the fields in which an id has no such name. */
function namedSpec(
  { shape }: Kind,
  { key, fields, madeWith = {} }: Observed,
  callOf: (pointed: PointedAt) => JsonObject | null,
): Pick<KnownObject, "spec" | "unsure"> {
  const ids = { ...specOf({ shape }, { key, fields }), ...pick(madeWith, shape.always) };
  const unsure = new Map<string, string>();
  const doubt = (field: string, why: string) => {
    const unit = unitsOf(shape).find(({ members }) => members.includes(field));
    if (!shape.identity.includes(field)) unsure.set(unit?.name ?? field, why);
  };
  for (const { name } of shape.groups) if (isObject(fields[name])) doubt(name, UNKNOWN_CHOICE);
  for (const { field, why } of authored(fields, shape).leftOut)
    if (shape.fields.has(field)) doubt(field, why);
  const named = renamed(ids, shape, (pointed, [field]) => {
    const reference = callOf(pointed);
    if (reference === null) doubt(String(field), NAMELESS);
    return reference ?? pointed.id;
  });
  const { identity } = shape;
  return {
    spec: Object.fromEntries(Object.entries(named).filter(([name]) => !identity.includes(name))),
    unsure,
  };
}

const UNKNOWN_CHOICE = "remit has no name for what is chosen";

const NAMELESS = "an id in it stands for nothing that has a name of its own";

/**
 * What people call what some ids point at, as a reference reads: a user by the e-mail address, anything else by a name that
 * nothing else of its sort has. Null where there is none.
 */
async function peopleCall(
  pointed: readonly PointedAt[],
  catalogue: Catalogue,
): Promise<(pointed: PointedAt) => JsonObject | null> {
  const distinct = new Map(pointed.map((one) => [pointedText(one), one]));
  const called = new Map<string, JsonObject | null>();
  await Promise.all(
    [...distinct].map(async ([place, one]) => called.set(place, await referenceFor(one, catalogue))),
  );
  return (one) => called.get(pointedText(one)) ?? null;
}

async function referenceFor(pointed: PointedAt, catalogue: Catalogue): Promise<JsonObject | null> {
  const { of, app } = pointed;
  const named = await catalogue.find(pointed);
  if (named === undefined) return null;
  const finders: readonly string[] = referable(of).finders;
  if (finders.includes("email")) return named.email === undefined ? null : { email: named.email };
  const listed = await catalogue.every(of, app);
  for (const by of NAMES) {
    const text = named[by] ?? "";
    if (text !== "" && finders.includes(by) && listed?.called(by, text).length === 1) return { [by]: text };
  }
  return null;
}
