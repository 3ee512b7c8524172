import { resolve } from "node:path";
import { canonical, type Json, parseJson } from "../model/json.js";
import { say } from "../words/say.js";
import { type GitAddress, gitAddress, remoteUrl } from "./git/address.js";
import { type WebAddress, webAddress } from "./http/address.js";
import { malformed, type PostgresAddress, postgresAddress } from "./postgres/address.js";
import { type BucketAddress, bucketAddress } from "./s3/address.js";
import { type Contents, StateError } from "./store.js";

/** Where a state is kept. */
export type StateAddress =
  | { readonly as: "file"; readonly path: string }
  | ({ readonly as: "postgres" } & PostgresAddress)
  | ({ readonly as: "s3" } & BucketAddress)
  | ({ readonly as: "http" } & WebAddress)
  | ({ readonly as: "git" } & GitAddress);

/** What names a state whose address leaves its name out. */
interface NamedState {
  readonly server: string | null;
  readonly context: string | null;
}

/** What one kind of store says by its address; `cli/open/store.ts` has how it is opened. */
interface AddressRow<At = StateAddress> {
  /** What its addresses begin with, before the colon; null for a path. */
  readonly schemes: readonly (string | null)[];
  /** Throws a `StateError` for an address that cannot be used. */
  read(text: string): StateAddress;
  /** What two spellings of one state have in common. */
  identity(at: At, named: NamedState & { readonly root: string }): readonly Json[];
  /** Whether it is certain where the address has a password. */
  isReadable(at: At): boolean;
  /** The variables that it reads, beside those that every run may read. */
  readonly variables: readonly string[];
}

const always = () => true;

/** A row for each kind of store. */
const SCHEMES: {
  readonly [As in StateAddress["as"]]: AddressRow<Extract<StateAddress, { readonly as: As }>>;
} = {
  file: {
    schemes: [null],
    read(path) {
      if (/\/\/[^/]*:[^/]*@/.test(path))
        throw malformed("it has a user and a password, and no `postgres:` before them");
      return { as: "file", path };
    },
    identity: ({ path }, { root }) => [resolve(root, path)],
    isReadable: always,
    variables: [],
  },
  git: {
    schemes: ["git"],
    read: (text) => ({ as: "git", ...gitAddress(text) }),
    identity({ remote, name }, { server }) {
      const place = remote === null ? "origin" : remote.as === "name" ? remote.name : remote.url;
      return [place, name ?? { server }];
    },
    isReadable: ({ remote }) => remote?.as !== "url" || remoteUrl(remote.url) !== null,
    variables: ["REMIT_GIT_TOKEN"],
  },
  s3: {
    schemes: ["s3"],
    read: (text) => ({ as: "s3", ...bucketAddress(text) }),
    identity: ({ endpoint, bucket, key }) => [endpoint, bucket, key],
    isReadable: always,
    variables: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"],
  },
  postgres: {
    schemes: ["postgres", "postgresql"],
    read: (text) => ({ as: "postgres", ...postgresAddress(text) }),
    identity: ({ host, port, database, state }, { context }) => [host, port, database, state ?? { context }],
    isReadable: always,
    variables: ["PGUSER", "PGPASSWORD"],
  },
  http: {
    schemes: ["https", "http"],
    read: (text) => ({ as: "http", ...webAddress(text) }),
    identity: ({ shown }) => [shown],
    isReadable: always,
    variables: ["TF_HTTP_USERNAME", "TF_HTTP_PASSWORD"],
  },
};

/** Reads an address of a state; throws a `StateError` that names the kinds of address there are. */
export function readStateAddress(text: string): StateAddress {
  // A single letter is a drive.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase() ?? null;
  const row = Object.values(SCHEMES).find(({ schemes }) => schemes.includes(scheme));
  if (row !== undefined) return row.read(text);
  throw new StateError(say("state/address#scheme", { scheme: scheme ?? "" }));
}

/**
 * The address as messages show it: without user and password. Of one that cannot be used, only the scheme is shown:
 * where it has a password is not known.
 */
export function shownAddress(text: string): string {
  const hidden = text.replace(/^([a-z0-9+.-]*:)?.*$/is, "$1…");
  return ofUsable(text, hidden, (row, address) => (row.isReadable(address) ? withoutLogin(text) : hidden));
}

/** An address without a user and a password: where a mark in one may have ended it early, all up to the last @ is left out. */
export function withoutLogin(text: string): string {
  return text.replace(/\/\/(.*)@/gs, (_all, login: string) => (/[/?#]/.test(login) ? "//…@" : "//"));
}

/** The state that an address leads to, so that two spellings of one are equal; an address that cannot be used is itself. */
export function stateIdentity(text: string, root: string, named: NamedState): string {
  return ofUsable(text, text, (row, address) =>
    canonical([address.as, ...row.identity(address, { ...named, root })]),
  );
}

/** The variables that the store of an address reads; none of one that cannot be used. */
export function variablesOf(text: string): readonly string[] {
  return ofUsable(text, [], ({ variables }) => variables);
}

function ofUsable<T>(text: string, other: T, use: (row: AddressRow, address: StateAddress) => T): T {
  try {
    const address = readStateAddress(text);
    return use(SCHEMES[address.as], address);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return other;
  }
}

/** One state of a repository, a bucket, a database or a folder. */
export interface StoredState {
  /** What `state:` names it by, without a password. */
  readonly address: string;
  /** Null where it names none. */
  readonly project: string | null;
  /** How often it was saved; null where it has only a lock or a journal. */
  readonly serial: number | null;
  readonly held: Contents["held"];
}

/** The project that the text of a kept snapshot names, by its first lines; null where it names none. */
export function projectIn(text: string): string | null {
  const project = parseJson(
    /^ {2}"project": (".*"),$/m.exec(text.split('\n  "entries"')[0] ?? "")?.[1] ?? "",
  );
  return typeof project === "string" ? project : null;
}
