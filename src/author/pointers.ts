import type { Kind } from "../kinds/kind.js";
import { referable } from "../kinds/referable.js";
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import { formatPath, type Path } from "../model/path.js";
import type { Shape, SpecShape } from "../schema/shape.js";
import type { PointedAt } from "../tenant/names/catalogue.js";

/** Says what to write for an id at a place; the id itself keeps it. */
type Rename = (pointed: PointedAt, path: Path) => Json;

/** A spec of ids with each id that points at something replaced by what `rename` gives for it. */
export function renamed(spec: JsonObject, shape: SpecShape, rename: Rename): JsonObject {
  function visit(value: Json, at: Shape | SpecShape | undefined, path: Path, holder: JsonObject): Json {
    if (at === undefined || value === null) return value;
    if (at.type === "string") {
      if (at.form.is !== "id" || typeof value !== "string" || value === "") return value;
      const app = at.form.within === undefined ? "" : holder[at.form.within];
      return typeof app === "string" ? rename({ of: at.form.of, app, id: value }, path) : value;
    }
    if (at.type === "list" && Array.isArray(value))
      return value.map((item, place) => visit(item, at.item, [...path, place], holder));
    if (!isObject(value) || (at.type !== "object" && at.type !== "map")) return value;
    const shapeOf = (name: string) => (at.type === "map" ? at.value : at.fields.get(name));
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, visit(item, shapeOf(name), [...path, name], value)]),
    );
  }
  return visit(spec, shape, [], {}) as JsonObject;
}

/** Everything that the ids of a spec point at. */
export function pointersIn(spec: JsonObject, shape: SpecShape): readonly PointedAt[] {
  const found: PointedAt[] = [];
  renamed(spec, shape, (pointed) => {
    found.push(pointed);
    return pointed.id;
  });
  return found;
}

/** What an id is called, and what a manifest may write in its place; null where only the id is sure. */
export interface Called {
  readonly name: string;
  readonly reference: JsonObject | null;
}

/** A spec with references where they are sure, and a comment for each other id that has a name. */
export function withReferences(
  spec: JsonObject,
  { shape, isPointedAt }: Pick<Kind, "shape" | "isPointedAt">,
  calledBy: (pointed: PointedAt) => Called | undefined,
  mayRefer: (path: Path) => boolean = () => true,
): { readonly spec: JsonObject; readonly comments: readonly string[] } {
  const comments: string[] = [];
  const namesItself = Object.hasOwn(spec, "displayName");
  const written = renamed(spec, shape, (pointed, path) => {
    // A manifest that writes the names of its object knows it by its id: a change of them would lose it.
    if (isPointedAt && same(path, shape.identity.slice(-1)) && namesItself) return pointed.id;
    const called = calledBy(pointed);
    if (called?.reference != null && mayRefer(path)) return called.reference;
    if (called !== undefined && called.name !== "")
      comments.push(
        `${formatPath(path)} is the ${referable(pointed.of).noun.one} ${JSON.stringify(called.name)}.`,
      );
    return pointed.id;
  });
  return { spec: written, comments };
}
