import type { Kind } from "../../kinds/kind.js";
import { referable } from "../../kinds/referable.js";
import { nameIn } from "../../kinds/spelling.js";
import type { Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import { byPlace, type Diagnostic } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { type Meanings, spellReference } from "../../model/meaning.js";
import type { Path } from "../../model/path.js";
import type { Shape, SpecShape, Target, TextForm } from "../../schema/shape.js";
import { say } from "../../words/say.js";
import type { Directory } from "./directory.js";
import { finderIn, lookUp } from "./lookup.js";
import { moved } from "./movedName.js";

/** A spec with ids where names stood; or what stood in the way of it. */
export interface Resolved {
  readonly spec: JsonObject;
  /** Names that lead to nothing or to several: the author's mistakes. */
  readonly mistakes: readonly Diagnostic[];
  /** Names that could not be looked up; they may be right. */
  readonly unseen: readonly Diagnostic[];
  /** What the names that were found mean. */
  readonly meanings: Meanings;
  /** What is doubtful about them. */
  readonly warnings: readonly Diagnostic[];
}

/** What a name may mean beside what the service says. */
interface Hints {
  readonly unselected: Unselected;
  /** What the names of the manifest meant at its last apply. */
  readonly remembered: Meanings;
  /** What a manifest of the project is called by the service. */
  readonly linked: Linked;
  /** The same for the manifest that gives an alias to its object; null where none of the project does. */
  readonly aliased: (kind: string, alias: string, app: string) => Promise<LinkedId | null>;
}

/** The object of another manifest: what its id is, or stands for while it is pending. */
export type Linked = (kind: string, name: string, app: string) => Promise<LinkedId>;

/** An id, or why there is none: the author's mistake, or something that could not be learnt. */
export type LinkedId =
  | { readonly as: "id"; readonly id: string }
  | { readonly as: "fault" | "unseen"; readonly diagnostic: Diagnostic };

type IdForm = Extract<TextForm, { readonly is: "id" }>;

/** Puts ids in the place of every `{ name }`, `{ alias }` and `{ slug }` of a resource's spec. */
export async function resolve(
  resource: Resource,
  { name: kindName, shape }: Pick<Kind, "name" | "shape">,
  directory: Directory,
  { unselected, remembered, linked, aliased }: Hints,
): Promise<Resolved> {
  if (!hasFinder(resource.spec, shape))
    return { spec: resource.spec, mistakes: [], unseen: [], meanings: {}, warnings: [] };
  const faults: Diagnostic[] = [];
  const unseen: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const meanings = new Map<string, string>();

  /** The name that the manifest gives to its own object, where a reference is to that. */
  function askedBy(of: Target, path: Path): string | null {
    const isOwn = path.length === 1 && path[0] === shape.identity.at(-1);
    const { displayName } = resource.spec;
    return isOwn && referable(of).kind?.name === kindName && typeof displayName === "string"
      ? displayName
      : null;
  }

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
    { of, within, manifest }: IdForm,
    path: Path,
    holder: JsonObject,
  ): Promise<string | undefined> {
    const app = within === undefined ? "" : holder[within];
    // Of an app that could not be found enough has been said.
    if (typeof app !== "string") return undefined;
    if (typeof finder.manifest === "string" && manifest !== undefined) {
      const link = await linked(manifest, finder.manifest, app);
      if (link.as === "id") return link.id;
      const said = { ...resource.place(["spec", ...path]), ...link.diagnostic };
      (link.as === "fault" ? faults : unseen).push(said);
      return undefined;
    }
    const written = finderIn(finder);
    const reference = spellReference({ of, app, by: written.by, text: written.wanted });
    const meant = remembered[reference] ?? null;
    const sought = { ...written, target: of, app, remembered: meant, asked: askedBy(of, path) };
    const found = await lookUp(sought, directory);
    const place = resource.place(["spec", ...path]);
    const isNew = found.as !== "id" && found.diagnostic.code === "reference/not-found";
    if (isNew && manifest !== undefined && written.by === "alias") {
      const link = await aliased(manifest, written.wanted, app);
      if (link?.as === "id") {
        meanings.set(reference, link.id);
        return link.id;
      }
      if (link !== null) {
        unseen.push({ ...place, ...link.diagnostic });
        return undefined;
      }
    }
    if (found.as === "id") {
      meanings.set(reference, found.id);
      if (found.warning !== null) warnings.push({ ...found.warning, ...place });
      if (meant !== null && meant !== found.id)
        warnings.push({ ...moved({ reference, was: meant, now: found.id }), ...place });
      return found.id;
    }
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
    meanings: Object.fromEntries([...meanings].sort(([one], [other]) => (one < other ? -1 : 1))),
    warnings: warnings.sort(byPlace),
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

/** The manifest outside the selection that would make an object of that name; undefined where there is none. */
export type Unselected = (target: Target, app: string, name: string) => Address | undefined;

/** Finds manifests of a project by the names of their objects, among those that a run does not look at. */
export function unselectedIn(all: readonly Resource[], selected: readonly Resource[]): Unselected {
  const chosen = new Set(selected);
  const rest = all.filter((resource) => !chosen.has(resource));
  return (target, app, name) => {
    const { kind } = referable(target);
    return rest.find(({ address, spec }) => {
      const isOfApp = typeof spec.appId !== "string" || spec.appId === app;
      return address.kind === kind?.name && nameIn(spec) === name && isOfApp;
    })?.address;
  };
}

/** A need that is neither selected nor in the tenant. */
export function notSelected(need: Address, message: string): Diagnostic {
  const target = formatAddress(need);
  return say("reference/not-selected", { message, target });
}
