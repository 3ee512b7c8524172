import { createHash } from "node:crypto";
import type { StartTimes } from "./asked.js";

const DAY = 24 * 60;

/**
 * When the plan of a context starts, as a line of cron. The minute follows from project and context alone, so that it stays
 * the same, and so that the contexts of all projects are spread over the window.
 */
export function scheduleOf(project: string, context: string, { start, minutes }: StartTimes): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([project, context]))
    .digest();
  const at = (start + (hash.readUIntBE(0, 6) % minutes)) % DAY;
  return `${at % 60} ${Math.floor(at / 60)} * * *`;
}
