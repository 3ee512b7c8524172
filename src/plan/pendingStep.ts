import type { Change } from "../diff/change.js";
import { placeOf } from "../diff/kept.js";
import { kindNamed } from "../kinds/index.js";
import { type Address, formatAddress } from "../model/address.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { pendingAddress, pendingId, withTexts } from "../model/pending.js";
import { type Shape, type SpecShape, shapeAt } from "../schema/shape.js";
import type { CreatedObject } from "../state/snapshot.js";
import { rebuildCalls } from "./calls.js";
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

/** The step with other ids where its manifest has references: in its key, its fields, its calls, and what its names mean. */
export function withIds(step: Step, ids: ReadonlyMap<string, string>): Step {
  const kind = kindNamed(step.address.kind);
  if (ids.size === 0 || kind === undefined) return step;
  let isOther = false;
  const {
    managed: { identity },
    after,
    changes,
  } = mapReferences(step, (was) => {
    const id = typeof was === "string" ? ids.get(was) : undefined;
    isOther ||= id !== undefined;
    return id ?? was;
  });
  if (!isOther) return step;
  const key = keyFor(step, identity);
  const managed = { ...step.managed, identity, meanings: withTexts(step.managed.meanings, ids) };
  const other = { ...step, key, managed, after, changes };
  return { ...other, calls: rebuildCalls(other, kind) };
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
    return items.some((item, place) => item !== value[place]) ? items : value;
  }
  return isObject(value) ? mapMembers(value, at, put, () => true) : value;
}
