import { groupBy } from "../model/groupBy.js";
import { isObject, type Json } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { Shape, SpecShape, ValueDiagnostic } from "../schema/shape.js";
import { say } from "../words/say.js";

/** The names that `apps:` in the project's file gives to ids of apps. */
export type AppNames = Readonly<Record<string, string>>;

/** Names of apps that a reader could confuse, by what they have in common. */
export type AppIndex = ReadonlyMap<string, readonly (readonly [name: string, id: string])[]>;

/** Apps by their names without case and spacing. */
export function indexApps(apps: AppNames): AppIndex {
  return groupBy(Object.entries(apps), ([name]) => bare(name));
}

/**
 * What is wrong with a reference to an app by name, as far as `apps:` shows. A name that it does not contain may still
 * be known to the service.
 */
export function mistaken(visited: Visited, apps: AppIndex): ValueDiagnostic | undefined {
  const { value, shape } = visited;
  if (apps.size === 0) return undefined;
  if (shape.type !== "string" || shape.form.is !== "id" || shape.form.of !== "app") return undefined;
  const name = isObject(value) && Object.hasOwn(value, "name") ? value.name : undefined;
  if (typeof name !== "string") return undefined;
  const alike = apps.get(bare(name)) ?? [];
  const exact = alike.find(([known]) => known === name);
  const others = alike.filter(([, id]) => id !== exact?.[1]);
  if (others.length === 0) return undefined;
  const listed = alike.map(([known, id]) => `${JSON.stringify(known)} (${id})`).join(", ");
  const fault = { path: [...pathTo(visited), "name"], on: "value" } as const;
  if (exact === undefined && others.length === 1) return say("reference/look-alike", { name, listed }, fault);
  return say(
    "reference/ambiguous#mistaken",
    { alike: alike.length, name, listed },
    { ...fault, severity: exact === undefined ? "error" : "warning" },
  );
}

function bare(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{Cf}]+/gu, "");
}

/** A value inside a manifest, its shape in the schema, and its path, from the inside out. */
export interface Visited {
  readonly value: Json;
  readonly shape: Shape | SpecShape;
  readonly name: string | number;
  readonly within: Visited | null;
}

/** The path to a visited value, counted from the manifest. */
export function pathTo({ name, within }: Visited): Path {
  return within === null ? [name] : [...pathTo(within), name];
}

/** Visits a value and every value inside it that its shape knows, the outer before the inner. */
export function walk(visited: Visited, visit: (visited: Visited) => void): void {
  visit(visited);
  const { value, shape } = visited;
  if (shape.type === "list" && Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1)
      walk({ value: value[at] ?? null, shape: shape.item, name: at, within: visited }, visit);
  } else if ((shape.type === "object" || shape.type === "map") && isObject(value)) {
    for (const name of Object.keys(value)) {
      const field = shape.type === "map" ? shape.value : shape.fields.get(name);
      if (field !== undefined)
        walk({ value: value[name] ?? null, shape: field, name, within: visited }, visit);
    }
  }
}
