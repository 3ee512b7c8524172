import { Buffer } from "node:buffer";
import { setMaxListeners } from "node:events";
import {
  type Call,
  formatCallPath,
  type ListEffort,
  type ListPage,
  type Reply,
  type Segment,
} from "../../model/call.js";
import type { Clock, Random } from "../../model/clock.js";
import type { Message } from "../../model/exchange.js";
import { pendingAddress } from "../../model/pending.js";
import { Secret } from "../../model/secret.js";
import { type Credentials, secretsOf } from "./auth/credentials.js";
import type { Ask } from "./auth/identity.js";
import { makeTokens } from "./auth/token.js";
import { type Dialect, TENANT } from "./dialect.js";
import { ApiError, type Failure, unsendable } from "./error.js";
import { makeMask } from "./mask.js";
import { makePace, type Pace, type PaceReport } from "./pace/pace.js";
import { type Bounds, DEFAULT_BOUNDS, readPages } from "./pages.js";
import { findProxy, type Proxies, proxyProblem, secretsIn } from "./proxy.js";
import { type Bad, type Good, judge, withoutToken } from "./reply.js";
import { makeReplyTimes, type Sort } from "./replyTimes.js";
import { type Retry, retrying, type SendOptions } from "./retrying.js";
import { checkServer, type ServerOptions } from "./server.js";
import { makeTransport, type Transport } from "./transport.js";
import type { CallWatch } from "./watch.js";

/** What a client is made from; everything of the world outside is in here. */
export interface ClientOptions extends ServerOptions {
  /** The base URL; `checkServer` says beforehand whether it can be used. */
  readonly server: string;
  /** Null where the server asks for none. */
  readonly credentials: Credentials | null;
  readonly clock: Clock;
  readonly random: Random;
  /** The most units of work under way at once. */
  readonly width: number;
  /** Calls per second that the service is known to allow; the pace finds a limit by itself where left out. */
  readonly rate?: number | null;
  /** How often a failed call is tried again. */
  readonly retries: number;
  /** Milliseconds one attempt may take. */
  readonly requestTimeout: number;
  readonly userAgent: string;
  /** How the server is spoken to; as the tenant where left out. */
  readonly dialect?: Dialect;
  /** The bounds of what is read; the defaults where left out. */
  readonly bounds?: Partial<Bounds>;
  /** The proxies that its requests go through. */
  readonly proxies: Proxies;
  /** Called for each request with one line, without secrets. */
  readonly log?: (line: string) => void;
  /** Sees every call, but none that asks for a token. */
  readonly watch?: CallWatch;
}

/** What a client did so far. */
interface ClientReport extends PaceReport {
  /** Calls asked for; each may have left more than once. */
  readonly calls: number;
  readonly retries: number;
  /** Milliseconds that the reply to a call for one object takes; null before the first reply. */
  readonly replyTime: number | null;
}

/** The network as the rest of the program sees it. */
export interface Client {
  readonly send: (call: Call, options?: SendOptions) => Promise<Reply>;
  readonly pages: (call: Call, options?: SendOptions & ListEffort) => AsyncIterable<ListPage>;
  readonly pace: Pace;
  /** Asks for a token that is not there yet, so that the first call need not wait for it; says nothing of a failure. */
  readonly signIn: () => void;
  /** Lets the replies that have come be handled: work that takes long waits for it now and then. */
  readonly turn: () => Promise<void>;
  readonly report: () => ClientReport;
  /** Milliseconds since 1970 by the service's own clock, as its replies named it; by the clock of this machine before the first one. */
  readonly serverTime: () => number;
  readonly close: () => void;
}

/** A call as it goes on the wire: encoded once, however often it is sent. */
interface Outgoing {
  readonly method: Call["method"];
  readonly url: string;
  readonly body: string | undefined;
}

/** The most the service reads of a request's body. */
export const LARGEST_BODY = 4 * 1024 * 1024;

