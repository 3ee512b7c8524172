import { encode } from "../../src/state/codec.js";

/** The whole text that a state file holds. */
export function stateText(...snapshot: Parameters<typeof encode>): string {
  return [...encode(...snapshot)].join("");
}
