import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
  type RequestOptions,
} from "node:http";
import { Agent as SafeAgent, request as safeRequest } from "node:https";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, unzip } from "node:zlib";
import got, { type Request, RequestError, type RequestFunction, type Response, TimeoutError } from "got";
import { HttpProxyAgent, HttpsProxyAgent } from "hpagent";
import type { Clock } from "../../model/clock.js";
import type { Transmit } from "../../model/exchange.js";
import { findProxy, type Proxies, proxyProblem } from "./proxy.js";

/** The network as the client sees it; never throws, and never tries twice. */
export interface Transport {
  readonly transmit: Transmit;
  readonly close: () => void;
}

/** How a transport behaves. */
export interface TransportOptions {
  /** Connections kept open. */
  readonly width: number;
  /** Milliseconds a whole request may take. */
  readonly requestTimeout: number;
  /** The most bytes of a reply, inflated. */
  readonly largestReply: number;
  /** The proxy to go through, or null to go straight. */
  readonly proxy: string | null;
  readonly clock: Pick<Clock, "elapsed">;
}

const CONNECT_TIMEOUT = 15_000;
/** Shorter than the five seconds that the hastiest servers keep an idle connection, so that none is closed under a request. */
const IDLE_TIMEOUT = 4_000;

/** Makes the network out of got, with its own retries, redirects and errors for bad statuses off. */
export function makeTransport(options: TransportOptions): Transport {
  const agent = makeAgents(options, true);
  const once = makeAgents(options, false);
  const connect = Math.min(CONNECT_TIMEOUT, options.requestTimeout);
  const { elapsed } = options.clock;
  const send = got.extend({
    agent,
    request: begin,
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    // got inflates without a bound.
    decompress: false,
    timeout: {
      lookup: connect,
      connect,
      secureConnect: connect,
      request: options.requestTimeout,
    },
  });
  return {
    async transmit(message, signal) {
      const { method, url, headers, body, timeout, isOnNewConnection = false } = message;
      try {
        const request = send.stream(url, {
          method: method as "GET",
          headers: { ...headers, "accept-encoding": "gzip, deflate, br" },
          ...(body === undefined ? {} : { body }),
          ...(isOnNewConnection && { agent: once }),
          ...(timeout === undefined ? {} : { timeout: { request: timeout } }),
          ...(signal === undefined ? {} : { signal }),
        });
        if (body === undefined) request.end();
        let begun = elapsed();
        request.once("request", (native: ClientRequest) =>
          native.once("finish", () => {
            begun = elapsed();
          }),
        );
        const received = await receive(request, options.largestReply);
        if (received === null) return { as: "too large", most: options.largestReply };
        const took = elapsed() - begun;
        const { status, headers: replied, raw } = received;
        const inflated = await inflate(raw, replied["content-encoding"], options.largestReply);
        if (inflated === null) return { as: "too large", most: options.largestReply };
        return { as: "reply", status, headers: replied, body: inflated, took };
      } catch (error) {
        const code = error instanceof RequestError ? error.code : "ERR_UNKNOWN";
        return { as: "lost", sent: mayHaveBeenSent(error), untrusted: UNTRUSTED.has(code), code };
      }
    },
    close() {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
}

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Uint8Array;
}

/**
 * Resolves with a whole reply, or with null as soon as it is larger than that; rejects where the request is lost. got's
 * promise would make an error with a stack for each 404, a tenth of the cost of a first apply.
 */
function receive(request: Request, most: number): Promise<Received | null> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    request.on("error", reject);
    request.once("request", (native: ClientRequest) =>
      // remit asks for no other protocol. got stops its timers here, and neither replies nor fails.
      native.once("upgrade", ({ statusCode, headers }: IncomingMessage, socket: Duplex) => {
        socket.destroy();
        request.destroy();
        resolve({ status: statusCode ?? 101, headers, raw: new Uint8Array() });
      }),
    );
    request.on("downloadProgress", ({ transferred, total }) => {
      if (Math.max(transferred, total ?? 0) <= most) return;
      request.destroy();
      resolve(null);
    });
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.once("response", ({ statusCode: status, headers }: Response) => {
      request.once("end", () => {
        // got stops its timers and listens to the signal no more.
        request.destroy();
        resolve({ status, headers, raw: Buffer.concat(chunks) });
      });
    });
  });
}

const INFLATERS = new Map([
  ["gzip", promisify(gunzip)],
  ["deflate", promisify(unzip)],
  ["br", promisify(brotliDecompress)],
]);

/** A body without its encoding; null where it is larger than that. What cannot be inflated stays as it is. */
async function inflate(
  raw: Uint8Array,
  encoding: string | undefined,
  most: number,
): Promise<Uint8Array | null> {
  const inflater = INFLATERS.get(encoding?.trim().toLowerCase() ?? "");
  if (inflater === undefined || raw.length === 0) return raw;
  try {
    return await inflater(raw, { maxOutputLength: most });
  } catch (error) {
    return error instanceof RangeError ? null : raw;
  }
}

/**
 * Begins a request with what is set of got's native options. The thirty that are not would be copied from object to
 * object four times for each request, which is a tenth of its cost.
 */
const begin: RequestFunction = (url, { agent, method, headers }) => {
  const set = { agent, method, headers } as RequestOptions;
  return url.protocol === "https:" ? safeRequest(url, set) : plainRequest(url, set);
};

function makeAgents({ width, proxy }: TransportOptions, keepAlive: boolean) {
  const pool = { keepAlive, maxFreeSockets: width, timeout: IDLE_TIMEOUT };
  if (proxy === null) return { http: new PlainAgent(pool), https: new SafeAgent(pool) };
  return { http: new HttpProxyAgent({ ...pool, proxy }), https: new HttpsProxyAgent({ ...pool, proxy }) };
}

/** A certificate is judged before the request is written (OpenSSL's and Node's codes). */
const UNTRUSTED = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "INVALID_CA",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

const PHASES_BEFORE_SENDING = new Set(["lookup", "connect", "secureConnect"]);

/** Whether any byte may have reached the service: true unless it is certain that none has. */
function mayHaveBeenSent(error: unknown): boolean {
  if (!(error instanceof RequestError)) return true;
  if (UNTRUSTED.has(error.code)) return false;
  if (error instanceof TimeoutError && PHASES_BEFORE_SENDING.has(error.event)) return false;
  if (error.timings === undefined || error.request?.reusedSocket === true) return true;
  return error.timings.connect !== undefined;
}

/** The proxies, and how requests are sent. */
export interface NetworkOptions extends Omit<TransportOptions, "proxy"> {
  readonly proxies: Proxies;
}

/** Sends requests to any server, through the proxy that stands before it. */
export function makeNetwork({ proxies, ...options }: NetworkOptions): Transmit {
  const transports = new Map<string, Transport>();
  return (message, signal) => {
    const { origin } = new URL(message.url);
    const known = transports.get(origin);
    if (known !== undefined) return known.transmit(message, signal);
    if (proxyProblem(message.url, proxies) !== null)
      return Promise.resolve({ as: "lost", sent: false, untrusted: false, code: "EPROXY" });
    const made = makeTransport({ ...options, proxy: findProxy(message.url, proxies) });
    transports.set(origin, made);
    return made.transmit(message, signal);
  };
}
