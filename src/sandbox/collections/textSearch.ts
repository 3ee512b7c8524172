import type { JsonObject } from "../../model/json.js";
import type { World } from "../answer/operation.js";
import { text } from "../wire/member.js";

/**
 * Whether a row is what a search's words ask for: `displayName` is the whole name without regard to case,
 * `query` a part of the name or description. For the time of the search lag, neither sees what was written.
 */
export function textSearchOf(request: JsonObject, world: World): (row: JsonObject) => boolean {
  const name = text(request, "displayName").toLowerCase();
  const query = text(request, "query").toLowerCase();
  if (name === "" && query === "") return () => true;
  const lag = world.quirks.searchLag ?? 0;
  return (row) => {
    const shown = text(row, "displayName").toLowerCase();
    if (name !== "" && shown !== name) return false;
    if (!shown.includes(query) && !text(row, "description").toLowerCase().includes(query)) return false;
    return lag === 0 || !(Date.parse(text(row, "updatedAt")) > world.now - lag);
  };
}
