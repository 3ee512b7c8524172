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

/** How sure we are that the service has the operation in this form. */
export type Standing = "documented" | "known" | "guessed";

/** One operation of the service: where it is, what it takes and gives, and what it does. */
export interface Operation {
  readonly name: string;
  readonly summary: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** With parameters in braces, in snake_case: each is a field of the request. */
  readonly path: string;
  readonly interfaces: readonly Interface[];
  /** Set where a POST outside of `/api/v1/search/` changes nothing. */
  readonly isRead?: true;
  readonly standing: Standing;
  readonly request: Message;
  readonly response: Message;
  /** Both messages hold only what is set. Throws a `Refusal` where it will not. */
  answer(request: JsonObject, world: World): JsonObject;
}

/** Both contracts have the operation. */
export const BOTH: readonly Interface[] = ["core", "full"];

/** Only the larger contract has the operation. */
export const FULL: readonly Interface[] = ["full"];
