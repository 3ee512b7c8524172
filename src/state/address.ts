import { resolve } from "node:path";
import { canonical } from "../model/json.js";
import { isLoopback } from "../model/loopback.js";
import { decodedOr, malformedAddress } from "./addressText.js";
import { fault } from "./fault.js";
import { type GitAddress, gitAddress, remoteUrl } from "./git/address.js";
import { type WebAddress, webAddress } from "./http/address.js";
import { type BucketAddress, bucketAddress } from "./s3/address.js";
import { StateError } from "./store.js";

/** Where a state is kept. */
export type StateAddress =
  | { readonly as: "file"; readonly path: string }
  | ({ readonly as: "postgres" } & PostgresAddress)
  | ({ readonly as: "s3" } & BucketAddress)
  | ({ readonly as: "http" } & WebAddress)
  | ({ readonly as: "git" } & GitAddress);

/** A state in a PostgreSQL database. */
export interface PostgresAddress {
  /** The address as messages name it: without user and password. */
  readonly shown: string;
  /** A name, or the folder of a socket, which begins with a slash. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Null where the address names none. */
  readonly user: string | null;
  /** Null where the address contains none. */
  readonly password: string | null;
  /** Which state of the database; null where the address names none. */
  readonly state: string | null;
  readonly isEncrypted: boolean;
}

/** The port of a PostgreSQL server whose address names none. */
const PORT = 5432;
/** What `sslmode` may say; a connection is encrypted and the server's certificate checked unless it says `disable`. */
const MODES = ["disable", "verify-full"];

const malformed = malformedAddress(
  "Write for example postgres://db.example.com/remit?state=prod, and give the user and the password in PGUSER and PGPASSWORD.",
);

/** Reads an address of a state; throws a `StateError` that names the kinds of address there are. */
export function readStateAddress(text: string): StateAddress {
  // A single letter is a drive.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    if (/\/\/[^/]*:[^/]*@/.test(text))
      throw malformed("it has a user and a password, and no `postgres:` before them");
    return { as: "file", path: text };
  }
  if (scheme === "git") return { as: "git", ...gitAddress(text) };
  if (scheme === "s3") return { as: "s3", ...bucketAddress(text) };
  if (scheme === "https" || scheme === "http") return { as: "http", ...webAddress(text) };
  if (scheme !== "postgres" && scheme !== "postgresql") {
    throw fault(
      "state/address",
      `a state cannot be kept at an address that begins with ${scheme}:`,
      "Name a path such as .remit/state.json, or the address of a store: git:, s3://BUCKET/KEY, postgres://HOST/DATABASE or https://HOST/PATH (docs/stores.md). A path with a colon begins with `./`.",
    );
  }
  return { as: "postgres", ...postgresAddress(text) };
}

/**
 * The address as messages show it: without user and password. Of one that cannot be used, only the scheme is shown:
 * where it has a password is not known.
 */
export function shownAddress(text: string): string {
  try {
    const address = readStateAddress(text);
    if (address.as === "git" && address.remote?.as === "url" && remoteUrl(address.remote.url) === null)
      return "git:…";
    return text.replace(/\/\/[^/?#]*@/g, "//");
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return text.replace(/^([a-z0-9+.-]*:)?.*$/is, "$1…");
  }
}

/** What names a state whose address leaves its name out. */
export interface NamedState {
  readonly server: string | null;
  readonly context: string | null;
}

/** The state that an address leads to, so that two spellings of one are equal; an address that cannot be used is itself. */
export function stateIdentity(text: string, root: string, { server, context }: NamedState): string {
  try {
    const address = readStateAddress(text);
    switch (address.as) {
      case "file":
        return canonical(["file", resolve(root, address.path)]);
      case "git": {
        const { remote, name } = address;
        const place = remote === null ? "origin" : remote.as === "name" ? remote.name : remote.url;
        return canonical(["git", place, name ?? { server }]);
      }
      case "postgres":
        return canonical([
          "postgres",
          address.host,
          address.port,
          address.database,
          address.state ?? { context },
        ]);
      case "s3":
        return canonical(["s3", address.endpoint, address.bucket, address.key]);
      case "http":
        return canonical(["http", address.shown]);
      default:
        return address satisfies never;
    }
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return text;
  }
}

function postgresAddress(text: string): PostgresAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  const database = url === null ? "" : decodedOr(malformed, url.pathname.slice(1));
  if (url === null || url.hostname === "" || database === "" || database.includes("/") || url.hash !== "")
    throw malformed("it does not have the form postgres://HOST[:PORT]/DATABASE[?state=NAME&sslmode=MODE]");
  for (const name of url.searchParams.keys())
    if (name !== "state" && name !== "sslmode") throw malformed(`it has the unknown parameter ${name}`);
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !MODES.includes(mode))
    throw malformed(`sslmode is ${MODES.join(" or ")}, and not ${mode}`);
  const state = url.searchParams.get("state");
  if (state === "") throw malformed("its state has no name");
  const port = url.port === "" ? PORT : Number(url.port);
  const host = decodedOr(malformed, url.hostname);
  const isHere = host.startsWith("/") || isLoopback(host);
  return {
    shown: `postgres://${url.host}/${database}${state === null ? "" : `?state=${state}`}`,
    host: host.replace(/^\[|\]$/g, ""),
    port,
    database,
    user: url.username === "" ? null : decodedOr(malformed, url.username),
    password: url.password === "" ? null : decodedOr(malformed, url.password),
    state,
    isEncrypted: mode === null ? !isHere : mode !== "disable",
  };
}
