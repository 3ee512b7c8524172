import {
  EXPANSION_LIMITS,
  type ExpansionLimits,
  expansionLimitsIn,
} from "../../../manifest/expand/budget.js";
import { isObject } from "../../../model/json.js";
import { isAtMost, members, row } from "../row.js";

/** How much named values and rows may make. The working tree may only permit less. */
export const expansion = row<ExpansionLimits>({
  name: "limits",
  at: "limits",
  read: (value) => (isObject(value) ? expansionLimitsIn(value) : undefined),
  fallback: EXPANSION_LIMITS,
  decides: {
    is: "limit",
    isWithin: isAtMost,
    tighter: (inForce, tree) => ({
      nodes: Math.min(inForce.nodes, tree.nodes),
      characters: Math.min(inForce.characters, tree.characters),
      pairs: Math.min(inForce.pairs, tree.pairs),
    }),
  },
  parts: ({ nodes, characters, pairs }) => members("limits", { values: nodes, characters, pairs }),
  printed: ({ nodes, characters, pairs }) => ({ values: nodes, characters, pairs }),
});
