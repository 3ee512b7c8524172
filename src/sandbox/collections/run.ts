import type { JsonObject } from "../../model/json.js";
import { text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";

const HOUR = 3_600_000;

/** How long a run takes. */
const RUN = 2_000;

/**
 * How the last run of an automation went: it runs when it is written and every hour after, so that its status changes
 * without a write.
 */
export function lastRun(automation: JsonObject, now: number): JsonObject {
  const written = Date.parse(text(automation, "updatedAt"));
  if (Number.isNaN(written)) return {};
  const runs = Math.max(0, Math.floor((now - written) / HOUR));
  const started = written + runs * HOUR;
  if (now >= started + RUN) return completed("SUCCESS", started + RUN);
  return runs === 0 ? { status: `${STATUS}IN_PROGRESS` } : completed("IN_PROGRESS", started - HOUR + RUN);
}

const STATUS = "APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_";

function completed(status: string, at: number): JsonObject {
  return { status: `${STATUS}${status}`, lastCompletedAt: writeTimestamp(at) };
}
