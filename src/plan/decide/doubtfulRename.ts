import { kindOf } from "../../kinds/kindOf.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { groupBy } from "../../model/groupBy.js";
import type { Entry } from "../../state/snapshot.js";
import { parentOf } from "../../tenant/desire.js";
import { say } from "../../words/say.js";
import type { RecordLookup } from "../record/lookup.js";
import { blockedInstead, type Decision } from "./decision.js";

/** An object that no manifest stands for, and what is decided about it with `--prune`. */
export interface Removed {
  readonly entry: Entry;
  readonly decision: Decision;
  /** What is decided about it without `--prune`. */
  readonly kept: Decision;
  /** Whether an entry under `removed:` decides about it. */
  readonly isNamed: boolean;
}

/**
 * Decides about creates beside removed objects. A create of a new address may be a removed object under another name,
 * and only the service's id shows that. `--prune` then neither deletes the one nor creates the other.
 */
export function withDoubtfulRenames(
  decisions: readonly Decision[],
  removed: readonly Removed[],
  memory: Pick<RecordLookup, "holder">,
): { readonly decisions: readonly Decision[]; readonly removed: readonly Decision[] } {
  const isNew = ({ address, action, reason, key }: Decision) =>
    (action === "create" || reason === "may exist") && key === null && memory.holder(address) === null;
  const open = removed.filter(
    ({ entry, decision, isNamed }) =>
      !isNamed && entry.former !== true && ["delete", "removed"].includes(decision.action),
  );
  const byPlace = groupBy(open, ({ entry }) => placeOf(entry.address.kind, entry.key.slice(0, -1)));
  const doubtful = new Set<Removed>();
  const decided = decisions.map((decision): Decision => {
    const { address } = decision;
    const { identity } = decision.managed;
    const place = placeOf(address.kind, parentOf(kindOf(address), identity));
    const siblings = isNew(decision) ? (byPlace.get(place) ?? []) : [];
    if (siblings.length === 0) return decision;
    const pruned = siblings.filter((one) => one.decision.action === "delete");
    for (const one of pruned) doubtful.add(one);
    return pruned.length === 0 || decision.action === "blocked"
      ? { ...decision, diagnostics: [...decision.diagnostics, mayBeRename(decision, siblings)] }
      : blockedInstead(decision, "may exist", [unclearRename(decision, pruned)]);
  });
  return {
    decisions: decided,
    removed: removed.map((one) => (doubtful.has(one) ? one.kept : one.decision)),
  };
}

function placeOf(kind: string, parent: readonly string[]): string {
  return [kind, ...parent].join("/");
}

function unclearRename(decision: Decision, pruned: readonly Removed[]): Diagnostic {
  const [one] = pruned;
  const from = one === undefined ? "" : formatAddress(one.entry.address);
  return say(
    "plan/rename-unclear",
    { address: decision.address, pruned: inWords(pruned), pruned2: pruned.length, from },
    { span: decision.managed.span },
  );
}

function mayBeRename(decision: Decision, siblings: readonly Removed[]): Diagnostic {
  const [one] = siblings;
  const from = one === undefined ? "" : formatAddress(one.entry.address);
  return say(
    "plan/rename-possible",
    { address: decision.address, siblings: inWords(siblings), from },
    { span: decision.managed.span },
  );
}

const MOST_NAMED = 3;

function inWords(removed: readonly Removed[]): string {
  const names = removed.map(({ entry }) => formatAddress(entry.address)).sort();
  const [shown, more] = [names.slice(0, MOST_NAMED), names.length - MOST_NAMED];
  return more > 0 ? `${shown.join(", ")} or ${more} more` : shown.join(" or ");
}