/** Makes the one client of a run; close it when the run is over. */
export function makeClient(options: ClientOptions): Client {
  const checked = checkServer(options.server, options);
  if ("problem" in checked) throw new Error(`the server's address cannot be used: ${checked.problem}`);
  const { server } = checked;
  const { clock, credentials, proxies, log, watch, dialect = TENANT } = options;
  const mask = makeMask(credentials === null ? [] : secretsOf(credentials));
  const retryOptions = {
    ...options,
    pace: makePace(options),
    heard: { any: false, missedAt: null },
  };
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const transports = new Map<string, Transport>();
  const common = { accept: "application/json", "user-agent": options.userAgent };
  const withBody = { ...common, "content-type": "application/json" };
  const totals = { calls: 0, retries: 0 };
  const replyTimes = makeReplyTimes();

  function transportTo(url: string): Transport {
    const { origin } = new URL(url);
    const known = transports.get(origin);
    if (known !== undefined) return known;
    const problem = proxyProblem(url, proxies);
    if (problem !== null) throw new Error(`the proxy's address cannot be used: ${problem}`);
    const proxy = findProxy(url, proxies);
    for (const secret of secretsIn(proxy)) mask.hide(secret);
    const made = makeTransport({ ...options, largestReply: bounds.reply, proxy });
    transports.set(origin, made);
    return made;
  }

  /** Milliseconds by which the service's clock is ahead of the clock of this machine. */
  let ahead = 0;

  function aheadBy(date: string | readonly string[] | undefined): number | null {
    const told = typeof date === "string" ? Date.parse(date) : Number.NaN;
    // The header names whole seconds: on average half a second less than the time.
    return Number.isNaN(told) ? null : told + 500 - clock.now();
  }

  async function attempt(
    call: Failure["call"],
    transport: Transport,
    message: Message,
    expects: Call["expects"],
    sort: Sort,
    signal?: AbortSignal,
  ): Promise<Good | Bad> {
    const started = clock.elapsed();
    const answer = await transport.transmit(message, signal);
    if (answer.as === "reply") ahead = aheadBy(answer.headers.date) ?? ahead;
    const result = judge(answer, expects, mask, message.url, dialect);
    if (answer.as === "reply" && transport === toServer) replyTimes.heard(sort, answer.took);
    log?.(describe(call, result, clock.elapsed() - started));
    return result;
  }

  // What is under way when the client is closed is not tried again.
  const closed = new AbortController();
  setMaxListeners(0, closed.signal);

  const ask: Ask = (call, { url, headers, body, expects }) => {
    const message = { method: call.method, url, headers: { ...common, ...headers }, body };
    const { signal } = closed;
    const to = transportTo(url);
    return retrying(call, () => attempt(call, to, message, expects, "token"), retryOptions, { signal });
  };

  const tokens = credentials === null ? null : makeTokens({ credentials, server, clock, ask, mask });
  const toServer = transportTo(server);

  async function send(call: Call, options: SendOptions, sort: Sort): Promise<Reply> {
    // As many calls listen to one signal as are under way.
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
    const { method, url, body } = makeOutgoing(call, server);
    const watched = watch?.begin(call, options.step ?? null);
    const fixed = { ...(body === undefined ? common : withBody), ...watched?.headers };
    let renewed = false;
    totals.calls += 1;

    async function authorized(): Promise<Good | Bad> {
      const token = await tokens?.current().catch(withoutToken);
      if (token !== undefined && !(token instanceof Secret)) return token;
      if (options.leaving !== undefined) await options.leaving();
      watched?.leaving();
      const headers = token === undefined ? fixed : { ...fixed, ...dialect.headers(token) };
      const result = await attempt(
        call,
        toServer,
        { method, url, headers, body },
        call.expects,
        sort,
        options.signal,
      );
      watched?.attempted(result.status ?? null);
      if (result.status !== 401 || renewed || token === undefined || tokens?.discard(token) !== true)
        return result;
      renewed = true;
      return authorized();
    }

    const retried = (retry: Retry) => {
      totals.retries += 1;
      watched?.retried(retry);
      options.retried?.(retry);
    };
    const { signal = closed.signal } = options;
    const good = await retrying(call, authorized, retryOptions, { ...options, signal, retried }).catch(
      (error) => {
        watched?.ended(error instanceof ApiError ? error.status : null);
        throw error;
      },
    );
    watched?.ended(good.status);
    const { status, body: reply, requestId, attempts } = good;
    return {
      status,
      body: reply,
      attempts: attempts + Number(renewed),
      ...(requestId === null ? {} : { requestId }),
    };
  }

  return {
    send: (call, options = {}) => send(call, options, "object"),
    pages: (call, { from, ...options } = {}) =>
      readPages(call, (page) => send(page, options, "page"), { ...bounds, clock, from }),
    pace: retryOptions.pace,
    signIn: () => void tokens?.current().catch(() => undefined),
    turn: () => clock.sleep(0),
    serverTime: () => clock.now() + ahead,
    report: () => ({
      ...totals,
      ...retryOptions.pace.report(),
      replyTime: replyTimes.typical(),
    }),
    close() {
      closed.abort();
      for (const transport of transports.values()) transport.close();
    },
  };
}

/** A request as `-v` shows it: no header, no query and no body can be in it. */
function describe(call: Failure["call"], result: Good | Bad, milliseconds: number): string {
  const outcome = result.as === "good" ? result.status : (result.status ?? result.progress);
  const { requestId } = result;
  const id = requestId === null ? "" : ` (${typeof requestId === "string" ? requestId : requestId()})`;
  return `${call.method} ${formatCallPath(call)}: ${outcome} after ${Math.round(milliseconds)} ms${id}`;
}

/** Encodes a call for a server; throws for one that must not leave the program. */
export function makeOutgoing(call: Call, server: string): Outgoing {
  const path = call.path.map((segment) => encodeSegment(segment, call)).join("/");
  const query = call.query === undefined ? "" : new URLSearchParams(call.query).toString();
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const bytes = body === undefined ? 0 : Buffer.byteLength(body);
  if (bytes > LARGEST_BODY) {
    const size = (bytes / 1024 / 1024).toFixed(2);
    throw unsendable(call, `its body is ${size} MiB (${bytes} bytes), and the service reads 4 MiB at most`);
  }
  return { method: call.method, url: `${server}/${path}${query === "" ? "" : `?${query}`}`, body };
}

function encodeSegment(segment: Segment, call: Call): string {
  if (typeof segment !== "string") throw unsendable(call, "its path waits for an earlier reply");
  if (segment.trim() === "") throw unsendable(call, "an id in its path is empty");
  if (segment === "." || segment === "..") {
    throw unsendable(call, `${JSON.stringify(segment)} in its path would lead elsewhere`);
  }
  if (pendingAddress(segment) !== null) throw unsendable(call, `${segment} is not known yet`);
  if (/\p{Surrogate}/u.test(segment)) throw unsendable(call, "an id in its path is not valid text");
  return encodeURIComponent(segment);
}
