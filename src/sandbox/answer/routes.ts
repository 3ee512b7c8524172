import type { Random } from "../../model/clock.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { isDisowned } from "../collections/owners.js";
import type { Interface, Quirks, Request, Response, Serve } from "../http/exchange.js";
import { describeApiAsYaml } from "../http/openapi/document.js";
import { makePathFinder } from "../http/paths.js";
import { makeTraceId } from "../tenant/identity.js";
import type { Store } from "../tenant/store.js";
import { laggedStore, wilfulStore } from "../tenant/wilful.js";
import type { Message, Type } from "../wire/descriptor.js";
import { emitter, zero } from "../wire/emit.js";
import { makeBeyond } from "../wire/later.js";
import { writeTimestamp } from "../wire/moment.js";
import { readRequest } from "./decoding.js";
import { isRead, type Operation, Refusal, type World } from "./operation.js";
import { SERVED } from "./operations.js";

/** What the routes are made over. */
interface Premises {
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
  const find = makePathFinder(SERVED[premises.interface]);
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
    if (!isRead(operation) && isDisowned([...parameters.values()], world))
      throw new Refusal("permissionDenied", "you do not own it any more");
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
  const { listLag = 0, ownersLag = 0 } = quirks;
  if (/^List\w+Owner/.test(name)) return laggedStore(store, now, { listLag: Math.max(listLag, ownersLag) });
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

/** The field that no description names. */
export const UNKNOWN_FIELD = "fieldOfALaterVersion";

/** The field that no description names and that is another one at each read. */
export const VOLATILE_FIELD = "nextRunAt";

const HOUR = 3_600_000;

/** What is put behind an enumerated value to make one that no description names. */
export const UNKNOWN_ENUM = "_OF_A_LATER_VERSION";

/** The lists whose order is part of what they say. */
const ORDERED: ReadonlySet<string> = new Set(["steps", "rules", "provisionSteps", "expressions"]);

/** A reply as a later version of the service, or one in another mood, would send it. */
function disturb(
  type: Message,
  reply: JsonObject,
  { quirks, random, now }: Pick<World, "quirks" | "random" | "now">,
): JsonObject {
  const { unknownFields, unknownEnums, shuffleLists, volatileFields, hiddenFields = [] } = quirks;
  const isPlain = !unknownFields && !unknownEnums && !shuffleLists && !volatileFields;
  if (isPlain && hiddenFields.length === 0) return reply;

  function ofMessage(type: Message, value: JsonObject): JsonObject {
    const entries = Object.entries(value).map(([name, member]): [string, Json] => {
      const field = type.fields.get(name);
      if (field !== undefined && hiddenFields.includes(name)) return [name, zero(field)];
      return [name, field === undefined ? member : ofValue(field, member, ORDERED.has(name))];
    });
    return {
      ...Object.fromEntries(entries),
      ...(unknownFields ? { [UNKNOWN_FIELD]: {} } : {}),
      ...(volatileFields && type.fields.has("updatedAt")
        ? { [VOLATILE_FIELD]: writeTimestamp(now + Math.floor(random() * HOUR)) }
        : {}),
    };
  }

  function ofValue(type: Type, value: Json, isOrdered = false): Json {
    if (typeof type === "string") return value;
    if (type.kind === "enum") return unknownEnums && type.told ? `${value}${UNKNOWN_ENUM}` : value;
    if (type.kind === "message") return isObject(value) ? ofMessage(type, value) : value;
    if (type.kind === "list" && Array.isArray(value)) {
      const items = value.map((item) => ofValue(type.of, item));
      // Rows point into `expanded` by place, so its order is part of what it says.
      return shuffleLists && !isOrdered && type.of !== "any" ? shuffled(items, random) : items;
    }
    if (type.kind === "map" && isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, ofValue(type.of, item)]));
    }
    return value;
  }

  return ofMessage(type, reply);
}

function shuffled(items: readonly Json[], random: Random): readonly Json[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
