import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { respond } from "../answer/respond.js";
import { coverSecrets } from "../auth/auth.js";
import type { Strike } from "../faults/faults.js";
import type { Noted, Outcome } from "../log.js";
import { CONTROL } from "./control.js";
import { deliver, type Parts } from "./delivery.js";
import { isAddressed, type Request } from "./exchange.js";
import type { Named } from "./paths.js";

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
export function makeListener(parts: Parts): RequestListener {
  return (incoming, response) => {
    const method = incoming.method ?? "GET";
    const { path, query } = split(incoming.url ?? "/");
    const named = parts.label(method, path);
    const since = parts.clock.elapsed();
    if (path.startsWith(CONTROL)) {
      parts.postponed.byTime();
      readBody(incoming, (body) => {
        const { host, origin, authorization } = incoming.headers;
        const caller = { address: incoming.socket.remoteAddress, host, origin, authorization };
        const reply = parts.control(requestOf({ incoming, method, path, query }, body), caller);
        response.writeHead(reply.status, reply.headers).end(reply.body);
      });
      return;
    }
    const { host } = incoming.headers;
    if (!isAddressed(host, incoming.socket.localAddress, parts.host)) {
      incoming.resume();
      const message = `The sandbox is not ${host ?? "without a Host"}. Ask it as localhost, or as the --host that it was started with.`;
      response.writeHead(403, { "content-type": "application/json" });
      response.end(JSON.stringify({ code: 7, message, details: [] }));
      return;
    }
    const strike = parts.faults.strike({ method, path, ...named });
    const visit = { incoming, response, method, path, query, named, strike, since };
    if (strike.ending?.fault === "reset") return reset(visit, parts);
    readBody(incoming, (body) => {
      receive(visit, body, parts).catch((error: unknown) => {
        if (!parts.closing.aborted && !response.destroyed) parts.report(error);
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

function reset(visit: Visit, parts: Parts): void {
  visit.incoming.socket.resetAndDestroy();
  const outcome = { status: null, reached: false, written: false, fault: "reset" };
  note(visit, "", outcome, false, parts).end(false);
}

async function receive(visit: Visit, body: Buffer, parts: Parts): Promise<void> {
  const { incoming, response, named, strike } = visit;
  const sleep = (milliseconds: number) => parts.clock.sleep(milliseconds, parts.closing);
  if (strike.delay > 0) await sleep(strike.delay);
  const asked = {
    request: requestOf(visit, body),
    authorization: incoming.headers.authorization,
    named,
    strike,
  };
  parts.postponed.beforeRequest();
  const answer = respond(asked, parts);
  if (answer.written) parts.changed();
  const whole = answer.delivery === null || answer.delivery.fault === "slow";
  const noted = note(visit, body.toString(), answer, whole, parts);
  const { later } = answer;
  if (later !== null && strike.ending?.fault === "late") {
    parts.postponed.add(strike.ending, () => {
      if (!later()) return;
      parts.changed();
      noted.wrote();
    });
  }
  response.once("close", () => noted.end(response.writableFinished));
  response.setHeader("date", new Date(parts.serviceTime(strike.quirks)).toUTCString());
  await deliver(answer.reply, response, answer.delivery, sleep);
}

function note(
  visit: Visit,
  body: string,
  { status, reached, written, fault }: Outcome,
  delivered: boolean,
  parts: Parts,
): Noted {
  const { incoming, method, path, query, named, since } = visit;
  return parts.log.add({
    time: new Date(parts.clock.now()).toISOString(),
    milliseconds: Math.round((parts.clock.elapsed() - since) * 100) / 100,
    client: parts.auth.clientOf(incoming.headers.authorization) ?? null,
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
