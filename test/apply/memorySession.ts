import type { Session } from "../../src/apply/session.js";
import type { Clock } from "../../src/model/clock.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import type { Client } from "../../src/tenant/client/client.js";

/** A session over a client, with an empty state in memory, that waits for nothing. */
export function memorySession(client: Client, clock: Clock): Session {
  return { store: memoryStore(memoryContents(), clock), client, clock, requestTimeout: 0, createLag: 0 };
}
