import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ProjectFile, writtenIn } from "../../../src/cli/settings/projectFile.js";
import type { Settings } from "../../../src/cli/settings/table.js";
import {
  decide,
  differencesBetween,
  endedIn,
  loosenedIn,
  resolveSettings,
} from "../../../src/cli/settings/whoDecides.js";
import { type JsonObject, same } from "../../../src/model/json.js";
import { acknowledgementOf } from "../../../src/plan/guards/acknowledge.js";
import type { Limits } from "../../../src/plan/guards/settings.js";
import { cases } from "../../fakes/cases.js";

const TODAY = "2026-06-01";
const GUARDS = ["everyone", "max-deletes"] as const;
const ADDRESSES = ["*", "TemplateScope/q4", "EntitlementAutomation/all"] as const;
const HASHES = [null, `sha256:${"a".repeat(64)}`] as const;

const count = fc.integer({ min: 0, max: 4 });
const some = <T>(from: fc.Arbitrary<T>) => fc.option(from, { nil: undefined });
const acknowledgement = fc
  .record({
    guard: fc.constantFrom(...GUARDS),
    address: fc.constantFrom(...ADDRESSES),
    until: fc.constantFrom("2026-05-01", "2026-06-15", "2026-07-01", "2026-12-31"),
    reason: fc.constantFrom("agreed", "urgent"),
    of: fc.constantFrom(...HASHES),
  })
  .map(({ of, ...one }) => (of === null ? one : { ...one, of }));

/** What a project file may say, with few values of each key, so that two of them often agree. */
const written: fc.Arbitrary<JsonObject> = fc
  .record({
    server: some(
      fc.constantFrom("https://a.example", "https://b.example", "https://x:y@a.example", "sandbox"),
    ),
    interface: some(fc.constantFrom("auto", "core", { TemplateScope: "core" })),
    state: some(fc.constantFrom(".remit/state.json", ".remit/other.json")),
    project: some(fc.constantFrom("one", "two")),
    concurrency: some(fc.integer({ min: 1, max: 3 })),
    rate: some(fc.constantFrom(0.5, 20)),
    requestTimeout: some(fc.constantFrom("30s", "60s")),
    createLag: some(fc.constantFrom("60s", "90s")),
    ownersLag: some(fc.constantFrom("10m", "20m")),
    retries: some(count),
    sandbox: some(fc.record({ seed: fc.constantFrom("a.yaml", "b.yaml") })),
    manifests: some(fc.constantFrom(["."], ["a"], ["a", "b"])),
    apps: some(fc.dictionary(fc.constantFrom("GitHub", "Okta"), fc.constantFrom("1", "2"))),
    values: some(fc.constantFrom(["values/a.yaml"], ["values/a.yaml", "values/b.yaml"])),
    tests: some(fc.constantFrom(["tests/a.yaml"], ["checks"])),
    moved: some(
      fc.array(
        fc.record({
          from: fc.constantFrom("ResourceType/a", "ResourceType/b"),
          to: fc.constant("ResourceType/c"),
        }),
        { maxLength: 1 },
      ),
    ),
    removed: some(
      fc.array(
        fc.record({
          address: fc.constantFrom("TemplateScope/q4", "EntitlementAutomation/all"),
          // biome-ignore lint/suspicious/noThenProperty: the project file calls it so
          then: fc.constantFrom("delete", "forget"),
        }),
        { maxLength: 2 },
      ),
    ),
    prune: some(fc.oneof(fc.boolean(), fc.constant({ resourceTypes: ["team"] }))),
    impact: some(fc.record({ calls: some(fc.integer({ min: 0, max: 400 })), people: some(fc.boolean()) })),
    limits: some(fc.record({ values: some(count), characters: some(count), pairs: some(count) })),
    history: some(fc.record({ values: some(fc.constantFrom(0, 30, 400)) })),
    reads: some(fc.record({ rows: some(fc.integer({ min: 1, max: 3_000_000 })), time: some(count) })),
    guards: some(
      fc.record({
        maxDeletes: some(count),
        maxForgets: some(count),
        maxChanges: some(count),
        maxChangesPercent: some(fc.constantFrom(10, 50, 90)),
        changesFloor: some(fc.constantFrom(0, 10, 20)),
        maxLosing: some(count),
        maxGaining: some(count),
        conflict: some(fc.constantFrom("certain", "strict")),
        firstWrite: some(fc.constantFrom("ask", "allow")),
        acknowledgeDays: some(fc.constantFrom(1, 90, 365)),
      }),
    ),
    acknowledge: some(fc.array(acknowledgement, { maxLength: 3 })),
    ignore: some(
      fc.array(
        fc.record({
          objects: fc.constantFrom("ResourceType/Team", "EntitlementAutomation/*"),
          until: fc.constantFrom("2026-05-01", "2026-06-15"),
          reason: fc.constant("agreed"),
        }),
        { maxLength: 2 },
      ),
    ),
  })
  .map((value) => JSON.parse(JSON.stringify(value)));

