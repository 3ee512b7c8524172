import { needsOf } from "../impact/rule/needs.js";
import { kindOf } from "../kinds/index.js";
import { isLive } from "../kinds/interface.js";
import { isId } from "../kinds/spelling.js";
import type { Resource } from "../manifest/resource.js";
import { formatAddress } from "../model/address.js";
import type { JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import { type MembersQuestion, standingRule } from "../plan/people/question.js";
import type { Plan } from "../plan/plan.js";
import { recordLookup } from "../plan/record/lookup.js";
import type { Snapshot } from "../state/snapshot.js";
import type { PeopleReads } from "../tenant/peopleReads.js";
import { plainSpec } from "./plainSpec.js";

/** A rule of the project that a plan of a part of it is not about: its object as the state or the manifest has it. */
export interface RuleLeftOut {
  readonly address: Resource["address"];
  readonly key: Key | null;
  readonly object: JsonObject;
}

/** The rules of a project that a plan is not about. */
export function leftOutOf(
  resources: readonly Resource[],
  { steps }: Pick<Plan, "steps">,
  snapshot: Snapshot | null,
  apps: Readonly<Record<string, string>>,
): readonly RuleLeftOut[] {
  const memory = recordLookup(snapshot);
  const planned = new Set(steps.map(({ address }) => formatAddress(address)));
  return resources.flatMap((resource): readonly RuleLeftOut[] => {
    const { address } = resource;
    const kind = kindOf(address);
    if (planned.has(formatAddress(address)) || !("rule" in kind.concern)) return [];
    const entry = memory.holder(address);
    if (entry !== null) return [{ address, key: entry.key, object: entry.applied }];
    const object = plainSpec(resource, kind.shape, { apps, user: (email) => email });
    const key = kind.key(object) ?? [];
    return [{ address, key: key.length > 0 && key.every(isId) ? key : null, object }];
  });
}

/** A rule that a plan is not about, as a question; `isRead` where the tenant showed it in this run. */
interface OtherRule {
  readonly question: MembersQuestion;
  readonly isRead: boolean;
}

/** Rules that a plan is not about and that ask who holds an entitlement, as the tenant has them where one call shows that. */
export async function rulesLeftOut(
  some: readonly RuleLeftOut[],
  plan: Pick<Plan, "interface">,
  reads: PeopleReads,
): Promise<readonly OtherRule[]> {
  const asking = some.flatMap((one) => {
    const question = questionAbout(one, one.object);
    return question === null || needsOf(question.after).members.length === 0 ? [] : [{ ...one, question }];
  });
  const found = await reads.sideBySide(
    asking.map(({ address, key, question, ...one }) => {
      const { concern, reads: how } = kindOf(address);
      const isShown = concern.as === "members" && key !== null && isLive(plan.interface.kinds, address.kind);
      return {
        calls: isShown ? 1 : 0,
        async run(own: PeopleReads): Promise<OtherRule | null> {
          const shown = isShown ? await own.object(how.one(key)) : undefined;
          if (shown === undefined) return { question, isRead: false };
          const fields = shown === null ? undefined : how.observe(shown, key ?? [])?.fields;
          const seen = fields === undefined ? null : questionAbout({ ...one, address, key }, fields);
          return seen === null ? null : { question: seen, isRead: true };
        },
      };
    }),
  );
  return found.filter((one) => one !== null);
}

function questionAbout(
  { address, key }: Pick<RuleLeftOut, "address" | "key">,
  object: JsonObject,
): MembersQuestion | null {
  return standingRule({ address, key }, kindOf(address).concern, object);
}
