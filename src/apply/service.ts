import type { Client } from "../api/client.js";
import type { Remote } from "../current/remote.js";

/** What an apply needs of a client. */
export type Service = Pick<Client, "send" | "pages" | "pace" | "report" | "serverTime">;

/** The same service for reads inside a unit of work that the pace has already let in. */
export function insideUnit({ send, pages, pace }: Service): Remote {
  return { send, pages, pace: { ...pace, limit: (work) => work() } };
}
