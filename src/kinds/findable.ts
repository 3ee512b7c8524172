import type { Key } from "../model/key.js";
import type { Kind } from "./kind.js";

/** Whether a read can show an object: one whose id the service chooses, and whose id is unknown, only a list can show. */
export function isFindable(
  { namesRepeat, reads }: Pick<Kind, "namesRepeat" | "reads">,
  key: Key | null,
): boolean {
  return key !== null || namesRepeat !== true || reads.list !== undefined;
}
