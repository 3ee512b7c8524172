import {
  describeOutcome,
  type Ending,
  kindNamed,
  renderOutcomeJson,
  renderOutcomeMarkdown,
  renderOutcomeTerminal,
} from "../../entry/reports.js";
import type { Render } from "./show.js";

/** Describes once what an apply came to, for whichever forms it is then asked for. */
export function outcomeFace(ending: Ending): Render {
  const report = describeOutcome(ending, kindNamed);
  return (format, { columns, paint, maxBytes, linkBase }) => {
    if (format === "json") return renderOutcomeJson(report);
    if (format === "markdown") return renderOutcomeMarkdown(report, { maxBytes, linkBase });
    return renderOutcomeTerminal(report, { columns, paint });
  };
}
