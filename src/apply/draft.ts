import { formatAddress } from "../model/address.js";
import { formatKey } from "../model/key.js";
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
  const done = new Set(applying?.done);
  let isComplete = applying?.isComplete ?? false;

  function rememberObject(ended: Ended, at: string): boolean {
    const { address, action, outcome, key, record, diagnostics } = ended;
    const name = formatAddress(address);
    const place = key === null ? null : formatKey(address.kind, key);
    if (outcome === "uncertain") {
      if (record === null) return false;
      const [first] = diagnostics;
      const why = first?.message ?? "no reply came";
      const sent = first?.code === "apply/uncertain";
      uncertain.set(name, { address, key, applied: record.applied, at, why, sent });
      return true;
    }
    if (outcome === "done" && (action === "delete" || action === "forget")) {
      const wasUncertain = uncertain.delete(name);
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
    entries.set(place, { address, key, applied, answered, rewritten, at, protected: isProtected, ...kept });
    existing.delete(place);
    uncertain.delete(name);
    return true;
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
