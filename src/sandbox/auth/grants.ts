import { type KeyObject, timingSafeEqual, verify } from "node:crypto";
import { isObject, type JsonObject } from "../../model/json.js";
import { makePattern } from "../faults/pattern.js";
import { assertionKey, type Client, keyOf } from "./client.js";

/** A token request that will not be met: the word for it of OAuth 2.0 (RFC 6749), and what to do. */
interface Denial {
  readonly error: string;
  readonly description: string;
}

/** The client that a token is for, or why there is none. */
export type Granted = { readonly client: string } | Denial;

/** What the grants are judged with. */
interface Judge {
  readonly find: (clientId: string) => Client | undefined;
  /** The host that was asked, without a port. */
  readonly host: string;
  /** Seconds since 1970. */
  readonly now: number;
  readonly isUsed: (nonce: string) => boolean;
}

type Grant = (form: URLSearchParams, judge: Judge) => Granted;

/** Each grant under the name that a token request gives it. */
export const GRANTS: ReadonlyMap<string, Grant> = new Map([
  ["client_credentials", byCredentials],
  ["urn:ietf:params:oauth:grant-type:token-exchange", byExchange],
]);

/** A signed token (RFC 7519), taken apart but not yet believed. */
interface Jwt {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

/** The digest that goes with each algorithm; Ed25519 has its own. */
const DIGESTS: Readonly<Record<string, string | null>> = { EdDSA: null, RS256: "sha256", ES256: "sha256" };

function byCredentials(form: URLSearchParams, judge: Judge): Granted {
  const client = judge.find(form.get("client_id") ?? "");
  if (client === undefined) return deny("invalid_client", "no client has this client_id");
  const assertion = form.get("client_assertion");
  if (assertion !== null) return byAssertion(assertion, form, client, judge);
  const secret = form.get("client_secret");
  if (secret === null)
    return deny("invalid_request", "client_secret or client_assertion is required in the body");
  if (!("secret" in client) || !isSame(secret, client.secret))
    return deny("invalid_client", "client_secret is wrong");
  return { client: client.id };
}

function byAssertion(assertion: string, form: URLSearchParams, client: Client, judge: Judge): Granted {
  if (form.get("client_assertion_type") !== ASSERTION_TYPE)
    return deny("invalid_request", `client_assertion_type must be ${ASSERTION_TYPE}`);
  const key = assertionKey(client);
  if (key === undefined) return deny("invalid_client", "the client has no key to sign with");
  const hosts = [...new Set([judge.host, hostOf(client.id)])];
  const { now, isUsed } = judge;
  const fault = faultOfAssertion(assertion, { clientId: client.id, key, hosts, now, isUsed });
  return fault === undefined ? { client: client.id } : deny("invalid_client", fault);
}

function byExchange(form: URLSearchParams, judge: Judge): Granted {
  const client = judge.find(form.get("client_id") ?? "");
  if (client === undefined) return deny("invalid_client", "no client has this client_id");
  if (form.get("subject_token_type") !== SUBJECT_TYPE)
    return deny("invalid_request", `subject_token_type must be ${SUBJECT_TYPE}`);
  const fault = faultOfSubject(form.get("subject_token") ?? "", client, judge.now);
  return fault === undefined ? { client: client.id } : deny("invalid_grant", fault);
}

function deny(error: string, description: string): Denial {
  return { error, description };
}

/** The host that a client's id names: `name@host/suffix`. */
function hostOf(clientId: string): string {
  return /@([^/:]+)/.exec(clientId)?.[1] ?? "";
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The name of the tokens below, as a token request gives it. */
const SUBJECT_TYPE = "urn:ietf:params:oauth:token-type:jwt";

/** The oldest that a subject token may be, in seconds. */
const OLDEST = 600;

/** Why another's word for a client is not believed; undefined where it is. Now is in seconds since 1970. */
function faultOfSubject(token: string, client: Client, now: number): string | undefined {
  if (!("trusts" in client)) return "the client is not federated";
  const { issuer, subject, publicKey } = client.trusts;
  const jwt = readJwt(token);
  if (jwt === undefined) return "subject_token is not a JWT";
  const key = keyOf(publicKey);
  if (publicKey !== undefined && (key === undefined || !isSignedWith(jwt, key)))
    return "subject_token has a bad signature";
  if (issuer !== undefined && jwt.claims.iss !== issuer) return "iss is not the trusted issuer";
  if (subject !== undefined && !makePattern(subject)(String(jwt.claims.sub))) return "sub is not trusted";
  if ((timeOf(jwt, "exp") ?? now + 1) <= now) return "subject_token has expired";
  return now - (timeOf(jwt, "iat") ?? now) > OLDEST ? "subject_token is more than 10 minutes old" : undefined;
}

/** The name of the assertions below, as a token request gives it. */
const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** What an assertion is held against. */
interface Expected {
  readonly clientId: string;
  readonly key: KeyObject;
  /** The hosts it may be meant for, without a port. */
  readonly hosts: readonly string[];
  /** Seconds since 1970. */
  readonly now: number;
  /** Whether an assertion of that nonce has been here before. */
  readonly isUsed: (nonce: string) => boolean;
}

/** The longest that an assertion may be good, in seconds. */
const LONGEST = 300;

/** What is wrong with a client's signed assertion; undefined where nothing is. */
function faultOfAssertion(assertion: string, expected: Expected): string | undefined {
  const { clientId, key, hosts, now, isUsed } = expected;
  const jwt = readJwt(assertion);
  if (jwt === undefined) return "client_assertion is not a JWT";
  const { header, claims } = jwt;
  if (header.alg !== "EdDSA") return "client_assertion must be signed with EdDSA";
  if (!isSignedWith(jwt, key)) return "client_assertion has a bad signature";
  if (claims.iss !== clientId || claims.sub !== clientId) return "iss and sub must both be the client_id";
  const audience = [claims.aud].flat();
  if (!audience.some((aud) => hosts.some((host) => host === aud))) return `aud must be ${hosts.join(" or ")}`;
  const expires = timeOf(jwt, "exp");
  if (expires === undefined || expires <= now) return "client_assertion has expired";
  if (expires - now > LONGEST) return "exp is more than 5 minutes ahead";
  if ((timeOf(jwt, "nbf") ?? 0) > now) return "client_assertion is not yet valid";
  if (typeof header.nonce !== "string" || header.nonce === "") return "the header must have a nonce";
  return isUsed(header.nonce) ? "client_assertion was used before" : undefined;
}

/** Takes a token apart; undefined where it is none. */
export function readJwt(token: string): Jwt | undefined {
  const [header, claims, signature, ...rest] = token.split(".");
  if (header === undefined || claims === undefined || signature === undefined || rest.length > 0)
    return undefined;
  const read = [header, claims].map(readPart);
  if (read[0] === undefined || read[1] === undefined) return undefined;
  return {
    header: read[0],
    claims: read[1],
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, "base64url"),
  };
}

/** Whether the token was signed with that key, by an algorithm that we know. */
function isSignedWith(jwt: Jwt, key: KeyObject): boolean {
  const algorithm = String(jwt.header.alg);
  const digest = Object.hasOwn(DIGESTS, algorithm) ? DIGESTS[algorithm] : undefined;
  if (digest === undefined) return false;
  try {
    return verify(digest, jwt.signed, { key, dsaEncoding: "ieee-p1363" }, jwt.signature);
  } catch {
    return false;
  }
}

/** A claim that is a time, in seconds since 1970. */
function timeOf(jwt: Jwt, claim: "exp" | "iat" | "nbf"): number | undefined {
  const value = jwt.claims[claim];
  return typeof value === "number" ? value : undefined;
}

function readPart(part: string): JsonObject | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return isObject(read) ? (read as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
