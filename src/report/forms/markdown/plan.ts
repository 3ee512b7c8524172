import type { View } from "../../view/view.js";
import { renderPlanInComment } from "../comment/plan.js";

/** The first line of every plan in Markdown. A bot finds its earlier comment by it. */
export const PLAN_MARKER = "<!-- remit:plan -->";

/** The options of a plan in a pull request. */
export interface MarkdownOptions {
  /** The most bytes of UTF-8; null means no limit. */
  readonly maxBytes: number | null;
  /** The web address to which a manifest's path is added for a link; null means no links. */
  readonly linkBase: string | null;
}

/** A plan for a file or a job summary: what the comment says of it, below a line by which a bot finds it again. */
export function renderPlanMarkdown(view: View, { maxBytes, linkBase }: MarkdownOptions): string {
  const room = (maxBytes ?? Number.POSITIVE_INFINITY) - PLAN_MARKER.length - 2;
  const whole = "`remit show` of the saved plan has all.";
  const plan = { name: null, view, linkBase, whole, unreviewed: null, uncounted: [] };
  return `${PLAN_MARKER}\n${renderPlanInComment(plan, room)}\n`;
}
