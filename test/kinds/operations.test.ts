import fc from "fast-check";
import { expect, it } from "vitest";
import { kinds } from "../../src/kinds/index.js";
import type { Kind } from "../../src/kinds/kind.js";
import { REFERABLE } from "../../src/kinds/lookups.js";
import { normaliseWritten } from "../../src/kinds/normalise.js";
import * as people from "../../src/kinds/people.js";
import { type Call, formatCallPath } from "../../src/model/call.js";
import type { JsonObject } from "../../src/model/json.js";
import { makeLabel } from "../../src/sandbox/http/paths.js";
import { cases } from "../fakes/cases.js";
import { anySpec } from "./specs.js";

/** Each call has a name, and the sandbox names the same calls: it reads its names from the service's documents. */

const ID = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const label = makeLabel("full");

function readsOf({ reads, inventory, shape }: Kind): readonly Call[] {
  const key = shape.identity.map(() => ID);
  return [
    reads.one(key),
    ...(reads.list === undefined ? [] : [reads.list.of(key)]),
    ...(reads.parts ?? []).flatMap((part) =>
      part.as === "lists" ? part.calls(key) : [part.call(key, { appId: ID, id: ID })],
    ),
    ...(reads.parents === undefined ? [] : [reads.parents.of([ID])]),
    ...inventory.trails.map((trail) => trail.call(ID)),
  ];
}

function writesOf(kind: Kind): readonly Call[] {
  const { shape } = kind;
  const fixed = [...shape.identity, ...shape.createOnly, ...shape.requestOnly];
  const fields = [...shape.fields.keys()].filter((name) => !fixed.includes(name));
  const identity = Object.fromEntries(fixed.map((name) => [name, ID]));
  const key = shape.identity.map(() => ID);
  const specs = fc.sample(anySpec(shape, fixed), { numRuns: cases(60), seed: 1 });
  const spelled = specs.map((spec): JsonObject => normaliseWritten(spec, shape));
  return spelled.flatMap((after, at) => {
    const before = spelled[at - 1] ?? {};
    return kind.verbs.full.flatMap((verb) =>
      kind.calls({ key, identity, fields, verb, before: verb === "create" ? null : before, after }),
    );
  });
}

function lookupsOf(): readonly Call[] {
  return Object.values(REFERABLE).flatMap(({ list }) => {
    if (list === null) return [];
    const objects = [{ app: ID, id: ID }];
    return [
      list.call(ID, "name"),
      list.whole?.(),
      list.search?.(ID, "name", "name"),
      list.byId?.call(objects),
      list.one?.call(ID),
      list.again?.call(ID),
    ].flatMap((call) => call ?? []);
  });
}

function peopleOf(): readonly Call[] {
  const ref = { appId: ID, id: ID };
  return [
    people.grantsOfUser(ref, ID),
    people.listExclusions(ref),
    people.searchHeld([ref]),
    people.searchNamed("name"),
    people.listAccounts(ID),
    people.introspection(),
  ];
}

const CALLS = [
  ...kinds.flatMap((kind) => [...readsOf(kind), ...writesOf(kind)]),
  ...lookupsOf(),
  ...peopleOf(),
];

it("each operation has one place, one method and one effect", () => {
  expect(CALLS.length).toBeGreaterThan(cases(500));
  const meant = new Map<string, Set<string>>();
  for (const call of CALLS) {
    const path = formatCallPath(call)
      .replaceAll(/\{id\}/g, ID)
      .replaceAll(ID, "{}")
      .replaceAll(/2fsgTvxP0DVTsNXEUBI7hOe0l0[123]/g, "{}");
    const one = `${call.method} ${path} ${call.effect}`;
    meant.set(call.operation, (meant.get(call.operation) ?? new Set()).add(one));
  }
  expect([...meant].filter(([, places]) => places.size > 1)).toEqual([]);
  const places = [...meant.values()].flatMap((all) => [...all]);
  expect(new Set(places).size).toBe(places.length);
});

it("an operation is the same one to the sandbox, by whatever name, and reads where that says so", () => {
  const named = new Map<string, Set<string>>();
  for (const call of CALLS) {
    const path = formatCallPath(call).replaceAll(/\{\w+\}/g, ID);
    const { operation, writes } = label(call.method, path);
    if (operation === null) continue;
    named.set(operation, (named.get(operation) ?? new Set()).add(call.operation));
    if (operation !== "Introspect") expect([operation, writes]).toEqual([operation, call.effect !== "read"]);
  }
  expect(named.size).toBeGreaterThan(30);
  expect([...named].filter(([, names]) => names.size > 1)).toEqual([]);
});

it("an operation is a name and nothing else", () => {
  for (const { operation } of CALLS) expect(operation).toMatch(/^(?:[A-Z][a-z]+)+$/);
});
