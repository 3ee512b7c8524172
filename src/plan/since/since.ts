import { ours } from "../../diff/own.js";
import { formatAddress } from "../../model/address.js";
import { formatKey } from "../../model/key.js";
import type { Entry, Snapshot } from "../../state/snapshot.js";
import type { Current, Desired } from "../../tenant/known.js";
import { isProtected } from "../decide/decision.js";
import type { Plan } from "../plan.js";
import type { Step } from "../step.js";
import { type ProjectChange, withRemoved } from "./thisChange.js";

/** The commit that a plan compares the project with, and the objects that only it shows to be removed. */
export interface Since {
  /** As the operator named it, and the commit that the change began at. */
  readonly ref: string;
  readonly commit: string;
  /** As their manifests described them; the state has no record of them. */
  readonly removed: readonly Entry[];
  readonly change: ProjectChange;
}

/** The commit that a plan compares with, once reading has found which objects only it shows to be removed. */
export function comparedWith(
  commit: Pick<Since, "ref" | "commit"> | null,
  change: ProjectChange | null,
  earlier: readonly Desired[],
  removed: readonly Entry[],
): Since | null {
  if (commit === null || change === null) return null;
  return { ref: commit.ref, commit: commit.commit, removed, change: withRemoved(change, earlier) };
}

/** What a plan says of the commit that it compares with. */
export function shownSince(since: Since | null, pending: readonly Step[]): Plan["since"] {
  return since === null ? null : { ref: since.ref, commit: since.commit, pending };
}

/**
 * The objects of earlier manifests that no manifest of the project stands for any more, and that no state records. One
 * that may still have a manifest is left out: where remit cannot tell, nothing is removed.
 */
export function removedSince(
  earlier: readonly Desired[],
  desired: readonly Desired[],
  { objects }: Pick<Current, "objects">,
  snapshot: Snapshot | null,
): readonly Entry[] {
  if (earlier.length === 0) return [];
  const held = heldBy(desired);
  const keyless = desired.filter(({ key }) => key === null).map(({ resource: { address } }) => address);
  const sameName = new Set(keyless.map(formatAddress));
  const unclear = new Set(
    keyless.filter((address) => objects.get(formatAddress(address))?.as === "unread").map(({ kind }) => kind),
  );
  const known = new Set(Object.keys(snapshot?.entries ?? {}));
  const found = new Map<string, Entry>();
  for (const one of earlier) {
    const { address } = one.resource;
    if (one.key === null || unclear.has(address.kind) || sameName.has(formatAddress(address))) continue;
    const name = formatKey(address.kind, one.key);
    if (!held.has(name) && !known.has(name)) found.set(name, entryOf(one, one.key));
  }
  return [...found.values()];
}

/** The earlier manifests that may stand for an object that no manifest of the project stands for. */
export function withoutHeld(earlier: readonly Desired[], desired: readonly Desired[]): readonly Desired[] {
  const held = heldBy(desired);
  return earlier.filter(
    ({ resource, key }) => key === null || !held.has(formatKey(resource.address.kind, key)),
  );
}

function heldBy(desired: readonly Desired[]): ReadonlySet<string> {
  return new Set(
    desired.flatMap(({ resource, key }) => (key === null ? [] : formatKey(resource.address.kind, key))),
  );
}

/** Entries without repetition: what comes first says what is known of an object. */
export function eachOnce(entries: readonly Entry[]): readonly Entry[] {
  const byName = new Map<string, Entry>();
  for (const entry of entries) {
    const name = formatKey(entry.address.kind, entry.key);
    if (!byName.has(name)) byName.set(name, entry);
  }
  return [...byName.values()];
}

function entryOf({ resource, owned, fields }: Desired, key: Entry["key"]): Entry {
  const { address, file } = resource;
  const applied = ours(fields, owned);
  return {
    address,
    key,
    applied,
    answered: null,
    rewritten: [],
    at: "",
    protected: isProtected(resource),
    file,
    labels: resource.labels,
  };
}
