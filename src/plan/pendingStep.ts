import type { Change } from "../diff/change.js";
import { inOrderOf } from "../diff/compare.js";
import { placeOf } from "../diff/kept.js";
import { kindNamed } from "../kinds/index.js";
import { meanwhileOf } from "../kinds/kind.js";
import { type Address, formatAddress } from "../model/address.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { pendingAddress, pendingId } from "../model/pending.js";
import { type Shape, type SpecShape, shapeAt } from "../schema/shape.js";
import type { CreatedObject } from "../state/snapshot.js";
import { type Deed, deedOf, type FieldChange, type OfIdentity, type Step } from "./step.js";

type Referring = Pick<Step, "address" | "action" | "replaces" | "managed" | "after" | "changes">;

/** What is decided without a manifest, or writes nothing: no reference of a manifest is in it. */
const WITHOUT_REFERENCES: ReadonlySet<Deed> = new Set(["adopt", "delete", "forget", "keep", "removed"]);

/**
 * The objects whose ids a step needs and that do not exist when it is planned. An id is pending by its place alone: where
 * the schema takes a manifest, in the identity or in a field that the manifest owns. Any other text, such as one of the
 * tenant in a half that is carried over, is data.
 */
export function pendingOf(step: Referring): readonly Address[] {
  const found = new Map<string, Address>();
  mapReferences(step, (id, kind) => {
    const address = typeof id === "string" ? pendingAddress(id) : null;
    if (address?.kind === kind) found.set(formatAddress(address), address);
    return id;
  });
  return [...found.values()];
}

/** The objects whose ids even a first write of a step has, that is all where its kind has no such write. */
export function neededAtOnce(step: Referring): readonly Address[] {
  const first = firstWrite(step);
  return first === null ? pendingOf(step) : pendingOf({ ...step, after: first, changes: [] });
}

/** What a create of a ring leaves until the others stand; null where its kind has no form that is certain to open nothing. */
export function firstWrite(
  step: Pick<Referring, "address" | "action" | "replaces" | "managed" | "after">,
): JsonObject | null {
  const meanwhile = kindNamed(step.address.kind)?.meanwhile;
  if (meanwhile === undefined || step.after === null || deedOf(step) !== "create") return null;
  return meanwhileOf(meanwhile, step.managed.identity, step.after);
}

/** The objects of a ring that are named by the last write of a step alone, and that need the object of the step. */
export function awaitedBy(step: Referring & Pick<Step, "follows">): readonly Address[] {
  if (step.follows.length === 0 || firstWrite(step) === null) return [];
  const named = new Set(pendingOf(step).map(formatAddress));
  return step.follows.filter((one) => named.has(formatAddress(one)));
}

/** The key of a step with another identity: its parts change where the fields that name them do. In a file, they may be objects and no texts. */
export function keyFor(
  { address, key, managed: { identity: was } }: Pick<Step, "address" | "key"> & OfIdentity,
  identity: JsonObject,
): Step["key"] {
  const names = kindNamed(address.kind)?.shape.identity ?? [];
  const parts = key?.map((part, place) => {
    const name = names[place] ?? "";
    return identity[name] === was[name] ? part : identity[name];
  });
  return (parts ?? null) as Step["key"];
}

/** What stands in a plan for the id of each created object, and the id. */
export function idsOf(created: readonly CreatedObject[]): Map<string, string> {
  return new Map(created.map(({ address, key }) => [pendingId(address), key.at(-1) ?? ""]));
}

/** What stands in the place of a reference to a manifest of a kind, for what stood there. */
type Put = (id: Json, kind: string) => Json;

/** A step's values with others where the references of its manifest are. */
export function mapReferences(step: Referring, put: Put): Pick<Step, "after" | "changes"> & OfIdentity {
  const { after, changes, address } = step;
  const { identity, owned } = step.managed;
  const shape = kindNamed(address.kind)?.shape;
  if (shape === undefined || WITHOUT_REFERENCES.has(deedOf(step)))
    return { managed: { identity }, after, changes };
  const isOwned = (name: string) => owned.includes(name);
  const named = mapMembers(identity, shape, put, () => true);
  const other = after === null ? null : mapMembers(after, shape, put, isOwned);
  const isSame = named === identity && other === after;
  const mapped = (one: FieldChange) => ({ ...one, change: mapChange(one.change, shape, put) });
  return { managed: { identity: named }, after: other, changes: isSame ? changes : changes.map(mapped) };
}

/** What a change writes; what it replaces is the tenant's. */
function mapChange(change: Change, shape: SpecShape, put: Put): Change {
  const at = shapeAt(shape, placeOf(change));
  if (change.type === "text") return change;
  if (change.type !== "set") return { ...change, after: mapAt(change.after, at, put) };
  const list = (items: readonly Json[]) => mapAt(items, at, put) as readonly Json[];
  return { ...change, after: list(change.after), added: list(change.added) };
}

function mapMembers(
  value: JsonObject,
  at: Shape | SpecShape,
  put: Put,
  isMapped: (name: string) => boolean,
): JsonObject {
  let isOther = false;
  const members = Object.entries(value).map(([name, member]) => {
    const mapped = isMapped(name) ? mapAt(member, shapeAt(at, [name]), put) : member;
    isOther ||= mapped !== member;
    return [name, mapped] as const;
  });
  return isOther ? Object.fromEntries(members) : value;
}

function mapAt(value: Json, at: Shape | SpecShape | undefined, put: Put): Json {
  if (at === undefined || value === null) return value;
  if (at.type === "string")
    return at.form.is === "id" && at.form.manifest !== undefined ? put(value, at.form.manifest) : value;
  if (Array.isArray(value)) {
    const items = value.map((item, place) => mapAt(item, shapeAt(at, [place]), put));
    if (items.every((item, place) => item === value[place])) return value;
    // Other ids sort otherwise.
    return at.type === "list" ? inOrderOf(items, at) : items;
  }
  return isObject(value) ? mapMembers(value, at, put, () => true) : value;
}
