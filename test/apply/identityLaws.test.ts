import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Resource } from "../../src/manifest/resource.js";
import { formatAddress } from "../../src/model/address.js";
import { formatKey } from "../../src/model/key.js";
import { automation, newType, type Scene, setScene } from "./scene.js";

/**
 * The laws of identity over random edits: keys that change, names that move, targets, and runs that are killed. No object
 * is dropped from the state without a decision, none is created twice, and an old object never changes.
 */

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const RUNS = Number(process.env.IDENTITY_RUNS ?? 12);
const NUMBERS = [1, 2, 3, 4] as const;
const NAMES = ["Red", "Blue", "Green"] as const;
const ADDRESSES = ["a", "b", "c"] as const;
const TYPES = ["x", "y"] as const;

/** What one run plans: the entitlement of each automation, the name of each type, and how far it comes. */
interface Round {
  readonly automations: readonly (number | null)[];
  readonly types: readonly (string | null)[];
  readonly targets: readonly string[];
  readonly cut: { readonly at: number; readonly when: "before" | "after" } | null;
}

const distinct = <T>(all: readonly T[], count: number) =>
  fc
    .tuple(
      fc.shuffledSubarray([...all], { minLength: count, maxLength: count }),
      fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    )
    .map(([chosen, kept]) => chosen.map((one, place) => (kept[place] === true ? one : null)));

const round: fc.Arbitrary<Round> = fc.record({
  automations: distinct(NUMBERS, ADDRESSES.length),
  types: distinct(NAMES, TYPES.length),
  targets: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.subarray(["EntitlementAutomation/a", "EntitlementAutomation/b", "ResourceType/x"], {
        minLength: 1,
      }),
    },
  ),
  cut: fc.option(
    fc.record({ at: fc.nat({ max: 14 }), when: fc.constantFrom("before" as const, "after" as const) }),
    {
      freq: 2,
    },
  ),
});

function manifestsOf({ automations, types }: Round): readonly Resource[] {
  const named = (one: Resource, name: string): Resource => ({ ...one, address: { ...one.address, name } });
  return [
    ...ADDRESSES.flatMap((name, place) => {
      const number = automations[place] ?? null;
      return number === null ? [] : named(automation(number, { displayName: "any" }), name);
    }),
    ...TYPES.flatMap((name, place) => {
      const displayName = types[place] ?? null;
      return displayName === null ? [] : newType(name, displayName);
    }),
  ];
}

const rowOf = ({ sandbox }: Scene, number: number) =>
  structuredClone(sandbox.store.automations.get(APP, `entitlement000000000000000${number}`));

async function known({ snapshot }: Scene): Promise<readonly string[]> {
  const { entries, uncertain } = await snapshot();
  const creates = Object.values(uncertain).flatMap(({ address, key }) =>
    key === null ? [] : formatKey(address.kind, key),
  );
  return [...Object.keys(entries), ...creates];
}

async function play(scene: Scene, one: Round): Promise<void> {
  const resources = manifestsOf(one);
  const plan = await scene.plan(resources, { targets: one.targets });
  if (one.cut === null) await scene.apply(plan);
  else if (await scene.wreck(plan, one.cut.at, one.cut.when)) await scene.recover();
  else await scene.lock.journal.clear();
}

describe("any sequence of edits, selections and kills", () => {
  it("loses no object, creates none twice, and changes no old one", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 4 }), async (rounds) => {
        const scene = await setScene({ width: 2 });
        for (const one of rounds) {
          const before = await known(scene);
          const old = NUMBERS.filter((number) => !one.automations.includes(number));
          const rows = old.map((number) => rowOf(scene, number));
          await play(scene, one);
          expect(await known(scene)).toEqual(expect.arrayContaining([...before]));
          expect(old.map((number) => rowOf(scene, number))).toEqual(rows);
        }
        const last = rounds.at(-1);
        if (last === undefined) return;
        // A name may be given again once its type has another one.
        const twice = scene.sandbox.log.creates().filter(({ done, key }) => done > 1 && !/ /.test(key));
        expect(twice).toEqual([]);
        const types = [...scene.sandbox.store.resourceTypes.of(APP)].map(({ displayName }) => displayName);
        expect(types).toHaveLength(new Set(types).size);

        // Every object of the state has one step, and every step a name of its own.
        const { steps } = await scene.plan(manifestsOf(last));
        const names = steps.map(({ address }) => formatAddress(address));
        expect(names).toHaveLength(new Set(names).size);
        const { entries } = await scene.snapshot();
        const planned = steps.flatMap(({ address, key }) =>
          key === null ? [] : formatKey(address.kind, key),
        );
        expect(planned).toEqual(expect.arrayContaining(Object.keys(entries)));
      }),
      { numRuns: RUNS },
    );
  });
});
