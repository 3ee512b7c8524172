import { randomBytes } from "node:crypto";

/** The access tokens that are good at the moment. */
export interface Tokens {
  /** How long a new token is good, in seconds. */
  readonly lifetime: number;
  /** A new token for a client. */
  issue(client: string): string;
  /** The client that the token was issued to; undefined where it is not good. */
  clientOf(token: string): string | undefined;
  /** Makes a token bad, at once. */
  revoke(token: string): void;
}

/** Tokens of that lifetime, and `standing` ones, which never expire and cannot be revoked. */
export function makeTokens(lifetime: number, standing: readonly string[], now: () => number): Tokens {
  const issued = new Map<string, { readonly client: string; readonly until: number }>();
  return {
    lifetime,
    issue(client) {
      for (const [token, { until }] of issued) if (until <= now()) issued.delete(token);
      const token = randomBytes(24).toString("base64url");
      issued.set(token, { client, until: now() + lifetime * 1000 });
      return token;
    },
    clientOf(token) {
      if (standing.includes(token)) return STANDING;
      const found = issued.get(token);
      return found !== undefined && found.until > now() ? found.client : undefined;
    },
    revoke: (token) => {
      issued.delete(token);
    },
  };
}

/** The client that a request with a standing token is attributed to. */
export const STANDING = "token";
