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
