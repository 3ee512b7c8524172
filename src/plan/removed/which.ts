import { kindOf, kinds } from "../../kinds/index.js";
import type { EarlierProject } from "../../manifest/git/earlierProject.js";
import { checkAll } from "../../manifest/load.js";
import type { LoadedProject } from "../../manifest/project.js";
import type { Resource } from "../../manifest/resource.js";
import type { UnclearFile } from "../../manifest/unclearFile.js";
import { NO_VOCABULARY } from "../../manifest/vocabulary.js";
import type { Former } from "../../manifest/withUnclearFiles.js";
import { type Address, formatAddress, withKey } from "../../model/address.js";
import { formatKey } from "../../model/key.js";
import { holdersIn } from "../../state/names.js";
import type { Entry, Snapshot } from "../../state/snapshot.js";
import type { Desired } from "../../tenant/known.js";
import { isSelecting, type Selecting } from "../select/select.js";

/**
 * The objects in the state that have no manifest in the project. A run that looks at the whole project looks at all of
 * them. Any other run looks only at those that a target names exactly, and at those that it replaces.
 */
export function removedFrom(
  project: LoadedProject,
  desired: readonly Desired[],
  snapshot: Snapshot | null,
  selecting: Selecting,
  more: readonly Entry[] = [],
): readonly Entry[] {
  if (!project.isComplete) return [];
  // A key that only the state knows may be gone from the tenant: reading decides.
  const held = new Set(
    desired.flatMap(({ resource: { address }, identity }) => {
      const key = kindOf(address).key(identity);
      return key === null ? [] : formatKey(address.kind, key);
    }),
  );
  // A state may hold kinds of a later version.
  const left = [...Object.values(snapshot?.entries ?? {}), ...more].filter(
    ({ address, key }) =>
      kinds.some(({ name }) => name === address.kind) && !held.has(formatKey(address.kind, key)),
  );
  return chosenAmong(left, project, desired, snapshot, selecting);
}

/** Of objects that have no manifest, those that a run looks at: all, or those that a target names or that it replaces. */
export function chosenAmong(
  left: readonly Entry[],
  project: LoadedProject,
  desired: readonly Desired[],
  snapshot: Snapshot | null,
  selecting: Selecting,
): readonly Entry[] {
  if (!isSelecting(project, selecting)) return left;
  const taken = addressesOf(project.resources);
  const holders = holdersIn(Object.values(snapshot?.entries ?? {}));
  const selected = new Set(desired.map(({ resource }) => resource));
  const unselected = project.resources.filter((resource) => !selected.has(resource));
  const isReplaced = (entry: Entry) =>
    holders.get(formatAddress(entry.address)) === entry &&
    desired.some(({ resource }) => formatAddress(resource.address) === formatAddress(entry.address));
  return left
    .filter((entry) => isNamed(entry, project, selecting, taken) || isReplaced(entry))
    .filter((entry) => !unselected.some((one) => mayBe(entry, one, snapshot)));
}

/** Whether a target of a run is exactly a removed object; a path or a selector never is. */
function isNamed(
  entry: Entry,
  { chosen }: Pick<LoadedProject, "chosen">,
  { targets, selector }: Selecting,
  taken: ReadonlySet<string>,
): boolean {
  if (chosen !== null || selector !== null) return false;
  return namesOf(entry, taken).some((name) => targets.includes(formatAddress(name)));
}

/** The addresses of resources, formatted. */
export function addressesOf(resources: readonly Resource[]): ReadonlySet<string> {
  return new Set(resources.map(({ address }) => formatAddress(address)));
}

/** The address of a removed object: with its key where a manifest of the project, or a later object, has its name. */
export function nameOf(entry: Entry, taken: ReadonlySet<string>): Address {
  return entry.former === true || taken.has(formatAddress(entry.address))
    ? withKey(entry.address, entry.key)
    : entry.address;
}

/** What a target may call a removed object. */
export function namesOf(entry: Entry, taken: ReadonlySet<string>): readonly Address[] {
  return [nameOf(entry, taken), withKey(entry.address, entry.key)];
}

/**
 * Whether a manifest may describe an object of the state. Names in it are not looked up: it may where none of its ids
 * differs, and where the state has no other key for its address.
 */
function mayBe({ address, key }: Entry, resource: Resource, snapshot: Snapshot | null): boolean {
  if (resource.address.kind !== address.kind) return false;
  const { identity } = kindOf(resource.address).shape;
  const differs = identity.some((name, place) => {
    const written = resource.spec[name];
    return typeof written === "string" && written !== key[place];
  });
  if (differs) return false;
  const isWritten = identity.every((name) => typeof resource.spec[name] === "string");
  const own = Object.values(snapshot?.entries ?? {}).filter(
    (entry) => formatAddress(entry.address) === formatAddress(resource.address),
  );
  const [only, ...others] = own;
  const isOther = only !== undefined && others.length === 0 && only.key.join("/") !== key.join("/");
  return isWritten || !isOther;
}

/**
 * Where manifests stood that the project may have lost. The state records them for each object; the commit of `--since`
 * has its own texts of the unclear files.
 */
export function formerManifests(
  unclear: readonly UnclearFile[],
  since: EarlierProject | null,
  snapshot: Snapshot | null,
): readonly Former[] {
  const files = new Set(unclear.map(({ file }) => file));
  const sources = (since?.sources ?? []).filter(({ file }) => files.has(file));
  return [
    ...Object.values(snapshot?.entries ?? {}).map(({ address, file }) => ({ address, file })),
    ...checkAll(sources, since?.vocabulary ?? NO_VOCABULARY).resources,
  ];
}