function file(value: JsonObject): ProjectFile {
  const point = { line: 1, column: 1 };
  return {
    name: "remit.yaml",
    value,
    placeOf: () => ({ span: { file: "remit.yaml", start: point, end: point } }),
  };
}

function decided(reviewed: JsonObject, tree: JsonObject, today = TODAY) {
  const [branch, own] = [
    resolveSettings({}, {}, file(reviewed), "reviewed branch").settings,
    resolveSettings({}, {}, file(tree)).settings,
  ];
  const placeOf = (path: readonly (string | number)[]) => {
    const place = writtenIn(file(tree), path);
    return place === null ? null : { file: place.span.file, line: place.span.start.line };
  };
  const settings = decide(branch, own, today);
  return { branch, own, settings, differences: differencesBetween(branch, own, placeOf) };
}

const FOUND = GUARDS.flatMap((guard) =>
  ADDRESSES.flatMap((name) =>
    ["sha256:b", HASHES[1]].map((hash) => {
      const [kind = "", rest = ""] = name.split("/");
      return { guard, address: name === "*" ? null : { kind, name: rest }, hash };
    }),
  ),
);

function isAnswered(found: (typeof FOUND)[number], { acknowledgements, limits }: Settings, today: string) {
  return (
    acknowledgementOf(found, { acknowledgements: acknowledgements.value, today, limits: limits.value }) !==
    null
  );
}

/** The values of settings, without where they were set. */
function valuesOf(settings: Settings): Readonly<Record<string, unknown>> {
  const bare = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (key, one) => (key === "span" ? undefined : one)));
  return Object.fromEntries(Object.entries(settings).map(([name, { value }]) => [name, bare(value)]));
}

const INTENT = [
  "manifests",
  "values",
  "tests",
  "ownGuards",
  "moved",
  "removed",
  "prunable",
  "prunesAlways",
  "apps",
  "ignored",
];
const FIXED = [
  "server",
  "interface",
  "state",
  "contexts",
  "project",
  "history",
  "concurrency",
  "rate",
  "requestTimeout",
  "createLag",
  "ownersLag",
  "retries",
  "sandbox",
];

