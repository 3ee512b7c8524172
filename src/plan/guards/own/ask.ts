import type { Planned } from "../../plan.js";
import type { Rules } from "../rules.js";
import type { GuardFacts, OwnFindings } from "./facts.js";

/** What own guards find in a plan. What asks them is loaded only where there are some. */
export async function askOwnGuards(
  plan: Pick<Planned, "steps" | "interface" | "impact">,
  facts: GuardFacts,
  rules: Rules,
): Promise<OwnFindings> {
  if (rules.settings.own.guards.length === 0) return { findings: [], notes: [] };
  const { ownFindings } = await import("./findings.js");
  return ownFindings(plan, facts, rules);
}
