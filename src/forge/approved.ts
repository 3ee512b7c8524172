import type { Diagnostic } from "../model/diagnostic.js";
import type { CommitStatus, Forge, ForgeAccount, PullRequest } from "./forge.js";
import { contextOf, effectIn } from "./statusText.js";
import { isOf } from "./upsert.js";

/** A commit of the branch that is applied, and whether it changes a file of the project. */
export interface MergedCommit {
  readonly commit: string;
  readonly isWithin: boolean;
}

/** A merge that was reviewed: what it is compared with, the commit to apply, and the effect that its plan had. */
export interface ApprovedMerge {
  readonly number: number;
  readonly base: string;
  readonly commit: string;
  readonly effect: string;
}

/** A merge that is not applied; without a number where no pull request brought it. */
export interface HeldMerge {
  readonly number: number | null;
  readonly base: string;
  readonly commit: string;
}

/** The merges that may be applied in this order; where one may not, why, and the merges that wait behind it. */
export interface Approved {
  readonly merges: readonly ApprovedMerge[];
  readonly refused: (HeldMerge & { readonly why: Diagnostic }) | null;
  readonly waiting: readonly HeldMerge[];
}

/** The commits of one pull request, or one commit that came without any. */
interface Merge {
  readonly pull: PullRequest | null;
  readonly base: string;
  readonly commit: string;
}

/** The commits of a branch that may be applied. */
export interface MergedBranch {
  readonly branch: string;
  /** The commit that was applied completely. */
  readonly after: string;
  readonly commits: readonly MergedCommit[];
}

/**
 * What the reviews of merges approved, in first-parent order. The effect is that of the newest status of the plan on the head of
 * each pull request. It counts only where the account wrote it that plans. A commit that changes nothing of the project
 * needs no approval: the next merge begins before it.
 */
export async function approvedMerges(
  forge: Forge,
  branch: MergedBranch,
  name: string,
  account: ForgeAccount,
): Promise<Approved> {
  const merges = await mergesOf(forge, branch);
  const approved: ApprovedMerge[] = [];
  for (const [place, merge] of merges.entries()) {
    const judged = await judge(forge, merge, name, account);
    if ("code" in judged) {
      const waiting = merges.slice(place + 1).map(heldFrom);
      return { merges: approved, refused: { ...heldFrom(merge), why: judged }, waiting };
    }
    approved.push(judged);
  }
  return { merges: approved, refused: null, waiting: [] };
}

function heldFrom({ pull, base, commit }: Merge): HeldMerge {
  return { number: pull?.number ?? null, base, commit };
}

/**
 * Commits of one pull request belong together: a rebase merges it commit by commit. A pull request that was merged into
 * another branch brought nothing onto this one.
 */
async function mergesOf(forge: Forge, { branch, after, commits }: MergedBranch): Promise<readonly Merge[]> {
  const merges: Merge[] = [];
  for (const { commit } of commits.filter(({ isWithin }) => isWithin)) {
    const merged = await forge.mergedWith(commit);
    const found = merged.filter(({ base }) => base === branch);
    const pull = found.length === 1 ? (found[0] ?? null) : null;
    const last = merges.at(-1);
    const isSame = pull !== null && last?.pull?.number === pull.number;
    if (isSame && last !== undefined) merges[merges.length - 1] = { ...last, commit };
    else merges.push({ pull, base: last?.commit ?? after, commit });
  }
  return merges;
}

async function judge(
  forge: Forge,
  { pull, base, commit }: Merge,
  name: string,
  account: ForgeAccount,
): Promise<ApprovedMerge | Diagnostic> {
  if (pull === null) return withoutPull(commit);
  const context = contextOf("plan", name);
  const [status] = (await forge.statuses(pull.head.commit)).filter((one) => one.context === context);
  if (status === undefined) return withoutStatus(pull, context);
  if (!isOf(status.author, account)) return byAnother(pull, context, status, account);
  const effect = effectIn(status.description);
  if (!status.isSuccess || effect === null) return notApplicable(pull, context);
  return { number: pull.number, base, commit, effect };
}

const GO_ON =
  "Apply it from a job behind a protected environment, without --expect: its approver sees the plan.";

function withoutPull(commit: string): Diagnostic {
  return {
    code: "approved/no-pull-request",
    severity: "error",
    message: `${commit.slice(0, 12)} was not merged by one pull request, so no review approved it`,
    hint: GO_ON,
  };
}

function withoutStatus({ number, head }: PullRequest, context: string): Diagnostic {
  return {
    code: "approved/no-status",
    severity: "error",
    message: `#${number} has no status ${context} on ${head.commit.slice(0, 12)}, so remit does not know what was reviewed`,
    hint: `Plan its head with \`remit comment\` before the merge. ${GO_ON}`,
  };
}

function byAnother(
  { number }: PullRequest,
  context: string,
  { author }: CommitStatus,
  { login }: ForgeAccount,
): Diagnostic {
  return {
    code: "approved/other-author",
    severity: "error",
    message: `the status ${context} of #${number} was written by ${author?.login ?? "an unknown account"}, and ${login} plans`,
    hint: `Name the account of the plan job with --author, if it is another one. ${GO_ON}`,
  };
}

function notApplicable({ number }: PullRequest, context: string): Diagnostic {
  return {
    code: "approved/not-applicable",
    severity: "error",
    message: `the status ${context} of #${number} says that its plan could not be applied, or contains no effect`,
    hint: GO_ON,
  };
}
