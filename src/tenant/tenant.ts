import { type Memory, makeMemory } from "./memory.js";
import { type HeardNames, hearNames } from "./names/heard.js";
import { makeReader, type Reader } from "./reader.js";
import type { Remote } from "./reads.js";

/** The service as this run sees it: each list is read once. */
export interface Tenant extends Pick<Memory, "readAhead" | "thin"> {
  /** Asks for one part of the run, and counts what is asked for that part. */
  reader(progress?: (done: number, total: number) => void): Reader;
  /** Lets the replies that have come be handled. */
  readonly turn: Remote["turn"];
  /** What an object is called by the rows that were read for another reason; empty where none showed it. */
  readonly heardName: HeardNames["nameOf"];
}

/** A tenant over a client, for one look. With `keepsAll`, a second look is answered by exactly what the first one saw. */
export function makeTenant(remote: Remote, { keepsAll = false } = {}): Tenant {
  const { hear, nameOf } = hearNames();
  const memory = makeMemory(remote, { keepsAll, hear });
  return {
    reader: (progress = () => undefined) => makeReader(memory, remote.pace, progress),
    turn: remote.turn,
    heardName: nameOf,
    readAhead: memory.readAhead,
    thin: memory.thin,
  };
}
