import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { decide } from "../answer/respond.js";
import { coverSecrets } from "../auth/auth.js";
import type { Strike } from "../faults/faults.js";
import type { Noted, Outcome } from "../log.js";
import { CONTROL } from "./control.js";
import { deliver } from "./delivery.js";
import type { Request } from "./exchange.js";
import type { Named } from "./label.js";
import type { House } from "./parts.js";
import { isLocal } from "./visitor.js";

/** A request while it is under way, before its body has arrived. */
interface Visit {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly named: Named;
  readonly strike: Strike;
  readonly since: number;
}

/** Takes every request in, has it answered, and writes down what came of it. */
export function makeDoor(house: House): RequestListener {
  return (incoming, response) => {
    const method = incoming.method ?? "GET";
    const { path, query } = split(incoming.url ?? "/");
    const named = house.label(method, path);
    const since = house.clock.elapsed();
    if (path.startsWith(CONTROL)) {
      house.postponed.byTime();
      readBody(incoming, (body) => {
        const { host, origin, authorization } = incoming.headers;
        const caller = { address: incoming.socket.remoteAddress, host, origin, authorization };
        const reply = house.control(requestOf({ incoming, method, path, query }, body), caller);
        response.writeHead(reply.status, reply.headers).end(reply.body);
      });
      return;
    }
    const strike = house.faults.strike({ method, path, ...named });
    const visit = { incoming, response, method, path, query, named, strike, since };
    if (strike.ending?.fault === "reset") return reset(visit, house);
    readBody(incoming, (body) => {
      receive(visit, body, house).catch((error: unknown) => {
        if (!house.closing.aborted && !response.destroyed) house.report(error);
        response.socket?.destroy();
      });
    });
  };
}

function split(url: string): { readonly path: string; readonly query: string } {
  const mark = url.indexOf("?");
  return mark < 0 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
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

function requestOf(
  { incoming, method, path, query }: Pick<Visit, "incoming" | "method" | "path" | "query">,
  body: Buffer,
): Request {
  return { method, path, query: new URLSearchParams(query), body, host: incoming.headers.host ?? "" };
}

function isThisMachine(incoming: IncomingMessage): boolean {
  return isLocal(incoming.socket.remoteAddress);
}

function reset(visit: Visit, house: House): void {
  visit.incoming.socket.resetAndDestroy();
  const outcome = { status: null, reached: false, written: false, fault: "reset" };
  note(visit, "", outcome, false, house).settle(false);
}

async function receive(visit: Visit, body: Buffer, house: House): Promise<void> {
  const { incoming, response, named, strike } = visit;
  const sleep = (milliseconds: number) => house.clock.sleep(milliseconds, house.closing);
  if (strike.delay > 0) await sleep(strike.delay);
  const plea = {
    request: requestOf(visit, body),
    authorization: incoming.headers.authorization,
    isLocal: isThisMachine(incoming),
    named,
    strike,
  };
  house.postponed.beforeRequest();
  const verdict = decide(plea, house);
  if (verdict.written) house.changed();
  const whole = verdict.manner === null || verdict.manner.fault === "slow";
  const noted = note(visit, body.toString(), verdict, whole, house);
  const { later } = verdict;
  if (later !== null && strike.ending?.fault === "late") {
    house.postponed.add(strike.ending, () => {
      if (!later()) return;
      house.changed();
      noted.wrote();
    });
  }
  response.once("close", () => noted.settle(response.writableFinished));
  response.setHeader("date", new Date(house.serviceTime(strike.quirks)).toUTCString());
  await deliver(verdict.reply, response, verdict.manner, sleep);
}

function note(
  visit: Visit,
  body: string,
  { status, reached, written, fault }: Outcome,
  delivered: boolean,
  house: House,
): Noted {
  const { incoming, method, path, query, named, since } = visit;
  return house.witness.add({
    time: new Date(house.clock.now()).toISOString(),
    milliseconds: Math.round((house.clock.elapsed() - since) * 100) / 100,
    client: house.auth.clientOf(incoming.headers.authorization) ?? null,
    method,
    path,
    query: coverSecrets(query),
    operation: named.operation,
    body: path.startsWith("/api/") ? body : coverSecrets(body),
    status,
    reached,
    written,
    fault,
    delivered,
  });
}
