import type { Address } from "../model/address.js";
import type { JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Meanings } from "../model/meaning.js";
import type { HistoryHead } from "./record.js";

/** What is remembered of one object: what was last applied, and what the service answered to it. */
export interface Entry {
  readonly address: Address;
  readonly key: Key;
  /** The normalised fields that remit managed, as last sent. */
  readonly applied: JsonObject;
  /** The whole object as the service showed it after that write; null where it showed nothing. */
  readonly answered: JsonObject | null;
  /** Fields, as formatted paths, that the service spells otherwise than remit sent them. */
  readonly rewritten: readonly string[];
  /** When it was applied: RFC 3339, UTC. */
  readonly at: string;
  /** When the service made the object, where it said so: an object made anew at the same key has another time. */
  readonly createdAt?: string;
  /** Whether its manifest bore `remit/protect: "true"`. */
  readonly protected: boolean;
  /** What the names in its manifest meant, where it writes any. */
  readonly meanings?: Meanings;
  /** Whether a replacement gave its address to another object: the object stays removed until someone decides. */
  readonly former?: boolean;
  /** The create-only fields, as the create sent them, where remit created the object: the service does not show them. */
  readonly createOnly?: JsonObject;
  /** The file that its manifest stood in at the last apply, relative to the project; absent where it came from standard input. */
  readonly file?: string;
  /** The labels of its manifest at the last apply; absent where it had none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Managed fields as they were before remit first managed them, where that was seen; null where one was not set. */
  readonly original?: JsonObject;
  /** The create-only fields as the manifest wrote them, where remit did not create the object: nothing shows them. */
  readonly unverified?: JsonObject;
  /** Fields whose last write got no answer, where there are any: their value in the tenant is not known. */
  readonly unknown?: readonly string[];
  /** When parts were written that the service shows late, by field: RFC 3339, UTC. */
  readonly late?: Readonly<Record<string, string>>;
  /** The whole object as it was when a run recorded its drift; gone with the next write. */
  readonly drift?: JsonObject;
}

/** A create that was sent and whose result is unknown; remit never sends it again automatically. */
export interface Uncertain {
  readonly address: Address;
  readonly key: Key | null;
  readonly applied: JsonObject;
  /** The step that it was of, and the effect of that step's plan, as an apply that is repeated counts them. */
  readonly of?: { readonly effect: string; readonly step: string };
  /** The create-only fields, as it sent them; absent where it sent none. */
  readonly createOnly?: JsonObject;
  readonly at: string;
  readonly why: string;
  /** Whether it is certain that the create was sent: not where the run was cut off. */
  readonly sent: boolean;
  /** Not after it was sent, by the service's clock: RFC 3339, UTC. Absent where that is not known. */
  readonly since?: string;
}

/** An object that the service showed to exist, and that remit has no record of. */
export interface Existing {
  /** When it was shown: RFC 3339, UTC. */
  readonly at: string;
  readonly why: string;
}

/** How far an apply has come: an apply that is repeated continues it. */
export interface Applying {
  /** The effect of the plan, as `--expect` pins it. */
  readonly effect: string;
  /** The hashes of the steps that are done. */
  readonly done: readonly string[];
  /** The deletes that are done, as their hashes cover them; absent where there are none. */
  readonly deleted?: readonly JsonObject[];
  /** The objects that it created: a repeat puts their ids where the plan had none. */
  readonly created?: readonly CreatedObject[];
  readonly isComplete: boolean;
}

/** An object that an apply created: its address, and the key that the service gave it. */
export interface CreatedObject {
  readonly address: Address;
  readonly key: Key;
  /** Whether its create has calls left; absent where it has none. */
  readonly isUnfinished?: true;
}

/** Who applied, and since when: enough for a person to find the job. */
export interface AppliedBy {
  readonly host: string;
  readonly user: string | null;
  readonly job: string | null;
  /** When the run began. */
  readonly since: string;
}

/** Everything that is remembered between runs. */
export interface Snapshot {
  readonly lineage: string;
  readonly serial: number;
  readonly server: string;
  /** The project that it belongs to; absent where it has no name. */
  readonly project?: string;
  /** Who made the last apply that wrote; absent where none has written. */
  readonly appliedBy?: AppliedBy;
  /** The newest run record; absent where there is none. */
  readonly history?: HistoryHead;
  /** Whether remit ever read an object of this server: an unknown route is a failure from then on. */
  readonly wasRead: boolean;
  /** By `formatKey(kind, key)`. */
  readonly entries: Readonly<Record<string, Entry>>;
  /** By `formatAddress(address)`. */
  readonly uncertain: Readonly<Record<string, Uncertain>>;
  /** By `formatKey(kind, key)`: objects that must be read, or acknowledged, before they are written. */
  readonly existing: Readonly<Record<string, Existing>>;
  /** The last apply; null where none did anything. */
  readonly applying: Applying | null;
  /** The last commit whose change was applied completely, by the project's folder in its checkout. */
  readonly lastApplied: Readonly<Record<string, string>>;
}

/** Which snapshot it is, of which state. */
export type Version = Pick<Snapshot, "lineage" | "serial">;

/** A snapshot that only a key opens. Stores compare its lineage and its serial, so these are readable. */
export interface SealedSnapshot extends Version {
  /** The project that it belongs to; absent where the state names none. */
  readonly project?: string;
  /** The effect of the last plan, which a store may name; null where there was none. */
  readonly effect: string | null;
  readonly sealed: string;
}

/** What is left where a state was moved away from: no run continues with it. */
export interface MovedSnapshot extends Version {
  /** The store that has the state now, as messages name it. */
  readonly movedTo: string;
  /** What shows that a run with the key wrote the mark; a state without a key has none. */
  readonly seal?: string;
}

/** A snapshot as a store on a disk or a server keeps it. */
export type Kept = Snapshot | SealedSnapshot | MovedSnapshot;

/** Whether a key is needed to open a snapshot. */
export function isSealed(kept: Kept): kept is SealedSnapshot {
  return "sealed" in kept;
}

/** Whether the state is elsewhere now. */
export function isMoved(kept: Kept): kept is MovedSnapshot {
  return "movedTo" in kept;
}

/** The snapshot before anything was applied; its first save gives it serial 1. */
export function newSnapshot(lineage: string, server: string): Snapshot {
  const none = { lastApplied: {}, entries: {}, uncertain: {}, existing: {} };
  return { lineage, serial: 0, server, wasRead: false, applying: null, ...none };
}
