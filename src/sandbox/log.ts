import type { Json } from "../model/json.js";
import { makePattern } from "./faults/pattern.js";

/** What came of one request, as seen from inside the service. */
export interface Outcome {
  /** The status of the reply that was decided on; null where none was. */
  readonly status: number | null;
  /** Whether the service itself looked at the request: nothing turned it away before. */
  readonly reached: boolean;
  /** Whether the tenant was written to. */
  readonly written: boolean;
  /** The fault that met the request, if one did. */
  readonly fault: string | null;
}

/** One request and what came of it. */
export interface Entry extends Outcome {
  /** Counts from 1, in the order of outcomes. */
  readonly sequence: number;
  readonly time: string;
  readonly milliseconds: number;
  /** Who asked, as the token says. */
  readonly client: string | null;
  readonly method: string;
  /** The path as it came, without the query. */
  readonly path: string;
  readonly query: string;
  readonly operation: string | null;
  /** As JSON where it was that, else as text; empty where there was none. */
  readonly body: Json;
  /** Whether the whole reply that the service decided on was sent. */
  readonly delivered: boolean;
}

/** Which entries are wanted: all that are named must agree. */
export interface Query {
  readonly operation?: string;
  readonly method?: string;
  /** A path, where `*` stands for any text. */
  readonly path?: string;
  readonly fault?: string;
  readonly status?: number;
  readonly written?: boolean;
  readonly delivered?: boolean;
  /** Only entries of a higher sequence. */
  readonly after?: number;
}

/** How often a thing was asked to be made, and how often it was. */
interface Creation {
  /** The path and, where that does not name the object, its requested name. */
  readonly key: string;
  readonly asked: number;
  readonly done: number;
}

/** The log of every request: only ever added to. */
export interface Log {
  entries(query?: Query): readonly Entry[];
  count(query?: Query): number;
  /** Every thing that a create which reached the service was about, forgotten entries included. */
  creates(): readonly Creation[];
  /** Forgets everything; sequences go on. */
  clear(): void;
}

/** What is noted at the moment of the outcome; the body is still text. */
export type Note = Omit<Entry, "sequence" | "body"> & { readonly body: string };

/** A log that still records. */
export interface OpenLog extends Log {
  add(note: Note): Noted;
}

/** An entry about which more becomes known. */
export interface Noted {
  /** Called once, when the connection is done with the reply. */
  end(delivered: boolean): void;
  /** Called where the request was carried out only after its reply. */
  wrote(): void;
}

interface Kept extends Note {
  readonly sequence: number;
  /** Recorded from the start, so that a client that has the reply never reads an older log. */
  delivered: boolean;
  written: boolean;
}

/** A log that keeps the last so many entries, and tells each to a listener once its reply has gone. */
export function makeLog(keep: number, tell?: (entry: Entry) => void): OpenLog {
  let kept: Kept[] = [];
  let sequence = 0;
  const creations = new Map<string, { asked: number; done: number }>();

  function noteCreation(note: Note, { asked }: { readonly asked: number }): void {
    if (!note.reached || !note.operation?.startsWith("Create")) return;
    const key = creationKey(note);
    const before = creations.get(key) ?? { asked: 0, done: 0 };
    creations.set(key, { asked: before.asked + asked, done: before.done + Number(note.written) });
  }

  function entries(query: Query = {}): readonly Entry[] {
    return wanted(query).map(show);
  }

  function wanted(query: Query): readonly Kept[] {
    const matches = query.path === undefined ? () => true : makePattern(query.path);
    return kept
      .slice(-keep)
      .filter(
        (entry) =>
          matches(entry.path) &&
          entry.sequence > (query.after ?? 0) &&
          FIELDS.every((field) => query[field] === undefined || query[field] === entry[field]),
      );
  }

  return {
    entries,
    count: (query = {}) => wanted(query).length,
    creates: () => [...creations].map(([key, counts]) => ({ key, ...counts })),
    clear() {
      kept = [];
      creations.clear();
    },
    add(note) {
      sequence += 1;
      const entry: Kept = { ...note, sequence };
      kept.push(entry);
      if (kept.length > 2 * keep) kept = kept.slice(-keep);
      noteCreation(note, { asked: 1 });
      return {
        end(delivered) {
          entry.delivered &&= delivered;
          tell?.(show(entry));
        },
        wrote() {
          entry.written = true;
          noteCreation(entry, { asked: 0 });
        },
      };
    },
  };
}

const FIELDS = ["operation", "method", "fault", "status", "written", "delivered"] as const;

function show(entry: Kept): Entry {
  return { ...entry, body: readBody(entry.body) };
}

function readBody(body: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return body;
  }
}

function creationKey(note: Note): string {
  const body = readBody(note.body);
  if (typeof body !== "object" || body === null || !("displayName" in body)) return note.path;
  return `${note.path} ${body.displayName}`;
}
