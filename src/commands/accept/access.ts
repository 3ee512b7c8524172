import { unitsOf } from "../../diff/own.js";
import { kindOf } from "../../kinds/index.js";
import { formatAddress } from "../../model/address.js";
import type { JsonObject } from "../../model/json.js";
import { countPeople } from "../../people/count.js";
import { guardPlan } from "../../plan/guards/guards.js";
import type { Finding, Planned } from "../../plan/plan.js";
import type { Request } from "../../plan/request.js";
import type { Step } from "../../plan/step.js";
import type { SpecShape } from "../../schema/shape.js";
import type { Tenant } from "../../tenant/tenant.js";
import type { AcceptedObject } from "./files.js";

/** What accepted values mean for access: the plan that follows asks the same. */
export interface AcceptedAccess {
  /** The steps that take the values over, with what they mean for people where that was counted. */
  readonly plan: Planned;
  readonly findings: readonly Finding[];
}

/** Asks guards and people about what an accept takes over, from what the manifests said before it. */
export async function accessBy(
  objects: readonly AcceptedObject[],
  plan: Planned,
  { optional: { counting }, rules }: Request,
  tenant: Tenant | null,
): Promise<AcceptedAccess> {
  const steps = objects.flatMap((object) => takenOver(object, plan));
  const open: Planned = { ...plan, mode: { ...plan.mode, refreshOnly: false }, since: null, steps };
  const counted = tenant === null || counting === null ? null : await countPeople(open, tenant, counting);
  // A plan of drift alone was counted in the same direction.
  const impact = counted?.impact ?? (plan.mode.refreshOnly ? plan.impact : null);
  const accepted = { ...open, impact };
  return { plan: accepted, findings: guardPlan(accepted, rules) };
}

/** The step that the next plan has for an object with these fields. */
function takenOver(
  { address, fields, isDeleted }: AcceptedObject,
  { steps, mode }: Planned,
): readonly Step[] {
  const step = steps.find((one) => formatAddress(one.address) === formatAddress(address));
  if (step === undefined || isDeleted) return [];
  const [now, then] = mode.refreshOnly ? [step.after, step.recorded.driftedFrom] : [step.before, step.after];
  if (now === null || then === null) return [];
  const driftedFrom = withFields(now, then, fields, kindOf(address).shape);
  const adopted = {
    action: "adopt",
    reason: "drift accepted",
    calls: [],
    changes: [],
    replaces: null,
  } as const;
  return [
    {
      ...step,
      ...adopted,
      before: now,
      after: now,
      recorded: { ...step.recorded, driftedFrom, moved: [] },
      sight: { ...step.sight, unseen: null },
    },
  ];
}

/** An object with some of its fields as they were. */
function withFields(
  now: JsonObject,
  then: JsonObject,
  fields: readonly string[],
  shape: SpecShape,
): JsonObject {
  const names = new Set(fields.map((field) => field.split(/[.[]/, 1)[0] ?? field));
  const members = unitsOf(shape)
    .filter((unit) => unit.members.some((member) => names.has(member)))
    .flatMap((unit) => unit.members);
  const isOf = ([name]: readonly [string, unknown]) => members.includes(name);
  return Object.fromEntries([
    ...Object.entries(now).filter((one) => !isOf(one)),
    ...Object.entries(then).filter(isOf),
  ]);
}
