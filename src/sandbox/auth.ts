import { makeTokens } from "./auth/tokens.js";
import type { Request, Response } from "./exchange.js";

/** Who may come in, and how long. */
export interface AuthOptions {
  /** A token that is always good. */
  readonly token?: string;
  /** How long an issued token is good, in seconds. */
  readonly lifetime?: number;
}

/** The doorkeeper: hands out tokens and knows them again. */
export interface Auth {
  /** The answer to a request that is about authentication itself; undefined for any other. */
  answer(request: Request, authorization: string | undefined): Response | undefined;
  /** The client that an `Authorization` header stands for; undefined where it is not good. */
  clientOf(authorization: string | undefined): string | undefined;
  /** Makes the header's token bad. */
  revoke(authorization: string | undefined): void;
  /** The body of a request to that path with its secrets covered. */
  masked(path: string, body: string): string;
}

/** The doorkeeper of those options. */
export function makeAuth(options: AuthOptions, now: () => number): Auth {
  const standing = options.token === undefined ? [] : [options.token];
  const tokens = makeTokens(options.lifetime ?? 600, standing, now);
  return {
    answer: () => undefined,
    clientOf(authorization) {
      const token = bearer(authorization);
      return token === undefined ? undefined : tokens.clientOf(token);
    },
    revoke(authorization) {
      const token = bearer(authorization);
      if (token !== undefined) tokens.revoke(token);
    },
    masked: (_path, body) => body,
  };
}

function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}
