import { same } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import type { Entry } from "../../state/snapshot.js";
import { parentOf } from "../../tenant/desire.js";
import type { RecordLookup } from "../record/lookup.js";
import type { Replacement } from "../step.js";
import type { Decision } from "./decision.js";
import type { Situation } from "./situation.js";

/** An object without a manifest, with what is known of it. */
type Left = readonly [entry: Entry, known: Pick<Situation, "kind" | "seen">];

/**
 * Makes replacements of the decisions that give an address to another object, while no manifest stands for the object
 * that had it. An object that is made again after it has gone from the tenant replaces nothing.
 */
export function withReplacements(
  decisions: readonly Decision[],
  left: readonly Left[],
  { holder }: Pick<RecordLookup, "holder">,
): readonly Decision[] {
  if (left.length === 0) return decisions;
  const objects = new Map(left.map(([entry, known]) => [formatKey(entry.address.kind, entry.key), known]));
  return decisions.map((decision) => {
    const { address, key } = decision;
    const { identity } = decision.managed;
    const by = REPLACING.find((action) => action === decision.action);
    const old = holder(address);
    const known = old === null ? undefined : objects.get(formatKey(address.kind, old.key));
    if (by === undefined || old === null || known === undefined) return decision;
    const { kind, seen } = known;
    const isSibling = same(parentOf(kind, identity), old.key.slice(0, -1));
    if (key === null && isSibling && seen.as === "absent")
      return by === "create" ? { ...decision, reason: "gone from tenant" } : decision;
    return { ...decision, action: "replace", replaces: { key: old.key, by } };
  });
}

const REPLACING = ["create", "update", "set", "adopt"] as const satisfies readonly Replacement["by"][];
