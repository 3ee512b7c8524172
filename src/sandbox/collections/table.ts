import type { JsonObject } from "../../model/json.js";
import { camelCase } from "../answer/decoding.js";
import { type Operation, Refusal, type World } from "../answer/operation.js";
import { paging } from "../messages/members.js";
import { makeId } from "../tenant/identity.js";
import { ROOT, type Store, type Table } from "../tenant/store.js";
import type { NamedRow } from "../tenant/tenant.js";
import { type Fields, type Message, message, type Type } from "../wire/descriptor.js";
import { omit, part, paths, pick, text, texts } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { listing } from "./listing.js";
import { born, existing, isDeleted, readable } from "./owned.js";

type Verb = "List" | "Create" | "Get" | "Update" | "Delete";

/** What a call does, the end of the name of the message that it takes, the message that it gives, and what it takes. */
type Call = readonly [summary: string, request: string, reply: Message, fields?: Fields];

type Find<Row> = (request: JsonObject, world: World) => Row | undefined;

/** A write: the fields that it writes, sent or not, and the row that it changes; undefined where it makes one. */
export interface Write<Row> {
  readonly names: readonly string[];
  readonly before: Row | undefined;
  readonly request: JsonObject;
  readonly world: World;
}

/** A collection of the service: what its objects are, what its calls are called, and what no column says. */
interface Collection<Row extends NamedRow> {
  /** As operations are called. */
  readonly noun: readonly [one: string, many: string];
  /** The path of all objects; its parameters are fields of each. */
  readonly at: string;
  /** The path of one object, where it is not `{id}` behind that of all. */
  readonly oneAt?: string;
  /** What the names of its messages begin with. */
  readonly service: string;
  readonly record: Message;
  /** What some replies have around the record. */
  readonly view?: Message;
  /** What a view holds; the row alone when absent. */
  readonly viewed?: (row: Row, world: World, verb: Verb) => JsonObject;
  readonly rows: (store: Store) => Table<Row>;
  /** What holds the collection; refuses where that is not there. */
  readonly within?: { readonly read: Find<unknown>; readonly write: Find<unknown> };
  /** What a write and a delete find; what the tenant has when absent. */
  readonly find?: Find<Row>;
  /** What a read finds; what a write finds when absent. */
  readonly reads?: Find<Row>;
  /** What a read makes of a deleted row; as the world will when absent. */
  readonly readsDeleted?: (row: Row | undefined, world: World) => Row;
  /** Which rows a list leaves out; those deleted when absent. */
  readonly unlisted?: (row: Row) => boolean;
  /** The fields that a create takes and the mask of an update may name. */
  readonly written?: Fields;
  /** Further fields that a mask may name. */
  readonly updated?: readonly string[];
  /** The field of a create that names owners: a row keeps them, and no message shows them. */
  readonly owners?: string;
  /** The fields that must not be empty, as a refusal spells them. */
  readonly required?: readonly string[];
  /** What a create keeps of fields that are not sent. */
  readonly defaults?: JsonObject;
  /** Refuses fields by their names alone. */
  readonly refuses?: (names: readonly string[], world: World) => void;
  /** What is kept of the fields that are sent; may refuse them. */
  readonly keeps?: (sent: JsonObject, write: Write<Row>) => JsonObject;
  /** Makes a row, where a create does more than keep what it is sent. */
  readonly makes?: (request: JsonObject, world: World) => Row;
  /** Changes a row, where an update does more than that. */
  readonly changes?: (request: JsonObject, world: World) => Row;
  /** What is left of a deleted row; may refuse the delete, or take other rows along. */
  readonly removes?: (row: Row, world: World) => JsonObject;
  readonly calls: Readonly<Partial<Record<Verb, Call>>>;
}

const METHODS = { List: "GET", Create: "POST", Get: "GET", Update: "POST", Delete: "DELETE" } as const;

/** What calls take beside the parents and what their own row says. */
const TAKES = {
  List: paging,
  Get: { id: "string" },
  Update: { id: "string" },
  Delete: { id: "string" },
} as const satisfies Partial<Record<Verb, Fields>>;

