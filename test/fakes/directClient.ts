import { Buffer } from "node:buffer";
import type { Call, Reply } from "../../src/model/call.js";
import type { Clock } from "../../src/model/clock.js";
import type { Answer } from "../../src/model/exchange.js";
import { makeRoutes } from "../../src/sandbox/answer/routes.js";
import { makeRandom } from "../../src/sandbox/faults/chance.js";
import type { Quirks } from "../../src/sandbox/http/exchange.js";
import { makeStore } from "../../src/sandbox/tenant/store.js";
import { EMPTY_TENANT, type Tenant } from "../../src/sandbox/tenant/tenant.js";
import type { Client } from "../../src/tenant/client/client.js";
import { makeOutgoing } from "../../src/tenant/client/client.js";
import { makeMask } from "../../src/tenant/client/mask.js";
import { makePace } from "../../src/tenant/client/pace/pace.js";
import { readPages } from "../../src/tenant/client/pages.js";
import { judge } from "../../src/tenant/client/reply.js";
import { makeReplyTimes, type Sort } from "../../src/tenant/client/replyTimes.js";
import { retrying, type SendOptions } from "../../src/tenant/client/retrying.js";

const HOST = "tenant.example";
export const SERVER = `https://${HOST}`;

/** A client whose service is in the same process, and what it sent. */
export interface DirectClient {
  readonly client: Client;
  /** How many calls were answered. */
  readonly answered: () => number;
  /** Every call that is not a read, as it left. */
  readonly writes: Call[];
  /** The tenant as it is now. */
  readonly tenant: () => Tenant;
}

/** An answer that the service did not give, whether the request was carried out or not. */
export interface Instead {
  readonly isDone: boolean;
  readonly answer: Answer;
}

/** Milliseconds that a reply takes: the same for all, or by what it answers. */
export type Latency = number | ((sort: Sort) => number);

/**
 * Makes a client that reads replies as the real one does, without a network. Each reply is a text that `altered` may
 * change before it is read.
 */
export function directClient(
  {
    tenant = EMPTY_TENANT,
    on = "full" as "core" | "full",
    retries = 1,
    width = 4,
    latency = 0 as Latency,
    /** Asked before each reply: whether it is a 503 instead. */
    isBusy = () => false,
    quirks = {} as Quirks,
    /** Asked before each request: what is answered in the service's place; null for the service's own answer. */
    instead = (_: Call): Instead | null => null,
  },
  clock: Clock,
  altered: (reply: string) => string = (reply) => reply,
): DirectClient {
  const store = makeStore(tenant);
  const random = makeRandom(1);
  const serve = makeRoutes({ store, interface: on, now: clock.now, random, quirks: () => quirks });
  const persistence = {
    pace: makePace({ width, clock }),
    clock,
    random,
    retries,
    heard: { any: false, missedAt: null },
  };
  const mask = makeMask([]);
  const writes: Call[] = [];
  const replyTimes = makeReplyTimes();
  let answered = 0;

  async function wait(sort: Sort): Promise<void> {
    const time = typeof latency === "number" ? latency : latency(sort);
    if (time > 0) await clock.sleep(time);
    replyTimes.heard(sort, time);
  }

  function transmit(call: Call) {
    const { method, url, body } = makeOutgoing(call, SERVER);
    const { pathname, searchParams } = new URL(url);
    const other = instead(call);
    if (other?.isDone === false) return judge(other.answer, call.expects, mask, SERVER);
    const {
      status,
      headers,
      body: reply,
    } = serve({
      method,
      path: pathname,
      query: searchParams,
      body: Buffer.from(body ?? ""),
      host: HOST,
    });
    if (other !== null) return judge(other.answer, call.expects, mask, SERVER);
    if (isBusy())
      return judge({ as: "reply", status: 503, headers, body: new Uint8Array(), took: 0 }, [], mask, HOST);
    const text = altered(typeof reply === "string" ? reply : JSON.stringify(reply));
    return judge(
      { as: "reply", status, headers, body: Buffer.from(text), took: 0 },
      call.expects,
      mask,
      HOST,
    );
  }

  const send = async (call: Call, options: SendOptions, sort: Sort): Promise<Reply> => {
    const attempt = async () => {
      await options.leaving?.();
      if (call.effect !== "read") writes.push(call);
      await wait(sort);
      answered += 1;
      return transmit(call);
    };
    const { status, body, attempts } = await retrying(call, attempt, persistence, options);
    return { status, body, attempts };
  };
  return {
    answered: () => answered,
    writes,
    tenant: () => store.toTenant(),
    client: {
      send: (call, options = {}) => send(call, options, "object"),
      pages: (call, { from, ...options } = {}) =>
        readPages(call, (page) => send(page, options, "page"), { from }),
      pace: persistence.pace,
      serverTime: clock.now,
      report: () => ({ calls: 0, retries: 0, replyTime: replyTimes.typical(), ...persistence.pace.report() }),
      signIn: () => void wait("token"),
      turn: async () => undefined,
      close: () => undefined,
    },
  };
}
