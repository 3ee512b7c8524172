import type { Call, Reply } from "../model/call.js";
import type { Clock, Random } from "../model/clock.js";
import type { Secret } from "../model/secret.js";
import { ApiError } from "./error.js";
import { makePace, type Pace } from "./pace.js";
import { type Bad, judge } from "./reply.js";
import { makeOutgoing } from "./request.js";
import { allowance, backoff, RULES, type Rule, retryAfter } from "./retry.js";
import { checkServer } from "./server.js";
import { makeTransport } from "./transport.js";

export type Credentials = { readonly as: "bearer"; readonly token: Secret; readonly from: string };

/** What a client is made from; everything of the world outside is in here. */
export interface ClientOptions {
  readonly server: string;
  readonly credentials: Credentials | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly width: number;
  readonly retries: number;
  readonly requestTimeout: number;
  readonly userAgent: string;
  readonly log?: (line: string) => void;
}

/** What may be said with each call. */
export interface SendOptions {
  readonly signal?: AbortSignal;
  /** Told before each wait for another attempt. */
  readonly retried?: (retry: {
    readonly attempt: number;
    readonly waiting: number;
    readonly why: string;
  }) => void;
}

/** The network as the rest of the program sees it. */
export interface Client {
  readonly send: (call: Call, options?: SendOptions) => Promise<Reply>;
  readonly pace: Pace;
  readonly report: () => { readonly calls: number; readonly retries: number };
  readonly close: () => void;
}

/** Makes the one client of a run; close it when the run is over. */
export function makeClient(options: ClientOptions): Client {
  const checked = checkServer(options.server);
  if ("problem" in checked) throw new Error(`the server's address cannot be used: ${checked.problem}`);
  const { server } = checked;
  const { clock, random, retries } = options;
  const pace = makePace(options);
  const transport = makeTransport({ ...options, server, proxy: null });
  const totals = { calls: 0, retries: 0 };

  async function send(call: Call, { signal, retried }: SendOptions = {}): Promise<Reply> {
    const { method, url, body } = makeOutgoing(call, server);
    const headers = {
      accept: "application/json",
      "user-agent": options.userAgent,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(options.credentials === null
        ? {}
        : { authorization: `Bearer ${options.credentials.token.reveal()}` }),
    };
    const spent = new Map<Rule, number>();
    totals.calls += 1;
    for (let attempts = 1; ; attempts += 1) {
      await pace.admit(signal);
      const result = judge(await transport.transmit({ method, url, headers, body }, signal), call.expects);
      if (result.as === "good") {
        pace.answered();
        const id = result.requestId === null ? {} : { requestId: result.requestId };
        return { status: result.status, body: result.body, attempts, ...id };
      }
      const asked = retryAfter(result.retryAfter, clock);
      if (result.status === 429 || result.status === 503) pace.refused(asked);
      const rule = RULES[call.effect][result.ending];
      const used = spent.get(rule) ?? 0;
      if (used >= allowance(rule, retries) || signal?.aborted === true)
        throw failure(call, result, rule, attempts);
      spent.set(rule, used + 1);
      totals.retries += 1;
      const waiting = backoff(attempts, random);
      retried?.({ attempt: attempts + 1, waiting, why: result.problem });
      await clock.sleep(waiting, signal);
    }
  }

  return { send, pace, report: () => ({ ...totals }), close: transport.close };
}

function failure(call: Call, bad: Bad, rule: Rule, attempts: number): ApiError {
  return new ApiError(bad.problem, {
    ...bad,
    call,
    attempts,
    verdict: rule === "settle" ? "settle" : "stop",
  });
}
