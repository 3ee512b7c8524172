import { canonical } from "../../model/json.js";
import type { Entry } from "../../state/snapshot.js";
import type { Seen } from "../../tenant/known.js";
import type { Decision } from "../decide/decision.js";
import { fingerprint, fingerprintOfSpelled } from "../saved/spelling.js";
import type { Step } from "../step.js";

/**
 * The fingerprint of an object as it was seen, or as recorded where nothing can be read; null where it is not
 * known at all. A step is stale when what it was decided on would now give another.
 */
export function proofOf(seen: Seen, entry: Entry | null): string | null {
  switch (seen.as) {
    case "present":
      return fingerprint({ present: seen.fields, managedBy: seen.managedBy ?? null });
    case "absent":
      return fingerprint({ present: null });
    case "recorded":
      return entry === null ? null : fingerprintOfSpelled(factsIn(spelled(entry), entry));
    case "unread":
      return null;
  }
}

/**
 * The fingerprint of what the state says of an object, without times; null where it says nothing. A step is stale
 * when it was decided on another record.
 */
export function recordProofOf(entry: Entry | null): string | null {
  return entry === null ? null : fingerprintOfSpelled(spelled(entry));
}

/** A decision with the proofs of its object and its own record; as it is where it does and shows nothing. */
export function proven(decision: Decision, seen: Seen, entry: Entry | null): Decision {
  const { action, changes, sight, recorded } = decision;
  if (action === "keep" && changes.length === 0) return decision;
  const { fingerprint, record } = proofsOf(seen, entry);
  return { ...decision, sight: { ...sight, fingerprint }, recorded: { ...recorded, record } };
}

type Proofs = Pick<Step["sight"], "fingerprint"> & Pick<Step["recorded"], "record">;

/** Both of an object and its own record. */
export function proofsOf(seen: Seen, entry: Entry | null): Proofs {
  if (entry === null || seen.as !== "recorded")
    return { fingerprint: proofOf(seen, entry), record: recordProofOf(entry) };
  const members = spelled(entry);
  return {
    fingerprint: fingerprintOfSpelled(factsIn(members, entry)),
    record: fingerprintOfSpelled(members),
  };
}

/** The members of a record without its times, each as its one spelling. */
function spelled({ at: _, createdAt: __, late: ___, ...entry }: Entry): ReadonlyMap<string, string> {
  const applied = canonical(entry.applied);
  const known = Object.entries(entry).filter(([, value]) => value !== undefined);
  return new Map(
    known.map(([name, value]) => [name, value === entry.applied ? applied : canonical(value)] as const),
  );
}

function factsIn(members: ReadonlyMap<string, string>, { unknown = [] }: Entry): ReadonlyMap<string, string> {
  const isFact = (name: string) =>
    name === "applied" || name === "answered" || (name === "unknown" && unknown.length > 0);
  return new Map([...members].filter(([name]) => isFact(name)));
}
