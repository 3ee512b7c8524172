import type { Random } from "../../model/clock.js";
import type { JsonObject } from "../../model/json.js";
import type { Interface, Quirks } from "../http/exchange.js";
import type { Store } from "../tenant/store.js";
import type { Message } from "../wire/descriptor.js";

/** What an operation may look at and change, at the moment of one request. */
export interface World {
  readonly store: Store;
  readonly interface: Interface;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly random: Random;
  readonly quirks: Quirks;
}

/** One operation of the service: where it is, what it takes and gives, and what it does. */
export interface Operation {
  readonly name: string;
  readonly summary: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** With parameters in braces, in snake_case: each is a field of the request. */
  readonly path: string;
  readonly request: Message;
  readonly response: Message;
  /** Both messages hold only what is set. Throws a `Refusal` where it will not. */
  answer(request: JsonObject, world: World): JsonObject;
}

/** Whether an operation changes nothing, whatever its method is. */
export function isRead({ name }: Operation): boolean {
  return /^(Get|List|Search)/.test(name);
}

/** The words of google.rpc.Code that the service answers with, their numbers and their HTTP status. */
const CODES = {
  unknown: { code: 2, status: 500 },
  invalidArgument: { code: 3, status: 400 },
  notFound: { code: 5, status: 404 },
  alreadyExists: { code: 6, status: 409 },
  permissionDenied: { code: 7, status: 403 },
  failedPrecondition: { code: 9, status: 400 },
  unimplemented: { code: 12, status: 501 },
} as const;

type Reason = keyof typeof CODES;

/** Thrown by an operation that will not do what it is asked; the routes make the error reply of it. */
export class Refusal extends Error {
  readonly code: number;
  readonly status: number;

  constructor(reason: Reason, message: string) {
    super(message);
    this.code = CODES[reason].code;
    this.status = CODES[reason].status;
  }
}
