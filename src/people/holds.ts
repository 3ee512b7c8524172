import { conditionOf } from "../impact/automation.js";
import { answersFrom } from "../impact/census.js";
import type { HeldFrom, HoldsAnswer } from "../impact/guard/input.js";
import { asAssumed } from "../impact/holding.js";
import type { Person } from "../impact/person.js";
import { languageFor } from "../impact/rule/language.js";
import { kindOf } from "../kinds/index.js";
import type { Kind } from "../kinds/kind.js";
import { type EntitlementRef, eachRefOnce, type Holders, refName } from "../kinds/people.js";
import { isId } from "../kinds/spelling.js";
import type { Resource } from "../manifest/resource.js";
import { formatAddress } from "../model/address.js";
import { onceFor } from "../model/onceFor.js";
import type { Plan } from "../plan/plan.js";
import { plainSpec } from "./plainSpec.js";
import type { RuleFacts } from "./ruleFacts.js";

/** The rules of a project as guards ask them who holds an entitlement. */
export interface ProjectRules {
  readonly resources: readonly Resource[];
  readonly apps: Readonly<Record<string, string>>;
}

/** A rule of the project, and all names that a guard may give to what it gives. */
interface NamedRule {
  readonly apps: readonly string[];
  readonly entitlements: readonly string[];
  /** Null where it is not known yet. */
  readonly ref: EntitlementRef | null;
  /** Whether the plan creates the entitlement: no one has been granted it yet. */
  readonly isNew: boolean;
  readonly rule: ReturnType<Extract<Kind["concern"], { as: "members" }>["rule"]>;
}

/** The rules of a project, by what they give: the name or id of the app, and the alias or id of the entitlement. */
export function namedRules(
  { resources, apps }: ProjectRules,
  { steps }: Pick<Plan, "steps">,
): readonly NamedRule[] {
  const stepOf = new Map(steps.map((step) => [formatAddress(step.address), step]));
  const namesOf = (id: string) => [id, ...Object.keys(apps).filter((name) => apps[name] === id)];
  return resources.flatMap((resource): readonly NamedRule[] => {
    const kind = kindOf(resource.address);
    if (kind.concern.as !== "members") return [];
    const spec = plainSpec(resource, kind.shape, { apps, user: (email) => email });
    const [app, entitlement] = kind.key(spec) ?? [];
    const step = stepOf.get(formatAddress(resource.address));
    const written = [app, entitlement].filter((one) => one !== undefined && isId(one));
    const key = step?.key ?? (written.length === 2 ? (written as string[]) : null);
    const [keyApp, keyEntitlement] = key ?? [];
    return [
      {
        apps: [app, keyApp].flatMap((one) => (one === undefined ? [] : namesOf(one))),
        entitlements: [entitlement, keyEntitlement].filter((one) => one !== undefined),
        ref: key === null ? null : kind.concern.entitlement(key),
        isNew: key === null && step?.action === "create",
        rule: kind.concern.rule(spec),
      },
    ];
  });
}

/** The entitlements whose grants answer for what guards ask: of a rule of the project, or named by their ids. */
export function refsAskedBy(
  asked: readonly (readonly [app: string, entitlement: string])[],
  rules: readonly NamedRule[],
): readonly EntitlementRef[] {
  const refs = asked.flatMap(([app, entitlement]) => {
    const found = rulesFor(rules, app, entitlement).flatMap(({ ref }) => ref ?? []);
    return found.length > 0 || !isId(app) || !isId(entitlement) ? found : [{ appId: app, id: entitlement }];
  });
  return eachRefOnce(refs);
}

function rulesFor(rules: readonly NamedRule[], app: string, entitlement: string): readonly NamedRule[] {
  return rules.filter((one) => one.apps.includes(app) && one.entitlements.includes(entitlement));
}

/** Whether a person holds an entitlement: by the rules of the project once it is applied, and by the grants that were read. */
export function holdsBy(
  rules: readonly NamedRule[],
  facts: Pick<RuleFacts, "members" | "accounts" | "groups">,
  today: Date,
): (person: Person, app: string, entitlement: string) => HoldsAnswer {
  const language = languageFor("User", answersFrom({ ...facts, people: [], areAll: false }), today);
  const conditionFor = onceFor((rule: NamedRule) => conditionOf(rule.rule, language, facts.members));
  return (person, app, entitlement) => {
    const found = rulesFor(rules, app, entitlement);
    const answers = found.map((rule) => conditionFor(rule).about(person));
    const byRule = answers.map(asAssumed);
    const holders = holdersOf(found, app, entitlement, facts.members);
    const byGrant =
      holders === undefined ? undefined : holders.has(person.id) ? (holders.get(person.id) ?? null) : false;
    if (byRule.includes(true)) return { is: true, from: [RULES] };
    if (byGrant === true) return { is: true, from: [GRANTS] };
    const isNew = found.length > 0 && found.every((rule) => rule.isNew);
    if (holders === undefined && !isNew)
      return { unknown: "no rule of the project gives it to them, and its grants were not read" };
    const unclear = answers.find((answer) => asAssumed(answer) === null);
    if (unclear !== undefined) return { unknown: unclear.why ?? "the rule is not clear" };
    if (byGrant === null) return { unknown: "whether an ended grant was the last was not read" };
    return {
      is: false,
      from: [...(found.length > 0 ? [RULES] : []), ...(holders === undefined ? [] : [GRANTS])],
    };
  };
}

const RULES: HeldFrom = "the rules of the project";
const GRANTS: HeldFrom = "the grants of the tenant";

function holdersOf(
  rules: readonly NamedRule[],
  app: string,
  entitlement: string,
  members: ReadonlyMap<string, Holders>,
): Holders | undefined {
  const refs = [...rules.flatMap(({ ref }) => ref ?? []), { appId: app, id: entitlement }];
  return refs.map((ref) => members.get(refName(ref))).find((holders) => holders !== undefined);
}
