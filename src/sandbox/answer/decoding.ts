import type { Json, JsonObject } from "../../model/json.js";
import type { Request } from "../http/exchange.js";
import { checkId, isIdName } from "../tenant/identity.js";
import type { Type } from "../wire/descriptor.js";
import type { Beyond } from "../wire/later.js";
import { parse } from "../wire/parse.js";
import { type Operation, Refusal } from "./operation.js";

/** The largest body, in bytes: 4 MiB. */
const LARGEST = 4 * 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The request's message: of the body, then the query, then the path, the later over the earlier. Undefined where the
 * body is not text. Strict means that ids must look like ids.
 */
export function readRequest(
  operation: Operation,
  request: Request,
  parameters: ReadonlyMap<string, string>,
  { strict, beyond }: { readonly strict: boolean; readonly beyond: Beyond | undefined },
): JsonObject | undefined {
  const body = operation.method === "GET" ? "" : bodyText(request.body);
  if (body === undefined) return undefined;
  const ids = [...parameters].map(([name, value]): [string, Json] => [camelCase(name), value]);
  if (strict)
    for (const [name, id] of ids.filter(([name]) => isIdName(name)))
      checkId(operation.request, name, String(id));
  return {
    ...parse(body, operation.request, beyond),
    ...queryFields(operation, request.query),
    ...Object.fromEntries(ids),
  };
}

/** A parameter's name as messages have it. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function bodyText(body: Uint8Array): string | undefined {
  if (body.byteLength > LARGEST) throw new Refusal("invalidArgument", "request body too large");
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

function queryFields(operation: Operation, query: URLSearchParams): JsonObject {
  const entries = [...query].flatMap(([name, value]): [string, Json][] => {
    const field = camelCase(name);
    const type = operation.request.fields.get(field);
    const read = type === undefined ? undefined : readQuery(type, name, value);
    return read === undefined ? [] : [[field, read]];
  });
  return Object.fromEntries(entries);
}

function readQuery(type: Type, name: string, value: string): Json | undefined {
  if (type === "string") return value;
  if (type !== "int32") return undefined;
  if (value === "") return undefined;
  if (/^[+-]?\d{1,10}$/.test(value) && Math.abs(Number(value)) < 2 ** 31) return Number(value);
  throw new Refusal("invalidArgument", `${name}: ${JSON.stringify(value)} is not a valid int`);
}
