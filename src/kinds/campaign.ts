import type { Json, JsonObject } from "../model/json.js";
import { inside, textOf } from "./spelling.js";

/** A campaign as far as a change of its template's scope concerns it. */
export interface Campaign {
  readonly template: string;
  readonly name: string;
  /** `open`: cut from its template, and not started. */
  readonly state: "open" | "running" | "closed";
  /** When it was started, or cut where it was not. */
  readonly since: string;
  /** How many tasks the service expects or counted; null where it says nothing. */
  readonly tasks: number | null;
  /** When it closes by itself, and what happens then; null where it does not. */
  readonly closes: { readonly at: string; readonly decision: string } | null;
}

/** The campaign of one row of the list of campaigns; undefined for one without a template, and for a deleted one. */
export function campaignIn(row: Json): Campaign | undefined {
  const record = inside(row, "accessReview") ?? {};
  const template = textOf(record, "accessReviewTemplateId");
  const state = STATES[textOf(record, "state").replace(/^ACCESS_REVIEW_STATE_/, "")] ?? "open";
  if (template === "" || state === "gone") return undefined;
  return {
    template,
    name: textOf(record, "displayName"),
    state,
    since: textOf(record, "startedAt") || textOf(record, "createdAt"),
    tasks: typeof record.expectedTicketCount === "number" ? record.expectedTicketCount : null,
    closes: closingOf(record),
  };
}

// Which state means running is not documented; OPEN is the one that its name says (docs/service/live-reads.md, section A).
const STATES: Readonly<Record<string, Campaign["state"] | "gone">> = {
  OPEN: "running",
  CLOSED: "closed",
  DELETING: "gone",
  DELETED: "gone",
};

// With a decision to close by itself, the date of completion is the date on which it closes.
function closingOf(record: JsonObject): Campaign["closes"] {
  if (record.autoCloseCampaign !== true) return null;
  const decision = textOf(record, "autoCloseDecision").replace(/^CLOSE_DECISION_/, "");
  return { at: textOf(record, "completionDate"), decision: decision || "UNSPECIFIED" };
}
