import fc from "fast-check";
import type { Json, JsonObject } from "../../../src/model/json.js";
import { idOf } from "../../fakes/many.js";
import { idAt, naming, said } from "./named.js";
import { APP, framework, type Place, policies, ROLES, risk, synced, tool } from "./places.js";
import type { Spec, Written } from "./values.js";

/** What manifests say of who gets access and how: their values name each other in every direction. */

/** A value that the service keeps as it is written, with ids for names. */
const named = (value: Json): Written => ({ says: value, kept: said(value, idAt) });
const but = (says: Json, kept: Json): Written => ({ says, kept: said(kept, idAt) });
const cleared = (value: Json): Written => ({ says: value, kept: undefined });

const [approve, escalate] = policies;
const users = [1, 2].map((number) => idOf("user", number));

/** One of the policies, or none. */
export const somePolicy = fc.constantFrom(named(naming(approve)), named(naming(escalate)), cleared(null));
export const someRisk = fc.constantFrom(named(naming(risk)), cleared(null));
export const someFrameworks = fc.constantFrom(named([naming(framework)]), cleared([]));
export const isOnInEmergencies = fc.constantFrom(named(true), cleared(false));

// Each arm of a step that a policy of a scenario has.
const STEPS: readonly Json[] = [
  [{ accept: {} }],
  [{ accept: { acceptMessage: "Welcome." } }],
  [{ reject: { rejectMessage: "Ask Ana." } }],
  [{ approval: { users: { userIds: users, allowSelfApproval: true } } }],
  [{ approval: { manager: { fallback: true, fallbackUserIds: users.slice(0, 1) } } }],
  [{ approval: { appOwners: {}, requireApprovalReason: true } }, { approval: { self: {} } }],
  [{ approval: { group: { appId: naming(tool), appGroupId: naming(synced) } } }, { accept: {} }],
  [{ wait: { name: "A day", duration: { duration: "86400s" } } }, { accept: {} }],
  [
    {
      approval: {
        expression: { expressions: ["appOwners", "[subject]"] },
        escalationEnabled: true,
        escalation: { expiration: "86400", reassignToApprovers: { approverIds: users } },
      },
    },
  ],
];

const steps = fc.constantFrom(...STEPS);
const CONDITIONS = ['subject.department == "Law"', 'subject.title == "Lead"', "true"];

/** The steps and rules of a policy, which are written together: rules name steps. */
export function wayOf(place: Place): fc.Arbitrary<Spec> {
  const next = place === approve ? [null, { policyId: naming(escalate) }] : [null];
  return fc
    .record({
      baseline: steps,
      other: steps,
      rules: fc.array(fc.tuple(fc.constantFrom(...CONDITIONS), fc.constantFrom(...next)), { maxLength: 2 }),
    })
    .map(({ baseline, other, rules: all }): Spec => {
      // What stands behind a rule for everything is refused.
      const end = all.findIndex(([condition]) => condition === "true");
      const rules = end === -1 ? all : all.slice(0, end + 1);
      const written = rules.map(([condition, outcome]) => ({
        condition,
        ...(outcome ?? { stepKey: "other" }),
      }));
      const hasOther = rules.some(([, outcome]) => outcome === null);
      const policySteps = { grant: { steps: baseline }, ...(hasOther ? { other: { steps: other } } : {}) };
      return {
        policyType: named("POLICY_TYPE_GRANT"),
        policySteps: named(policySteps),
        rules: written.length === 0 ? cleared([]) : but(written, { ordered: written }),
      };
    });
}

/** The request defaults of an app, of a type that no entitlement of a scenario has. */
export const requestDefaults = fc.constantFrom(
  named({ defaultsEnabled: true, resourceTypeIds: [idOf("type", 9)], requestPolicyId: naming(approve) }),
  but(
    { defaultsEnabled: true, requestPolicyId: naming(escalate), durationGrant: "30d" },
    { defaultsEnabled: true, requestPolicyId: naming(escalate), durationGrant: "2592000s" },
  ),
  cleared({ defaultsEnabled: false }),
);
export const usageControls = fc.constantFrom(
  named({ notify: true, notifyAfterDays: 30 }),
  named({ revoke: true, revokeAfterDays: 90 }),
  cleared({ notify: false }),
);

const SETTINGS: readonly (readonly [says: JsonObject, kept: JsonObject])[] = [
  ...policies.map((place): readonly [JsonObject, JsonObject] => [
    { requestPolicyId: naming(place) },
    { requestPolicyId: naming(place) },
  ]),
  [{ maxGrantDuration: "30d" }, { maxGrantDuration: "2592000s" }],
  [
    { emergencyGrantEnabled: true, emergencyGrantPolicyId: naming(approve) },
    { emergencyGrantEnabled: true, emergencyGrantPolicyId: naming(approve) },
  ],
];

/** An ordered list of rules, the last one perhaps for all that is left. */
export const rules: fc.Arbitrary<Written> = fc
  .array(
    fc.record({
      displayName: fc.constantFrom("One", "Two", "Three"),
      condition: fc.constantFrom(
        'entitlement.slug == "a"',
        'entitlement.slug == "b"',
        'entitlement.slug == "c"',
      ),
      disabled: fc.boolean(),
      settings: fc.constantFrom(...SETTINGS),
    }),
    { maxLength: 4 },
  )
  .map((all): Written => {
    if (all.length === 0) return cleared([]);
    const as = (which: 0 | 1) => all.map((rule) => ({ ...rule, settings: rule.settings[which] }));
    return but(as(0), { ordered: as(1) });
  });

/** A group of a conflict: entitlements of two apps. */
export const group: fc.Arbitrary<Written> = fc
  .subarray<Json>([
    ...ROLES.slice(0, 2).map((id) => ({ appId: APP, id })),
    { appId: naming(tool), id: naming(synced) },
  ])
  .map((items) => (items.length === 0 ? cleared([]) : named(items)));
