import { type Address, formatAddress, withKey, withoutKey } from "../model/address.js";
import { same } from "../model/json.js";
import { formatKey, type Key } from "../model/key.js";
import type { Entry, Existing, Snapshot, Uncertain } from "../state/snapshot.js";
import type { Event } from "./event.js";

/** A snapshot that outcomes are written into: one map changes, and nothing is copied until it is kept. */
export interface Draft {
  /** Writes down how a step ended; gives whether that changed anything. */
  readonly remember: (ended: Ended, at: string) => boolean;
  /** Every step of the plan is done. */
  readonly complete: () => void;
  /** The current snapshot, with the serial to save it under. */
  readonly snapshot: (serial: number) => Snapshot;
}

/** How a step ended, as far as it is remembered. */
export type Ended = Pick<
  Extract<Event, { readonly type: "step finished" }>,
  "address" | "action" | "outcome" | "step" | "key" | "record" | "existing" | "diagnostics"
>;

/** Opens a snapshot for writing outcomes into it. */
export function draftOf({ lineage, server, wasRead, applying, ...old }: Snapshot): Draft {
  const entries = new Map<string, Entry>(Object.entries(old.entries));
  const uncertain = new Map<string, Uncertain>(Object.entries(old.uncertain));
  const existing = new Map<string, Existing>(Object.entries(old.existing));
  const places = placesIn(entries);
  const done = new Set(applying?.done);
  let isComplete = applying?.isComplete ?? false;

  function rememberObject(ended: Ended, at: string): boolean {
    const { address, action, outcome, key, record, diagnostics } = ended;
    const own = key === null ? address : withoutKey(address, key);
    const name = formatAddress(own);
    const place = key === null ? null : formatKey(address.kind, key);
    if (outcome === "uncertain") {
      if (record === null) return false;
      const [first] = diagnostics;
      const why = first?.message ?? "no reply came";
      const sent = first?.code === "apply/uncertain";
      const before = uncertain.get(name);
      if (before !== undefined && !isSameKey(before.key, key)) setAside(before);
      uncertain.set(name, { address: own, key, applied: record.applied, at, why, sent });
      return true;
    }
    if (outcome === "done" && (action === "delete" || action === "forget")) {
      const wasUncertain = settle(own, key);
      return (place !== null && entries.delete(place)) || wasUncertain;
    }
    if (key === null || place === null) return false;
    if (record === null) {
      if (ended.existing === undefined || entries.has(place)) return false;
      existing.set(place, { at, why: ended.existing });
      return true;
    }
    const { applied, answered, rewritten, protected: isProtected, ...more } = record;
    const createOnly = entries.get(place)?.createOnly;
    const kept = createOnly === undefined ? more : { createOnly, ...more };
    entries.set(place, {
      address: own,
      key,
      applied,
      answered,
      rewritten,
      at,
      protected: isProtected,
      ...kept,
    });
    if (record.former !== true) takeAddress(name, place);
    existing.delete(place);
    settle(own, key);
    return true;
  }

  /** Another object that had the address is a former one from now on. */
  function takeAddress(name: string, place: string): void {
    const all = places.get(name) ?? new Set<string>();
    places.set(name, all);
    for (const other of all) {
      const entry = entries.get(other);
      if (other !== place && entry !== undefined && formatAddress(entry.address) === name)
        entries.set(other, { ...entry, former: true });
    }
    all.add(place);
  }

  /** Keeps a create with an unknown result whose address another object takes. */
  function setAside(create: Uncertain): void {
    if (create.key === null) return;
    const address = withKey(create.address, create.key);
    uncertain.set(formatAddress(address), { ...create, address });
  }

  /** The result of an uncertain create is known now; gives whether there was one. */
  function settle(address: Address, key: Key | null): boolean {
    const names = [address, ...(key === null ? [] : [withKey(address, key)])].map(formatAddress);
    const known = names.filter((name) => {
      const create = uncertain.get(name);
      return create !== undefined && isSameKey(create.key, key);
    });
    for (const name of known) uncertain.delete(name);
    return known.length > 0;
  }

  return {
    remember(ended, at) {
      const isNew = ended.outcome === "done" && ended.step !== null && applying !== null;
      if (isNew) done.add(ended.step);
      return rememberObject(ended, at) || isNew;
    },
    complete() {
      isComplete = true;
      done.clear();
    },
    snapshot: (serial) => ({
      lineage,
      serial,
      server,
      wasRead,
      entries: Object.fromEntries(entries),
      uncertain: Object.fromEntries(uncertain),
      existing: Object.fromEntries(existing),
      applying: applying === null ? null : { effect: applying.effect, done: [...done].sort(), isComplete },
    }),
  };
}

/** The places of the objects that have, or had, each address. */
function placesIn(entries: ReadonlyMap<string, Entry>): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const [place, { address }] of entries) {
    const name = formatAddress(address);
    places.set(name, (places.get(name) ?? new Set()).add(place));
  }
  return places;
}

/** Whether two keys may be those of one object: a create whose id the service chooses has none yet. */
function isSameKey(one: Key | null, other: Key | null): boolean {
  return one === null || other === null || same(one, other);
}
