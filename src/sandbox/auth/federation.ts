import { makePattern } from "../pattern.js";
import { type Client, keyOf } from "./client.js";
import { isSignedWith, readJwt, timeOf } from "./jwt.js";

/** The name of the tokens below, as a token request gives it. */
export const SUBJECT_TYPE = "urn:ietf:params:oauth:token-type:jwt";

/** The oldest that a subject token may be, in seconds. */
const OLDEST = 600;

/** Why another's word for a client is not believed; undefined where it is. Now is in seconds since 1970. */
export function faultOfSubject(token: string, client: Client, now: number): string | undefined {
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
