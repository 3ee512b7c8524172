import { isLoopback } from "../../model/loopback.js";
import { decodedOr, malformedAddress } from "../addressText.js";

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

export const malformed = malformedAddress(
  "Write for example postgres://db.example.com/remit?state=prod, and give the user and the password in PGUSER and PGPASSWORD.",
);

/** Reads `postgres://HOST[:PORT]/DATABASE[?state=NAME&sslmode=MODE]`; throws a `StateError`. */
export function postgresAddress(text: string): PostgresAddress {
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
