import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { isObject } from "../../model/json.js";

/** A public key as JSON (RFC 7517). */
type Jwk = JsonWebKey;

/** How a client shows who it is: by a secret, by a key it signs with, or by another's word for it. */
export type Proof =
  | { readonly secret: string }
  | { readonly publicKey: Jwk }
  | {
      readonly trusts: {
        /** The `iss` of the tokens believed; any when absent. */
        readonly issuer?: string;
        /** The `sub` of the tokens believed, where `*` stands for any text; any when absent. */
        readonly subject?: string;
        /** What the tokens are signed with; when absent, signatures are not looked at. */
        readonly publicKey?: Jwk;
      };
    };

/** A client that may ask for tokens: `name@host/suffix`, and a proof. */
export type Client = { readonly id: string } & Proof & Rights;

/** Who a client acts for, and what it may do: everything, where nothing is said. */
export interface Rights {
  readonly userId?: string;
  readonly roles?: readonly string[];
  /** The operations that it may not use; `*` stands for any text. */
  readonly denies?: readonly string[];
}

/** The token of a sandbox that was given none. */
export const DEFAULT_TOKEN = "sandbox";

/** The client of a sandbox that was given neither a client nor a token. */
export const DEFAULT_CLIENT = { id: "sandbox@127.0.0.1/spc", secret: "sandbox" } as const satisfies Client;

const SIGNING_SECRET = /^secret-token:[^:]+:v1:([A-Za-z0-9_-]+)$/;

/** The secret text that holds a private key. */
export function signingSecret(privateKey: Jwk): string {
  const encoded = Buffer.from(JSON.stringify(privateKey)).toString("base64url");
  return `secret-token:conductorone.com:v1:${encoded}`;
}

/** The key that a client's assertions are signed with; undefined where it has none. */
export function assertionKey(client: Client): KeyObject | undefined {
  if ("publicKey" in client) return keyOf(client.publicKey);
  if (!("secret" in client)) return undefined;
  const encoded = SIGNING_SECRET.exec(client.secret)?.[1];
  return encoded === undefined ? undefined : keyOf(readJwk(encoded));
}

/** The public key in a JWK, of a private one its public half; undefined where it is none. */
export function keyOf(jwk: Jwk | undefined): KeyObject | undefined {
  if (jwk === undefined) return undefined;
  const { d: _private, ...open } = jwk;
  try {
    return createPublicKey({ key: open, format: "jwk" });
  } catch {
    return undefined;
  }
}

function readJwk(encoded: string): Jwk | undefined {
  try {
    const jwk: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString());
    return isObject(jwk) ? jwk : undefined;
  } catch {
    return undefined;
  }
}
