import type { Address } from "../model/address.js";
import type { Client } from "../tenant/client/client.js";
import type { Remote } from "../tenant/reads.js";

/** What an apply needs of a client. */
export type Service = Pick<Client, "send" | "pages" | "pace" | "report" | "serverTime">;

/** The same service, for calls that are made for one step alone. */
export function forStep(service: Service, step: Address): Service {
  const { send, pages } = service;
  return {
    ...service,
    send: (call, options) => send(call, { ...options, step }),
    pages: (call, options) => pages(call, { ...options, step }),
  };
}

/** The same service for reads inside a unit of work that the pace has already let in. */
export function insideUnit({ send, pages, pace }: Service): Remote {
  return { send, pages, pace: { ...pace, limit: (work) => work() } };
}
