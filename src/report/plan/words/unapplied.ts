import type { Unapplied } from "../../../manifest/git/unapplied.js";
import { type Statement, stated, statement } from "../../statement.js";
import { clipped } from "../../text/layout.js";
import type { PlanReport } from "../report.js";

const LONGEST = 50;

/** What was merged before this change and not applied completely. */
export function unappliedStatement({ unapplied }: Pick<PlanReport, "unapplied">): readonly Statement[] {
  if (unapplied === undefined) return [];
  const after = unapplied.after.slice(0, 12);
  const { commits, more } = unapplied;
  if (commits === null) return [statement("plan/unapplied#unknown", { after })];
  const objects = commits.map((commit) => stated(nameOf(commit)));
  return [statement("plan/unapplied#known", { after }, objects, commits.length + more)];
}

/** Where a forge merges a pull request as one commit, the subject ends with its number: a short name keeps it. */
const NUMBER = / ?\([#!]\d{1,9}\)$/;

function nameOf({ commit, subject }: NonNullable<Unapplied["commits"]>[number]): string {
  const number = NUMBER.exec(subject)?.[0] ?? "";
  const about = `${clipped(subject.slice(0, subject.length - number.length), LONGEST)}${number}`;
  return about === "" ? commit.slice(0, 12) : `${commit.slice(0, 12)} "${about}"`;
}
