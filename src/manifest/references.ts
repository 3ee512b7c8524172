import { groupBy } from "../model/groupBy.js";
import { isObject } from "../model/json.js";
import type { ValueDiagnostic } from "../schema/shape.js";
import { say } from "../words/say.js";
import { pathTo, type Visited } from "./walk.js";

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
