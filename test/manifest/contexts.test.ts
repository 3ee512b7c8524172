import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextsIn, settingsOfContext } from "../../src/manifest/contexts.js";
import { isObject, type Json, type JsonObject } from "../../src/model/json.js";
import { type Path, valueAt } from "../../src/model/path.js";
import { cases } from "../fakes/cases.js";

const entries = fc.array(fc.record({ address: fc.constantFrom("a", "b", "c") }), { maxLength: 3 });
const settings: fc.Arbitrary<JsonObject> = fc.record(
  {
    server: fc.constantFrom("https://a.example", "https://b.example"),
    state: fc.constantFrom(".remit/x.json", "git:"),
    apps: fc.dictionary(fc.constantFrom("GitHub", "Okta", "constructor"), fc.constantFrom("1", "2")),
    guards: fc.record({ maxDeletes: fc.nat(3), maxLosing: fc.nat(3) }, { requiredKeys: [] }),
    prune: fc.oneof(fc.boolean(), fc.record({ resourceTypes: fc.array(fc.constant("a")) })),
    manifests: fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 2 }),
    values: fc.array(fc.constantFrom("a", "b")),
    removed: entries,
    moved: entries,
    acknowledge: entries,
    ignore: entries,
  },
  { requiredKeys: [] },
);
const ADDING = ["removed", "moved", "acknowledge", "ignore"] as const;
const MAPS = ["apps", "guards"] as const;

/** Every path of a value, of its members before it. */
function pathsOf(value: Json, path: Path = []): readonly Path[] {
  if (Array.isArray(value)) return [...value.flatMap((one, at) => pathsOf(one, [...path, at])), path];
  if (!isObject(value)) return [path];
  return [...Object.entries(value).flatMap(([name, one]) => pathsOf(one, [...path, name])), path];
}

describe("the settings of a context", () => {
  it("are the context's own over the project's: maps merge, four lists add up, the rest is replaced", () => {
    fc.assert(
      fc.property(settings, settings, (top, own) => {
        const { value } = settingsOfContext({ ...top, contexts: { one: own, two: {} } }, "one");
        for (const name of Object.keys({ ...top, ...own })) {
          const [below, above, merged] = [top[name], own[name], value[name]];
          if (above === undefined) expect(merged).toEqual(below);
          else if (below === undefined) expect(merged).toEqual(above);
          else if (ADDING.some((one) => one === name)) expect(merged).toEqual([below, above].flat());
          else if (MAPS.some((one) => one === name))
            expect(merged).toEqual({ ...(below as JsonObject), ...(above as JsonObject) });
          else if (!isObject(below) || !isObject(above)) expect(merged).toEqual(above);
        }
        expect(value.state).toBe(own.state ?? top.state ?? ".remit/one/state.json");
      }),
      { numRuns: cases(150) },
    );
  });

  it("are written where they say: each value of them stands at its place in the file", () => {
    fc.assert(
      fc.property(settings, settings, (top, own) => {
        const file: JsonObject = { ...top, contexts: { one: own, two: {} } };
        const { value, writtenAt } = settingsOfContext(file, "one");
        for (const path of pathsOf(value)) {
          const merged = valueAt(value, path);
          const isWhole = !isObject(merged) && !Array.isArray(merged);
          const isOwnState = path[0] === "state" && top.state === undefined && own.state === undefined;
          if (isOwnState) expect(writtenAt(path)).toEqual(["contexts", "one"]);
          else if (isWhole) expect(valueAt(file, writtenAt(path)), JSON.stringify(path)).toEqual(merged);
          else expect(valueAt(file, writtenAt(path))).toBeDefined();
        }
      }),
      { numRuns: cases(150) },
    );
  });

  it("are in the order of the file, and there are none without `contexts`", () => {
    expect(contextsIn({ contexts: { staging: {}, production: {} } })).toEqual(["staging", "production"]);
    expect([contextsIn({}), contextsIn(null), contextsIn({ contexts: [] })]).toEqual([[], [], []]);
  });
});
