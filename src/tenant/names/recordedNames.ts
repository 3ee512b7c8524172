import { recordedFields } from "../../diff/kept.js";
import type { Kind, Observed } from "../../kinds/kind.js";
import type { JsonObject } from "../../model/json.js";
import type { Key } from "../../model/key.js";
import type { Entry, Snapshot } from "../../state/snapshot.js";
import { type Candidates, makeCandidates } from "./candidates.js";

/**
 * The names by which the state knows the objects of one kind, beside their keys; used where the service is not asked.
 */
export interface RecordedNames {
  /** The objects under a parent, by the names that they were last seen with. */
  candidates(parent: Key): Candidates;
  /** Those under a parent that a spec without a key describes. */
  described(spec: JsonObject, parent: Key): readonly Entry[];
}

/** What a snapshot records of one kind; it is searched at the first question. */
export function recordedNamesOf(kind: Kind, snapshot: Snapshot | null): RecordedNames {
  let known: Families | null = null;
  function under(parent: Key): Siblings {
    known ??= familiesOf(kind, snapshot);
    return known.get(nameOf(parent)) ?? { entries: [], candidates: null };
  }
  return {
    candidates(parent) {
      const siblings = under(parent);
      siblings.candidates ??= makeCandidates(siblings.entries.map(candidate));
      return siblings.candidates;
    },
    described: (spec, parent) =>
      under(parent).entries.filter((entry) => kind.matches?.(spec, asObserved(entry)) === true),
  };
}

/** A remembered object as the service showed it last, with what it was made with. */
export function asObserved(entry: Entry): Observed {
  return {
    key: entry.key,
    fields: recordedFields(entry),
    madeWith: { ...entry.unverified, ...entry.createOnly },
  };
}

/** The remembered objects of one kind, by their parents. */
type Families = ReadonlyMap<string, Siblings>;

interface Siblings {
  readonly entries: Entry[];
  candidates: Candidates | null;
}

function familiesOf({ name }: Kind, snapshot: Snapshot | null): Families {
  const families = new Map<string, Siblings>();
  for (const entry of Object.values(snapshot?.entries ?? {})) {
    if (entry.address.kind !== name) continue;
    const parent = nameOf(entry.key.slice(0, -1));
    const siblings = families.get(parent);
    if (siblings === undefined) families.set(parent, { entries: [entry], candidates: null });
    else siblings.entries.push(entry);
  }
  return families;
}

function nameOf(parent: Key): string {
  return parent.join("/");
}

function candidate(entry: Entry) {
  const { displayName } = recordedFields(entry);
  return { id: entry.key.at(-1) ?? "", name: typeof displayName === "string" ? displayName : "" };
}