describe("the settings in force, of a reviewed branch and a working tree", () => {
  it("are the reviewed branch's, and for intent the working tree's", () => {
    fc.assert(
      fc.property(written, written, (reviewed, tree) => {
        const { branch, own, settings } = decided(reviewed, tree);
        const [chosen, theirs, ours] = [valuesOf(settings), valuesOf(branch), valuesOf(own)];
        for (const name of FIXED) expect(chosen[name], name).toEqual(theirs[name]);
        for (const name of INTENT) expect(chosen[name], name).toEqual(ours[name]);
        const known = [
          ...FIXED,
          ...INTENT,
          "limits",
          "expansion",
          "reads",
          "impact",
          "acknowledgements",
        ].sort();
        expect(Object.keys(settings).sort()).toEqual(known);
      }),
      { numRuns: cases(25) },
    );
  });

  it("never permit more than the reviewed branch", () => {
    fc.assert(
      fc.property(written, written, (reviewed, tree) => {
        const { branch, settings } = decided(reviewed, tree);
        for (const [name, limit] of Object.entries(settings.limits.value)) {
          const bound = branch.limits.value[name as keyof Limits];
          if (name === "firstWrite") expect([limit, bound]).not.toEqual(["allow", "ask"]);
          else if (name === "conflict") expect([limit, bound]).not.toEqual(["certain", "strict"]);
          else expect(Number(limit ?? Infinity)).toBeLessThanOrEqual(Number(bound ?? Infinity));
        }
        const { calls, people } = settings.impact.value;
        expect(calls).toBe(branch.impact.value.calls);
        expect(people && !branch.impact.value.people).toBe(false);
        const { nodes, characters, pairs } = branch.expansion.value;
        expect(settings.expansion.value.nodes).toBeLessThanOrEqual(nodes);
        expect(settings.expansion.value.characters).toBeLessThanOrEqual(characters);
        expect(settings.expansion.value.pairs).toBeLessThanOrEqual(pairs);
        const { rows = 2_000_000, time = 1800 } = branch.reads.value;
        expect(settings.reads.value.rows ?? 2_000_000).toBeLessThanOrEqual(rows);
        expect(settings.reads.value.time ?? 1800).toBeLessThanOrEqual(time);
        for (const today of ["2026-05-01", TODAY, "2026-07-01"]) {
          const then = decided(reviewed, tree, today).settings;
          for (const found of FOUND)
            if (isAnswered(found, then, today)) expect(isAnswered(found, branch, today), today).toBe(true);
        }
      }),
      { numRuns: cases(25) },
    );
  });

  it("differ from the working tree's only where a difference says so", () => {
    fc.assert(
      fc.property(written, written, (reviewed, tree) => {
        const { branch, own, differences } = decided(reviewed, tree);
        const names: Readonly<Record<string, string>> = {
          prunable: "prune.resourceTypes",
          prunesAlways: "prune",
          limits: "guards",
          expansion: "limits",
          acknowledgements: "acknowledge",
          ignored: "ignore",
        };
        for (const [name, value] of Object.entries(valuesOf(own))) {
          const shown = names[name] ?? name;
          const isListed = differences.some(
            ({ setting }) => setting === shown || setting.startsWith(`${shown}.`),
          );
          const isSame = same(withDefaults(name, value), withDefaults(name, valuesOf(branch)[name]));
          expect([shown, isListed || isSame]).toEqual([shown, true]);
        }
      }),
      { numRuns: cases(25) },
    );
  });

  it("are those of the branch, without a difference, where the working tree says the same", () => {
    fc.assert(
      fc.property(written, (value) => {
        const { branch, settings, differences } = decided(value, value);
        expect(differences).toEqual([]);
        expect({ ...valuesOf(settings), acknowledgements: [] }).toEqual({
          ...valuesOf(branch),
          acknowledgements: [],
        });
        for (const found of FOUND)
          expect(isAnswered(found, settings, TODAY)).toBe(isAnswered(found, branch, TODAY));
      }),
      { numRuns: 20 },
    );
  });
});

/** A bound that is not set is the default; the order of lists that are sets, and doubles in them, mean nothing. */
function withDefaults(name: string, value: unknown): unknown {
  if (name === "reads") return { rows: 2_000_000, time: 1800, ...(value as object) };
  if (!["acknowledgements", "removed", "ignored"].includes(name)) return value;
  return (value as readonly unknown[]).map((one) => JSON.stringify(one)).sort();
}

it("an acknowledgement that ends too late is not made to hold by an earlier end", () => {
  const entry = (until: string) => ({
    acknowledge: [{ guard: "nobody", address: "*", until, reason: "x" }],
  });
  const { settings } = decided(entry("2027-06-01"), entry("2026-06-30"));
  expect(settings.acknowledgements.value).toEqual([]);
});

