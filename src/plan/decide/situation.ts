import type { Explained } from "../../diff/cause.js";
import { compare } from "../../diff/compare.js";
import { lastSeen } from "../../diff/kept.js";
import { owns, unitsOf } from "../../diff/own.js";
import { foundFor, type Interface } from "../../kinds/interface.js";
import type { Kind, ListedPart, Observed } from "../../kinds/kind.js";
import { isFindable } from "../../kinds/listing.js";
import { type Address, formatAddress } from "../../model/address.js";
import { type JsonObject, same } from "../../model/json.js";
import { formatKey, type Key } from "../../model/key.js";
import type { Entry, Uncertain } from "../../state/snapshot.js";
import type { Current, Seen, ShownNames } from "../../tenant/known.js";
import { namesakes } from "../../tenant/names/unclear.js";
import { say } from "../../words/say.js";
import type { RecordLookup } from "../record/lookup.js";
import { usualIn } from "../record/usual.js";

/** All that is known of one object when a step is decided. */
export interface Situation {
  readonly kind: Kind;
  /** What the service offers for the kind. */
  readonly on: Interface;
  readonly seen: Seen;
  readonly entry: Entry | null;
  /** A create of it with an unknown result. */
  readonly uncertain: Uncertain | null;
  /** Such creates of the kind that no manifest means. */
  readonly lostCreates: readonly Uncertain[];
  /** What objects of the tenant are called. */
  readonly names: ShownNames;
  /** Whether the service showed that the object exists, without showing the object. */
  readonly isShown: boolean;
  /** Without a record of its manifest: the objects that may be the one that is meant, under another name. */
  readonly strangers: readonly Observed[];
  /** Whether a state existed that is now missing. */
  readonly isStateLost: boolean;
  /** What items of a part have for its usual member, in the objects that were read. */
  readonly usual: (part: Pick<ListedPart, "field" | "usual">) => readonly string[];
  /** Whether `unknown-current` is acknowledged for it, so that a write may replace what was not seen. */
  readonly mayReplaceUnseen: boolean;
  /** The fields that the service is writing into it by itself, and because of what. */
  readonly rewriting?: { readonly by: Address; readonly fields: readonly string[] };
}

/** What a plan knows beside the tenant and the state. */
export interface Circumstances {
  /** Whether a manifest of the project stands for an object. */
  readonly isDescribed: (kind: Kind, observed: Observed) => boolean;
  /** Whether a manifest of the project has an address. */
  readonly isWritten: (address: Address) => boolean;
  readonly isStateLost: boolean;
  readonly mayReplaceUnseen: (address: Address) => boolean;
}

/** Gathers what is known of an object; one without a key is known by its address. */
export function situate(
  kind: Kind,
  address: Address,
  key: Key | null,
  current: Current,
  memory: RecordLookup,
  circumstances: Circumstances,
): Situation {
  const { isStateLost, mayReplaceUnseen } = circumstances;
  const entry = memory.entry(kind.name, key);
  const seen = current.objects.get(key === null ? formatAddress(address) : formatKey(kind.name, key));
  const name = key === null ? formatAddress(address) : formatKey(kind.name, key);
  return {
    kind,
    on: foundFor(current.from, kind.name),
    seen: known(seen, kind, address, memory, circumstances) ?? unasked(current, kind, key, entry),
    entry,
    strangers: strangersIn(seen, kind, address, memory, circumstances),
    uncertain: memory.uncertain(address, key),
    lostCreates: memory.open.filter(
      (create) => create.address.kind === kind.name && !circumstances.isWritten(create.address),
    ),
    names: current.names,
    isShown: current.shown.has(name) || memory.isExisting(name),
    isStateLost,
    usual: usualIn(current),
    mayReplaceUnseen: mayReplaceUnseen(address),
  };
}

