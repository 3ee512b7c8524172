import type { Json } from "../../model/json.js";
import type { Interface, Request, Response } from "../http/exchange.js";
import type { Client, Rights } from "./client.js";
import { GRANTS, type Granted } from "./grants.js";
import { STANDING, type Tokens } from "./tokens.js";

/** What the endpoints work with. */
export interface Desk {
  readonly clients: ReadonlyMap<string, Client>;
  readonly tokens: Tokens;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly isUsed: (nonce: string) => boolean;
  readonly interface: Interface;
  /** The user that the token always good stands for; null where it belongs to no user. */
  readonly operatorId: string | null;
  readonly tenantId: string;
}

/** One thing that can be asked of the doorkeeper. */
interface Endpoint {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly interfaces: readonly Interface[];
  /** The client is the one that the request's token stands for; empty where there is none. */
  readonly answer: (request: Request, desk: Desk, client: string) => Response;
}

/** Everything about authentication that is served. */
export const ENDPOINTS: readonly Endpoint[] = [
  { name: "IssueToken", method: "POST", path: "/auth/v1/token", interfaces: ["core", "full"], answer: issue },
  {
    name: "Introspect",
    method: "GET",
    path: "/api/v1/auth/introspect",
    interfaces: ["full"],
    answer: introspect,
  },
];

function issue(request: Request, desk: Desk): Response {
  const form = formOf(request);
  const type = form.get("grant_type") ?? "";
  const grant = desk.interface === "core" && type !== "client_credentials" ? undefined : GRANTS.get(type);
  if (type === "") return denied({ error: "invalid_request", description: "grant_type is required" });
  if (grant === undefined)
    return denied({ error: "unsupported_grant_type", description: `${type} is not supported` });
  const granted = grant(form, {
    find: (id) => desk.clients.get(id),
    host: hostName(request),
    now: Math.floor(desk.now() / 1000),
    isUsed: desk.isUsed,
  });
  if (!("client" in granted)) return denied(granted);
  return json(200, {
    access_token: desk.tokens.issue(granted.client),
    token_type: "Bearer",
    expires_in: desk.tokens.lifetime,
  });
}

function introspect(_request: Request, desk: Desk, client: string): Response {
  const rights: Rights = desk.clients.get(client) ?? {};
  const userId = rights.userId ?? (client === STANDING ? desk.operatorId : null) ?? client;
  return json(200, {
    principleId: userId,
    userId,
    tenantId: desk.tenantId,
    roles: rights.roles ?? ["system/role:super-admin"],
    permissions: [],
    features: [],
    disabledModules: [],
    deviceClientId: "",
  });
}

function denied(denial: Exclude<Granted, { client: string }>): Response {
  const status = denial.error === "invalid_client" ? 401 : 400;
  return json(status, { error: denial.error, error_description: denial.description });
}

function json(status: number, body: Json): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { status, headers, body };
}

function formOf(request: Request): URLSearchParams {
  return new URLSearchParams(Buffer.from(request.body).toString());
}

function hostName(request: Request): string {
  return request.host.replace(/:\d+$/, "");
}
