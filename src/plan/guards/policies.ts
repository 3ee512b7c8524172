import { lastSeen } from "../../diff/kept.js";
import type { PolicyLookup } from "../../impact/ways.js";
import { kindOf } from "../../kinds/index.js";
import { isLive } from "../../kinds/interface.js";
import type { Kind, Observed } from "../../kinds/kind.js";
import { policy, searchPolicies } from "../../kinds/policy.js";
import { pick } from "../../kinds/spelling.js";
import { isObject, type JsonObject } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import { onceFor } from "../../model/onceFor.js";
import { pendingId } from "../../model/pending.js";
import type { ObjectShape, Shape, SpecShape } from "../../schema/shape.js";
import { totalOf } from "../../tenant/known.js";
import type { Tenant } from "../../tenant/tenant.js";
import { writes } from "../calls.js";
import type { Look } from "../look.js";
import type { Plan, Policies } from "../plan.js";
import { referencesIn } from "../references.js";
import { takesOver } from "../saved/showsAll.js";
import type { Step } from "../step.js";

/** What was read of policies, and what the state has of them. */
interface Known {
  readonly current: Pick<Look["known"]["current"], "objects" | "policies">;
  readonly snapshot: Look["known"]["snapshot"];
}

/** The policies behind the steps of a plan, as far as its look shows them. */
export function policiesIn({ steps, interface: { kinds } }: Plan, { known }: Pick<Look, "known">): Policies {
  return policiesBehind(steps, knownTo(known, isLive(kinds, policy.name)));
}

/** The same, those that the look does not show read by their ids; and how many calls that took. */
export async function readPolicies(
  { steps, interface: { kinds } }: Plan,
  { known }: { readonly known: Known },
  tenant: Tenant | null,
): Promise<PoliciesRead> {
  if (!concernsPolicies(steps)) return { policies: {}, isRead: true, calls: 0 };
  const canRead = isLive(kinds, policy.name);
  const reader = canRead && known.current.policies === null ? (tenant?.reader() ?? null) : null;
  const tried = new Set<string>();
  const read = new Map<string, JsonObject>();
  const shown = knownTo(known, canRead);
  let isRead = reader !== null;
  for (;;) {
    const policies = policiesBehind(steps, (id) => read.get(id) ?? shown(id));
    const missing = Object.keys(policies).filter((id) => policies[id] === null && !tried.has(id));
    if (reader === null || missing.length === 0)
      return { policies, isRead, calls: totalOf(reader?.calls() ?? {}) };
    for (const id of missing) tried.add(id);
    const refs = missing.map((id) => ({ id }));
    const call = searchPolicies(refs.length > MOST_IDS ? {} : { refs });
    const rows = await reader.all(policy.noun.many, call, "optional");
    isRead &&= rows.as === "got";
    for (const row of rows.as === "got" ? rows.value : []) {
      const one = policy.reads.list?.row(row, []);
      if (one !== undefined) read.set(one.key.at(-1) ?? "", asked(one));
    }
  }
}

interface PoliciesRead {
  readonly policies: Policies;
  /** Whether each search was answered: then the tenant has none of those that are not known. */
  readonly isRead: boolean;
  readonly calls: number;
}

// The search answers at most a hundred ids.
const MOST_IDS = 100;

/** What a look knows of a policy: as it was read, or as recorded where policies are not read. */
function knownTo({ current: { objects, policies }, snapshot }: Known, canRead: boolean): PolicyLookup {
  return (id) => {
    const name = formatKey(policy.name, [id]);
    const seen = objects.get(name);
    if (seen?.as === "present") return asked(seen);
    const listed = policies?.get(id);
    if (listed !== undefined) return asked(listed);
    const entry = canRead ? undefined : snapshot?.entries[name];
    return entry === undefined
      ? undefined
      : asked({ madeWith: entry.createOnly ?? {}, fields: lastSeen(entry) });
  };
}

/** What decides who has to agree: a plan has no other text of a policy that it does not write. */
function asked({ madeWith, fields }: Pick<Observed, "madeWith" | "fields">): JsonObject {
  return pick({ ...madeWith, ...fields }, ["policyType", "rules", "policySteps", "baselinePolicyId"]);
}

/** Whether some steps are about what policies decide: all but those of a few kinds are not. */
export function concernsPolicies(steps: readonly Step[]): boolean {
  return steps.some(({ address }) => leadsToPolicies(kindOf(address)));
}

const leadsToPolicies = onceFor(({ shape, firstRule }: Kind) => firstRule !== undefined || hasPolicy(shape));

function hasPolicy({ fields }: ObjectShape): boolean {
  return [...fields.values()].some((field) =>
    field.type === "object" ? hasPolicy(field) : namesPolicy(field),
  );
}

/** The policies behind one step whose fields are not known. */
export function unknownBehind(step: Step, policies: Policies): readonly string[] {
  if (!concernsPolicies([step])) return [];
  const behind = policiesBehind([step], (id) => policies[id] ?? undefined);
  return Object.keys(behind).filter((id) => policies[id] === null);
}

function policiesBehind(steps: readonly Step[], known: PolicyLookup): Policies {
  const written = new Set(steps.filter(writesPolicy).map(idOf));
  const found = new Map<string, JsonObject | null>();
  const waiting = steps.filter((step) => writes(step) || takesOver(step)).flatMap(policiesOf);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id) || written.has(id)) continue;
    const fields = known(id) ?? null;
    found.set(id, fields);
    waiting.push(...(fields === null ? [] : idsIn(fields, policy.shape)));
  }
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whether a step writes a policy. Any other policy is as the tenant shows it, whatever a step says of it. */
export function writesPolicy(step: Step): boolean {
  return step.address.kind === policy.name && writes(step);
}

/** What others name the policy of a step with. */
export function idOf({ address, key }: Step): string {
  return key?.at(-1) ?? pendingId(address);
}

/** The policies that a step may lead to otherwise than before it. */
function policiesOf({ address, before, after, recorded: { driftedFrom } }: Step): readonly string[] {
  const { shape, firstRule } = kindOf(address);
  if (after === null) return [];
  const sides = [before ?? {}, after, ...(driftedFrom === null ? [] : [driftedFrom])];
  // Which of them is meant depends on more than the fields that name them.
  if (firstRule !== undefined) return sides.flatMap((side) => idsIn(side, shape));
  const named = sides.map((side) => policyFields(side, shape));
  const moves = ([path, id]: readonly [string, string]) => named.some((one) => one.get(path) !== id);
  return named.flatMap((one) => [...one].filter(moves)).map(([, id]) => id);
}

/** The ids of the policies that the fields of an object name, by the ways to those fields; items of lists are left out. */
export function policyFields(fields: JsonObject, shape: SpecShape): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  gather(fields, shape, "", found);
  return found;
}

function gather(value: JsonObject, { fields }: ObjectShape, start: string, found: Map<string, string>): void {
  for (const [name, field] of fields) {
    const member = value[name] ?? null;
    if (field.type === "object" && isObject(member)) gather(member, field, `${start}${name}.`, found);
    if (namesPolicy(field) && typeof member === "string" && member !== "") found.set(start + name, member);
  }
}

function namesPolicy(field: Shape): boolean {
  return field.type === "string" && field.form.is === "id" && field.form.of === "policy";
}

/** All policies that an object names, wherever; one that the plan makes has no id yet. */
function idsIn(fields: JsonObject, shape: SpecShape): readonly string[] {
  const start = "policy:";
  return referencesIn(fields, shape).flatMap((one) =>
    one.startsWith(start) ? [one.slice(start.length)] : [],
  );
}
