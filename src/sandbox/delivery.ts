import type { ServerResponse } from "node:http";
import type { Response } from "./exchange.js";
import type { Ending } from "./faults/plan.js";

/** How a reply leaves: as it is, or harmed on the way. */
export type Manner = Extract<Ending, { fault: "lost" | "slow" | "truncated" | "html" }> | null;

const PIECES = 10;

/** Sends a reply in that manner; true where the client gets all of what the service decided on. */
export async function deliver(
  reply: Response,
  response: ServerResponse,
  manner: Manner,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<boolean> {
  const body = bodyOf(reply);
  switch (manner?.fault) {
    case undefined:
      response.writeHead(reply.status, { ...reply.headers, "content-length": body.length }).end(body);
      return true;
    case "lost":
      response.socket?.resetAndDestroy();
      return false;
    case "html": {
      const page = Buffer.from(WEB_PAGE);
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-length": page.length });
      response.end(page);
      return false;
    }
    case "truncated":
      response.writeHead(reply.status, { ...reply.headers, "content-length": body.length >> 1 });
      response.end(body.subarray(0, body.length >> 1));
      return false;
    case "slow":
      response.writeHead(reply.status, { ...reply.headers, "content-length": body.length });
      for (const piece of piecesOf(body)) {
        await sleep((manner?.milliseconds ?? 0) / PIECES);
        response.write(piece);
      }
      response.end();
      return true;
    default:
      return manner satisfies never;
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
