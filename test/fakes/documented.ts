import type { ServerResponse } from "node:http";
import { isObject, type Json, type JsonObject } from "../../src/model/json.js";
import { type FakeServer, json, startServer } from "./server.js";

/** How a server answers to a path it does not have. */
export type Shrug = (response: ServerResponse) => void;

/** What routers, gateways and web servers are known to answer to a path they do not have. */
export const SHRUGS: Readonly<Record<string, Shrug>> = {
  "404 in plain text": (response) => response.writeHead(404, { "content-type": "text/plain" }).end("no"),
  "404 in JSON of its own": (response) => json(response, 404, { error: "no route" }),
  "404 in the service's own form": (response) => json(response, 404, { code: 5, message: "Not Found" }),
  "405": (response) => json(response, 405, { code: 12, message: "Method Not Allowed" }),
  "501": (response) => json(response, 501, { code: 12, message: "Not Implemented" }),
  "200 and a page": (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
  "200 and {}": (response) => json(response, 200, {}),
  "301": (response) => response.writeHead(301, { location: "/" }).end(),
  "400": (response) => json(response, 400, { code: 3, message: "bad request" }),
  "401": (response) => json(response, 401, { code: 16, message: "no such route for you" }),
  "403": (response) => json(response, 403, { code: 7, message: "forbidden" }),
  "500": (response) => json(response, 500, { code: 2, message: "unknown" }),
  "503": (response) => response.writeHead(503).end(),
  "a broken connection": (response) => response.destroy(),
};

/** A server with the four documented operations and a shrug for everything else. */
export function startDocumented(shrug: Shrug, entitlements: readonly JsonObject[] = []): Promise<FakeServer> {
  const made = new Set<string>();
  return startServer(({ method, url, body }, response) => {
    const { pathname } = new URL(url, "http://fake");
    const sent: Json = body === "" ? {} : (JSON.parse(body) as Json);
    const operation = isObject(sent) ? answerTo(`${method} ${pathname}`, sent, entitlements) : undefined;
    if (operation === undefined) return shrug(response);
    if (pathname.endsWith("/create") && made.has(pathname))
      return json(response, 409, { code: 6, message: "already exists" });
    made.add(pathname);
    return json(response, 200, operation);
  });
}

function answerTo(request: string, sent: JsonObject, entitlements: readonly JsonObject[]): Json | undefined {
  const [, app] = /^GET \/api\/v1\/apps\/([^/]+)\/entitlements$/.exec(request) ?? [];
  if (app !== undefined) {
    const list = entitlements
      .filter(({ appId }) => appId === app)
      .map((appEntitlement) => ({ appEntitlement }));
    return { list, expanded: [], nextPageToken: "" };
  }
  if (/^POST \/api\/v1\/access_review_template\/[^/]+\/scope_and_entitlements$/.test(request)) {
    const rows = Array.isArray(sent.entitlements) ? sent.entitlements : [];
    const list = rows.map((row) => ({ accessReviewTemplateEntitlement: row }));
    return { list, expanded: [], scope: sent.scope ?? null };
  }
  const [, of, entitlement] =
    /^POST \/api\/v1\/apps\/([^/]+)\/entitlements\/([^/]+)\/automation\/create$/.exec(request) ?? [];
  if (of !== undefined && entitlement !== undefined && isObject(sent.automation)) {
    return { automation: { ...sent.automation, appId: of, appEntitlementId: entitlement } };
  }
  const [, owner, type] = /^POST \/api\/v1\/apps\/([^/]+)\/resource_types\/([^/]+)$/.exec(request) ?? [];
  if (owner !== undefined && type !== undefined && isObject(sent.appResourceType)) {
    return { appResourceType: { ...sent.appResourceType, appId: owner, id: type }, expanded: [] };
  }
  return undefined;
}
