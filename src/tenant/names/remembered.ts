import type { Kind } from "../../kinds/kind.js";
import { nameIn } from "../../kinds/spelling.js";
import type { Resource } from "../../manifest/resource.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { groupBy } from "../../model/groupBy.js";
import { same } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import { holdersIn } from "../../state/holders.js";
import type { Entry } from "../../state/snapshot.js";
import { desire, parentOf, recordedKeys } from "../desire.js";
import type { Desired } from "../known.js";
import type { Origin } from "../origin.js";
import { asObserved } from "./recordedNames.js";
import type { Resolved } from "./resolve.js";
import { unclear } from "./unclear.js";

/** A resource with ids for names. */
interface ResolvedResource extends Pick<Resolved, "spec" | "meanings" | "warnings"> {
  readonly resource: Resource;
  readonly kind: Kind;
}

/** What a resource asks for, and why it is not clear which object that is; null where it is. */
export interface Meant {
  readonly desired: Desired;
  readonly fault: Diagnostic | null;
}

/**
 * Finds the object that the state remembers for a manifest without an id: by its address, or by the address that it
 * moved from. A new address means the one object with the same identifying fields, unless the manifest that has the
 * object's address still describes it: a renamed manifest keeps its object.
 */
export function rememberedBy(
  { snapshot, moved, recordedNames }: Pick<Origin, "snapshot" | "moved" | "recordedNames">,
  project: readonly Resource[],
  named: (resource: Resource) => Promise<ResolvedResource>,
): (resource: ResolvedResource) => Promise<Meant> {
  const keys = recordedKeys(snapshot, moved);
  const holders = holdersIn(Object.values(snapshot?.entries ?? {}));
  const byAddress = new Map(project.map((resource) => [formatAddress(resource.address), resource]));
  let byName: ReadonlyMap<string, readonly Resource[]> | null = null;
  const desired = ({ resource, kind, ...resolved }: ResolvedResource) =>
    desire(resource, kind, resolved, keys);

  /** Whether a new address of the project has the identifying fields that an object was recorded with. */
  async function isRenamed(entry: Entry, kind: Kind, self: Resource): Promise<boolean> {
    const called = nameIn(asObserved(entry).fields);
    byName ??= groupBy(project, ({ address, spec }) => nameOf(address.kind, nameIn(spec)));
    const rivals = byName.get(nameOf(kind.name, called)) ?? [];
    for (const rival of rivals) {
      if (rival === self || holders.has(formatAddress(rival.address))) continue;
      const other = desired(await named(rival));
      if (other.key === null && describes(kind, other, entry)) return true;
    }
    return false;
  }

  /** Whether no manifest means an object by its id or its address, so that a new address may mean it. */
  async function isFree(entry: Entry, kind: Kind): Promise<boolean> {
    const address = formatAddress(entry.address);
    if (moved.some(({ from }) => from === address)) return false;
    const owner = entry.former === true ? undefined : byAddress.get(address);
    if (owner === undefined) return true;
    const own = desired(await named(owner));
    if (kind.key(own.identity) !== null) return !same(own.key, entry.key);
    return !describes(kind, own, entry);
  }

  return async (resource) => {
    const { kind } = resource;
    const wish = desired(resource);
    const { address } = resource.resource;
    if (kind.matches === undefined || kind.key(wish.identity) !== null) return { desired: wish, fault: null };
    if (wish.key !== null) {
      const entry = snapshot?.entries[formatKey(kind.name, wish.key)];
      const isOwn = entry !== undefined && formatAddress(entry.address) === formatAddress(address);
      const isLost =
        isOwn && !describes(kind, wish, entry) && (await isRenamed(entry, kind, resource.resource));
      return { desired: isLost ? { ...wish, key: null } : wish, fault: null };
    }
    const described = recordedNames(kind).described(
      { ...wish.identity, ...wish.fields },
      parentOf(kind, wish.identity),
    );
    const free: Entry[] = [];
    for (const entry of described) if (await isFree(entry, kind)) free.push(entry);
    const [only, ...others] = free;
    if (others.length > 0) return { desired: wish, fault: unclear(kind, free.map(asObserved)) };
    return { desired: { ...wish, key: only?.key ?? null }, fault: null };
  };
}

function describes(kind: Kind, { identity, fields }: Desired, entry: Entry): boolean {
  const isSibling = same(parentOf(kind, identity), entry.key.slice(0, -1));
  return isSibling && kind.matches?.({ ...identity, ...fields }, asObserved(entry)) === true;
}

function nameOf(kind: string, name: string): string {
  return `${kind} ${name}`;
}