/** The operations of a collection, in the order of its calls. */
export function operationsOf<Row extends NamedRow>(collection: Collection<Row>): readonly Operation[] {
  const { noun, at, oneAt = `${at}/{id}`, record, view, rows, within } = collection;
  const written = Object.keys(collection.written ?? {});
  const parents = [...at.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => camelCase(name));
  const isIn = (request: JsonObject) => (row: Row) => parents.every((name) => row[name] === request[name]);
  const plainly: Find<Row> = (request, { store }) => {
    const row = rows(store).get(groupOf(request), text(request, "id"));
    return row !== undefined && isIn(request)(row) ? row : undefined;
  };
  const { find = plainly, reads = find, readsDeleted = readable } = collection;
  const { required = [], keeps = (sent) => sent } = collection;

  function make(request: JsonObject, world: World): Row {
    within?.write(request, world);
    const owners = collection.owners === undefined ? {} : { ownerIds: texts(request, collection.owners) };
    const sent = { ...collection.defaults, ...pick(request, written), ...owners };
    require(sent, () => true);
    collection.refuses?.(Object.keys(request), world);
    const kept = keeps(sent, { names: written, before: undefined, request, world });
    const own = { ...pick(request, parents), id: makeId(world.now, world.random), ...born(world) };
    return put({ ...kept, ...own }, request, world);
  }

  function change(request: JsonObject, world: World): Row {
    const mask = maskOf(request, [...written, ...(collection.updated ?? [])]);
    if (mask.length === 0) throw new Refusal("invalidArgument", "update_mask is required");
    collection.refuses?.(mask, world);
    const before = existing(find(request, world));
    const sent = pick(part(request, placeOf(record, collection.calls.Update?.[3])) ?? {}, mask);
    require(sent, (name) => mask.includes(name));
    const kept = keeps(sent, { names: mask, before, request, world });
    const own = { ...pick(before, ["id", ...parents]), updatedAt: writeTimestamp(world.now) };
    return put({ ...omit(before, withRivals(mask, record)), ...kept, ...own }, request, world);
  }

  function require(sent: JsonObject, isWritten: (name: string) => boolean): void {
    for (const words of required) {
      const name = camelCase(words);
      if (isWritten(name) && text(sent, name) === "" && texts(sent, name).length === 0)
        throw new Refusal("invalidArgument", `${words} is required`);
    }
  }

  function put(row: JsonObject, request: JsonObject, { store }: World): Row {
    return rows(store).put(groupOf(request), text(row, "id"), row as Row);
  }

  function remove(request: JsonObject, world: World): JsonObject {
    const row = existing(find(request, world));
    const left = collection.removes?.(row, world) ?? row;
    put({ ...left, deletedAt: writeTimestamp(world.now) }, request, world);
    return {};
  }

  const acts: Readonly<Record<Exclude<Verb, "List" | "Delete">, (request: JsonObject, world: World) => Row>> =
    {
      Create: collection.makes ?? make,
      Get: (request, world) => readsDeleted(reads(request, world), world),
      Update: collection.changes ?? change,
    };

  /** How a row stands in a place of that type: bare, or in a view. */
  function shower(verb: Verb, type: Type | undefined): (row: Row, world: World) => JsonObject {
    if (view === undefined || type !== view) return (row) => row;
    const { viewed = (row: Row) => ({ [placeOf(record, Object.fromEntries(view.fields))]: row }) } =
      collection;
    return (row, world) => viewed(row, world, verb);
  }

  /** A create takes the record's own fields, and so at most one of those that exclude each other. */
  function rivalsAmong(taken: Fields): Message["oneofs"] {
    return new Map([...record.oneofs].filter(([name]) => Object.hasOwn(taken, name)));
  }

  function operationOf([verb, [summary, request, response, fields]]: readonly [Verb, Call]): Operation {
    const taken = {
      ...Object.fromEntries(parents.map((name) => [name, "string" as const])),
      ...(verb === "Create" ? (fields ?? collection.written) : { ...TAKES[verb], ...fields }),
    };
    const called = {
      name: `${verb}${noun[verb === "List" ? 1 : 0]}`,
      summary,
      method: METHODS[verb],
      path: verb === "List" || verb === "Create" ? at : oneAt,
      request: { ...message(`${collection.service}${request}`, taken), oneofs: rivalsAmong(taken) },
      response,
    };
    if (verb === "Delete") return { ...called, answer: remove };
    if (verb === "List") {
      const row = response.fields.get("list");
      return listing({
        ...called,
        among(request, world) {
          within?.read(request, world);
          return [rows(world.store).of(groupOf(request))];
        },
        hides: () => collection.unlisted ?? isDeleted,
        also: isIn,
        shows: shower(verb, typeof row === "object" && row.kind === "list" ? row.of : undefined),
      });
    }
    const [name, type] = [...response.fields].find(([, each]) => each === record || each === view) ?? [""];
    const show = shower(verb, type);
    const shown = (request: JsonObject, world: World) => show(acts[verb](request, world), world);
    return { ...called, answer: response === record ? shown : (...asked) => ({ [name]: shown(...asked) }) };
  }

  return (Object.entries(collection.calls) as [Verb, Call][]).map(operationOf);
}

/** The group of rows that a request is about: an app's, or all of a collection that is in no app. */
function groupOf(request: JsonObject): string {
  return text(request, "appId") || ROOT;
}

/** The name of the field that a message stands in. */
function placeOf(type: Message, fields: Fields | undefined): string {
  return Object.entries(fields ?? {}).find(([, one]) => one === type)?.[0] ?? "";
}

/** The fields, and those that one of them takes the place of. */
function withRivals(names: readonly string[], { oneofs }: Message): readonly string[] {
  const groups = names.map((name) => oneofs.get(name));
  return [...names, ...[...oneofs].flatMap(([member, group]) => (groups.includes(group) ? [member] : []))];
}

/** The fields that a request's mask names, each by the first part of its path; refused where one cannot be updated. */
export function maskOf(request: JsonObject, writable: readonly string[]): readonly string[] {
  return paths(request, "updateMask").map((path) => {
    const [name = ""] = path.split(".");
    if (writable.includes(name)) return name;
    throw new Refusal("invalidArgument", `update_mask: ${path} cannot be updated`);
  });
}
