import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changesSince } from "../../../src/manifest/git/changes.js";
import type { EarlierProject } from "../../../src/manifest/git/earlierProject.js";
import { checkAll } from "../../../src/manifest/load.js";
import type { AppNames } from "../../../src/manifest/references.js";
import type { Source } from "../../../src/manifest/source.js";
import { NO_VOCABULARY, type Vocabulary } from "../../../src/manifest/vocabulary.js";
import { formatAddress } from "../../../src/model/address.js";
import { eachOnce, removedSince, withoutHeld } from "../../../src/plan/since/since.js";
import { resolveEarlier } from "../../../src/tenant/earlier.js";
import { resolveAll } from "../../../src/tenant/names/resolveAll.js";
import { openOrigin } from "../../../src/tenant/origin.js";
import { cases } from "../../fakes/cases.js";

/** One manifest of a made-up project: its name, its object, what it says of it, and where it stands. */
interface Written {
  readonly name: string;
  readonly object: number;
  readonly text: string;
  readonly file: string;
  readonly isByName: boolean;
}

interface Version {
  readonly written: readonly Written[];
  /** What `apps:` of the version calls the two apps. */
  readonly apps: AppNames;
}

const APPS = ["2fsgTvxP0DVTsNXEUBI7hOe0l5A", "2fsgTvxP0DVTsNXEUBI7hOe0l5B"];
const appOf = (object: number) => APPS[object % 2] ?? "";
const keyOf = (object: number) => `${appOf(object)}/entitlement000000000000000${object}`;

function sourcesOf({ written, apps }: Version): readonly Source[] {
  const nameOf = (app: string) => Object.keys(apps).find((name) => apps[name] === app) ?? "";
  return [...new Set(written.map(({ file }) => file))].map((file) => ({
    file,
    named: false,
    text: written
      .filter((one) => one.file === file)
      .map(({ name, object, text, isByName }) => {
        const app = appOf(object);
        const appId = isByName ? { name: nameOf(app) } : app;
        const spec = { appId, appEntitlementId: `entitlement000000000000000${object}`, displayName: text };
        return JSON.stringify({
          apiVersion: "remit/v1",
          kind: "EntitlementAutomation",
          metadata: { name },
          spec,
        });
      })
      .join("\n---\n"),
  }));
}

function vocabularyOf({ apps }: Version): Vocabulary {
  return { ...NO_VOCABULARY, apps };
}

/** The keys of what was removed between two versions, as remit finds them. */
async function found(
  before: Version,
  now: Version,
  more: Partial<EarlierProject> = {},
): Promise<readonly string[]> {
  const sources = sourcesOf(now);
  const { resources } = checkAll(sources, vocabularyOf(now));
  const origin = openOrigin({
    asked: "full",
    tenant: null,
    snapshot: null,
    apps: now.apps,
    progress: () => undefined,
  });
  const { desired } = (await resolveAll(resources, origin)).value;
  const past: EarlierProject = {
    ref: "main",
    commit: "0",
    sources: sourcesOf(before),
    vocabulary: vocabularyOf(before),
    removed: [],
    prunes: false,
    isComplete: true,
    authorship: {},
    ...more,
  };
  const changes = changesSince(past, { sources, resources, vocabulary: vocabularyOf(now) });
  const earlier = await resolveEarlier(changes.value.removed, past.vocabulary.apps, origin);
  expect([changes.diagnostics, earlier.diagnostics]).toEqual([[], []]);
  const removed = removedSince(withoutHeld(earlier.value, desired), desired, { objects: new Map() }, null);
  return removed.map(({ address, key, file }) => `${formatAddress(address)} ${key.join("/")} ${file}`).sort();
}

/** What was removed, by comparing every object of one version with every object of the other. */
function expected(before: Version, now: Version): readonly string[] {
  const objects = new Set(now.written.map(({ object }) => object));
  return before.written
    .filter(({ object }) => !objects.has(object))
    .map(({ name, object, file }) => `EntitlementAutomation/${name} ${keyOf(object)} ${file}`)
    .sort();
}

const manifest = fc.record({
  name: fc.constantFrom("a", "b", "c", "d", "e"),
  object: fc.integer({ min: 1, max: 6 }),
  text: fc.constantFrom("One", "Two"),
  file: fc.constantFrom("x.yaml", "y.yaml", "sub/z.yaml"),
  isByName: fc.boolean(),
});
const version = fc.record({
  written: fc
    .uniqueArray(manifest, { selector: ({ name }) => name, maxLength: 5 })
    .map((list) => list.filter((one, at) => list.findIndex(({ object }) => object === one.object) === at)),
  // A name may mean the other app in the other version.
  apps: fc.constantFrom<AppNames>(
    { Red: APPS[0] ?? "", Blue: APPS[1] ?? "" },
    { Blue: APPS[0] ?? "", Red: APPS[1] ?? "" },
    { Old: APPS[0] ?? "", Blue: APPS[1] ?? "" },
  ),
});

describe("what was removed since an earlier version", () => {
  it("is every object that had a manifest then and has none now, and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(version, version, async (before, now) => {
        expect(await found(before, now)).toEqual(expected(before, now));
      }),
      { numRuns: cases(50) },
    );
  });

  it("is nothing where the earlier version could not be read, or is the same", async () => {
    await fc.assert(
      fc.asyncProperty(version, version, async (before, now) => {
        expect(await found(before, now, { isComplete: false })).toEqual([]);
        expect(await found(now, now)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it("says why nothing counts as removed where an earlier manifest has errors", () => {
    const past = {
      ref: "main",
      commit: "0123456789abcdef",
      sources: [
        {
          file: "a.yaml",
          text: "apiVersion: remit/v1\nkind: Nothing\nmetadata: { name: a }\n",
          named: false,
        },
      ],
      vocabulary: NO_VOCABULARY,
      removed: [],
      prunes: false,
      isComplete: true,
      authorship: {},
    };
    const { value, diagnostics } = changesSince(past, {
      sources: [],
      resources: [],
      vocabulary: NO_VOCABULARY,
    });
    expect(value.removed).toEqual([]);
    expect(diagnostics).toMatchObject([
      {
        code: "since/incomplete",
        severity: "warning",
        message: expect.stringContaining("at 0123456789ab: a.yaml:2: "),
      },
    ]);
  });
});

it("an object that two sources name is one, and the first says what is known of it", () => {
  const one = {
    address: { kind: "K", name: "a" },
    key: ["1"],
    applied: {},
    answered: null,
    rewritten: [],
    at: "",
    protected: false,
  };
  expect(eachOnce([one, { ...one, at: "later" }, { ...one, key: ["2"] }])).toEqual([
    one,
    { ...one, key: ["2"] },
  ]);
});
