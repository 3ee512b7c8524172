import {
  describe,
  kindNamed,
  type Plan,
  renderJson,
  renderMarkdown,
  renderTerminal,
} from "../../entry/reports.js";
import type { Render } from "./show.js";

/** A plan ready to be shown, and whether there is anything to do. */
export interface PlanFace {
  readonly pending: boolean;
  readonly render: Render;
}

/** Describes a plan once, for whichever forms it is then asked for. */
export function planFace(plan: Plan, hash: string): PlanFace {
  const report = describe(plan, hash, kindNamed);
  return {
    pending: report.pending,
    render: (format, { columns, paint, maxBytes, linkBase }) => {
      if (format === "json") return renderJson(report);
      if (format === "markdown") return renderMarkdown(report, { maxBytes, linkBase });
      return renderTerminal(report, { columns, paint });
    },
  };
}
