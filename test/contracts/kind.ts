import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare } from "../../src/diff/compare.js";
import { manifestCheck } from "../../src/kinds/check.js";
import { kinds } from "../../src/kinds/index.js";
import type { Interface } from "../../src/kinds/interface.js";
import type { Kind, Observed, Verb, Work } from "../../src/kinds/kind.js";
import { normalise, normaliseWritten } from "../../src/kinds/normalise.js";
import { listOf } from "../../src/kinds/spelling.js";
import { type Call, formatCallPath } from "../../src/model/call.js";
import { isObject, type Json, type JsonObject } from "../../src/model/json.js";
import type { Key } from "../../src/model/key.js";
import { valueAt } from "../../src/model/path.js";
import type { Shape, SpecShape } from "../../src/schema/shape.js";
import { cases } from "../fakes/cases.js";
import { anySpec, withoutEmpty } from "../kinds/specs.js";
import { gapsIn } from "./kindSchema.js";
import { type Talk, talkTo } from "./kindService.js";

/** What a kind's author gives for its contract: an object that the tests' tenant can have. */
export interface Sample {
  /** Identity and create-only fields. */
  readonly identity: JsonObject;
  /** What every create must say. */
  readonly always: JsonObject;
  /** For each list of the inventory that the sandbox does not serve, by its noun: a row that points at the object. */
  readonly rows: Readonly<Record<string, Json>>;
}

const INTERFACES: readonly Interface[] = ["core", "full"];

