import { mergedInto } from "../../cli/forge/findPull.js";
import type { Forge, ForgeAccount, ForgeName, PullRequest } from "../../forge/forge.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";
import {
  beforeMerge,
  contextOf,
  effectsIn,
  FAULTS,
  isAfterMerge,
  judgeApprovals,
  oneHead,
  twinsOf,
} from "./review.js";
import { isOf } from "./upsert.js";

/** A commit of the branch that is applied, and whether it changes a file of the project. */
interface MergedCommit {
  readonly commit: string;
  readonly isWithin: boolean;
}

/** A merge that was reviewed: what it is compared with, the commit to apply, and the effect that its plan had. */
interface ApprovedMerge {
  readonly number: number;
  readonly base: string;
  readonly commit: string;
  readonly effect: string;
  /** When it was merged, as the forge writes it. */
  readonly mergedAt: string;
  /** Who approved that effect; empty where the merge alone decided. */
  readonly approvals: readonly string[];
}

/** A merge that is not applied; without a number where no pull request brought it. */
interface HeldMerge {
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
interface MergedBranch {
  readonly branch: string;
  /** The commit that they come after. */
  readonly after: string;
  readonly commits: readonly MergedCommit[];
}

/**
 * What the reviews of merges approved, in first-parent order. The effect is the first that the statuses of the plan show for the
 * head of each pull request. Only statuses count that the account wrote which plans, before the merge. Where there are approvals, one of them
 * has to be of that effect. A commit that changes nothing of the project
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

/** Whether the account wrote that a commit was applied completely. What it wrote before or later does not count against it. */
export async function wasApplied(
  forge: Forge,
  commit: string,
  name: string,
  account: ForgeAccount,
): Promise<boolean> {
  const context = contextOf("apply", name);
  const statuses = await forge.statuses(commit);
  return statuses.some((one) => one.context === context && one.isSuccess && isOf(one.author, account));
}

function heldFrom({ pull, base, commit }: Merge): HeldMerge {
  return { number: pull?.number ?? null, base, commit };
}

/** Commits of one pull request belong together: a rebase merges it commit by commit. */
async function mergesOf(forge: Forge, { branch, after, commits }: MergedBranch): Promise<readonly Merge[]> {
  const merges: Merge[] = [];
  for (const { commit } of commits.filter(({ isWithin }) => isWithin)) {
    const found = await mergedInto(branch, forge, commit);
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
  if (pull === null) return withoutPull(commit, forge.name);
  const context = contextOf("plan", name);
  const { number, mergedAt, head: planned } = pull;
  const twins = await twinsOf(forge, planned.commit, number);
  if (twins.length > 0) return oneHead(planned.commit, [number, ...twins]);
  const statuses = (await forge.statuses(planned.commit)).filter((one) => one.context === context);
  const [newest] = statuses;
  if (newest === undefined) return withoutStatus(pull, context);
  if (!statuses.some(({ author }) => isOf(author, account))) {
    const author = newest.author?.login ?? "an unknown account";
    return say("approved/other-author", { context, number, author, login: account.login });
  }
  const own = { context, account };
  const shown = effectsIn(statuses, own);
  if (shown.length === 0) return say("approved/not-applicable", { context, number });
  const reviewable = beforeMerge(shown, pull);
  if (reviewable === null || mergedAt === null) return say("approved/unknown-times", { number });
  const [first, last] = [reviewable[0], reviewable.at(-1)];
  if (first === undefined || last === undefined) return withoutStatus(pull, context);
  if (last.effect !== first.effect) {
    const commit = planned.commit.slice(0, 12);
    return say("approved/second-effect", { commit, number, first: first.effect, last: last.effect });
  }
  if (!last.isSuccess) return say("approved/not-applicable", { context, number });
  const { effect } = first;
  const head = { number, commit: planned.commit, statuses };
  const judged = await judgeApprovals(forge, head, effect, own);
  const counted = judged.filter(({ fault }) => fault === null);
  const given = judged.filter(({ approval }) => !isAfterMerge(approval, pull));
  if (counted.length === 0 && given.length > 0) {
    const names = given.map(({ approval: { by }, fault }) => `${by} (${FAULTS[fault ?? "not known"]})`);
    return say("approved/stale-approval", { number, names });
  }
  const approvals = counted.map(({ approval }) => approval.by);
  return { number, base, commit, effect, mergedAt, approvals };
}

function withoutPull(commit: string, forge: ForgeName): Diagnostic {
  const rebased =
    forge === "gitea"
      ? "Gitea and Forgejo name the pull request of a rebase merge for its last commit alone: squash, or make a merge commit. "
      : "";
  return say("approved/no-pull-request", { commit: commit.slice(0, 12), rebased });
}

/** A head that was never planned before its merge. */
function withoutStatus({ number, head, isFromFork }: PullRequest, context: string): Diagnostic {
  const plan = isFromFork
    ? `A pull request from a fork is not planned. Before the merge, push ${head.commit} to a branch of this repository and open a pull request from there.`
    : `Plan its head before the merge. Where a bot opened it, push a commit of your own, which may be empty, to ${head.branch}.`;
  return say("approved/no-status", { number, context, commit: head.commit.slice(0, 12), plan });
}
