import { kinds } from "../../kinds/index.js";
import { type Address, formatAddress } from "../../model/address.js";
import { same } from "../../model/json.js";
import { formatKey, type Key } from "../../model/key.js";
import { holdersIn } from "../../state/names.js";
import type { Entry, Snapshot, Uncertain } from "../../state/snapshot.js";

/** What is remembered, found by any name. */
export interface RecordLookup {
  readonly entry: (kind: string, key: Key | null) => Entry | null;
  /** The object that has an address: the last one that was applied by it. */
  readonly holder: (address: Address) => Entry | null;
  readonly uncertain: (address: Address, key: Key | null) => Uncertain | null;
  /** Every create whose result is unknown. */
  readonly open: readonly Uncertain[];
  /** Whether the service showed that the object of that name exists, while the state has no record of it. */
  readonly isExisting: (name: string) => boolean;
  readonly entries: readonly Entry[];
  /** What a version that knows more kinds has left. */
  readonly strangers: readonly Entry[];
}

/** Opens what a snapshot remembers; without one nothing is. */
export function recordLookup(snapshot: Snapshot | null): RecordLookup {
  const entries = new Map(Object.entries(snapshot?.entries ?? {}));
  const isKnown = ({ address }: Entry) => kinds.some(({ name }) => name === address.kind);
  const all = [...entries.values()];
  const uncertain = new Map(
    Object.values(snapshot?.uncertain ?? {}).flatMap((create) => {
      const { address, key } = create;
      const names = [formatAddress(address), ...(key === null ? [] : [formatKey(address.kind, key)])];
      return names.map((name): readonly [string, Uncertain] => [name, create]);
    }),
  );
  const holders = holdersIn(all);
  return {
    entry: (kind, key) => (key === null ? null : (entries.get(formatKey(kind, key)) ?? null)),
    holder: (address) => holders.get(formatAddress(address)) ?? null,
    uncertain(address, key) {
      const create = uncertain.get(formatAddress(address));
      // The manifest may mean another object now.
      if (create !== undefined && (key === null || create.key === null || same(create.key, key)))
        return create;
      return key === null ? null : (uncertain.get(formatKey(address.kind, key)) ?? null);
    },
    open: Object.values(snapshot?.uncertain ?? {}),
    isExisting: (name) => Object.hasOwn(snapshot?.existing ?? {}, name),
    entries: all.filter(isKnown),
    strangers: all.filter((entry) => !isKnown(entry)),
  };
}
