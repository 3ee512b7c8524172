import type { Finder } from "../kinds/named.js";
import { referable } from "../kinds/referable.js";
import type { Address } from "../model/address.js";
import { canonical, isObject, type Json, type JsonObject } from "../model/json.js";
import { unfitCharacter } from "../model/key.js";
import { pendingAddress } from "../model/pending.js";
import type { ListOrder, ValueDiagnostic } from "../schema/shape.js";
import { say } from "../words/say.js";
import { pathTo, type Visited } from "./references.js";

const NONE: readonly ValueDiagnostic[] = [];

/** The problems of one value inside a spec that a schema cannot express. */
export function breaches(visited: Visited): readonly ValueDiagnostic[] {
  const { value, shape } = visited;
  if (shape.type === "string") {
    if (typeof value !== "string") return NONE;
    if (shape.form.is !== "id") return NONE;
    const address = shape.form.manifest === undefined ? null : pendingAddress(value);
    return address === null ? unfitId(value, visited) : [reservedText(address, visited)];
  }
  if (shape.type === "list" && Array.isArray(value) && value.length > 1 && shape.order.by !== "place")
    return repeated(value, shape.order, visited);
  if (shape.type === "object" && isObject(value))
    return [...reversed(value, visited), ...unusedIds(value, visited), ...seenTwice(value, visited)];
  return NONE;
}

// In a plan it stands for the id of an object that the plan creates, and an apply puts that id in its place.
function reservedText({ name }: Address, visited: Visited): ValueDiagnostic {
  return say("rule/reserved-text", { name }, { path: pathTo(visited), on: "value" });
}

function unfitId(id: string, visited: Visited): readonly ValueDiagnostic[] {
  const at = { path: pathTo(visited), on: "value" } as const;
  const found = unfitCharacter(id);
  if (found === "") return [say("rule/empty-id", {}, at)];
  const finder = finderFor(id, visited);
  if (found === null) return finder === null ? NONE : [say("rule/not-an-id", { finder, id }, at)];
  if (finder === null) return [say("rule/unfit-id", { found }, at)];
  return [say("rule/unfit-id#named", { found, finder, id }, at)];
}

/**
 * By what a text that is not an id probably names its object; null where it may be an id, or where such objects are found by
 * nothing else. The service's ids have 27 letters and digits (docs/service/live.md, 0.17).
 */
function finderFor(id: string, { shape }: Visited): string | null {
  const of = shape.type === "string" && shape.form.is === "id" ? shape.form.of : "other";
  const finders: readonly Finder[] = referable(of).finders;
  return LOOKS_LIKE.find(([finder, text]) => finders.includes(finder) && text.test(id))?.[0] ?? null;
}

/** A text as each finder has it: an alias has small letters and hyphens, a name a capital or spaces. */
const LOOKS_LIKE: readonly (readonly [Finder, RegExp])[] = [
  ["alias", /^(?:[a-z0-9]+(?:[-_][a-z0-9]+)+|[a-z]{4,26})$/],
  ["email", /^[^\s/@]+@[^\s/@]+$/],
  ["name", /^(?:[A-Z][A-Za-z0-9]{0,25}|[a-z]{4,26}|[A-Za-z0-9]+(?:[-_ ][\p{L}\p{N}().&]+)+)$/u],
];

function repeated(list: readonly Json[], order: ListOrder, visited: Visited): readonly ValueDiagnostic[] {
  const problems: ValueDiagnostic[] = [];
  const seen = new Map<string, number>();
  for (const [at, item] of list.entries()) {
    const spelling = order.by === "key" ? keyOf(item, order.key) : canonical(item);
    const first = seen.get(spelling);
    if (first === undefined) {
      seen.set(spelling, at);
      continue;
    }
    const path = pathTo(visited);
    problems.push(
      say(
        "rule/repeated-item",
        {},
        {
          path: [...path, at],
          on: "value",
          related: [{ path: [...path, first], message: "it is first written here" }],
          severity: order.by === "key" ? "error" : "warning",
        },
      ),
    );
  }
  return problems;
}

/** The members that identify an item; the whole item where it is not an object. */
function keyOf(item: Json, names: readonly string[]): string {
  if (!isObject(item)) return canonical(item);
  return canonical(names.map((name) => (Object.hasOwn(item, name) ? (item[name] ?? null) : null)));
}

function reversed(value: JsonObject, visited: Visited): readonly ValueDiagnostic[] {
  const [start, end] = [textOf(value, "startDate"), textOf(value, "endDate")];
  if (start === undefined || end === undefined || !(Date.parse(start) > Date.parse(end))) return NONE;
  const path = pathTo(visited);
  return [
    say(
      "rule/dates-reversed",
      { start, end },
      {
        path: [...path, "startDate"],
        on: "value",
        related: [{ path: [...path, "endDate"], message: "endDate is written here" }],
      },
    ),
  ];
}

const FILTER = "ACCESS_PROFILE_FILTER_TYPE_";

/** The list of ids that a filter reads; in the service's documentation, each list belongs to one filter. */
const ID_LISTS = [
  { list: "includedAccessProfileIds", filter: `${FILTER}INCLUDE_SPECIFIC` },
  { list: "excludedAccessProfileIds", filter: `${FILTER}EXCLUDE_SPECIFIC` },
] as const;

/** Ids that the filter does not read. Which ids a filter reads that remit does not know is unknown. */
function unusedIds(value: JsonObject, visited: Visited): readonly ValueDiagnostic[] {
  const filterType = textOf(value, "filterType");
  if (filterType === undefined || !isKnownFilter(filterType, visited.shape)) return NONE;
  const path = pathTo(visited);
  return ID_LISTS.filter(({ list, filter }) => filterType !== filter && hasItems(value, list)).map(
    ({ list, filter }) =>
      say(
        "rule/unused-ids",
        { list, filterType, filter },
        {
          path: [...path, list],
          on: "name",
          related: [{ path: [...path, "filterType"], message: "filterType is written here" }],
        },
      ),
  );
}

/** An access profile that everyone sees takes no further visibility (docs/service/more-kinds.md, section 4). */
function seenTwice(value: JsonObject, visited: Visited): readonly ValueDiagnostic[] {
  if (value.visibleToEveryone !== true || !hasItems(value, "visibilityBindings")) return NONE;
  const path = pathTo(visited);
  return [
    say(
      "rule/everyone-and-bindings",
      {},
      {
        path: [...path, "visibilityBindings"],
        on: "name",
        related: [{ path: [...path, "visibleToEveryone"], message: "visibleToEveryone is written here" }],
      },
    ),
  ];
}

// The schema of a filter type lists its values; the service may know others.
function isKnownFilter(filterType: string, shape: Visited["shape"]): boolean {
  const field = shape.type === "object" ? shape.fields.get("filterType") : undefined;
  return field?.type === "string" && field.form.is === "enum" && field.form.values.includes(filterType);
}

function hasItems(value: JsonObject, name: string): boolean {
  const list = Object.hasOwn(value, name) ? value[name] : undefined;
  return Array.isArray(list) && list.length > 0;
}

function textOf(value: JsonObject, name: string): string | undefined {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof member === "string" ? member : undefined;
}
