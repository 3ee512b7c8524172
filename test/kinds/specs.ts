import fc from "fast-check";
import { isObject, type Json, type JsonObject } from "../../src/model/json.js";
import { valueAt } from "../../src/model/path.js";
import type { ListOrder, Shape, SpecShape, TextForm } from "../../src/schema/shape.js";

type Members = Pick<SpecShape, "fields" | "groups">;

/** Any spec that an author may write and the service take, without the fields named: sugar, empties and nulls in it. */
export function anySpec({ fields, groups }: SpecShape, without: readonly string[]): fc.Arbitrary<JsonObject> {
  return anyMembers({ fields: new Map([...fields].filter(([name]) => !without.includes(name))), groups }, []);
}

/** Each member there, null or missing; those required always there; of a group one at most. */
function anyMembers({ fields, groups }: Members, required: readonly string[]): fc.Arbitrary<JsonObject> {
  const members = [...fields].map(([name, shape]) => {
    const value = anyValue(shape);
    return [name, required.includes(name) ? value : fc.option(value, { nil: null, freq: 4 })] as const;
  });
  const chosen = fc.tuple(...groups.map(({ members: names }) => fc.constantFrom(...names)));
  return fc
    .tuple(fc.record(Object.fromEntries(members), { requiredKeys: [...required] }), chosen)
    .map(([value, choice]) => {
      const isLeft = (name: string) =>
        groups.every((group, at) => !group.members.includes(name) || choice[at] === name);
      return Object.fromEntries(Object.entries(value).filter(([name]) => isLeft(name)));
    });
}

function anyValue(shape: Shape): fc.Arbitrary<Json> {
  switch (shape.type) {
    case "object":
      return isOwner(shape) ? OWNER : anyMembers(shape, []);
    case "marker":
      return fc.constant({});
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.integer({ min: 1, max: 3 });
    case "map":
      return fc.dictionary(WORDS, anyValue(shape.value), { maxKeys: 2 });
    case "list":
      return fc.array(anyItem(shape.item, shape.order), { maxLength: 3 });
    case "string":
      return anyText(shape.form);
    default:
      return shape satisfies never;
  }
}

function anyItem(item: Shape, order: ListOrder): fc.Arbitrary<Json> {
  if (isOwner(item)) return OWNER;
  return item.type === "object" ? anyMembers(item, order.by === "key" ? order.key : []) : anyValue(item);
}

const IDS = fc.constantFrom(
  ..."123".split("").map((end) => `2fsgTvxP0DVTsNXEUBI7hOe0l${end.padStart(2, "0")}`),
);
/** An owner says who it is, whole, and its role is a word of the service. */
const OWNER = fc
  .oneof(fc.record({ user: IDS }), fc.record({ entitlement: fc.record({ appId: IDS, id: IDS }) }))
  .map((owner): JsonObject => ({ ...owner, role: "owner" }));

function isOwner(shape: Shape): boolean {
  return shape.type === "object" && shape.groups.some(({ name }) => name === "owner");
}

const WORDS = fc.constantFrom(
  "a",
  "B",
  "two words",
  "true",
  "é́ < | `",
  "two\nlines",
  "__proto__",
  "constructor",
);
const BLOCKS = fc.constantFrom('subject.department == "IT"', "subject.x == 1\n", "true &&\n  false\n\n");

function anyText(form: TextForm): fc.Arbitrary<string> {
  switch (form.is) {
    case "id":
      return IDS;
    case "enum":
      return fc.constantFrom(...form.values);
    case "duration":
      return fc.constantFrom("", "90d", "P90D", "7776000s", "12h30m", "0s", "1.500s", "PT0.5S");
    case "timestamp":
      return fc.constantFrom("", "2026-01-31T00:00:00Z", "2026-01-31T02:00:00.500+02:00");
    case "plain":
      return fc.oneof(fc.constant(""), WORDS);
    case "text":
    case "expression":
      return fc.oneof(fc.constant(""), BLOCKS);
    default:
      return form satisfies never;
  }
}

/**
 * The spec without what its schema does not allow to be empty: a criterion without values, a marker without a value.
 * What every manifest has stays where the spec has nothing that fits.
 */
export function withoutEmpty(spec: JsonObject, schema: JsonObject, always: JsonObject = {}): JsonObject {
  const { required: _, ...place } = asObject(valueAt(schema, ["$defs", "spec"]));
  return { ...always, ...asObject(fittingOf(spec, place, schema)) };
}

function fittingOf(value: Json, place: JsonObject, root: JsonObject): Json | undefined {
  const reference = place.$ref;
  const node = typeof reference === "string" ? asObject(valueAt(root, reference.split("/").slice(1))) : place;
  const { minItems, minProperties, minLength, items, properties, additionalProperties, required } = node;
  if (value === null) return [node.type].flat().includes("null") ? null : undefined;
  if (typeof value === "string") return value.length < Number(minLength ?? 0) ? undefined : value;
  if (Array.isArray(value)) {
    const list = value.flatMap((item) => fittingOf(item, asObject(items), root) ?? []);
    return list.length < Number(minItems ?? 0) ? undefined : list;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const field = Object.hasOwn(asObject(properties), name)
      ? asObject(properties)[name]
      : additionalProperties;
    const fitting = fittingOf(member, asObject(field), root);
    return fitting === undefined ? [] : [[name, fitting] as const];
  });
  const names = members.map(([name]) => name);
  const isShort = members.length < Number(minProperties ?? 0);
  const isPart = Array.isArray(required) && required.some((name) => !names.includes(String(name)));
  return isShort || isPart ? undefined : Object.fromEntries(members);
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value ?? null) ? (value as JsonObject) : {};
}