/** What every kind must be: described for people, and of one mind with itself and with the service. */
export function kindContract(kind: Kind, { identity, always, rows }: Sample): void {
  const { shape } = kind;
  const fixed = [...shape.identity, ...shape.createOnly, ...shape.requestOnly];
  const free = [...shape.fields.keys()].filter((name) => !fixed.includes(name));
  const specs = anySpec(shape, [...fixed, ...Object.keys(always)]).map((spec) => {
    const written = Object.entries(withoutEmpty({ ...identity, ...always, ...spec }, kind.schema));
    return Object.fromEntries(written.filter(([name]) => !fixed.includes(name)));
  });
  const workOf = (verb: Verb, spec: JsonObject, key: Work["key"], before: JsonObject | null = null): Work => {
    return { verb, key, identity, before, after: normaliseWritten(spec, shape), fields: free };
  };
  /** What the service takes: an author hears of the rest before it is sent. */
  const isTaken = ({ before, after }: Work) =>
    (kind.refuses?.(before, after, { key: null }) ?? null) === null;

  /** Whether an object is a list, of which each write shows one row. */
  const isOfRows = kind.reads.isList === true;
  const isShownByWrites = kind.reads.parts === undefined && !isOfRows;
  /** A list is there before it is written, and is written as it was read. */
  const seenFirst = (service: Talk) =>
    isOfRows ? (look(service, keyFor("set") ?? [])?.fields ?? null) : null;

  describe(`the kind ${kind.name}`, () => {
    it("has a place in the list", () => {
      expect(kinds.filter(({ name }) => name === kind.name)).toEqual([kind]);
    });
    it("has a schema that leaves nothing untold", () => {
      expect(gapsIn(kind)).toEqual([]);
    });
    it("has an example that is valid", () => {
      const examples = kind.schema.examples as readonly JsonObject[];
      expect(examples.map((example) => manifestCheck(kind.name)?.(example))).toEqual([[]]);
    });
    it("knows the fields that name an object", () => {
      expect(fixed.filter((name) => !shape.fields.has(name))).toEqual([]);
      expect(kind.key(identity)).toEqual(shape.identity.map((name) => identity[name]));
      expect(kind.key({})).toBeNull();
    });
    it("can do with the whole service what it can with a part", () => {
      expect(kind.verbs.full).toEqual(expect.arrayContaining([...kind.verbs.core]));
    });

    it("finds nothing wrong with a spec of its shape", () => {
      const named = { apiVersion: "remit/v1", kind: kind.name, metadata: { name: "any" } };
      fc.assert(
        fc.property(specs, (spec) => {
          expect(manifestCheck(kind.name)?.({ ...named, spec: { ...identity, ...spec } })).toEqual([]);
        }),
      );
    });
    it.each([
      ["normal form", normalise],
      ["spelling", normaliseWritten],
    ])("has one %s for a spec, whatever the order it is written in", (_what, normalise) => {
      fc.assert(
        fc.property(specs, (spec) => {
          const normal = normalise(spec, shape);
          expect(normalise(normal, shape)).toEqual(normal);
          expect(JSON.stringify(normalise(turned(spec, shape), shape))).toBe(JSON.stringify(normal));
        }),
      );
    });
  });

  describe.each(INTERFACES.filter((on) => kind.verbs[on].length > 0))(
    `${kind.name} on the %s interface`,
    (on) => {
      const [first = "set"] = kind.verbs[on];

      it.each(kind.verbs[on])("makes calls that say what they are to %s", (verb) => {
        fc.assert(
          fc.property(specs, (spec) => {
            const calls = kind.calls(workOf(verb, spec, kind.key(identity)));
            expect(calls.flatMap((call) => [...faultsOf(call, verb, kind)])).toEqual([]);
            // A list that is there already needs none.
            if (!isOfRows) expect(calls.length).toBeGreaterThan(0);
          }),
        );
      });
      it(`knows from the replies to a ${first} what it has written`, () => {
        fc.assert(
          fc.property(specs, (spec) => {
            const service = talkTo(on);
            const work = workOf(first, spec, keyFor(first), seenFirst(service));
            fc.pre(isTaken(work));
            const told = kind.answer(work, service(kind.calls(work)));
            const shown = isShownByWrites
              ? told
              : look(service, told?.key ?? keyFor(first) ?? [], work.after);
            expect(differences(shown?.fields, work)).toEqual([]);
          }),
          { numRuns: cases(8, 20) },
        );
      });
    },
  );

  describe(`${kind.name}, written and read`, () => {
    const { verbs } = kind;
    const [first = "set"] = verbs.full;
    // What the service never changes is created and deleted.
    const then = verbs.full.find((verb) => verb === "update" || verb === "set");

    it("is shown as it was written, time after time", () => {
      fc.assert(
        fc.property(specs, specs, (one, other) => {
          const service = talkTo("full");
          const birth = workOf(first, one, keyFor(first), seenFirst(service));
          fc.pre(isTaken(birth));
          const born = kind.answer(birth, service(kind.calls(birth)));
          const key = born?.key ?? keyFor(first) ?? [];
          const show = (wanted: Work["after"] = birth.after) => look(service, key, wanted);
          expect(show()?.key).toEqual(key);
          expect(differences(show()?.fields, birth)).toEqual([]);
          if (then !== undefined) change(then, other);
          if (!verbs.full.includes("delete")) return;
          service(kind.calls(workOf("delete", {}, key)));
          expect(show()).toBeUndefined();

          function change(then: Verb, other: JsonObject): void {
            const change = workOf(then, other, key, show()?.fields ?? null);
            fc.pre(isTaken(change));
            const calls = kind.calls(change);
            const answer = kind.answer(change, service(calls));
            // A write of owners alone sends nothing of the object itself.
            const isOfParts = calls.every(({ path: [, version] }) => version === "v2");
            if (!isOfRows && !isOfParts) expect(answer?.key).toEqual(key);
            if (isShownByWrites) expect(differences(answer?.fields, change)).toEqual([]);
            expect(differences(show(change.after)?.fields, change)).toEqual([]);
          }
        }),
        { numRuns: cases(8, 20) },
      );
    });
  });

  describe(`the inventory of ${kind.name}`, () => {
    const { trails, gaps } = kind.inventory;
    const key = kind.key(identity) ?? [];

    it("has a list that is required, and reads with every list", () => {
      expect(trails.filter(({ isRequired }) => isRequired)).not.toEqual([]);
      const calls = trails.map(({ call, per }) => call(per === "app" ? (key[0] ?? "") : ""));
      for (const call of calls) expect(call).toMatchObject({ effect: "read", expects: ["list"] });
    });
    it("says in sentences what it cannot find, and what to do", () => {
      for (const { message, hint } of gaps)
        for (const text of [message, hint]) expect(text).toMatch(/^[A-Z].*\.$/);
    });
    it("finds the object that was written, under its key", () => {
      for (const { noun, call, per, keys } of trails) {
        const app = per === "app" ? (key[0] ?? "") : "";
        const shown = rows[noun];
        const { listed, key: written } =
          shown === undefined ? rowsAfterWrite(call(app)) : { listed: [shown], key };
        expect([noun, listed.flatMap((row) => keys(row, app))]).toEqual([
          noun,
          expect.arrayContaining([written]),
        ]);
      }
    });
    it("takes nothing from rows of other things", () => {
      const strange = [null, [], "text", {}, { appEntitlement: {} }, { accessReview: {} }];
      for (const { keys } of trails) expect(strange.flatMap((row) => keys(row, "app"))).toEqual([]);
    });

    function rowsAfterWrite(list: Call): { readonly listed: readonly Json[]; readonly key: Key } {
      const service = talkTo("full");
      const [first = "set"] = kind.verbs.full;
      const isThere =
        kind.namesRepeat !== true &&
        kind.reads.observe(service([kind.reads.one(key)])[0] ?? null, key) !== undefined;
      const work = workOf(first, always, kind.namesRepeat === true ? null : key);
      const born = isThere ? undefined : kind.answer(work, service(kind.calls(work)));
      const rows = valueAt(service([list])[0], ["list"]);
      return { listed: Array.isArray(rows) ? rows : [], key: born?.key ?? key };
    }
  });

  /** The object as its reads show it, with its parts. */
  function look(service: Talk, key: Key, wanted: JsonObject = {}): Observed | undefined {
    const { one, observe, parts = [] } = kind.reads;
    const observed = observe(service([one(key)])[0] ?? null, key);
    if (observed === undefined || parts.length === 0) return observed;
    const fields = parts.map((part) => {
      const { field } = part;
      if (part.as === "items") {
        const items = listOf(wanted, field).filter(isObject);
        return [
          field,
          items.filter((item) => {
            const shown = service([part.call(key, item)])[0] ?? null;
            return valueAt(shown, ["code"]) !== 5 && part.has(shown);
          }),
        ] as const;
      }
      if (part.as === "lists") {
        const rows = part.calls(key).flatMap((call) => rowsIn(service([call])[0] ?? null));
        return [field, [...part.observe(rows)]] as const;
      }
      const { call, as, observe: read, none } = part;
      const body = service([call(key)])[0] ?? null;
      const isMissing = valueAt(body, ["code"]) === 5;
      const value = isMissing ? none : read(as === "list" ? (valueAt(body, ["list"]) ?? null) : body);
      expect(value, field).toBeDefined();
      return [field, value ?? null] as const;
    });
    return { ...observed, fields: normalise({ ...observed.fields, ...Object.fromEntries(fields) }, shape) };
  }

  /** What separates the fields that the service shows from those that were written. */
  function differences(fields: JsonObject | undefined, { after }: Work) {
    return fields === undefined ? ["nothing is shown"] : compare(fields, after, shape);
  }

  /** A create of an object whose id the service chooses has no key. */
  function keyFor(verb: Verb): Work["key"] {
    return verb === "create" && kind.matches !== undefined ? null : kind.key(identity);
  }
}

