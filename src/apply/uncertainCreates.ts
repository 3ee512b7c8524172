import { type Address, formatAddress, withKey } from "../model/address.js";
import { same } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Uncertain } from "../state/snapshot.js";

/** The creates whose result is unknown, by their addresses; with a key in the address where another create has it alone. */
export interface UncertainCreates {
  readonly add: (create: Uncertain) => void;
  /** The result of a create is known now; gives whether there was one. */
  readonly settle: (address: Address, key: Key | null) => boolean;
  readonly all: () => Readonly<Record<string, Uncertain>>;
}

/** Makes a register that begins with what a snapshot says. */
export function makeUncertainCreates(known: Readonly<Record<string, Uncertain>>): UncertainCreates {
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
