import { Buffer } from "node:buffer";
import { createPrivateKey, type KeyObject, randomBytes, sign } from "node:crypto";
import type { Clock } from "../../../model/clock.js";
import { isObject, type Json } from "../../../model/json.js";
import { Secret } from "../../../model/secret.js";

/** How long an assertion holds before and after it is made, in seconds. */
const LEEWAY = 120;

/** Whether a client's secret is a key to sign with, by its form. */
export function isSigningKey(secret: Secret): boolean {
  return secret.reveal().startsWith("secret-token:");
}

/** The part of such a secret that is one; what stands before it, its domain included, is public. */
export function encodedKey(secret: Secret): Secret {
  const text = secret.reveal();
  return new Secret(text.slice(text.lastIndexOf(":") + 1));
}

/** The private key in a secret of the form `secret-token:DOMAIN:v1:JWK`; undefined where there is none. */
export function readSigningKey(secret: Secret): KeyObject | undefined {
  const [scheme, , version, encoded, ...more] = secret.reveal().split(":");
  if (scheme !== "secret-token" || version !== "v1" || encoded === undefined || more.length > 0)
    return undefined;
  try {
    const jwk = JSON.parse(Buffer.from(encoded, "base64url").toString("utf8")) as Json;
    if (!isObject(jwk) || jwk.kty !== "OKP" || jwk.crv !== "Ed25519") return undefined;
    return createPrivateKey({
      key: { kty: jwk.kty, crv: jwk.crv, d: String(jwk.d), x: String(jwk.x) },
      format: "jwk",
    });
  } catch {
    return undefined;
  }
}

/** Signs a client's assertion for one audience and a few minutes; it is as secret as a token. */
export function signAssertion(
  key: KeyObject,
  clientId: string,
  audience: string,
  clock: Pick<Clock, "now">,
): Secret {
  const now = Math.floor(clock.now() / 1000);
  const header = { alg: "EdDSA", typ: "JWT", nonce: randomBytes(16).toString("hex") };
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: audience,
    iat: now,
    nbf: now - LEEWAY,
    exp: now + LEEWAY,
  };
  const text = `${encode(header)}.${encode(claims)}`;
  return new Secret(`${text}.${sign(null, Buffer.from(text), key).toString("base64url")}`);
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
