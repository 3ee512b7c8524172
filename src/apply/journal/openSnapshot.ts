import { kindNamed } from "../../kinds/index.js";
import { type Address, formatAddress, withKey, withoutKey } from "../../model/address.js";
import { inOrder } from "../../model/groupBy.js";
import { same } from "../../model/json.js";
import { formatKey, type Key } from "../../model/key.js";
import { hashOfDelete } from "../../plan/saved/effect.js";
import type { Entry, Existing, Snapshot, Uncertain } from "../../state/snapshot.js";
import type { Event } from "../event.js";

/** A snapshot that outcomes are written into: one map changes, and nothing is copied until it is kept. */
interface OpenSnapshot {
  /** Writes down how a step ended; gives whether that changed anything. */
  readonly remember: (ended: Ended, at: string) => boolean;
  /** Every step of the plan is done. */
  readonly complete: () => void;
  /** The current snapshot, with the serial to save it under. */
  readonly snapshot: (serial: number) => Snapshot;
}

/** How a step ended, as far as it is remembered. */
export type Ended = Omit<Extract<Event, { readonly type: "step finished" }>, "type" | "alreadySo">;

/** Opens a snapshot for writing outcomes into it. */
export function openSnapshot({ applying, ...old }: Snapshot): OpenSnapshot {
  const entries = makeEntries(old.entries);
  const uncertain = makeUncertainCreates(old.uncertain);
  const existing = new Map<string, Existing>(Object.entries(old.existing));
  const done = new Set(applying?.done);
  const deleted = new Map((applying?.deleted ?? []).map((one) => [hashOfDelete(one), one]));
  // By the ids that the service chose. Only those can stand for an address in the effect.
  const created = new Map((applying?.created ?? []).map((one) => [one.key.at(-1) ?? "", one]));
  let isComplete = applying?.isComplete ?? false;

  function rememberObject(ended: Ended, at: string): boolean {
    const { action, outcome, key, record } = ended;
    const address = key === null ? ended.address : withoutKey(ended.address, key);
    if (outcome === "uncertain") {
      if (record === null) return false;
      const [first] = ended.diagnostics;
      const why = first?.message ?? "no reply came";
      const sent = first?.code === "apply/uncertain";
      const { applied, createOnly } = record;
      const { step } = ended;
      const more = {
        ...(step !== null && applying !== null && { of: { effect: applying.effect, step } }),
        ...(createOnly !== undefined && { createOnly }),
        ...(ended.since !== undefined && { since: ended.since }),
      };
      uncertain.add({ address, key, applied, at, why, sent, ...more });
      return true;
    }
    if (outcome === "done" && (action === "delete" || action === "forget")) {
      const wasUncertain = uncertain.settle(address, key);
      return (key !== null && entries.remove(address, key)) || wasUncertain;
    }
    if (key === null) return false;
    const place = formatKey(address.kind, key);
    if (record === null) {
      if (ended.existing === undefined || entries.at(place) !== undefined) return false;
      existing.set(place, { at, why: ended.existing });
      return true;
    }
    const { applied, answered, rewritten, protected: isProtected, ...more } = record;
    const createOnly = entries.at(place)?.createOnly;
    const kept = createOnly === undefined ? more : { createOnly, ...more };
    entries.put({ address, key, applied, answered, rewritten, at, protected: isProtected, ...kept });
    existing.delete(place);
    uncertain.settle(address, key);
    return true;
  }

  /** Of a create that failed, the object is there only where its record says what was found. */
  function rememberCreated({ action, outcome, address, key, record }: Ended, isDone: boolean): void {
    if (key === null || !hasChosenId(address)) return;
    const id = key.at(-1) ?? "";
    if (isDone && (action === "create" || created.has(id))) created.set(id, { address, key });
    if (applying !== null && action === "create" && outcome === "failed" && record !== null)
      created.set(id, { address, key, isUnfinished: true });
  }

  return {
    remember(ended, at) {
      const isNew = ended.outcome === "done" && ended.step !== null && applying !== null;
      if (isNew) done.add(ended.step);
      if (isNew && ended.deleted !== undefined) deleted.set(ended.step, ended.deleted);
      rememberCreated(ended, isNew);
      return rememberObject(ended, at) || isNew;
    },
    complete() {
      isComplete = true;
    },
    snapshot: (serial) => ({
      ...old,
      serial,
      entries: entries.all(),
      uncertain: uncertain.all(),
      existing: Object.fromEntries(existing),
      applying:
        applying === null
          ? null
          : {
              effect: applying.effect,
              done: [...done].sort(),
              ...(deleted.size > 0 && { deleted: inOrder(deleted) }),
              ...(created.size > 0 && { created: inOrder(created) }),
              isComplete,
            },
    }),
  };
}

/** Whether the service chooses the id of the object: the manifest of any other has it before and after the create. */
function hasChosenId({ kind }: Ended["address"]): boolean {
  return kindNamed(kind)?.matches !== undefined;
}

/** The recorded objects by their places. One object has an address; others that had it are former ones. */
interface Entries {
  readonly at: (place: string) => Entry | undefined;
  readonly put: (entry: Entry) => void;
  /** Gives whether there was one. */
  readonly remove: (address: Address, key: Key) => boolean;
  readonly all: () => Readonly<Record<string, Entry>>;
}

function makeEntries(known: Readonly<Record<string, Entry>>): Entries {
  const entries = new Map(Object.entries(known));
  const places = placesIn(entries);

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

  return {
    at: (place) => entries.get(place),
    put(entry) {
      const place = formatKey(entry.address.kind, entry.key);
      entries.set(place, entry);
      if (entry.former !== true) takeAddress(formatAddress(entry.address), place);
    },
    remove: ({ kind }, key) => entries.delete(formatKey(kind, key)),
    all: () => Object.fromEntries(entries),
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

/** The creates whose result is unknown, by their addresses; with a key in the address where another create has it alone. */
interface UncertainCreates {
  readonly add: (create: Uncertain) => void;
  /** The result of a create is known now; gives whether there was one. */
  readonly settle: (address: Address, key: Key | null) => boolean;
  readonly all: () => Readonly<Record<string, Uncertain>>;
}

/** Makes a register that begins with what a snapshot says. */
function makeUncertainCreates(known: Readonly<Record<string, Uncertain>>): UncertainCreates {
  const creates = new Map(Object.entries(known));

  /** Keeps a create whose address another object takes. */
  function setAside(create: Uncertain): void {
    if (create.key === null) return;
    const address = withKey(create.address, create.key);
    creates.set(formatAddress(address), { ...create, address });
  }

  return {
    add(create) {
      const name = formatAddress(create.address);
      const before = creates.get(name);
      if (before !== undefined && !mayBeSame(before.key, create.key)) setAside(before);
      creates.set(name, create);
    },
    settle(address, key) {
      const names = [address, ...(key === null ? [] : [withKey(address, key)])].map(formatAddress);
      const settled = names.filter((name) => {
        const create = creates.get(name);
        return create !== undefined && mayBeSame(create.key, key);
      });
      for (const name of settled) creates.delete(name);
      return settled.length > 0;
    },
    all: () => Object.fromEntries(creates),
  };
}

/** Whether two keys may be those of one object: a create whose id the service chooses has none yet. */
function mayBeSame(one: Key | null, other: Key | null): boolean {
  return one === null || other === null || same(one, other);
}
