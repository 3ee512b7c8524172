import type { Change } from "../diff/change.js";
import { placeOf } from "../diff/kept.js";
import { kindNamed } from "../kinds/index.js";
import type { Interface } from "../kinds/interface.js";
import { type Address, formatAddress } from "../model/address.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { pendingAddress, pendingId, withTexts } from "../model/pending.js";
import { type Shape, type SpecShape, shapeAt } from "../schema/shape.js";
import type { CreatedObject } from "../state/snapshot.js";
import { rebuildCalls } from "./calls.js";
import { type Deed, deedOf, type Step } from "./step.js";

type Referring = Pick<Step, "address" | "action" | "replaces" | "identity" | "after" | "owned">;

/** What is decided without a manifest, or writes nothing: no reference of a manifest is in it. */
const WITHOUT_REFERENCES: ReadonlySet<Deed> = new Set(["adopt", "delete", "forget", "keep", "removed"]);

/**
 * The objects whose ids a step needs and that do not exist when it is planned. An id is pending by its place alone: where
 * the schema takes a manifest, in the identity or in a field that the manifest owns. Any other text, such as one of the
 * tenant in a half that is carried over, is data.
 */
export function pendingOf(step: Referring): readonly Address[] {
  const found = new Map<string, Address>();
  mapReferences(step, (text, kind) => {
    const address = pendingAddress(text);
    if (address?.kind === kind) found.set(formatAddress(address), address);
    return text;
  });
  return [...found.values()];
}

/** The step with other ids where its manifest has references: in its key, its fields, its calls, and what its names mean. */
export function withIds(step: Step, ids: ReadonlyMap<string, string>, on: Interface): Step {
  const kind = kindNamed(step.address.kind);
  if (ids.size === 0 || kind === undefined) return step;
  let isOther = false;
  const put = (text: string) => {
    const id = ids.get(text);
    isOther ||= id !== undefined;
    return id ?? text;
  };
  const { identity, after } = mapReferences(step, put);
  if (!isOther) return step;
  const changes = step.changes.map((one) => ({ ...one, change: mapChange(one.change, kind.shape, put) }));
  const named = (place: number) => kind.shape.identity[place] ?? "";
  const key =
    step.key?.map((part, place) =>
      part === step.identity[named(place)] ? String(identity[named(place)]) : part,
    ) ?? null;
  const other = { ...step, key, identity, after, changes, meanings: withTexts(step.meanings, ids) };
  return { ...other, calls: rebuildCalls(other, kind, on) };
}

/** What stands in a plan for the id of each created object, and the id. */
export function idsOf(created: readonly CreatedObject[]): Map<string, string> {
  return new Map(created.map(({ address, key }) => [pendingId(address), key.at(-1) ?? ""]));
}

type Put = (text: string, kind: string) => string;

function mapReferences(step: Referring, put: Put): Pick<Step, "identity" | "after"> {
  const { identity, after, owned, address } = step;
  const shape = kindNamed(address.kind)?.shape;
  if (shape === undefined || WITHOUT_REFERENCES.has(deedOf(step))) return { identity, after };
  const isOwned = (name: string) => owned.includes(name);
  return {
    identity: mapMembers(identity, shape, put, () => true),
    after: after === null ? null : mapMembers(after, shape, put, isOwned),
  };
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
  if (typeof value === "string") {
    const kind = at.type === "string" && at.form.is === "id" ? at.form.manifest : undefined;
    return kind === undefined ? value : put(value, kind);
  }
  if (Array.isArray(value)) {
    const items = value.map((item, place) => mapAt(item, shapeAt(at, [place]), put));
    return items.some((item, place) => item !== value[place]) ? items : value;
  }
  return isObject(value) ? mapMembers(value, at, put, () => true) : value;
}
