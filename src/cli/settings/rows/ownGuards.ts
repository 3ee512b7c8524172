import { isObject } from "../../../model/json.js";
import { texts } from "../read.js";
import { INTENT, row } from "../row.js";

/**
 * Files and folders with guards of a team. The working tree may add guards and take none away: guards are compared by
 * what they say, and not by where they are.
 */
export const ownGuards = row<readonly string[]>({
  name: "guards.own",
  at: "guards",
  read: (value) => (isObject(value) ? (texts(value.own) ?? []) : undefined),
  fallback: [],
  decides: INTENT,
  parts: () => [],
  paths: {
    of: (value) => value,
    without: (value, paths) => value.filter((path) => !paths.has(path)),
  },
});
