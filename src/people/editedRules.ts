import { demandOf, demandOfAll } from "../impact/demand.js";
import { allNeeds, expressionOf, needsOf } from "../impact/rule/needs.js";
import { kindOf } from "../kinds/index.js";
import { isAskedBlind } from "../kinds/interface.js";
import {
  type EntitlementRef,
  listExclusions,
  listHolders,
  searchHeld,
  searchUsers,
} from "../kinds/people.js";
import type { Resource } from "../manifest/resource.js";
import type { JsonObject } from "../model/json.js";
import { recordLookup } from "../plan/record/lookup.js";
import type { Request } from "../plan/request.js";
import type { Snapshot } from "../state/snapshot.js";
import type { Tenant } from "../tenant/tenant.js";
import { FEW_RULES } from "./access.js";

/** A rule whose expression was edited since the last apply. */
interface EditedRule {
  readonly entitlement: EntitlementRef;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** So many pages of a list are read before it is known that they matter. */
const MOST_PAGES = 8;

/**
 * Begins to read about the people of the rules that were edited since the last apply, while the plan itself is read. What
 * the state and the manifests say suffices for that; where the tenant has something else, some of it is not needed.
 */
export function readPeopleAhead(
  resources: readonly Resource[],
  {
    mode,
    tenant: { interface: asked },
    optional: { counting },
  }: Pick<Request, "mode" | "tenant" | "optional">,
  snapshot: Snapshot | null,
  tenant: Pick<Tenant, "readAhead">,
): void {
  if (counting === null || mode.refreshOnly || snapshot?.wasRead !== true) return;
  const edited = editedRules(resources, asked, snapshot);
  if (edited.length === 0 || edited.length > FEW_RULES) return;
  const refs = edited.map(({ entitlement }) => entitlement);
  const needs = allNeeds(edited.flatMap(({ before, after }) => [needsOf(before), needsOf(after)]));
  const asksMore = needs.members.length + needs.groups.length + needs.apps.length > 0 || needs.others;
  // The longest lists first.
  const demands = edited.flatMap(({ before, after }) => [demandOf(before), demandOf(after)]);
  const lists = [
    refs.map(listHolders),
    ...(asksMore ? [] : [[searchUsers(demandOfAll(demands))]]),
    refs.map(listExclusions),
    ...(asksMore ? [] : [[searchHeld(refs)]]),
  ];
  // As many calls stay for what is asked for later, at least.
  const pages = Math.min(MOST_PAGES, Math.floor(counting.calls / 2 / lists.flat().length));
  if (pages > 0) for (const calls of lists) void tenant.readAhead(calls, pages);
}

/** The rules whose manifests have another expression than the state. */
function editedRules(
  resources: readonly Resource[],
  asked: Request["tenant"]["interface"],
  snapshot: Snapshot,
): readonly EditedRule[] {
  const memory = recordLookup(snapshot);
  return resources.flatMap(({ address, spec }): readonly EditedRule[] => {
    const { name, concern } = kindOf(address);
    const entry = concern.as === "members" ? memory.holder(address) : null;
    if (concern.as !== "members" || entry === null || isAskedBlind(asked, name)) return [];
    const [before, after] = [concern.rule(entry.applied), concern.rule(spec)];
    const [old, fresh] = [expressionOf(before), expressionOf(after)];
    const isEdited = old !== null && fresh !== null && old !== fresh;
    return isEdited ? [{ entitlement: concern.entitlement(entry.key), before, after }] : [];
  });
}
