import { kindOf } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import { nameField, nameIn, pick } from "../../kinds/spelling.js";
import { manifestFor, otherApp } from "../../manifest/linked.js";
import type { Resource } from "../../manifest/resource.js";
import { formatAddress } from "../../model/address.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { groupBy } from "../../model/groupBy.js";
import { type JsonObject, same } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import { onceFor } from "../../model/onceFor.js";
import { pendingId } from "../../model/pending.js";
import { holdersIn } from "../../state/names.js";
import type { Entry } from "../../state/snapshot.js";
import { desire, parentOf, recordedKeys } from "../desire.js";
import { failedRun } from "../fetched.js";
import type { Desired, Seen } from "../known.js";
import { addressBefore } from "../movedAddress.js";
import type { Origin } from "../origin.js";
import type { Directory } from "./directory.js";
import { asObserved } from "./recordedNames.js";
import {
  type Linked,
  type LinkedId,
  notSelected,
  type Resolved,
  resolve,
  type Unselected,
} from "./resolve.js";
import { unclear } from "./unclear.js";

/** What the resources ask for, with ids for names. */
export interface Resolution {
  readonly desired: readonly Desired[];
  /** By formatted address: resources with a name that could not be looked up. */
  readonly unresolved: ReadonlyMap<string, Seen>;
  /** By formatted address: the mistakes of each resource that has some. */
  readonly mistaken: ReadonlyMap<string, readonly Diagnostic[]>;
}

/** A resource with ids for names. */
interface ResolvedResource extends Pick<Resolved, "spec" | "meanings" | "warnings"> {
  readonly resource: Resource;
  readonly kind: Kind;
}

/** What a resource asks for, and why it is not clear which object that is; null where it is. */
interface Meant {
  readonly desired: Desired;
  readonly fault: Diagnostic | null;
}

/** Puts ids in the place of names in every resource; its diagnostics are the author's mistakes. */
export async function resolveAll(
  resources: readonly Resource[],
  { directory, snapshot, moved, recordedNames }: Origin,
  { unselected = () => undefined, project = resources, gone = NONE }: Partial<Referring> = {},
): Promise<Checked<Resolution>> {
  const holders = holdersIn(Object.values(snapshot?.entries ?? {}));
  const selected = new Set(resources);
  async function resolved(resource: Resource, written: Resource) {
    const kind = kindOf(resource.address);
    const before = addressBefore(moved, resource.address) ?? resource.address;
    const holder = holders.get(formatAddress(resource.address)) ?? holders.get(formatAddress(before));
    const hints = { unselected, remembered: holder?.meanings ?? {}, linked: linkFrom(resource), aliased };
    return { resource, kind, ...(await resolve(written, kind, directory, hints)) };
  }
  const resolutionOf = onceFor((resource: Resource) => resolved(resource, resource));
  // Objects may name each other. What tells which object is meant never leads back.
  const identified = onceFor((resource: Resource) =>
    resolved(resource, { ...resource, spec: tellingFields(resource, kindOf(resource.address)) }),
  );
  const wishOf = rememberedBy({ snapshot, moved, recordedNames }, project, identified);
  async function linkTo(resource: Resource, app: string): Promise<LinkedId> {
    const own = await identified(resource);
    const [doubt] = [...own.mistakes, ...own.unseen];
    if (doubt !== undefined) return { as: "unseen", diagnostic: doubt };
    const { desired, fault } = await wishOf(own);
    if (fault !== null) return { as: "unseen", diagnostic: fault };
    const { key, identity } = desired;
    // An id that is not written within an app may belong to any.
    if (app !== "" && identity.appId !== app) return { as: "fault", diagnostic: otherApp(resource) };
    const id = key?.at(-1);
    if (key !== null && id !== undefined && !gone.has(formatKey(resource.address.kind, key)))
      return { as: "id", id };
    if (selected.has(resource)) return { as: "id", id: pendingId(resource.address) };
    return {
      as: "unseen",
      diagnostic: notSelected(resource.address, `${formatAddress(resource.address)} has no id yet`),
    };
  }
  function linkFrom(from: Resource): Linked {
    return async (kind, name, app) => {
      const found = manifestFor(project, from, kind, name);
      return found.as === "fault" ? found : linkTo(found.resource, app);
    };
  }
  async function aliased(kind: string, alias: string, app: string): Promise<LinkedId | null> {
    for (const resource of project) {
      if (resource.address.kind !== kind || resource.spec.alias !== alias) continue;
      const link = await linkTo(resource, app);
      if (link.as !== "fault") return link;
    }
    return null;
  }
  const resolutions = await Promise.all(resources.map(resolutionOf));
  const wishes = await Promise.all(
    resolutions.map(async (resolved): Promise<Meant> => {
      const [fault] = resolved.unseen;
      const wish = await wishOf(resolved);
      return fault === undefined ? wish : { desired: { ...wish.desired, key: null }, fault };
    }),
  );
  const unresolved = wishes.flatMap(({ desired: { resource }, fault }) =>
    fault === null ? [] : [[formatAddress(resource.address), { as: "unread", diagnostic: fault }] as const],
  );
  const mistaken = resolutions.flatMap(({ resource, mistakes }) =>
    mistakes.length === 0 ? [] : [[formatAddress(resource.address), mistakes] as const],
  );
  return {
    value: {
      desired: wishes.map(({ desired }) => desired),
      unresolved: new Map(unresolved),
      mistaken: new Map(mistaken),
    },
    diagnostics: [...resolutions.flatMap(({ mistakes }) => mistakes), ...unreadLists(directory)],
  };
}

/** What a resolution needs of the project beside the resources. */
interface Referring {
  readonly unselected: Unselected;
  /** All manifests of the project, which a reference may name. */
  readonly project: readonly Resource[];
  /** Objects that the state remembers and that have gone, as `formatKey` names them. */
  readonly gone: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** What tells which object a manifest means: its id, what it is made with, and its name. */
function tellingFields({ spec }: Resource, kind: Kind): JsonObject {
  const { identity, createOnly } = kind.shape;
  return pick(spec, [...identity, ...createOnly, nameField(kind)]);
}

/** A list that a name needs and that cannot be read ends the run. */
function unreadLists({ failures }: Directory): readonly Diagnostic[] {
  const [first, ...more] = failures();
  return first === undefined ? [] : [failedRun(first, more)];
}

/**
 * Finds the object that the state remembers for a manifest without an id: by its address, or by the address that it
 * moved from. A new address means the one object with the same identifying fields, unless the manifest that has the
 * object's address still describes it: a renamed manifest keeps its object.
 */
function rememberedBy(
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
