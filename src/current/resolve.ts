import type { Resource } from "../manifest/resource.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { Shape, SpecShape, Target } from "../schema/shape.js";
import type { Candidate, Directory } from "./directory.js";

/** A spec with ids where names stood; or what stood in the way of it. */
export interface Resolved {
  readonly spec: JsonObject;
  /** Names that lead to nothing or to several: the author's mistakes. */
  readonly faults: readonly Diagnostic[];
  /** Names that could not be looked up: nobody's mistake. */
  readonly unseen: readonly Diagnostic[];
}

const FINDERS = ["name", "alias", "slug"] as const;
type Finder = (typeof FINDERS)[number];

const NOUN: Readonly<Record<Target, string>> = {
  app: "app",
  entitlement: "entitlement",
  resourceType: "resource type",
  template: "template",
  user: "user",
  other: "object",
};

/** Puts ids in the place of every `{ name }`, `{ alias }` and `{ slug }` of a resource's spec. */
export async function resolve(resource: Resource, shape: SpecShape, directory: Directory): Promise<Resolved> {
  if (!hasFinder(resource.spec, shape)) return { spec: resource.spec, faults: [], unseen: [] };
  const faults: Diagnostic[] = [];
  const unseen: Diagnostic[] = [];

  const visit = async (
    value: Json,
    at: Shape | SpecShape | undefined,
    path: Path,
    within: string,
  ): Promise<Json> => {
    if (at === undefined || value === null || typeof value !== "object") return value;
    if (at.type === "string" && at.form.is === "id" && isObject(value))
      return (await find(value, at.form.of, path, within)) ?? value;
    if (at.type === "list" && Array.isArray(value))
      return Promise.all(value.map((item, index) => visit(item, at.item, [...path, index], within)));
    if (at.type === "map" && isObject(value))
      return mapMembers(value, (name, member) => visit(member, at.value, [...path, name], within));
    if (at.type !== "object" || !isObject(value)) return value;
    // The app comes first: what stands beside it is looked for within it.
    const appName = [...at.fields].find(([, field]) => isIdOf(field, "app"))?.[0];
    const app =
      appName === undefined || !Object.hasOwn(value, appName)
        ? undefined
        : await visit(value[appName] ?? null, at.fields.get(appName), [...path, appName], within);
    const inside = typeof app === "string" ? app : within;
    return mapMembers(value, (name, member) =>
      name === appName && app !== undefined
        ? Promise.resolve(app)
        : visit(member, at.fields.get(name), [...path, name], inside),
    );
  };

  const find = async (
    finder: JsonObject,
    target: Target,
    path: Path,
    app: string,
  ): Promise<string | undefined> => {
    const by = FINDERS.find((name) => typeof finder[name] === "string");
    if (by === undefined) return undefined;
    const wanted = String(finder[by]);
    const place = resource.place(["spec", ...path]);
    const noun = NOUN[target];
    const fault = (code: string, severity: "error" | "warning", message: string, hint: string) => ({
      code,
      severity,
      message,
      ...place,
      hint,
    });
    if (target !== "app" && app === "") return undefined;
    const list = await candidates(directory, target, app, by, wanted);
    if (list.as !== "got") {
      const why =
        list.as === "absent"
          ? `there is no app ${app}`
          : list.as === "failed"
            ? list.diagnostic.message
            : list.why;
      const hint =
        target === "app"
          ? "Write its id, or name it under `apps:` in remit.yaml."
          : "Write its id, or plan where the service can be asked.";
      unseen.push(
        fault("reference/unseen", "warning", `${noun} "${wanted}" could not be looked up: ${why}`, hint),
      );
      return undefined;
    }
    const matching = list.value.filter((one: Candidate) => one[by] === wanted);
    const [only, ...more] = matching;
    if (only !== undefined && more.length === 0) return only.id;
    faults.push(
      only === undefined
        ? fault(
            "reference/not-found",
            "error",
            `no ${noun} has the ${by} "${wanted}"`,
            nearest(list.value, by, wanted),
          )
        : fault(
            "reference/ambiguous",
            "error",
            `${matching.length} ${noun}s have the ${by} "${wanted}"`,
            `Write the id of the one that is meant: ${listed(matching)}.`,
          ),
    );
    return undefined;
  };

  const spec = await visit(resource.spec, shape, [], "");
  return { spec: spec as JsonObject, faults, unseen };
}

function hasFinder(value: Json, at: Shape | SpecShape | undefined): boolean {
  if (at === undefined || value === null || typeof value !== "object") return false;
  if (at.type === "string") return at.form.is === "id";
  if (at.type === "list") return Array.isArray(value) && value.some((item) => hasFinder(item, at.item));
  if (at.type === "map") return Object.values(value).some((member) => hasFinder(member, at.value));
  if (at.type !== "object") return false;
  return Object.entries(value).some(([name, member]) => hasFinder(member, at.fields.get(name)));
}

async function candidates(directory: Directory, target: Target, app: string, by: Finder, wanted: string) {
  if (target === "entitlement") return directory.entitlements(app);
  if (target === "resourceType") return directory.resourceTypes(app);
  if (by === "name") {
    const given = [...directory.names].filter(([id, name]) => id.startsWith("app:") && name === wanted);
    if (given.length > 0)
      return {
        as: "got",
        value: given.map(([id, name]) => ({ id: id.slice("app:".length), name })),
      } as const;
  }
  return directory.apps();
}

async function mapMembers(
  value: JsonObject,
  change: (name: string, member: Json) => Promise<Json>,
): Promise<JsonObject> {
  const members = Object.entries(value).map(
    async ([name, member]) => [name, await change(name, member)] as const,
  );
  return Object.fromEntries(await Promise.all(members));
}

function isIdOf(shape: Shape, target: Target): boolean {
  return shape.type === "string" && shape.form.is === "id" && shape.form.of === target;
}

const SHOWN = 5;

function nearest(all: readonly Candidate[], by: Finder, wanted: string): string {
  if (all.length === 0) return "The service lists none at all.";
  const low = wanted.toLowerCase();
  const alike = all.filter((one) => {
    const has = (one[by] ?? "").toLowerCase();
    return has !== "" && (has.includes(low) || low.includes(has));
  });
  return alike.length > 0 ? `Alike: ${listed(alike)}.` : `The service lists ${all.length}: ${listed(all)}.`;
}

function listed(candidates: readonly Candidate[]): string {
  const shown = candidates.slice(0, SHOWN).map((one) => `${one.name} (${one.id})`);
  const rest = candidates.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
