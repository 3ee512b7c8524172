import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import type { Interface } from "../../src/kinds/interface.js";
import type { Kind } from "../../src/kinds/kind.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import { isObject, type Json, type JsonObject } from "../../src/model/json.js";
import { formatPath, type Path } from "../../src/model/path.js";
import { canonicalDuration } from "../../src/schema/duration.js";
import { shapeAt } from "../../src/schema/shape.js";
import { canonicalTimestamp } from "../../src/schema/timestamp.js";
import { desire, recordedKeys } from "../../src/tenant/desire.js";
import type { Seen } from "../../src/tenant/known.js";
import { cases } from "../fakes/cases.js";
import { anySpec, withoutEmpty } from "../kinds/specs.js";
import { load } from "../manifest/loading.js";
import { APP, ENT, TEMPLATE, TYPE } from "./replies.js";
import { absent, current, planOf } from "./worlds.js";

/** A kind whose manifests are generated, with an object in the tenant that differs from each of them in every field. */
interface Case {
  readonly kind: Kind;
  readonly identity: JsonObject;
  readonly there: JsonObject;
}

const CASES: readonly Case[] = [
  {
    kind: templateScope,
    identity: { templateId: TEMPLATE },
    there: {
      scope: { scopeRoleSelection: {}, principalTypeFilter: "OTHER" },
      entitlements: [{ appId: "other", appEntitlementId: "other" }],
    },
  },
  {
    kind: entitlementAutomation,
    identity: { appId: APP, appEntitlementId: ENT },
    there: { displayName: "other", description: "other", cel: { expression: "other" } },
  },
  {
    kind: resourceType,
    identity: { appId: APP, id: TYPE },
    there: { displayName: "other", traitIds: ["other"] },
  },
];

/** What a value says at one place: a text, a number, a truth value, or an empty list or object. */
type Leaf = readonly [path: Path, value: Json];

function* leavesOf(value: Json, path: Path = []): Generator<Leaf> {
  const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  if (members.length === 0 && value !== null) yield [path, value];
  for (const [name, member] of members) yield* leavesOf(member, [...path, name]);
}

/** A place without the positions in lists: sets have no order. */
function placeOf(path: Path): string {
  return formatPath(path.filter((part) => typeof part === "string"));
}

/** A value as the service spells it; undefined where the author writes unset. */
function meaning(kind: Kind, [path, value]: Leaf): Json | undefined {
  const shape = shapeAt(kind.shape, path);
  if (typeof value !== "string" || shape?.type !== "string") return value;
  const { is } = shape.form;
  if (is === "duration") return canonicalDuration(value);
  if (is === "timestamp") return canonicalTimestamp(value);
  if (is === "enum" && value === "") return undefined;
  return is === "text" || is === "expression" ? value.replace(/\n+$/, "") : value;
}

/** Every leaf of a spec that none of the requests contains, as `place: value`. */
function unsent(kind: Kind, spec: JsonObject, bodies: readonly Json[]): readonly string[] {
  const sent = new Set(
    bodies.flatMap((body) =>
      [...leavesOf(body)].flatMap(([path, value]) => [
        `${placeOf(path)}: ${JSON.stringify(value)}`,
        `${placeOf(path.slice(1))}: ${JSON.stringify(value)}`,
      ]),
    ),
  );
  return [...leavesOf(spec)].flatMap((leaf) => {
    const value = meaning(kind, leaf);
    const says = `${placeOf(leaf[0])}: ${JSON.stringify(value)}`;
    return value === undefined || sent.has(says) ? [] : [says];
  });
}

async function bodiesFor(
  { kind, there }: Case,
  spec: JsonObject,
  on: Interface,
): Promise<readonly Json[] | null> {
  const document = { apiVersion: "remit/v1", kind: kind.name, metadata: { name: "any" }, spec };
  const { value, diagnostics } = await load(JSON.stringify(document));
  const [resource] = value;
  if (resource === undefined) {
    expect(diagnostics.map(({ severity }) => severity)).toContain("error");
    return null;
  }
  const desired = desire(
    resource,
    kind,
    { spec: resource.spec, meanings: {}, warnings: [] },
    recordedKeys(null),
  );
  const key = desired.key ?? [];
  const isNew = kind.verbs[on].includes("create") && !kind.verbs[on].includes("update");
  const seen: Seen = isNew || on === "core" ? absent : { as: "present", key, fields: there };
  const facts = on === "core" ? [] : ([[kind, key, seen]] as const);
  const { steps } = planOf({ desired: [desired], current: current(on, facts) });
  // A step that sends nothing says why.
  if (steps.some(({ action, diagnostics }) => action === "blocked" && diagnostics.length > 0)) return null;
  return steps.flatMap(({ calls }) => calls.map(({ body }) => body ?? null));
}

describe.each(CASES)("every value of a manifest of $kind.name", (one) => {
  const { kind, identity } = one;
  const { shape } = kind;
  const any = anySpec(shape, [...shape.identity, ...shape.createOnly]);
  const valid = any.map((spec) => {
    const written = Object.entries(withoutEmpty({ ...identity, ...spec }, kind.schema));
    return Object.fromEntries(written.filter(([name]) => !shape.identity.includes(name)));
  });
  const specs = fc.oneof(any, valid);

  it.each(["core", "full"] as const)(
    "is in a request or in a diagnostic, on the %s interface",
    async (on) => {
      await fc.assert(
        fc.asyncProperty(specs, async (spec) => {
          fc.pre(Object.keys(spec).some((name) => !shape.requestOnly.includes(name)));
          const bodies = await bodiesFor(one, { ...identity, ...spec }, on);
          if (bodies === null) return;
          expect(unsent(kind, spec, bodies)).toEqual([]);
        }),
        { numRuns: cases(50) },
      );
    },
  );
});
