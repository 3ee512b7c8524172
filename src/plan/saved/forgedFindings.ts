import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";
import { hashOfFinding } from "../guards/findings.js";
import { guardActionOf } from "../guards/own/ownGuard.js";
import { isDriftAlone } from "./showsAll.js";
import type { StoredOwnFinding, StoredPlan } from "./stored.js";

/**
 * The findings of a team's guards that do not belong to the steps of their plan, or say that someone acknowledged what no
 * one can.
 */
export function forgedFindings({
  own = [],
  steps,
  answers,
}: Pick<StoredPlan, "own" | "steps" | "answers">): readonly Diagnostic[] {
  return own.filter(isForged).map(({ guard }) => say("plan/other-findings", { guard }));

  function isForged({ guard, address, hash, own: { level, definition } }: StoredOwnFinding): boolean {
    const about = address === null ? null : formatAddress(address);
    const [asked, each] =
      about === null
        ? [steps.filter((step) => !isDriftAlone(step) && guardActionOf(step) !== null), false]
        : [steps.filter((step) => formatAddress(step.address) === about), true];
    const parts = each ? asked.map((step) => [step]) : [asked];
    if (!parts.some((part) => hashOfFinding(guard, address, part, definition) === hash)) return true;
    return (
      level === "deny" &&
      answers.some((one) => one.guard === guard && one.hash === hash && one.acknowledged !== null)
    );
  }
}
