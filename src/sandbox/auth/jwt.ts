import { type KeyObject, verify } from "node:crypto";
import { isObject, type JsonObject } from "../../model/json.js";

/** A signed token (RFC 7519), taken apart but not yet believed. */
interface Jwt {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly signed: Buffer;
  readonly signature: Buffer;
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

/** The digest that goes with each algorithm; Ed25519 has its own. */
const DIGESTS: Readonly<Record<string, string | null>> = { EdDSA: null, RS256: "sha256", ES256: "sha256" };

/** Whether the token was signed with that key, by an algorithm that we know. */
export function isSignedWith(jwt: Jwt, key: KeyObject): boolean {
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
export function timeOf(jwt: Jwt, claim: "exp" | "iat" | "nbf"): number | undefined {
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
