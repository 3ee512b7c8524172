import type { Unapplied } from "../../manifest/unapplied.js";
import { clipped } from "../text/layout.js";
import type { PlanReport } from "./report.js";

/** What one line names. */
const NAMED = 3;
const LONGEST = 50;

/** What was merged before this change and not applied completely, in a line; null where nothing was. */
export function unappliedOf({ unapplied }: Pick<PlanReport, "unapplied">): string | null {
  if (unapplied === undefined) return null;
  const after = unapplied.after.slice(0, 12);
  const { commits } = unapplied;
  if (commits === null)
    return `Merged and not applied: unknown, because this checkout does not lead back to ${after}, which was applied last.`;
  const names = commits.slice(0, NAMED).map(nameOf);
  const more = unapplied.more + commits.length - names.length;
  return `Merged after ${after}, and not applied completely: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** Where a forge merges a pull request as one commit, the subject ends with its number: a short name keeps it. */
const NUMBER = / ?\([#!]\d{1,9}\)$/;

function nameOf({ commit, subject }: NonNullable<Unapplied["commits"]>[number]): string {
  const number = NUMBER.exec(subject)?.[0] ?? "";
  const about = `${clipped(subject.slice(0, subject.length - number.length), LONGEST)}${number}`;
  return about === "" ? commit.slice(0, 12) : `${commit.slice(0, 12)} "${about}"`;
}
