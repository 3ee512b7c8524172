import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Clock, Random } from "../model/clock.js";
import { type Auth, coverSecrets } from "./auth.js";
import { CONTROL } from "./control.js";
import { deliver, type Manner } from "./delivery.js";
import { broken, disruption, unauthenticated } from "./disruption.js";
import type { Quirks, Request, Response } from "./exchange.js";
import type { Faults, Strike } from "./faults.js";
import type { Label, Named } from "./label.js";
import type { OpenWitness, Outcome } from "./witness.js";

/** What stands behind the door. */
export interface House {
  readonly auth: Auth;
  readonly faults: Faults;
  readonly witness: OpenWitness;
  readonly label: Label;
  readonly clock: Clock;
  readonly random: Random;
  /** Answers in the mood of that request. */
  readonly serve: (request: Request, quirks: Quirks) => Response;
  /** Answers what is asked of the sandbox itself. */
  readonly control: (request: Request, incoming: IncomingMessage) => Response;
  /** Called after each write. */
  readonly changed: () => void;
  /** Told of what should never happen. */
  readonly report: (error: unknown) => void;
}

/** A request while it is under way. */
interface Visit {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly query: string;
  readonly named: Named;
  readonly strike: Strike;
  readonly since: number;
}

/** What was decided for a request, and how the reply is to leave. */
interface Verdict extends Outcome {
  readonly reply: Response;
  readonly manner: Manner;
}

/** Takes every request in, has it answered, and writes down what came of it. */
export function makeDoor(house: House): RequestListener {
  return (incoming, response) => {
    const { path, query } = split(incoming.url ?? "/");
    if (path.startsWith(CONTROL)) return serveControl(incoming, response, path, query, house);
    const method = incoming.method ?? "GET";
    const named = house.label(method, path);
    const strike = house.faults.strike({ method, path, operation: named.operation });
    const visit = { incoming, response, path, query, named, strike, since: house.clock.elapsed() };
    if (strike.ending?.fault === "reset") return reset(visit, house);
    readBody(incoming, (body) => {
      receive(visit, body, house).catch((error: unknown) => {
        if (!response.destroyed) house.report(error);
        response.socket?.destroy();
      });
    });
  };
}

function split(url: string): { readonly path: string; readonly query: string } {
  const mark = url.indexOf("?");
  return mark < 0 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

function serveControl(
  incoming: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
  house: House,
): void {
  readBody(incoming, (body) => {
    const reply = house.control(requestOf(incoming, path, query, body), incoming);
    response.writeHead(reply.status, reply.headers).end(reply.body);
  });
}

function requestOf(incoming: IncomingMessage, path: string, query: string, body: Buffer): Request {
  return {
    method: incoming.method ?? "GET",
    path,
    query: new URLSearchParams(query),
    body,
    host: incoming.headers.host ?? "",
  };
}

function reset(visit: Visit, house: House): void {
  visit.incoming.socket.resetAndDestroy();
  const outcome = { status: null, reached: false, written: false, fault: "reset" };
  note(visit, "", outcome, false, house);
}

/** The service refuses more than 4 MiB; what is kept is enough for it to see that it is more. */
const KEPT = 4 * 1024 * 1024 + 1;

function readBody(incoming: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on("data", (chunk: Buffer) => {
    if (size < KEPT) chunks.push(chunk);
    size += chunk.length;
  });
  incoming.on("end", () => done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
}

async function receive(visit: Visit, body: Buffer, house: House): Promise<void> {
  const { strike, response } = visit;
  if (strike.delay > 0) await house.clock.sleep(strike.delay);
  const verdict = decide(visit, body, house);
  if (verdict.written) house.changed();
  const whole = verdict.manner === null || verdict.manner.fault === "slow";
  const settle = note(visit, body.toString(), verdict, whole, house);
  response.once("close", () => settle(response.writableFinished));
  await deliver(verdict.reply, response, verdict.manner, (time) => house.clock.sleep(time));
}

/** The answer, and what it did. */
function decide(visit: Visit, body: Buffer, house: House): Verdict {
  const { incoming, path, query, named, strike } = visit;
  const { ending } = strike;
  const fault = faultOf(strike);
  const unreached = { reached: false, written: false, manner: null, fault } as const;
  const instead = ending === null ? undefined : disruption(ending, strike, house.random);
  if (instead !== undefined && !(ending?.fault === "error" && ending.written === true)) {
    if (ending?.fault === "expired") house.auth.revoke(incoming.headers.authorization);
    return { ...unreached, status: instead.status, reply: instead };
  }
  const client = house.auth.clientOf(incoming.headers.authorization);
  if (named.guarded && client === undefined) {
    const reply = unauthenticated(house.random);
    return { ...unreached, status: reply.status, reply };
  }
  const request = requestOf(incoming, path, query, body);
  const reply = answer(request, client ?? "", strike.quirks, house);
  const written = named.writes && reply.status === 200;
  if (instead !== undefined)
    return { status: instead.status, reached: true, written, fault, reply: instead, manner: null };
  return { status: reply.status, reached: true, written, fault, reply, manner: mannerOf(strike) };
}

function answer(request: Request, client: string, quirks: Quirks, house: House): Response {
  try {
    return house.auth.answer(request, client) ?? house.serve(request, quirks);
  } catch (error) {
    house.report(error);
    return broken(house.random);
  }
}

/** The ending, where it is one that harms a reply on its way. */
function mannerOf({ ending }: Strike): Manner {
  switch (ending?.fault) {
    case "lost":
    case "slow":
    case "truncated":
    case "html":
      return ending;
    default:
      return null;
  }
}

function faultOf({ ending, quirks, delay }: Strike): string | null {
  if (ending !== null) return ending.fault === "error" ? String(ending.status) : ending.fault;
  if (Object.keys(quirks).length > 0) return "quirks";
  return delay > 0 ? "latency" : null;
}

function note(
  visit: Visit,
  body: string,
  outcome: Outcome,
  delivered: boolean,
  house: House,
): (delivered: boolean) => void {
  const { incoming, path, query, named, since } = visit;
  const { status, reached, written, fault } = outcome;
  return house.witness.add({
    time: new Date(house.clock.now()).toISOString(),
    milliseconds: Math.round((house.clock.elapsed() - since) * 100) / 100,
    client: house.auth.clientOf(incoming.headers.authorization) ?? null,
    method: incoming.method ?? "GET",
    path,
    query,
    operation: named.operation,
    body: path.startsWith("/auth/") ? coverSecrets(body) : body,
    status,
    reached,
    written,
    fault,
    delivered,
  });
}
