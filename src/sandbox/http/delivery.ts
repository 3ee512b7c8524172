import type { ServerResponse } from "node:http";
import type { Ending } from "../faults/plan.js";
import type { Response } from "./exchange.js";

/** How a reply leaves: as it is, or harmed on the way. */
export type Delivery = Extract<
  Ending,
  { fault: "lost" | "slow" | "truncated" | "html" | "empty" | "late" }
> | null;

const PIECES = 10;

/** Sends a reply in that delivery. */
export async function deliver(
  reply: Response,
  response: ServerResponse,
  delivery: Delivery,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<void> {
  const body = bodyOf(reply);
  const send = (bytes: Buffer) =>
    response.writeHead(reply.status, { ...reply.headers, "content-length": bytes.length }).end(bytes);
  if (delivery === null) {
    send(body);
    return;
  }
  switch (delivery.fault) {
    case "lost":
    case "late":
      response.socket?.resetAndDestroy();
      return;
    case "html":
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(WEB_PAGE);
      return;
    case "empty":
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
      return;
    case "truncated":
      send(body.subarray(0, body.length >> 1));
      return;
    case "slow":
      response.writeHead(reply.status, { ...reply.headers, "content-length": body.length });
      for (const piece of piecesOf(body)) {
        await sleep(delivery.milliseconds / PIECES);
        response.write(piece);
      }
      response.end();
      return;
    default:
      return delivery satisfies never;
  }
}

const WEB_PAGE = '<!doctype html><html lang="en"><title>Sign in</title><body><h1>Sign in</h1></body></html>';

function bodyOf({ body }: Response): Buffer {
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function piecesOf(body: Buffer): readonly Buffer[] {
  const size = Math.max(1, Math.ceil(body.length / PIECES));
  return Array.from({ length: Math.ceil(body.length / size) }, (_, place) =>
    body.subarray(place * size, (place + 1) * size),
  );
}
