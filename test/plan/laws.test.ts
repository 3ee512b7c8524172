import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kinds } from "../../src/kinds/index.js";
import type { Interface } from "../../src/kinds/interface.js";
import type { Kind } from "../../src/kinds/kind.js";
import { normalise } from "../../src/kinds/normalise.js";
import { formatAddress } from "../../src/model/address.js";
import { isObject, type JsonObject } from "../../src/model/json.js";
import { formatKey, type Key } from "../../src/model/key.js";
import { isPending, writes } from "../../src/plan/calls.js";
import type { Mode, Planned } from "../../src/plan/plan.js";
import { recordOf, recordOfAdopted, rewrittenIn } from "../../src/plan/record/record.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import type { Entry, Snapshot } from "../../src/state/snapshot.js";
import type { Desired } from "../../src/tenant/known.js";
import { cases } from "../fakes/cases.js";
import { anyObject } from "./arbitrary.js";
import { absent, current, entry, type Fact, line, planOf, present, snapshot, wish } from "./worlds.js";

/** One object in every floor's eyes; null where that floor does not know it. */
interface Item {
  readonly kind: Kind;
  readonly key: Key;
  readonly tenant: JsonObject | null;
  readonly manifest: JsonObject | null;
  readonly state: Pick<Entry, "applied" | "answered"> | null;
}

interface World {
  readonly on: Interface;
  readonly mode: Partial<Mode>;
  readonly desired: readonly Desired[];
  readonly tenant: ReadonlyMap<string, JsonObject>;
  readonly snapshot: Snapshot | null;
  readonly objects: readonly (readonly [Kind, Key])[];
}

const kindNamed = (name: string): Kind => kinds.filter((kind) => kind.name === name)[0] ?? raise(name);
const raise = (name: string): never => {
  throw new Error(name);
};

function itemOf(kind: Kind, key: Key): fc.Arbitrary<Item> {
  const fixed = [...kind.shape.identity, ...kind.shape.createOnly, ...kind.shape.requestOnly];
  const fields = anyObject(kind.shape, fixed);
  const normal = fields.map((some) => normalise(some, kind.shape));
  const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { freq: 3 });
  const state = fc.record({ applied: normal, answered: maybe(normal) });
  return fc
    .tuple(maybe(normal), maybe(fields), maybe(state))
    .map(([tenant, manifest, state]) => ({ kind, key, tenant, manifest, state }));
}

const items = fc.tuple(
  ...kinds.flatMap((kind) =>
    ["1", "2"].map((one) =>
      itemOf(
        kind,
        kind.shape.identity.map(() => one),
      ),
    ),
  ),
);

const worlds = fc
  .tuple(items, fc.constantFrom<Interface>("core", "full"), fc.boolean(), fc.boolean())
  .map(([all, on, prune, stateless]): World => {
    const known = all.flatMap(({ kind, key, state }) =>
      state === null ? [] : [entry(kind, key.join("-"), key, state.applied, answer(kind, state))],
    );
    return {
      on,
      mode: { prune },
      desired: all.flatMap(({ kind, key, manifest }) => {
        if (manifest === null) return [];
        const identity = Object.fromEntries(kind.shape.identity.map((name, at) => [name, key[at] ?? ""]));
        return [wish(kind, key.join("-"), { ...identity, ...manifest })];
      }),
      tenant: new Map(
        all.flatMap(({ kind, key, tenant }) =>
          tenant === null ? [] : [[formatKey(kind.name, key), tenant]],
        ),
      ),
      snapshot: stateless ? null : snapshot(known),
      objects: all.map(({ kind, key }) => [kind, key]),
    };
  });

/** What an apply leaves of an answer, with what the service keeps otherwise. */
function answer({ shape }: Kind, { applied, answered }: Pick<Entry, "applied" | "answered">): Partial<Entry> {
  return { answered, rewritten: rewrittenIn({ applied, answered }, shape) };
}

function planned({ on, mode, desired, tenant, snapshot: state, objects }: World): Planned {
  const facts = objects.map(([kind, key]): Fact => {
    const fields = tenant.get(formatKey(kind.name, key));
    return [kind, key, fields === undefined ? absent : present(key, fields)];
  });
  return planOf({
    desired,
    current: current(on, on === "full" ? facts : []),
    snapshot: state,
    mode,
  });
}

type Keeps = (fields: JsonObject) => JsonObject;