describe("a difference", () => {
  it.each<[string, JsonObject, JsonObject, readonly [string, string][]]>([
    ["of another server", {}, { server: "https://evil.example" }, [["server", "loosens"]]],
    ["of another state", {}, { state: "x.json" }, [["state", "loosens"]]],
    [
      "of an object that is not reported",
      {},
      { ignore: [{ objects: "ResourceType/Team", until: "2026-06-15", reason: "x" }] },
      [["ignore.ResourceType/Team", "intent"]],
    ],
    ["of an interface", {}, { interface: "core" }, [["interface", "loosens"]]],
    ["of a higher limit", {}, { guards: { maxDeletes: 9 } }, [["guards.maxDeletes", "loosens"]]],
    ["of a lower limit", {}, { guards: { maxDeletes: 1 } }, [["guards.maxDeletes", "tightens"]]],
    ["of a new limit", {}, { guards: { maxChanges: 9 } }, [["guards.maxChanges", "tightens"]]],
    ["of a limit that is gone", { guards: { maxChanges: 9 } }, {}, [["guards.maxChanges", "loosens"]]],
    ["of a new limit in people", {}, { guards: { maxLosing: 0 } }, [["guards.maxLosing", "tightens"]]],
    [
      "of a limit in people that is gone",
      { guards: { maxGaining: 9 } },
      {},
      [["guards.maxGaining", "loosens"]],
    ],
    ["of a first write", {}, { guards: { firstWrite: "allow" } }, [["guards.firstWrite", "loosens"]]],
    [
      "of an acknowledgement",
      {},
      { acknowledge: [{ guard: "nobody", address: "*", until: "2026-06-30", reason: "x" }] },
      [["acknowledge.nobody.*", "loosens"]],
    ],
    [
      "of an acknowledgement that is gone",
      { acknowledge: [{ guard: "nobody", address: "*", until: "2026-06-30", reason: "x" }] },
      {},
      [["acknowledge.nobody.*", "tightens"]],
    ],
    [
      "of a removal",
      {},
      // biome-ignore lint/suspicious/noThenProperty: the project file calls it so
      { removed: [{ address: "TemplateScope/q4", then: "delete" }] },
      [["removed.TemplateScope/q4", "intent"]],
    ],
    ["of pruning", {}, { prune: true }, [["prune", "intent"]]],
  ])("%s is named, with what it means", (_, reviewed, tree, expected) => {
    const { differences } = decided(reviewed, tree);
    expect(differences.map(({ setting, effect }) => [setting, effect])).toEqual(expected);
  });

  it("has its line, and never a password", () => {
    const { differences } = decided({}, { server: "https://me:secret@evil.example" });
    expect(JSON.stringify(differences)).not.toContain("secret");
    expect(differences[0]?.place).toEqual({ file: "remit.yaml", line: 1 });
  });
});

describe("settings that permit more than their defaults", () => {
  it("are listed, without an acknowledgement that has expired", () => {
    const acknowledge = ["2026-05-31", "2026-06-30"].map((until, at) => ({
      guard: "nobody",
      address: `TemplateScope/${at}`,
      until,
      reason: "x",
    }));
    const ignore = ["2026-05-31", "2026-06-30"].map((until, at) => ({
      objects: `ResourceType/${at}`,
      until,
      reason: "x",
    }));
    const guards = { maxDeletes: 9, maxForgets: 1, firstWrite: "allow" };
    const { settings } = resolveSettings(
      {},
      {},
      file({ guards, prune: true, retries: 9, acknowledge, ignore }),
    );
    expect(loosenedIn(settings, TODAY).map(({ setting }) => setting)).toEqual([
      "prune",
      "ignore.ResourceType/1",
      "guards.maxDeletes",
      "guards.firstWrite",
      "acknowledge.nobody.TemplateScope/1",
    ]);
    expect(endedIn(settings, TODAY).map(({ setting }) => setting)).toEqual([
      "ignore.ResourceType/0",
      "acknowledge.nobody.TemplateScope/0",
    ]);
  });
});
