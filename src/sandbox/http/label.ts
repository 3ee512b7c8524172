import { isRead } from "../answer/operation.js";
import { SERVED } from "../answer/operations.js";
import { ENDPOINTS } from "../auth/endpoints.js";
import type { Interface } from "./exchange.js";
import { makePathFinder } from "./paths.js";

/** What a method and a path alone tell of a request. */
export interface Named {
  /** The name of the operation; null where there is none. */
  readonly operation: string | null;
  /** Whether the operation, where it succeeds, changes the tenant. */
  readonly writes: boolean;
  /** Whether a good token is asked for. */
  readonly guarded: boolean;
}

export type Label = (method: string, path: string) => Named;

/** What an interface's description, which everybody may read, has for a path. */
const DESCRIPTION = "/api/v1/openapi.yaml";

/** Tells requests of one interface apart. */
export function makeLabel(spoken: Interface): Label {
  const find = makePathFinder(SERVED[spoken]);
  const endpoints = ENDPOINTS.filter((endpoint) => endpoint.interfaces.includes(spoken));
  return (method, path) => {
    const operation = find(path)?.operations.find((each) => each.method === method);
    const endpoint = endpoints.find((each) => each.path === path && each.method === method);
    return {
      operation: operation?.name ?? endpoint?.name ?? null,
      writes: operation !== undefined && !isRead(operation),
      guarded: path.startsWith("/api/") && path !== DESCRIPTION,
    };
  };
}
