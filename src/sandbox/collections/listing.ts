import type { JsonObject } from "../../model/json.js";
import { type Operation, Refusal, type World } from "../answer/operation.js";
import type { Store, Table } from "../tenant/store.js";
import { parts, text, texts } from "../wire/member.js";
import { isDeleted } from "./owned.js";

export type Test<Row> = (row: Row) => boolean;

/** From a list of the request to the field of a row that its values are compared with. */
type Filters = Readonly<Record<string, string>>;

/** An operation that gives rows page by page: which it looks at, which of them it gives, and how it shows each. */
interface Listing<Row extends JsonObject> extends Omit<Operation, "answer"> {
  /** The fewest rows that hold all that are wanted, in groups; may refuse the request. */
  readonly among: (request: JsonObject, world: World) => readonly (readonly Row[])[];
  /** Which rows are never given; those deleted when absent. */
  readonly hides?: (request: JsonObject) => Test<Row>;
  /** A row must have one of the values of each of these that is sent. */
  readonly any?: Filters;
  /** A row must have none of the values of these. */
  readonly none?: Filters;
  /** Of these references, which each name an app and what is in it, a row must be one. */
  readonly refs?: string;
  /** What else a row must be. */
  readonly also?: (request: JsonObject, world: World) => Test<Row>;
  /** How a row stands in the list; as it is when absent. */
  readonly shows?: (row: Row, world: World) => JsonObject;
}

/** The operation of a listing. */
export function listing<Row extends JsonObject>({
  among,
  hides = () => isDeleted,
  any = {},
  none = {},
  refs,
  also = () => () => true,
  shows = (row) => row,
  ...operation
}: Listing<Row>): Operation {
  return {
    ...operation,
    answer(request, world) {
      const groups = among(request, world);
      const isWanted = allOf([
        ...filtersOf<Row>(request, any, true),
        ...filtersOf<Row>(request, none, false),
        ...referredTo<Row>(request, refs),
        also(request, world),
      ]);
      const isHidden = hides(request);
      const page = pageOf(request, world, groups, (row) => !isHidden(row) && isWanted(row));
      return { list: page.rows.map((row) => shows(row, world)), nextPageToken: page.nextPageToken };
    },
  };
}

/** Whether a row passes every test. */
export function allOf<Row>(tests: readonly Test<Row>[]): Test<Row> {
  return (row) => tests.every((test) => test(row));
}

/** The tests of the filters that a request sets. */
export function filtersOf<Row extends JsonObject>(
  request: JsonObject,
  filters: Filters,
  isWanted: boolean,
): readonly Test<Row>[] {
  return Object.entries(filters).flatMap(([filter, field]) => {
    const values = new Set(texts(request, filter));
    if (values.size === 0) return [];
    return [(row: Row) => valuesOf(row, field).some((value) => values.has(value)) === isWanted];
  });
}

/** The values of a field: the items of a list, or the one text. */
function valuesOf(row: JsonObject, field: string): readonly string[] {
  const value = row[field];
  return typeof value === "string" ? [value] : texts(row, field);
}

function referredTo<Row extends JsonObject>(request: JsonObject, refs = ""): readonly Test<Row>[] {
  const wanted = refsIn(request, refs);
  return wanted.size === 0 ? [] : [(row) => wanted.has(refKey(row))];
}

/** The references of a request, each as the text that `refKey` makes of it. */
export function refsIn(request: JsonObject, name: string, id = "id"): ReadonlySet<string> {
  return new Set(parts(request, name).map((ref) => refKey(ref, id)));
}

/** An app and what is in it, as one text. */
export function refKey(ref: JsonObject, id = "id"): string {
  return `${text(ref, "appId")}/${text(ref, id)}`;
}

/** The rows of the apps that a request names, or of all. */
export function byApp<Row extends JsonObject>(rows: (store: Store) => Table<Row>): Listing<Row>["among"] {
  return (request, { store }) => {
    const ids = new Set([...texts(request, "appIds"), text(request, "appId")].filter(Boolean));
    return ids.size === 0 ? rows(store).groups() : [...ids].map((id) => rows(store).of(id));
  };
}

const SMALLEST = 10;
const USUAL = 25;
const LARGEST = 100;

/** How many rows more than asked an overlong page holds. */
const OVERSHOOT = 13;

/** A part of a longer list, and the token that leads to the next; empty at the end. */
interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextPageToken: string;
}

/**
 * The page that the request's `pageSize` and `pageToken` ask for, of the rows that `keep` keeps. The work is
 * that of the rows passed, not of the rows there are.
 */
export function pageOf<Row>(
  request: JsonObject,
  world: World,
  groups: readonly (readonly Row[])[],
  keep: (row: Row) => boolean,
): Page<Row> {
  const size = sizeOf(request, world);
  const token = text(request, "pageToken");
  const start = token === "" ? { group: 0, row: 0 } : readToken(token);
  let last = start;
  const rows: Row[] = [];
  for (let group = start.group; group < groups.length; group += 1) {
    const all = groups[group] ?? [];
    for (let place = group === start.group ? start.row : 0; place < all.length; place += 1) {
      const row = all[place];
      if (row === undefined || !keep(row)) continue;
      if (rows.length === size) {
        const repeated = world.quirks.repeatPageToken === true && token !== "";
        const next = world.quirks.shiftingPages === true ? last : { group, row: place };
        return { rows, nextPageToken: repeated ? token : writeToken(next) };
      }
      rows.push(row);
      last = { group, row: place };
    }
  }
  return { rows, nextPageToken: "" };
}

/** The contract has a size below 10 mean 10; of the service it is known that 0 is as good as none. */
function sizeOf(request: JsonObject, world: World): number {
  const asked = request.pageSize;
  const given = typeof asked === "number" && (asked !== 0 || world.interface === "core");
  const size = given ? Math.min(Math.max(asked, SMALLEST), LARGEST) : USUAL;
  if (world.quirks.pages === "short") return Math.ceil(size / 2);
  return world.quirks.pages === "overlong" ? size + OVERSHOOT : size;
}

/** Where a row stands among the groups. */
interface Position {
  readonly group: number;
  readonly row: number;
}

function writeToken({ group, row }: Position): string {
  return Buffer.from(`page:${group}:${row}`).toString("base64url");
}

function readToken(token: string): Position {
  const found = /^page:(\d{1,9}):(\d{1,9})$/.exec(Buffer.from(token, "base64url").toString("latin1"));
  if (found === null) throw new Refusal("invalidArgument", "invalid page token");
  return { group: Number(found[1]), row: Number(found[2]) };
}

/**
 * Whether a row is what a search's words ask for: `displayName` is the whole name without regard to case,
 * `query` a part of the name or description. For the time of the search lag, neither sees what was written.
 */
export function textSearchOf(request: JsonObject, world: World): (row: JsonObject) => boolean {
  const name = text(request, "displayName").toLowerCase();
  const query = text(request, "query").toLowerCase();
  if (name === "" && query === "") return () => true;
  const lag = world.quirks.searchLag ?? 0;
  return (row) => {
    const shown = text(row, "displayName").toLowerCase();
    if (name !== "" && shown !== name) return false;
    if (!shown.includes(query) && !text(row, "description").toLowerCase().includes(query)) return false;
    return lag === 0 || !(Date.parse(text(row, "updatedAt")) > world.now - lag);
  };
}
