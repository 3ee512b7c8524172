import type { Json } from "../../model/json.js";
import type { SettingDifference, SettingPlace } from "../../plan/settings.js";
import type { FindingReport, PlanReport } from "./report.js";

/** What a plan says of its settings, under one heading. */
export interface SettingGroup {
  readonly title: string;
  readonly lines: readonly SettingLine[];
}

/** A setting or a finding, and the line that sets or answers it. */
export interface SettingLine {
  readonly text: string;
  readonly place: string;
}

const TITLES: Readonly<Record<SettingDifference["effect"], string>> = {
  loosens: "Proposed by this change, and in force once it is merged",
  intent: "Decided by this change, and part of this plan",
  tightens: "Tightened by this change, and in force now",
};
const ANSWERED = "Guards that this change answers once it is merged";
const LOOSENED = "Settings that permit more than the default";
const LONGEST = 300;

/** Everything that a plan says of its settings, before its steps: what a change proposes comes first. */
export function settingGroups({
  settings,
  findings,
}: Pick<PlanReport, "settings" | "findings">): readonly SettingGroup[] {
  const { differences, loosened } = settings;
  const of = (effect: SettingDifference["effect"]): SettingGroup => ({
    title: TITLES[effect],
    lines: differences.filter((one) => one.effect === effect).map(lineOf),
  });
  const answered = findings.filter(isProposed).flatMap(({ guard, address, message, proposed }) =>
    proposed.map(({ setting, place }) => {
      const about = address === null ? "" : ` ${address}`;
      return { text: `${guard}${about}: ${message}. Answered by ${setting}`, place: spelled(place) };
    }),
  );
  const loose = loosened.map(({ setting, value, standard, from }) => {
    const usual = standard === null ? "" : ` (default: ${textOf(standard)})`;
    return { text: `${setting}: ${textOf(value)}${usual}`, place: from };
  });
  return [
    of("loosens"),
    { title: ANSWERED, lines: answered },
    of("intent"),
    of("tightens"),
    { title: LOOSENED, lines: loose },
  ].filter(({ lines }) => lines.length > 0);
}

/** Whether a finding is answered once the change is merged. */
export function isProposed({ acknowledged, proposed }: FindingReport): boolean {
  return acknowledged === null && proposed.length > 0;
}

/** Where the settings in force come from; null where the working tree has them. */
export function sourceOf({ settings: { from } }: Pick<PlanReport, "settings">): string | null {
  if (from === null) return null;
  return `Settings in force: ${from.named}${from.commit === null ? "" : ` (${from.commit.slice(0, 12)})`}`;
}

function lineOf({ setting, inForce, workingTree, place }: SettingDifference): SettingLine {
  return { text: `${setting}: ${textOf(inForce)} → ${textOf(workingTree)}`, place: spelled(place) };
}

function spelled(place: SettingPlace | null): string {
  return place === null ? "" : `${place.file}:${place.line}`;
}

function textOf(value: Json): string {
  const text = value === null ? "not set" : typeof value === "string" ? value : JSON.stringify(value);
  const letters = [...text.slice(0, 2 * LONGEST)];
  return letters.length <= LONGEST ? text : `${letters.slice(0, LONGEST - 1).join("")}…`;
}
