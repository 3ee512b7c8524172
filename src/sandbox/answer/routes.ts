import type { Random } from "../../model/clock.js";
import type { JsonObject } from "../../model/json.js";
import type { Interface, Quirks, Request, Response, Serve } from "../http/exchange.js";
import { describeApiAsYaml } from "../http/openapi/document.js";
import { makePathFinder } from "../http/paths.js";
import { makeTraceId } from "../tenant/identity.js";
import { laggedStore } from "../tenant/lagged.js";
import type { Store } from "../tenant/store.js";
import { wilfulStore } from "../tenant/wilful.js";
import { emitter } from "../wire/emit.js";
import { makeBeyond } from "../wire/later.js";
import { readRequest } from "./decoding.js";
import { disturb, UNKNOWN_FIELD } from "./disturbance.js";
import type { Operation } from "./operation.js";
import { OPERATIONS } from "./operations.js";
import { Refusal } from "./refusal.js";

/** What the routes are made over. */
export interface Premises {
  readonly store: Store;
  readonly interface: Interface;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: Random;
  /** Asked at each request, so that the world may change while it is served. */
  readonly quirks: () => Quirks;
}

const DESCRIPTION = "/api/v1/openapi.yaml";

/** The service's inside: answers every request, at once, from the store. */
export function makeRoutes(premises: Premises): Serve {
  const served = OPERATIONS.filter((operation) => operation.interfaces.includes(premises.interface));
  const find = makePathFinder(served);
  return (request) => {
    if (request.path === DESCRIPTION && request.method === "GET") {
      return plain(200, describeApiAsYaml(premises.interface), "application/yaml");
    }
    const found = find(request.path);
    const operation = found?.operations.find((each) => each.method === request.method);
    if (found === undefined) return premises.interface === "core" ? NOT_FOUND : elsewhere(request, find);
    if (operation === undefined) return wrongMethod(found.operations, premises.interface);
    return perform(operation, request, found.parameters, premises);
  };
}

function perform(
  operation: Operation,
  request: Request,
  parameters: ReadonlyMap<string, string>,
  premises: Premises,
): Response {
  const { store, random } = premises;
  const quirks = premises.quirks();
  const traceId = makeTraceId(random);
  try {
    const beyond = makeBeyond(isLater(store, quirks), quirks.unknownFields ? UNKNOWN_FIELD : null);
    const strict = premises.interface === "full";
    const asked = readRequest(operation, request, parameters, { strict, beyond });
    if (asked === undefined) return plain(500, "");
    const now = premises.now();
    const seen = storeFor(operation, store, quirks, now);
    const world = { store: seen, interface: premises.interface, now, random, quirks };
    const told = emitter(operation.response)(operation.answer(asked, world));
    const reply = disturb(operation.response, told, world);
    const spaced = quirks.spacing === true && random() < 0.5;
    return json(200, spaced ? JSON.stringify(reply, null, 1) : reply, traceId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const message = `${error.message} (request-id: ${traceId})`;
    return json(error.status, { code: error.code, message }, traceId);
  }
}

function isLater(store: Store, { laterVersion = store.laterVersion }: Quirks): boolean {
  return laterVersion;
}

/** The store as an operation meets it: lists may lag behind it, and writes may not go in as they were sent. */
function storeFor({ name }: Operation, store: Store, quirks: Quirks, now: number): Store {
  if (/^(List|Search)/.test(name)) return laggedStore(store, now, quirks);
  return wilfulStore(store, quirks);
}

/** The answer to a path that is none of the service's: a redirect where a tidied one is, else nothing or the web app. */
function elsewhere(request: Request, find: (path: string) => unknown): Response {
  if (!/^\/api(\/|$)/.test(request.path)) return plain(200, WEB_APP, "text/html; charset=utf-8");
  const tidied = `/${request.path.split("/").filter(Boolean).join("/")}`;
  if (tidied === request.path || find(tidied) === undefined) return NOT_FOUND;
  const query = request.query.toString();
  const location = query === "" ? tidied : `${tidied}?${query}`;
  return { status: 301, headers: { location }, body: "" };
}

function wrongMethod(operations: readonly Operation[], spoken: Interface): Response {
  if (spoken === "core") return NOT_FOUND;
  const allow = operations.map((operation) => operation.method).join(", ");
  return { ...plain(405, "405 method not allowed"), headers: { "content-type": TEXT, allow } };
}

const TEXT = "text/plain; charset=utf-8";
const NOT_FOUND = plain(404, "404 page not found");
const WEB_APP = '<!doctype html><html lang="en"><title>Access</title><div id="app"></div></html>';

function plain(status: number, body: string, type = TEXT): Response {
  return { status, headers: { "content-type": type }, body };
}

function json(status: number, body: JsonObject | string, traceId: string): Response {
  return { status, headers: { "content-type": "application/json", "c1-trace-id": traceId }, body };
}
