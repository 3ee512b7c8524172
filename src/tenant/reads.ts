import type { Kind } from "../kinds/kind.js";
import { moreItems } from "../kinds/normalise.js";
import {
  type Call,
  type Effort,
  formatCallPath,
  type ListEffort,
  type ListPage,
  type Send,
} from "../model/call.js";
import { inOrder } from "../model/groupBy.js";
import type { JsonObject } from "../model/json.js";
import { formatKey, type Key } from "../model/key.js";
import type { Entry } from "../state/snapshot.js";
import type { Pace } from "./client/pace/pace.js";
import type { SentCreate } from "./madeBy.js";

/** An object to be read: by its key, or, while only the service can choose one, among its parent's. */
export interface Wanted {
  readonly kind: Kind;
  readonly key: Key | null;
  /** The key without its last part: the app of a resource type. */
  readonly parent: Key;
  /** What a plan knows the object by: its key, or the address of a resource without one. */
  readonly name: string;
  /** The resolved spec; null where no manifest stands behind it. */
  readonly spec: JsonObject | null;
  /** What it contained when it was last seen; null where that is unknown. */
  readonly expected: JsonObject | null;
  /** Its create, where the result is not known: where names repeat, only an object that this create made is the one. */
  readonly sent?: SentCreate;
  /** Parts that were written not long ago and may not be shown yet, as they were written. */
  readonly written?: JsonObject;
}

/** The parts of a recorded object that the service may not show yet: what was written after a time. */
export function writtenLate(
  entry: Pick<Entry, "applied" | "late"> | null | undefined,
  since: string | null,
): Pick<Wanted, "written"> {
  const late = Object.entries(entry?.late ?? {}).filter(([, at]) => since !== null && at > since);
  if (entry === null || entry === undefined || late.length === 0) return {};
  return { written: Object.fromEntries(late.map(([field]) => [field, entry.applied[field] ?? null])) };
}

/**
 * What an object had when it was last seen, with the items that were applied to it: of an unfinished write some were not
 * seen, and no list shows them.
 */
export function expectedOf({ answered, applied }: Pick<Entry, "answered" | "applied">, kind: Kind) {
  const items = moreItems(answered ?? {}, applied, kind);
  return Object.keys(items).length === 0 ? answered : { ...answered, ...items };
}

/** An object that the state remembers, whatever the manifests say. */
export function wantedBy(entry: Entry, kind: Kind, since: string | null = null): Wanted {
  const { key } = entry;
  const expected = expectedOf(entry, kind);
  const name = formatKey(kind.name, key);
  return { kind, key, parent: key.slice(0, -1), name, spec: null, expected, ...writtenLate(entry, since) };
}

/** The reads that show every wanted object of one kind: a list where there is one, else one by one. */
export interface NeededReads {
  readonly lists: readonly {
    readonly call: Call;
    readonly parent: Key;
    readonly wanted: readonly Wanted[];
  }[];
  readonly items: readonly { readonly call: Call; readonly key: Key; readonly wanted: Wanted }[];
}

/** The fewest reads that show every wanted object of a kind, in a fixed order. */
export function readsFor(kind: Kind, wanted: readonly Wanted[]): NeededReads {
  const lists = new Map<string, { call: Call; parent: Key; wanted: Wanted[] }>();
  const items = new Map<string, { call: Call; key: Key; wanted: Wanted }>();
  for (const one of wanted) {
    if (kind.reads.list !== undefined) {
      const call = kind.reads.list.of(one.parent);
      // One list may serve several parents, and a row says which one only by the parent it is read for.
      const place = `${formatCallPath(call)} ${one.parent.join("/")}`;
      const list = lists.get(place) ?? { call, parent: one.parent, wanted: [] };
      list.wanted.push(one);
      lists.set(place, list);
    } else if (one.key !== null)
      items.set(formatKey(kind.name, one.key), { call: kind.reads.one(one.key), key: one.key, wanted: one });
  }
  return { lists: inOrder(lists), items: inOrder(items) };
}

/** What reading needs of a client. */
export interface Remote {
  readonly send: Send;
  /** Every page of a list, in turn. */
  readonly pages: (call: Call, effort?: ListEffort) => AsyncIterable<ListPage>;
  readonly pace: Pace;
  /** Lets the replies that have come be handled. */
  readonly turn?: () => Promise<void>;
}

/** How much a run depends on a read. */
export type Need =
  /** It finds the interface. Its failure ends the run. */
  | "probe"
  /** A plan decides from it. The failure of a list ends the run, that of one object blocks its step. */
  | "required"
  /** It only explains a plan. Its failure is named once and changes nothing. */
  | "optional"
  /** It only makes other reads needless. Nothing is said of its failure. */
  | "sparing";

/** How often a read is tried again, by how much depends on it. */
export const EFFORT = {
  probe: { once: true },
  required: {},
  optional: { retries: 1 },
  sparing: { retries: 1 },
} as const satisfies Readonly<Record<Need, Effort>>;
