import fc from "fast-check";
import { expect, it } from "vitest";
import { accessProfile } from "../../src/kinds/accessProfile.js";
import type { Call } from "../../src/model/call.js";
import { isObject, type Json, type JsonObject, same } from "../../src/model/json.js";
import { cases } from "../fakes/cases.js";

/** At no moment between two calls does a profile give more than it gave before or gives afterwards. */

const PEOPLE = ["ann", "bob", "cy"];
const ENTRIES = ["e1", "e2", "e3"];
const ref = (id: string) => ({ appId: "app", id });
const behavior = (name: string) => `REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_${name}`;
const BYPASS = behavior("BYPASS_ENTITLEMENT_REQUEST_POLICY");
const ENFORCE = behavior("ENFORCE_ENTITLEMENT_REQUEST_POLICY");

const profile = fc
  .record({
    description: fc.constantFrom("one", "two"),
    published: fc.boolean(),
    visibleToEveryone: fc.boolean(),
    requestBundle: fc.boolean(),
    enrollmentBehavior: fc.constantFrom(BYPASS, ENFORCE),
    enrollment: fc.constantFrom("strict", "loose").map((grantPolicyId) => ({ grantPolicyId })),
    requestableEntries: fc.subarray(ENTRIES).map((ids) => ids.map(ref)),
    visibilityBindings: fc.subarray(PEOPLE).map((ids) => ids.map(ref)),
    bundleAutomation: fc.option(
      fc.record({ enabled: fc.boolean(), cel: fc.record({ expression: fc.constantFrom(...PEOPLE) }) }),
      { nil: null },
    ),
  })
  .map((one): JsonObject => {
    const isBound = one.published && !one.visibleToEveryone;
    return { displayName: "P", ...one, visibilityBindings: isBound ? one.visibilityBindings : [] };
  });

/** One thing that one person gets: by which way, under which policy, and how freely. */
interface Gift {
  readonly of: string;
  readonly freedom: readonly boolean[];
}

function giftsOf(state: JsonObject): readonly Gift[] {
  const ids = (name: string) => (state[name] as JsonObject[]).map(({ id }) => String(id));
  const rule = state.bundleAutomation as JsonObject | null;
  const enrolled = rule?.enabled === true ? [String((rule.cel as JsonObject).expression)] : [];
  const seeing = state.visibleToEveryone === true ? PEOPLE : ids("visibilityBindings");
  const ways = { rule: enrolled, request: state.published === true ? seeing : [] };
  const freedom = [state.enrollmentBehavior === BYPASS, state.requestBundle === true];
  const policy = (state.enrollment as JsonObject).grantPolicyId;
  return Object.entries(ways).flatMap(([way, people]) =>
    people.flatMap((person) =>
      ids("requestableEntries").map((entry) => ({ of: `${way} ${person} ${entry} ${policy}`, freedom })),
    ),
  );
}

/** The profile after a call, as the service keeps it. */
function after(state: JsonObject, { method, path, body }: Call): JsonObject {
  const sent = body as JsonObject;
  const end = String(path.at(-1));
  if (end === "bundle_automation") return { ...state, bundleAutomation: method === "DELETE" ? null : sent };
  if (end === "visibility_bindings") {
    const named = sent.accessEntitlements as Json[];
    const rest = (state.visibilityBindings as Json[]).filter((one) => !named.some((two) => same(one, two)));
    return { ...state, visibilityBindings: method === "DELETE" ? rest : [...rest, ...named] };
  }
  if (end === "update") return { ...state, requestableEntries: sent.appEntitlements as Json[] };
  if (isObject(sent.entitlement ?? null))
    return {
      ...state,
      enrollment: { grantPolicyId: (sent.entitlement as JsonObject).grantPolicyId ?? null },
    };
  if (isObject(sent.catalog ?? null)) return { ...state, ...(sent.catalog as JsonObject) };
  throw new Error(`no such call: ${path.join("/")}`);
}

it("gives no more in between than before or afterwards, and ends as wanted", () => {
  fc.assert(
    fc.property(profile, profile, (before, wanted) => {
      const fields = Object.keys(wanted).filter((name) => !same(before[name] ?? null, wanted[name] ?? null));
      const calls = accessProfile.calls({
        verb: "update",
        key: ["app", "p"],
        identity: { appId: "app", id: "p" },
        before,
        after: wanted,
        fields,
      });
      const allowed = [...giftsOf(before), ...giftsOf(wanted)];
      const mayGive = ({ of, freedom }: Gift) =>
        allowed.some((one) => one.of === of && freedom.every((is, place) => !is || one.freedom[place]));
      let state = before;
      for (const call of calls) {
        state = after(state, call);
        expect(giftsOf(state).filter((gift) => !mayGive(gift))).toEqual([]);
      }
      const sorted = (one: JsonObject) =>
        Object.entries(one).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value,
        ]);
      expect(Object.fromEntries(sorted(state))).toMatchObject(Object.fromEntries(sorted(wanted)));
    }),
    { numRuns: cases(300, 1000) },
  );
});