/** The world after an apply by a service that keeps what it is sent in its own way. */
function applied(world: World, keeps: Keeps): World {
  const tenant = new Map(world.tenant);
  const entries = new Map(Object.entries(world.snapshot?.entries ?? {}));
  for (const step of planned(world).steps) {
    const { address, action, key, after } = step;
    const name = formatKey(address.kind, key ?? []);
    if (writes(step)) {
      if (after === null) tenant.delete(name);
      else tenant.set(name, keeps(after));
    }
    if (action === "delete" || action === "forget") entries.delete(name);
    else if (after !== null) {
      const kind = kindNamed(address.kind);
      const record =
        action === "adopt"
          ? recordOfAdopted(step, entries.get(name) ?? null, kind)
          : recordOf(step, keeps(after), kind);
      entries.set(name, { address, key: key ?? [], at: "2026-01-01T00:00:00Z", ...record });
    }
  }
  return { ...world, tenant, snapshot: { ...snapshot([]), entries: Object.fromEntries(entries) } };
}

const asSent: Keeps = (fields) => fields;
const spaced: Keeps = (fields) => {
  const { cel } = fields;
  return isObject(cel) && typeof cel.expression === "string"
    ? { ...fields, cel: { expression: ` ${cel.expression}\n ` } }
    : fields;
};

describe("the laws of planning", () => {
  it.each<[string, Keeps]>([
    ["keeps what it is sent", asSent],
    ["spells what it is sent in its own way", spaced],
  ])("leave nothing to do after an apply by a service that %s", (_, keeps) => {
    fc.assert(
      fc.property(worlds, (world) => {
        const again = planned(applied(world, keeps)).steps.filter(({ action }) => action !== "blocked");
        expect(again.filter(({ action }) => isPending(action)).map(line)).toEqual([]);
      }),
      { numRuns: cases(12, 30) },
    );
  });

  it("show the same drift after it was recorded", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const looking = { ...world, on: "full" as const, mode: { refreshOnly: true } };
        const drifted = (one: World) =>
          planned(one).steps.flatMap((step) => (step.action === "adopt" ? [line(step), step.changes] : []));
        expect(drifted(applied(looking, asSent))).toEqual(drifted(looking));
      }),
    );
  });

  it("give the same bytes in whatever order things come", () => {
    fc.assert(
      fc.property(worlds, fc.infiniteStream(fc.nat()), (world, dice) => {
        const shuffled = <T>(list: readonly T[]): readonly T[] =>
          list
            .map((item) => ({ item, at: dice.next().value }))
            .sort((one, other) => one.at - other.at)
            .map(({ item }) => item);
        const other: World = {
          ...world,
          desired: shuffled(world.desired),
          objects: shuffled(world.objects),
          snapshot: world.snapshot && {
            ...world.snapshot,
            entries: Object.fromEntries(shuffled(Object.entries(world.snapshot.entries))),
          },
        };
        expect(writePlan(planned(other)).text).toBe(writePlan(planned(world)).text);
      }),
    );
  });

  it("let a plan be saved and read again unchanged", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const frozen = writePlan(planned(world));
        const { value, diagnostics } = readSavedPlan(frozen.text);
        expect(diagnostics).toEqual([]);
        expect(value).toMatchObject({ seal: frozen.seal, effect: frozen.effect });
        expect(value && writePlan(value.plan).text).toBe(frozen.text);
      }),
    );
  });

  it("never send, and never compare, fields that remit does not manage", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const wanted = new Map(world.desired.map((one) => [formatAddress(one.resource.address), one]));
        for (const {
          address,
          before,
          after,
          managed: { owned },
          action,
        } of planned(world).steps) {
          const one = wanted.get(formatAddress(address));
          if (one === undefined || after === null || before === null || action === "adopt") continue;
          const { shape } = kindNamed(address.kind);
          const grouped = shape.groups.filter(({ members }) => members.some((name) => owned.includes(name)));
          const foreign = [...shape.fields.keys()].filter(
            (name) => !owned.includes(name) && !grouped.some(({ members }) => members.includes(name)),
          );
          for (const name of foreign) expect(after[name]).toEqual(before[name]);
        }
      }),
    );
  });

  it("never let a secret into a plan", () => {
    const secret = fc.stringMatching(/^[a-z0-9]{12,20}$/);
    fc.assert(
      fc.property(worlds, secret, (world, token) => {
        const server = `https://client:${token}@tenant.example/base?access_token=${token}#${token}`;
        const plan = planOf({
          desired: world.desired,
          current: current(world.on, []),
          snapshot: world.snapshot,
          server,
        });
        expect(writePlan(plan).text).not.toContain(token);
        expect(plan.server).toBe("https://tenant.example/base");
      }),
    );
  });
});