/** A doubt about objects of one name also says which of them the state knows by another address. */
function known(
  seen: Seen | undefined,
  kind: Kind,
  address: Address,
  memory: RecordLookup,
  { isWritten }: Circumstances,
): Seen | undefined {
  if (seen?.as !== "unread" || seen.namesakes === undefined) return seen;
  const recorded = seen.namesakes.flatMap(({ key }) => memory.entry(kind.name, key)?.address ?? []);
  const holders = recorded.map((holder) => ({ holder, isWritten: isWritten(holder) }));
  return { ...seen, diagnostic: namesakes(kind, seen.namesakes, { address, holders }) };
}

function strangersIn(
  seen: Seen | undefined,
  kind: Kind,
  address: Address,
  memory: RecordLookup,
  { isDescribed }: Circumstances,
): readonly Observed[] {
  if (seen?.as !== "absent" || memory.holder(address) !== null) return [];
  return (seen.beside ?? []).filter((one) => !isDescribed(kind, one));
}

/** An object that was not read: as recorded, unless the service would have shown it or cannot show it. */
function unasked(current: Current, kind: Kind, key: Key | null, entry: Entry | null): Seen {
  if (current.from[kind.name]?.source !== "live") {
    return { as: "recorded", fields: entry === null ? null : lastSeen(entry) };
  }
  // What no list shows has no key because nothing ever made it.
  if (!isFindable(kind, key)) return { as: "absent" };

  return {
    as: "unread",
    diagnostic: say("plan/not-read", { noun: kind.noun.one }),
  };
}

/** The fields that name an object, taken from its key. */
export function identityOf(kind: Kind, key: Key): JsonObject {
  return Object.fromEntries(kind.shape.identity.map((name, place) => [name, key[place] ?? null]));
}

/** The fields of an object whose value is not known. */
interface UnknownFields {
  /** Their last write got no answer. */
  readonly unknown: readonly string[];
  /** remit did not own them when it last wrote the object. */
  readonly unseen: readonly string[];
}

export const NO_UNKNOWN_FIELDS: UnknownFields = { unknown: [], unseen: [] };

/**
 * The fields whose value a record does not tell. A create sends every field, so that remit wrote those that it does not
 * own, too.
 */
export function unknownFieldsIn(
  { applied, unknown = [] }: Entry,
  owned: readonly string[],
  { verbs, shape }: Pick<Kind, "verbs" | "shape">,
  on: Interface,
): UnknownFields {
  if (verbs[on].includes("create")) return { unknown, unseen: [] };
  const before = Object.keys(applied);
  const unseen = unitsOf(shape).filter((unit) => owns(owned, unit) && !owns(before, unit));
  return { unknown, unseen: unseen.flatMap(({ members }) => members) };
}

/**
 * Fields as they were before remit first managed them, where the tenant is not known to have that value now; null where one
 * was not set. A manifest that writes them restores them.
 */
export function restorable(
  { original = {} }: Pick<Entry, "original">,
  fields: readonly string[],
  seen: Seen,
  { shape }: Pick<Kind, "shape">,
): JsonObject {
  const members = unitsOf(shape).flatMap((unit) => {
    const known = unit.members.filter((name) => Object.hasOwn(original, name));
    if (known.length === 0 || !owns(fields, unit)) return [];
    const isSo = seen.as === "present" && compare(original, seen.fields, unit.shape).length === 0;
    return isSo ? [] : known.map((name) => [name, original[name] ?? null] as const);
  });
  return Object.fromEntries(members);
}

/**
 * The fields of an object that differ only because a connector put back what remit wrote; none where anything else
 * differs, too. The connector does so at each sync: to write them again would last until the next one.
 */
export function contestedIn(
  found: readonly Explained[],
  { entry, seen }: Pick<Situation, "entry" | "seen">,
): readonly string[] {
  const { connectorWrites = [], fields = {} } = seen.as === "present" ? seen : {};
  const original = entry?.original ?? {};
  const isPutBack = (name: string) =>
    connectorWrites.includes(name) &&
    Object.hasOwn(original, name) &&
    same(original[name] ?? null, fields[name] ?? null);
  const names = found.map(({ change }) => String(change.path[0]));
  return found.every(({ cause }) => cause === "drifted") && names.every(isPutBack) ? names : [];
}
