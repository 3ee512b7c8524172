import type { Address } from "./address.js";
import type { Json, JsonObject } from "./json.js";
import type { Path } from "./path.js";

/**
 * What sending a call twice would mean. A `read` changes nothing. A `repeatable` write has the same result however
 * often it is sent. A `once` write (a create) may create two objects.
 */
export type Effect = "read" | "repeatable" | "once";

/**
 * One segment of a path: an id or word, or a value that a reply of the step will carry. That is the reply to the call at
 * place `of`, or the previous one.
 */
export type Segment = string | { readonly reply: Path; readonly of?: number };

/** One HTTP request as a value; segments and query are not yet percent-encoded. */
export interface Call {
  /** What the call does, in the words of manifests: `UpdateResource`. Each place and method of the service has one name. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Everything after the server's address: `["api", "v1", "apps"]`. */
  readonly path: readonly Segment[];
  /** The segment that stands for a person. No message and no log shows it. */
  readonly person?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  /** Members of the body that are ids, or lists of ids: some of them are in earlier replies. */
  readonly ids?: Readonly<Record<string, Segment | readonly Segment[]>>;
  readonly effect: Effect;
  /** The item of an object's list that a call adds or removes which does nothing else. */
  readonly item?: { readonly field: string; readonly value: Json; readonly isAdded: boolean };
  /** Steps that must be done before it is sent; those need what the calls before it make. */
  readonly awaits?: readonly Address[];
  /** The path of a member that every good reply has; a reply without it is not the expected envelope. */
  readonly expects?: Path;
}

/** A good answer; the sender throws everything else as an error. */
export interface Reply {
  readonly status: number;
  readonly body: Json;
  /** The service's own id of the request, where it gave one. */
  readonly requestId?: () => string;
  /** How often the call left the program, retries included. */
  readonly attempts: number;
}

/** How often a call is tried again, where that is less than the settings allow. */
export interface Effort {
  /** How often a failed call is sent again at most; as the settings say when absent. */
  readonly retries?: number;
  /** A probe: a timeout is its answer, so that it is not sent again. */
  readonly once?: boolean;
}

/** For whom a call is made. */
export interface Purpose {
  /** The step of an apply, where the call is made for it alone. */
  readonly step?: Address;
}

/** How a list is read. */
export interface ListEffort extends Effort, Purpose {
  /** The token of the page to begin with. */
  readonly from?: string;
}

/** One page of a list: its rows as they were sent, and the token that leads to the next one; empty at the end. */
export interface ListPage {
  readonly rows: readonly Json[];
  readonly next: string;
}

/** Sends one call and gives its good reply; throws an `ApiError` otherwise. */
export type Send = (
  call: Call,
  options?: Effort & Purpose & { readonly signal?: AbortSignal },
) => Promise<Reply>;

/** A call's path as a reader sees it: `/api/v1/apps/2fsg…/resource_types/{id}`. */
export function formatCallPath(call: Pick<Call, "path" | "person">): string {
  return `/${call.path
    .map((segment) => {
      if (typeof segment !== "string") return `{${segment.reply.at(-1) ?? ""}}`;
      return segment === call.person ? "{user}" : segment;
    })
    .join("/")}`;
}