const EFFECTS = { create: "once", set: "repeatable", update: "repeatable", delete: "repeatable" } as const;

/** What is wrong with a call of a write. Of a create's calls, those that follow the first may be repeated. */
function* faultsOf(call: Call, verb: Verb, { reads }: Kind): Generator<string> {
  const name = `${call.method} ${formatCallPath(call)}`;
  const isFollowUp = call.ids !== undefined || call.path.some((segment) => typeof segment !== "string");
  const isRow = reads.isList === true && call.effect === "once";
  const effect = isRow ? "once" : isFollowUp ? "repeatable" : EFFECTS[verb];
  if (call.effect !== effect) yield `${name} is ${call.effect}, and a ${verb} is ${effect}`;
  if (call.path.some((segment) => segment === "")) yield `${name} has an empty segment`;
  if (call.path[0] !== "api" || !/^v[12]$/.test(String(call.path[1])))
    yield `${name} is outside of api/v1 and api/v2`;
  // Of a part, a write may take something away, and its reply may be empty.
  const isOfPart = (reads.parts !== undefined || reads.isList === true) && verb !== "delete";
  const isRemoval = isOfPart && call.method === "DELETE";
  if (!isRemoval && call.method !== (verb === "delete" ? "DELETE" : "POST")) yield `${name} is no ${verb}`;
  if (call.body === undefined) yield `${name} has no body`;
  if (verb !== "delete" && !isOfPart && call.expects === undefined)
    yield `${name} expects nothing of its reply`;
  const mask = call.body?.updateMask;
  if (mask !== undefined && !/^[a-z][A-Za-z]*(,[a-z][A-Za-z]*)*$/.test(String(mask)))
    yield `${name} has the mask ${mask}`;
}

/** The same value with every member in the opposite order, and every item whose place says nothing. */
function turned<T extends Json>(value: T, shape: Shape | SpecShape | undefined): T {
  if (Array.isArray(value)) {
    const [item, isOrdered] = shape?.type === "list" ? [shape.item, shape.order.by === "place"] : [];
    const items = value.map((one) => turned(one, item));
    return (isOrdered ? items : items.reverse()) as Json as T;
  }
  if (!isObject(value)) return value;
  const fieldOf = (name: string) =>
    shape?.type === "object" ? shape.fields.get(name) : shape?.type === "map" ? shape.value : undefined;
  const members = Object.entries(value).map(
    ([name, member]) => [name, turned(member, fieldOf(name))] as const,
  );
  return Object.fromEntries(members.reverse()) as Json as T;
}

/** The rows of a page of a list. */
function rowsIn(page: Json): readonly Json[] {
  return isObject(page) ? listOf(page, "list") : [];
}
