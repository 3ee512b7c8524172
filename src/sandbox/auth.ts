import { type Client, DEFAULT_CLIENT } from "./auth/client.js";
import { makeDevices } from "./auth/devices.js";
import { type Desk, ENDPOINTS } from "./auth/endpoints.js";
import { makeTokens } from "./auth/tokens.js";
import type { Interface, Request, Response } from "./exchange.js";

/** Who may come in, and how long. */
export interface AuthOptions {
  /** A token that is always good. */
  readonly token?: string;
  /** Who may ask for tokens; the default client when there is none. */
  readonly clients?: readonly Client[];
  /** How long an issued token is good, in seconds; 600 when absent. */
  readonly lifetime?: number;
}

/** The doorkeeper: hands out tokens and knows them again. */
export interface Auth {
  /** The answer to a request that is about authentication itself; undefined for any other. */
  answer(request: Request, client: string): Response | undefined;
  /** The client that an `Authorization` header stands for; undefined where it is not good. */
  clientOf(authorization: string | undefined): string | undefined;
  /** Makes the header's token bad. */
  revoke(authorization: string | undefined): void;
}

/** A doorkeeper with those options; now is in milliseconds since 1970. */
export function makeAuth(options: AuthOptions, spoken: Interface, now: () => number): Auth {
  const clients = options.clients?.length ? options.clients : [DEFAULT_CLIENT];
  const standing = options.token === undefined ? [] : [options.token];
  const nonces = new Set<string>();
  const desk: Desk = {
    clients: new Map(clients.map((client) => [client.id, client])),
    tokens: makeTokens(options.lifetime ?? 600, standing, now),
    devices: makeDevices(now),
    now,
    isUsed(nonce) {
      const used = nonces.has(nonce);
      nonces.add(nonce);
      return used;
    },
    interface: spoken,
  };
  const endpoints = ENDPOINTS.filter((endpoint) => endpoint.interfaces.includes(spoken));
  return {
    answer({ method, path, ...rest }, client) {
      const endpoint = endpoints.find((each) => each.path === path && each.method === method);
      return endpoint?.answer({ method, path, ...rest }, desk, client);
    },
    clientOf(authorization) {
      const token = bearer(authorization);
      return token === undefined ? undefined : desk.tokens.clientOf(token);
    },
    revoke(authorization) {
      const token = bearer(authorization);
      if (token !== undefined) desk.tokens.revoke(token);
    },
  };
}

const SECRET = /(^|&)(client_secret|client_assertion|subject_token|device_code)=[^&]*/g;

/** A form with everything covered that would let its reader in. */
export function coverSecrets(form: string): string {
  return form.replace(SECRET, "$1$2=(secret)");
}

function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}
