import type { Json } from "../../../model/json.js";
import type { SettingDifference } from "../../../plan/guards/settings.js";
import { listing, type StatedObject, type Statement, stated, statement } from "../../statement.js";
import { clipped } from "../../text/layout.js";
import type { FindingReport, PlanReport } from "../report.js";

const LONGEST = 300;

/** What a plan says of its settings: where they come from, and before the steps what a change proposes, decides and permits. */
export function settingStatements({
  settings,
  findings,
}: Pick<PlanReport, "settings" | "findings">): readonly Statement[] {
  const { from, differences, loosened } = settings;
  const of = (effect: SettingDifference["effect"]) =>
    differences.filter((one) => one.effect === effect).map(differing);
  const answered = findings.filter(isProposed).flatMap(({ guard, address, message, proposed }) =>
    proposed.map(({ setting, place }) => {
      const about = address === null ? "" : ` ${address}`;
      return stated(`${guard}${about}: ${sentence(message)} Answered by ${setting}`, { place });
    }),
  );
  const loose = loosened.map(({ setting, value, standard, from: source }) => {
    const usual = standard === null ? "" : ` (default: ${textOf(standard)})`;
    return stated(`${setting}: ${textOf(value)}${usual}`, { aside: source });
  });
  const source =
    from === null ? "" : `${from.named}${from.commit === null ? "" : ` (${from.commit.slice(0, 12)})`}`;
  return [
    ...(from === null ? [] : [statement("settings/source", { from: source })]),
    ...listing("settings/proposed", {}, of("loosens")),
    ...listing("settings/answers", {}, answered),
    ...listing("settings/intent", {}, of("intent")),
    ...listing("settings/tightened", {}, of("tightens")),
    ...listing("settings/loosened", {}, loose),
  ];
}

/** Whether a finding is answered once the change is merged. */
export function isProposed({ acknowledged, proposed }: FindingReport): boolean {
  return acknowledged === null && proposed.length > 0;
}

/** A guard of remit writes no full stop; one of a team is as its message. */
function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function differing({ setting, inForce, workingTree, place }: SettingDifference): StatedObject {
  return stated(`${setting}: ${textOf(inForce)} → ${textOf(workingTree)}`, { place });
}

function textOf(value: Json): string {
  const text = value === null ? "not set" : typeof value === "string" ? value : JSON.stringify(value);
  return clipped(text.slice(0, 2 * LONGEST), LONGEST);
}
