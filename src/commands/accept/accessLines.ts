import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { codeOf, DENIED } from "../../plan/guards/own/ownGuard.js";
import { describeAlone } from "../../report/plan/people.js";
import { quote } from "../../words/quote.js";
import type { Accepted } from "./drift.js";

/** What accepted values mean for people: a line for each object where that was counted. */
export function peopleLines({ access: { plan } }: Accepted): readonly string[] {
  return plan.steps.flatMap(({ address }) => {
    const name = formatAddress(address);
    const found = plan.impact?.steps.find((step) => formatAddress(step.address) === name);
    if (found === undefined || plan.impact === null) return [];
    const [first = "", ...rest] = describeAlone(found, plan.impact, plan.names);
    return [`${name}: ${first}`, ...rest.map((line) => `  ${line}`)];
  });
}

/** What the guards find in accepted values: the next plan finds it again, and blocks until it is acknowledged. */
export function guardWarnings({ access: { findings } }: Accepted): readonly Diagnostic[] {
  return findings
    .filter(({ acknowledged }) => acknowledged === null)
    .map(({ guard, address, message, own }) => {
      const name = address === null ? null : formatAddress(address);
      return quote(codeOf(guard), "warning", name === null ? message : `${name}: ${message}`, {
        hint:
          own?.level === "deny"
            ? `The next plan is blocked. ${DENIED}`
            : `The next plan is blocked until it is acknowledged: --acknowledge ${guard}${name === null ? "" : `=${name}`}`,
      });
    });
}
