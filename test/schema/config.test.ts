import { describe, expect, it } from "vitest";
import schema from "../../schemas/config.json" with { type: "json" };
import { isObject, type Json, type JsonObject } from "../../src/model/json.js";
import { formatPath } from "../../src/model/path.js";
import { compile } from "../../src/schema/compile.js";

const check = compile(schema, "remit.yaml");
const told = (value: Json) =>
  check(value).map(({ code, path, message }) => `${code} ${formatPath(path)}: ${message}`);

describe("the project file", () => {
  it("may be empty, and may hold every key", () => {
    expect(told({})).toEqual([]);
    expect(
      told({
        server: "https://example.conductor.one",
        interface: "auto",
        manifests: ["manifests", "more.yaml"],
        apps: { GitHub: "2fsgTvxP0DVTsNXEUBI7hOe0l5A" },
        state: ".remit/state.json",
        concurrency: 10,
        rate: 0.5,
        requestTimeout: "30s",
        retries: 5,
        prune: { resourceTypes: ["github-team"] },
        guards: { maxDeletes: 5, maxChanges: 100, maxChangesPercent: 50, changesFloor: 10 },
        acknowledge: [
          { guard: "everyone", address: "EntitlementAutomation/all", until: "2026-12-31", reason: "SEC-142" },
          {
            guard: "nobody",
            address: "*",
            until: "2026-12-31",
            reason: "SEC-142",
            of: `sha256:${"0".repeat(64)}`,
          },
        ],
        sandbox: { seed: "seed.yaml", faults: "latency=50", interface: "core" },
      }),
    ).toEqual([]);
  });

  it.each<[what: string, value: JsonObject, message: string]>([
    ["a key misspelt", { sever: "x" }, "schema/unknown-field sever: sever is not a field of remit.yaml"],
    [
      "another interface",
      { interface: "half" },
      'schema/enum interface: "half" is not a known value of interface',
    ],
    ["no duration", { requestTimeout: "30" }, 'schema/format requestTimeout: "30" is not a duration'],
    ["no width at all", { concurrency: 0 }, "schema/value concurrency: concurrency is 0; the least is 1"],
    ["no calls at all", { rate: 0 }, "schema/value rate: rate is 0; the least is 0.1"],
    [
      "half a retry",
      { retries: 1.5 },
      "schema/type retries: retries must be a whole number, and is the number 1.5",
    ],
    [
      "a guard without an end",
      { acknowledge: [{ guard: "everyone", address: "*", reason: "x" }] },
      "schema/required acknowledge[0]: item 1 of acknowledge has no until",
    ],
    [
      "an acknowledgement of no place",
      { acknowledge: [{ guard: "everyone", until: "2026-12-31", reason: "x" }] },
      "schema/required acknowledge[0]: item 1 of acknowledge has no address",
    ],
    [
      "an acknowledgement of a place that is none",
      { acknowledge: [{ guard: "everyone", address: "all", until: "2026-12-31", reason: "x" }] },
      'schema/value acknowledge[0].address: address is "all", which does not have the required form',
    ],
    [
      "a guard that does not exist",
      { acknowledge: [{ guard: "everybody", address: "*", until: "2026-12-31", reason: "x" }] },
      'schema/enum acknowledge[0].guard: "everybody" is not a known value of guard',
    ],
    [
      "half a hash",
      {
        acknowledge: [{ guard: "nobody", address: "*", until: "2026-12-31", reason: "x", of: "sha256:1f2e" }],
      },
      'schema/value acknowledge[0].of: of is "sha256:1f2e", which does not have the required form',
    ],
    [
      "one path that is no list",
      { manifests: "here" },
      "schema/type manifests: manifests must be a list, and is a text",
    ],
  ])("reports %s", (_what, value, message) => {
    expect(told(value)).toEqual([message]);
  });

  it("tells an editor of every key what it means, with an example", () => {
    expect([...untold(schema, "")]).toEqual([]);
  });
});

function* untold(node: JsonObject, place: string): Generator<string> {
  if (typeof node.description !== "string") yield `${place}: no description`;
  for (const [name, field] of Object.entries(isObject(node.properties) ? node.properties : {})) {
    if (!isObject(field)) continue;
    if (field.type !== "object" && !Array.isArray(field.examples) && name !== "acknowledge")
      yield `${place}.${name}: no example`;
    yield* untold(field, `${place}.${name}`);
  }
  if (isObject(node.items)) yield* untold(node.items, `${place}[]`);
}
