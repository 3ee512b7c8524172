import { formatAddress } from "../model/address.js";
import type { Plan } from "../plan/plan.js";
import type { Applied } from "../reconcile.js";
import { toText } from "../report/findings/text.js";
import type { Render } from "./output.js";

/** An apply that is over, and what was made of what it left. */
export interface Ended {
  readonly plan: Plan;
  readonly applied: Applied;
  /** Milliseconds. */
  readonly took: number;
  /** The file a plan of what is left was written to; null where none was. */
  readonly remaining: string | null;
}

/** What an apply came to, for whichever forms it is asked for. */
export function outcomeFace({ applied }: Ended): Render {
  const { summary, fault } = applied;
  return (format, { paint }) => {
    if (format === "json") return `${JSON.stringify({ summary, fault }, null, 2)}\n`;
    const counts = Object.entries(summary.outcomes)
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => `${count} ${outcome}`);
    const remarks = summary.remarks.flatMap(({ address, outcome, diagnostics }) => [
      `${outcome} ${formatAddress(address)}`,
      toText(diagnostics, { paint }),
    ]);
    return `${[...remarks, `Apply: ${counts.join(", ")}.`, fault?.message ?? ""].join("\n")}\n`;
  };
}
