import type { Resource } from "../manifest/resource.js";
import { byPlace, type Diagnostic } from "../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { Shape, SpecShape, TextForm } from "../schema/shape.js";
import type { Directory } from "./directory.js";
import { lookUp } from "./lookup.js";
import { notSelected, type Unselected } from "./unselected.js";

/** A spec with ids where names stood; or what stood in the way of it. */
export interface Resolved {
  readonly spec: JsonObject;
  /** Names that lead to nothing or to several: the author's mistakes. */
  readonly mistakes: readonly Diagnostic[];
  /** Names that could not be looked up; they may be right. */
  readonly unseen: readonly Diagnostic[];
}

type IdForm = Extract<TextForm, { readonly is: "id" }>;

/** Puts ids in the place of every `{ name }`, `{ alias }` and `{ slug }` of a resource's spec. */
export async function resolve(
  resource: Resource,
  shape: SpecShape,
  directory: Directory,
  unselected: Unselected,
): Promise<Resolved> {
  if (!hasFinder(resource.spec, shape)) return { spec: resource.spec, mistakes: [], unseen: [] };
  const faults: Diagnostic[] = [];
  const unseen: Diagnostic[] = [];

  // What cannot be found stays as it was written.
  async function visit(
    value: Json,
    at: Shape | SpecShape | undefined,
    path: Path,
    holder: JsonObject,
  ): Promise<Json> {
    if (at === undefined || value === null || typeof value !== "object") return value;
    if (at.type === "string" && at.form.is === "id" && isObject(value))
      return (await find(value, at.form, path, holder)) ?? value;
    if (at.type === "list" && Array.isArray(value))
      return Promise.all(value.map((item, place) => visit(item, at.item, [...path, place], holder)));
    if (at.type === "map" && isObject(value)) return visitMembers(value, () => at.value, path, holder);
    if (at.type !== "object" || !isObject(value)) return value;
    // Apps come first: what stands beside one is looked for within it.
    const { fields } = at;
    const apps = await visitMembers(value, (name) => appIn(fields, name), path, holder);
    const isRest = (name: string) => appIn(fields, name) === undefined;
    return visitMembers(apps, (name) => (isRest(name) ? fields.get(name) : undefined), path, apps);
  }

  async function visitMembers(
    value: JsonObject,
    shapeOf: (name: string) => Shape | undefined,
    path: Path,
    holder: JsonObject,
  ): Promise<JsonObject> {
    const members = Object.entries(value).map(
      async ([name, member]) => [name, await visit(member, shapeOf(name), [...path, name], holder)] as const,
    );
    return Object.fromEntries(await Promise.all(members));
  }

  async function find(
    finder: JsonObject,
    { of, within }: IdForm,
    path: Path,
    holder: JsonObject,
  ): Promise<string | undefined> {
    const app = within === undefined ? "" : holder[within];
    // Of an app that could not be found enough has been said.
    if (typeof app !== "string") return undefined;
    const found = await lookUp(finder, of, app, directory);
    if (found.as === "id") return found.id;
    const place = resource.place(["spec", ...path]);
    const { name } = finder;
    const need = typeof name === "string" ? unselected(of, app, name) : undefined;
    if (found.diagnostic.code === "reference/not-found" && need !== undefined)
      unseen.push({ ...notSelected(need, found.diagnostic.message), ...place });
    else (found.as === "fault" ? faults : unseen).push({ ...found.diagnostic, ...place });
    return undefined;
  }

  const spec = await visit(resource.spec, shape, [], {});
  return {
    spec: isObject(spec) ? spec : resource.spec,
    mistakes: faults.sort(byPlace),
    unseen: unseen.sort(byPlace),
  };
}

function hasFinder(value: Json, at: Shape | SpecShape | undefined): boolean {
  if (at === undefined || value === null || typeof value !== "object") return false;
  if (at.type === "string") return at.form.is === "id";
  if (at.type === "list") return Array.isArray(value) && value.some((item) => hasFinder(item, at.item));
  if (at.type === "map") return Object.values(value).some((member) => hasFinder(member, at.value));
  if (at.type !== "object") return false;
  return Object.entries(value).some(([name, member]) => hasFinder(member, at.fields.get(name)));
}

function appIn(fields: SpecShape["fields"], name: string): Shape | undefined {
  const shape = fields.get(name);
  return shape?.type === "string" && shape.form.is === "id" && shape.form.of === "app" ? shape : undefined;
}
