import type { Diagnostic } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";
import type { RunEvidence } from "./statement.js";

/** What evidence must prove besides what it always must. */
export interface Requirements {
  /** How many approvals each run needs; 0 where none is needed. */
  readonly approvals: number;
  /** Approvals by the one who applied do not count. */
  readonly notByApplier: boolean;
  /** Only approvals of the head that was merged count. */
  readonly approvalsOfHead: boolean;
  /** Only approvals with a time count. */
  readonly approvalsDated: boolean;
  /** Each object that was written must have been read back. */
  readonly readBack: boolean;
}

/** Nothing more is required. */
export const NOTHING_MORE: Requirements = {
  approvals: 0,
  notByApplier: false,
  approvalsOfHead: false,
  approvalsDated: false,
  readBack: false,
};

/** The requirements of these words; the word that is none of them, where there is one. */
export function readRequirements(words: readonly string[]): Requirements | { readonly unknown: string } {
  let found = NOTHING_MORE;
  for (const word of words) {
    const [, count] = /^approvals=([1-9]\d{0,3})$/.exec(word) ?? [];
    const name = NAMES.get(word);
    if (count !== undefined) found = { ...found, approvals: Number(count) };
    else if (name !== undefined) found = { ...found, [name]: true };
    else return { unknown: word };
  }
  const isAboutApprovals = found.notByApplier || found.approvalsOfHead || found.approvalsDated;
  return isAboutApprovals ? { ...found, approvals: Math.max(1, found.approvals) } : found;
}

const NAMES: ReadonlyMap<string, keyof Requirements> = new Map([
  ["not-by-applier", "notByApplier"],
  ["approvals-of-head", "approvalsOfHead"],
  ["approvals-dated", "approvalsDated"],
  ["read-back", "readBack"],
]);

/** What a run lacks of the approvals that are required: one that does not meet all of the requirements does not count. */
export function lackingApprovals(
  { own: { record }, review }: RunEvidence,
  required: Requirements,
): readonly Diagnostic[] {
  const { number } = record;
  const applier = record.by.user?.toLowerCase() ?? null;
  if (required.approvals === 0) return [];
  if (required.notByApplier && applier === null)
    return [say("evidence/approvals#applierUnknown", { number })];
  const counted = (review?.approvals ?? []).filter(
    ({ by, at, commit }) =>
      !(required.notByApplier && by.toLowerCase() === applier) &&
      !(required.approvalsOfHead && commit !== review?.commit) &&
      !(required.approvalsDated && at === null),
  );
  const count = new Set(counted.map(({ by }) => by.toLowerCase())).size;
  const needed = required.approvals;
  return count < needed ? [say("evidence/approvals#fewApprovals", { number, count, needed })] : [];
}
