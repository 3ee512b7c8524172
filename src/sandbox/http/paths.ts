import { isRead, type Operation } from "../answer/operation.js";
import { SERVED } from "../answer/operations.js";
import { ENDPOINTS } from "../auth/endpoints.js";
import type { Interface } from "./exchange.js";

/** The operations that a path leads to, and the values that stand in its parameters' places. */
interface Found {
  readonly operations: readonly Operation[];
  /** By the parameter's name as the path has it. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Finds what a path leads to; a path with an empty segment leads nowhere. */
export function makePathFinder(operations: readonly Operation[]): (path: string) => Found | undefined {
  const forms = [...new Set(operations.map((operation) => operation.path))].map((path) => ({
    operations: operations.filter((operation) => operation.path === path),
    segments: path.split("/"),
  }));
  // A path with fewer parameters is the nearer one: `/entitlements/search` before `/entitlements/{id}`.
  forms.sort((one, other) => parameterCount(one.segments) - parameterCount(other.segments));
  return (path) => {
    const segments = path.split("/");
    for (const form of forms) {
      if (form.segments.length !== segments.length) continue;
      const parameters = match(form.segments, segments);
      if (parameters !== undefined) return { operations: form.operations, parameters };
    }
    return undefined;
  };
}

function parameterCount(segments: readonly string[]): number {
  return segments.filter((segment) => segment.startsWith("{")).length;
}

function match(
  form: readonly string[],
  segments: readonly string[],
): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (const [place, wanted] of form.entries()) {
    const segment = segments[place] ?? "";
    if (wanted === segment) continue;
    if (!wanted.startsWith("{") || segment === "") return undefined;
    const value = decoded(segment);
    if (value === undefined) return undefined;
    parameters.set(wanted.slice(1, -1), value);
  }
  return parameters;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

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
