import { canonical, isObject, type Json, type JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { ListOrder, Problem } from "../schema/shape.js";
import type { Visited } from "./walk.js";

const NONE: readonly Problem[] = [];

/** What a schema cannot say of a value: every such fault of one value inside a spec. */
export function breaches({ value, shape, path }: Visited): readonly Problem[] {
  if (shape.type === "list" && Array.isArray(value)) return [...repeated(value, shape.order, path)];
  if (shape.type === "string" && shape.form.is === "id" && typeof value === "string")
    return unfitId(value, path);
  if (shape.type === "object" && isObject(value))
    return [...reversed(value, path), ...unusedIds(value, path)];
  return NONE;
}

/** What would change the meaning of a URL that an id stands in. */
const UNFIT = /[/\\?#%\s\p{C}]/u;

function unfitId(id: string, path: Path): readonly Problem[] {
  const fault = { severity: "error", path, on: "value" } as const;
  if (id === "")
    return [
      {
        ...fault,
        code: "rule/empty-id",
        message: "an id is empty",
        hint: "Write the id, or remove the field.",
      },
    ];
  const found = UNFIT.exec(id)?.[0] ?? (id === "." || id === ".." ? id : undefined);
  if (found === undefined) return NONE;
  return [
    {
      ...fault,
      code: "rule/unfit-id",
      message: `an id cannot hold ${JSON.stringify(found)}: it would change the address that a request goes to`,
      hint: "Copy the id alone, without the rest of the address it stood in.",
    },
  ];
}

function* repeated(list: readonly Json[], order: ListOrder, path: Path): Generator<Problem> {
  if (order.by === "place" || list.length < 2) return;
  const seen = new Map<string, number>();
  for (const [at, item] of list.entries()) {
    const spelling = order.by === "set" ? canonical(item) : keyOf(item, order.key);
    const first = spelling === undefined ? undefined : seen.get(spelling);
    if (first === undefined) {
      if (spelling !== undefined) seen.set(spelling, at);
      continue;
    }
    yield {
      code: "rule/repeated-item",
      severity: order.by === "key" ? "error" : "warning",
      path: [...path, at],
      on: "value",
      message: "this is in the list already",
      hint: "Remove one of them.",
      related: [{ path: [...path, first], message: "it first stands here" }],
    };
  }
}

function keyOf(item: Json, names: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined;
  return canonical(names.map((name) => (Object.hasOwn(item, name) ? (item[name] ?? null) : null)));
}

function* reversed(value: JsonObject, path: Path): Generator<Problem> {
  const [start, end] = [textOf(value, "startDate"), textOf(value, "endDate")];
  if (start === undefined || end === undefined || !(Date.parse(start) > Date.parse(end))) return;
  yield {
    code: "rule/dates-reversed",
    severity: "error",
    path: [...path, "startDate"],
    on: "value",
    message: `startDate ${start} is after endDate ${end}`,
    hint: "Swap them.",
    related: [{ path: [...path, "endDate"], message: "endDate is written here" }],
  };
}

const FILTER = "ACCESS_PROFILE_FILTER_TYPE_";

/** Which list of ids a filter reads; the service's documentation ties each list to one filter. */
const ID_LISTS = [
  { list: "includedAccessProfileIds", filter: `${FILTER}INCLUDE_SPECIFIC` },
  { list: "excludedAccessProfileIds", filter: `${FILTER}EXCLUDE_SPECIFIC` },
] as const;

function* unusedIds(value: JsonObject, path: Path): Generator<Problem> {
  const filterType = textOf(value, "filterType");
  if (filterType === undefined || !filterType.startsWith(FILTER)) return;
  for (const { list, filter } of ID_LISTS) {
    const ids = Object.hasOwn(value, list) ? value[list] : undefined;
    if (!Array.isArray(ids)) continue;
    if (filterType !== filter && ids.length > 0)
      yield {
        code: "rule/unused-ids",
        severity: "error",
        path: [...path, list],
        on: "name",
        message: `${list} is not read when filterType is ${filterType}`,
        hint: `Remove ${list}, or set filterType to ${filter}.`,
        related: [{ path: [...path, "filterType"], message: "filterType is written here" }],
      };
  }
}

function textOf(value: JsonObject, name: string): string | undefined {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof member === "string" ? member : undefined;
}
