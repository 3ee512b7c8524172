import type { KeyObject } from "node:crypto";
import { isSignedWith, readJwt, timeOf } from "./jwt.js";

/** The name of the assertions below, as a token request gives it. */
export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** What an assertion is held against. */
export interface Expected {
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
export function faultOfAssertion(assertion: string, expected: Expected): string | undefined {
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
