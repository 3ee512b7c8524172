import type { Explained } from "../../diff/cause.js";
import { same } from "../../model/json.js";
import type { Situation } from "./situation.js";

/**
 * The fields of an object that differ only because a connector put back what remit wrote; none where anything else
 * differs, too. The connector does so at each sync: to write them again would last until the next one.
 */
export function contestedIn(
  found: readonly Explained[],
  { entry, seen }: Pick<Situation, "entry" | "seen">,
): readonly string[] {
  const { connectorWrites = [], fields = {} } = seen.as === "present" ? seen : {};
  const original = entry?.original ?? {};
  const isPutBack = (name: string) =>
    connectorWrites.includes(name) &&
    Object.hasOwn(original, name) &&
    same(original[name] ?? null, fields[name] ?? null);
  const names = found.map(({ change }) => String(change.path[0]));
  return found.every(({ cause }) => cause === "drifted") && names.every(isPutBack) ? names : [];
}
