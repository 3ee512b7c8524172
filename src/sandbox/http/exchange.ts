import type { Json } from "../../model/json.js";
import { isLoopback } from "../../model/loopback.js";

/** A request as the routes see it: decoded, authenticated, not yet parsed as JSON. */
export interface Request {
  readonly method: string;
  /** The path as it came, percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  readonly host: string;
}

/** What is sent back; a text body is sent as it is, any other as JSON. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** Answers one request, at once; every refusal is a response. */
export type Serve = (request: Request) => Response;

/** Which contract is served: `core` is docs/service/interface.md alone, `full` adds docs/service/live.md. */
export type Interface = "core" | "full";

/** What the world does on purpose to find out what a client assumes; all off when empty. */
export interface Quirks {
  /** For so many milliseconds after a write, text filters of searches do not see it. */
  readonly searchLag?: number;
  /** Expressions are stored with every run of white space made one space. */
  readonly rewriteExpressions?: boolean;
  /** Lists of replies come in another order at each reply. */
  readonly shuffleLists?: boolean;
  /** Every object of a reply carries a field that no description names. */
  readonly unknownFields?: boolean;
  /** Enumerated fields of replies carry values that no description names. */
  readonly unknownEnums?: boolean;
  /** Pages of lists hold fewer, or more, rows than asked. */
  readonly pages?: "short" | "overlong";
  /** Every page but the last names the token that led to it, once it was led to by one. */
  readonly repeatPageToken?: boolean;
  /** What a read by id of a deleted object gives: not found (default), or the object with its `deletedAt`. */
  readonly softDeleted?: "missing" | "shown";
  /** What a create of an attribute value does that another one is called like: make it (default), or 409. */
  readonly repeatedValues?: "made" | "refused";
  /** What a create of an automation that exists does: 409 (default), the 500 the service is known to answer elsewhere, or replace it and keep its `createdAt`. */
  readonly existingAutomation?: "conflict" | "unknown" | "replace";
  /** The white space of replies varies. */
  readonly spacing?: boolean;
  /** For so many milliseconds after a write, rows of lists and searches show the object as it was before. */
  readonly listLag?: number;
  /** For so many milliseconds after a write of an owner, the lists of owners show them as they were before. */
  readonly ownersLag?: number;
  /** The user who may write nothing of what they were removed from the owners of. */
  readonly ownedBy?: string;
  /** Rows of lists and searches say of every entitlement that it has no automation. */
  readonly unlistedAutomations?: boolean;
  /** Every object with an `updatedAt` also has a `nextRunAt`, another one at each read. */
  readonly volatileFields?: boolean;
  /** The service accepts, keeps and shows members whose names begin with `future`. */
  readonly laterVersion?: boolean;
  /** Fields of stored objects that no write changes. */
  readonly ignoredFields?: readonly string[];
  /** A write stores another member of each group than the one it was sent. */
  readonly otherChoice?: boolean;
  /** A write stores each list without its last row. */
  readonly missingRows?: boolean;
  /** The last row of each page comes again as the first row of the next. */
  readonly shiftingPages?: boolean;
  /** Reads show what a connector writes at a sync in place of edits, but for those in `userEditedMask`. */
  readonly connectorSyncs?: boolean;
  /** An update names what it writes in `userEditedMask`. */
  readonly keptEdits?: boolean;
  /** How far a run of an app's request defaults is right after they were written; it succeeds when absent. */
  readonly defaultsRun?: "RUNNING" | "FAILED";
  /** What an update of the post actions of a built-in policy does: change them (default), or nothing. */
  readonly builtInActions?: "taken" | "refused";
  /** The list of an app's configuration rules says that there is more, and shows no more. */
  readonly cutRules?: boolean;
  /** Two entitlements may have one alias. */
  readonly sharedAliases?: boolean;
  /** The tenant has e-signatures; without them the service refuses templates that mention them. */
  readonly signatures?: boolean;
  /** Fields that replies show blank, as the service does for a token that may not see them. */
  readonly hiddenFields?: readonly string[];
  /** The service's clock is ahead by so many milliseconds. */
  readonly clockAhead?: number;
}

/** Whether an address is this machine's own. */
export function isLocal(address: string | undefined): boolean {
  return address !== undefined && (address === "::1" || /^(::ffff:)?127\./.test(address));
}

/**
 * Whether a `Host` header names the sandbox: as this machine, as the address that the connection came to, or as
 * the operator named it. A page in a browser of this machine reaches it by any name that its own site resolves to this machine.
 */
export function isAddressed(header: string | undefined, local: string | undefined, host: string): boolean {
  const name = (header ?? "").replace(/:\d{1,5}$/, "").toLowerCase();
  const bare = name.replace(/^\[(.*)\]$/, "$1");
  return (
    isLoopback(name) ||
    bare === local?.replace(/^::ffff:/, "") ||
    (bare !== "" && bare === host.toLowerCase())
  );
}
