import fc from "fast-check";
import { expect, it } from "vitest";
import { divideKept } from "../../src/diff/kept.js";
import { carryOver } from "../../src/diff/own.js";
import { kinds } from "../../src/kinds/index.js";
import type { Interface } from "../../src/kinds/interface.js";
import type { Kind } from "../../src/kinds/kind.js";
import { normalise } from "../../src/kinds/normalise.js";
import { formatAddress } from "../../src/model/address.js";
import type { Call } from "../../src/model/call.js";
import { isObject, type Json, type JsonObject, same } from "../../src/model/json.js";
import { formatKey, type Key } from "../../src/model/key.js";
import type { Planned } from "../../src/plan/plan.js";
import type { Entry, Snapshot } from "../../src/state/snapshot.js";
import type { Desired } from "../../src/tenant/known.js";
import { cases } from "../fakes/cases.js";
import { anyObject } from "./arbitrary.js";
import { absent, current, entry, type Fact, planOf, present, snapshot, wish } from "./worlds.js";

/** One object: as it is in the tenant, as its manifest wants it, and as a forged state remembers it. */
interface Item {
  readonly kind: Kind;
  readonly key: Key;
  readonly tenant: JsonObject | null;
  readonly desired: Desired;
  readonly forged: Partial<Entry> | null;
}

interface World {
  readonly items: readonly Item[];
  readonly forged: Snapshot;
}

/** A state of an attacker who knows the tenant, the manifest and the format: each member is one that would fit, or any. */
function itemOf(kind: Kind, key: Key): fc.Arbitrary<Item> {
  const fixed = [...kind.shape.identity, ...kind.shape.createOnly, ...kind.shape.requestOnly];
  const written = anyObject(kind.shape, fixed);
  const normal = written.map((fields) => normalise(fields, kind.shape));
  const identity = Object.fromEntries(kind.shape.identity.map((name, at) => [name, key[at] ?? ""]));
  return fc.tuple(written, fc.option(normal, { freq: 6 })).chain(([manifest, tenant]) => {
    const desired = wish(kind, key.join("-"), { ...identity, ...manifest });
    const fitting = fc.oneof(fc.constant(tenant ?? {}), fc.constant(desired.fields), normal);
    const fields = fc.subarray([...kind.shape.fields.keys()]);
    const forged = fc.record(
      {
        applied: fitting,
        answered: fc.option(fitting),
        rewritten: fields,
        protected: fc.boolean(),
        unknown: fields,
        drift: fitting,
        original: fitting,
        former: fc.boolean(),
        at: fc.constantFrom("", "2999-01-01T00:00:00Z"),
        createOnly: fc.constant({ resourceType: "CUSTOM" }),
      },
      { requiredKeys: ["applied", "answered", "rewritten", "protected", "at"] },
    );
    return fc
      .option(forged, { freq: 6 })
      .map((one): Item => ({ kind, key, tenant, desired, forged: one as Partial<Entry> | null }));
  });
}

const worlds = fc
  .tuple(
    fc.tuple(
      ...kinds.map((kind) =>
        itemOf(
          kind,
          kind.shape.identity.map(() => "1"),
        ),
      ),
    ),
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([items, wasRead, isUncertain, isExisting]): World => {
    const at = "2026-01-01T00:00:00Z";
    const of = <T>(is: boolean, value: (item: Item) => readonly [string, T]) =>
      Object.fromEntries(is ? items.map(value) : []);
    const entries = items.flatMap(({ kind, key, forged }) =>
      forged === null ? [] : [entry(kind, key.join("-"), key, {}, forged)],
    );
    const forged = snapshot(entries, {
      wasRead,
      uncertain: of(isUncertain, ({ key, desired: { resource, fields } }) => [
        formatAddress(resource.address),
        { address: resource.address, key, applied: fields, at, why: "no reply", sent: true },
      ]),
      existing: of(isExisting, ({ kind, key }) => [formatKey(kind.name, key), { at, why: "shown" }]),
      applying: { effect: `sha256:${"0".repeat(64)}`, done: [], isComplete: wasRead },
    });
    return { items, forged };
  });

function planned({ items }: World, on: Interface, state: Snapshot | null): Planned {
  const facts = items.map(({ kind, key, tenant }): Fact => {
    return [kind, key, tenant === null ? absent : present(key, tenant)];
  });
  return planOf({
    desired: items.map(({ desired }) => desired),
    current: current(on, on === "full" ? facts : []),
    snapshot: state,
    acknowledgements: [{ by: "flag", guard: "unknown-current", address: null }],
  });
}

/** Where the tenant has another value, in meaning, than the manifest writes. */
function differing({ kind: { shape }, tenant, desired: { fields, owned } }: Item): number {
  if (tenant === null) return 1;
  return divideKept(tenant, carryOver(tenant, fields, owned, shape), owned, shape).differs.length;
}

/** Whether a call asks for no more than another one: the same object, and no member with another value. */
function isWithin(call: Call, other: Call): boolean {
  return same(call.path, other.path) && call.method === other.method && within(call.body, other.body);
}

/** A mask is a list of names, as one text: a shorter one asks for less. */
function within(body: Json | undefined, other: Json | undefined, name = ""): boolean {
  if (name === "updateMask" && typeof body === "string" && typeof other === "string") {
    return body.split(",").every((one) => other.split(",").includes(one));
  }
  if (!isObject(body) || !isObject(other)) return same(body, other);
  return Object.entries(body).every(([member, value]) => within(value, other[member], member));
}

const RUNS = { numRuns: cases(25) };

it("no forged state makes a differing object equal, where the service can be read", () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { steps } = planned(world, "full", world.forged);
      const silent = world.items.filter((item) => {
        const step = steps.find(({ address }) => same(address, item.desired.resource.address));
        return step === undefined || step.action === "keep" || step.action === "adopt";
      });
      expect(silent.filter((item) => differing(item) > 0)).toEqual([]);
    }),
    RUNS,
  );
});

it("no forged state makes a write larger than the manifests ask, where the service can be read", () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const callsOf = (state: Snapshot | null) =>
        planned(world, "full", state).steps.flatMap(({ calls }) => calls);
      const asked = callsOf(null);
      expect(callsOf(world.forged).filter((call) => !asked.some((one) => isWithin(call, one)))).toEqual([]);
    }),
    RUNS,
  );
});

it("where nothing can be read, a forged state makes an object equal only as its record says, and the plan says so", () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const plan = planned(world, "core", world.forged);
      const unseen = plan.unseen.map(({ what }) => what);
      expect(kinds.filter(({ noun }) => !unseen.includes(noun.many))).toEqual([]);
      for (const step of plan.steps.filter(({ action }) => action === "keep" || action === "adopt")) {
        const recorded = world.forged.entries[formatKey(step.address.kind, step.key ?? [])];
        expect(recorded !== undefined || step.managed.owned.length === 0).toBe(true);
      }
    }),
    RUNS,
  );
});
