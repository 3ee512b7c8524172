import type { ServerResponse } from "node:http";
import type { Clock, Random } from "../../model/clock.js";
import type { Caller } from "../answer/caller.js";
import type { Postponed } from "../answer/postponed.js";
import type { Auth } from "../auth/auth.js";
import type { Faults } from "../faults/faults.js";
import type { Ending } from "../faults/plan.js";
import type { OpenLog } from "../log.js";
import type { Quirks, Request, Response } from "./exchange.js";
import type { Label } from "./paths.js";

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

/** What stands behind the listener. */
export interface Parts {
  /** The host that it listens on. */
  readonly host: string;
  readonly auth: Auth;
  readonly faults: Faults;
  readonly log: OpenLog;
  readonly label: Label;
  readonly clock: Clock;
  readonly random: Random;
  readonly postponed: Postponed;
  /** The time that the service believes it is, in milliseconds since 1970. */
  readonly serviceTime: (quirks: Quirks) => number;
  /** Answers in the mood of that request. */
  readonly serve: (request: Request, quirks: Quirks) => Response;
  /** Answers what is asked of the sandbox itself. */
  readonly control: (request: Request, caller: Caller) => Response;
  /** Called after each write. */
  readonly changed: () => void;
  /** Aborted when the server closes: what is kept waiting then is never answered. */
  readonly closing: AbortSignal;
  /** Called for what should never happen. */
  readonly report: (error: unknown) => void;
}
