import { generateKeyPairSync } from "node:crypto";
import { isObject, type Json } from "../../model/json.js";
import type { Interface, Request, Response, Visitor } from "../http/exchange.js";
import { type Client, type Rights, signingSecret } from "./client.js";
import { type Devices, LOGIN_LIFETIME, POLL_INTERVAL } from "./devices.js";
import { GRANTS, type Granted } from "./grants.js";
import { STANDING, type Tokens } from "./tokens.js";

/** What the endpoints work with. */
export interface Desk {
  readonly clients: Map<string, Client>;
  readonly tokens: Tokens;
  readonly devices: Devices;
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
  readonly answer: (request: Request, desk: Desk, visitor: Visitor) => Response;
}

/** Everything about authentication that is served. */
export const ENDPOINTS: readonly Endpoint[] = [
  { name: "IssueToken", method: "POST", path: "/auth/v1/token", interfaces: ["core", "full"], answer: issue },
  {
    name: "AuthorizeDevice",
    method: "POST",
    path: "/auth/v1/device_authorization",
    interfaces: ["full"],
    answer: authorizeDevice,
  },
  {
    name: "ApproveDevice",
    method: "GET",
    path: "/auth/v1/device",
    interfaces: ["full"],
    answer: approveDevice,
  },
  {
    name: "AddPersonalClient",
    method: "POST",
    path: "/api/v1/iam/personal_clients",
    interfaces: ["full"],
    answer: addPersonalClient,
  },
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
    devices: desk.devices,
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

function authorizeDevice(request: Request, desk: Desk): Response {
  const client = formOf(request).get("client_id") ?? "";
  if (client === "") return denied({ error: "invalid_request", description: "client_id is required" });
  const { deviceCode, userCode } = desk.devices.begin(client);
  const place = `http://${request.host}/auth/v1/device`;
  return json(200, {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: place,
    verification_uri_complete: `${place}?user_code=${userCode}`,
    expires_in: LOGIN_LIFETIME,
    interval: POLL_INTERVAL,
  });
}

/** Where a person is sent to: opening it, on this machine, is the approval. */
function approveDevice(request: Request, desk: Desk, { isLocal }: Visitor): Response {
  const approved = isLocal && desk.devices.approve(request.query.get("user_code") ?? "");
  const words = approved ? "You are logged in. Go back to your terminal." : "No login has this code.";
  const headers = { "content-type": "text/html; charset=utf-8" };
  return {
    status: approved ? 200 : 404,
    headers,
    body: `<!doctype html><title>Login</title><p>${words}</p>`,
  };
}

function addPersonalClient(request: Request, desk: Desk, { client: userId }: Visitor): Response {
  const body = readObject(request.body);
  const displayName = String(body.displayName ?? body.display_name ?? "");
  const clientId = `personal-${desk.clients.size}@${hostName(request)}/pcc`;
  const secret = signingSecret(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }));
  desk.clients.set(clientId, { id: clientId, secret });
  return json(200, { client: { id: clientId, clientId, displayName, userId }, clientSecret: secret });
}

function introspect(_request: Request, desk: Desk, { client }: Visitor): Response {
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

function readObject(body: Uint8Array): { readonly [name: string]: Json } {
  try {
    const read: unknown = JSON.parse(Buffer.from(body).toString());
    return isObject(read) ? (read as { readonly [name: string]: Json }) : {};
  } catch {
    return {};
  }
}
