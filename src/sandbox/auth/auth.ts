import { makePattern } from "../faults/pattern.js";
import type { Interface, Request, Response } from "../http/exchange.js";
import { type Client, DEFAULT_CLIENT, DEFAULT_TOKEN, type Rights } from "./client.js";
import { type Desk, ENDPOINTS } from "./endpoints.js";
import { makeTokens } from "./tokens.js";

/** Who may come in, and how long. */
export interface AuthOptions {
  /** A token that is always good; the default one when absent. */
  readonly token?: string;
  /** Who may ask for tokens. When there is none, the default client may, unless a token was given. */
  readonly clients?: readonly Client[];
  /** How long an issued token is good, in seconds; 600 when absent. */
  readonly lifetime?: number;
  /** The user and the tenant that the token always good stands for. */
  readonly operatorId?: string;
  readonly tenantId?: string;
}

/** The doorkeeper: hands out tokens and knows them again. */
export interface Auth {
  /** A token that is always good. */
  readonly token: string;
  /** The answer to a request that is about authentication itself; undefined for any other. */
  answer(request: Request, client: string): Response | undefined;
  /** The client that an `Authorization` header stands for; undefined where it is not good. */
  clientOf(authorization: string | undefined): string | undefined;
  /** Whether that client may use an operation. */
  mayUse(client: string, operation: string | null): boolean;
  /** Makes the header's token bad. */
  revoke(authorization: string | undefined): void;
}

/** A doorkeeper with those options; now is in milliseconds since 1970. */
export function makeAuth(options: AuthOptions, spoken: Interface, now: () => number): Auth {
  const { token = DEFAULT_TOKEN, lifetime = 600 } = options;
  // A sandbox with its own token must not accept the public default credentials of this file.
  const standard: readonly Client[] = options.token === undefined ? [DEFAULT_CLIENT] : [];
  const clients = options.clients?.length ? options.clients : standard;
  const nonces = new Set<string>();
  const desk: Desk = {
    clients: new Map(clients.map((client) => [client.id, client])),
    tokens: makeTokens(lifetime, [token], now),
    now,
    isUsed(nonce) {
      const used = nonces.has(nonce);
      nonces.add(nonce);
      return used;
    },
    interface: spoken,
    operatorId: options.operatorId ?? null,
    tenantId: options.tenantId ?? "",
  };
  const endpoints = ENDPOINTS.filter((endpoint) => endpoint.interfaces.includes(spoken));
  return {
    token,
    answer(request, client) {
      const endpoint = endpoints.find((each) => each.path === request.path && each.method === request.method);
      return endpoint?.answer(request, desk, client);
    },
    clientOf(authorization) {
      const token = bearer(authorization);
      return token === undefined ? undefined : desk.tokens.clientOf(token);
    },
    mayUse(client, operation) {
      const { denies = [] }: Rights = desk.clients.get(client) ?? {};
      return operation === null || !denies.some((pattern) => makePattern(pattern)(operation));
    },
    revoke(authorization) {
      const token = bearer(authorization);
      if (token !== undefined) desk.tokens.revoke(token);
    },
  };
}

const NAMES = "client(?:_|%5f)(?:secret|assertion)|subject(?:_|%5f)token|access(?:_|%5f)token";
const FIELD = new RegExp(`(^|&)(${NAMES})=[^&]*`, "gi");
const MEMBER = new RegExp(`"(${NAMES})"\\s*:\\s*"(?:[^"\\\\]|\\\\.)*"`, "gi");

/** A form, a query, or JSON that came in the place of one, with everything covered that would let its reader in. */
export function coverSecrets(text: string): string {
  return text.replace(FIELD, "$1$2=(secret)").replace(MEMBER, '"$1":"(secret)"');
}

function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}
