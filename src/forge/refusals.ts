import type { Diagnostic } from "../model/diagnostic.js";
import { say } from "../words/say.js";
import type { CommitStatus, ForgeAccount, ForgeName, PullRequest } from "./forge.js";
import type { ApprovalFault, JudgedApproval } from "./review.js";

/** A commit that no pull request brought, or several. */
export function withoutPull(commit: string, forge: ForgeName): Diagnostic {
  const rebased =
    forge === "gitea"
      ? "Gitea and Forgejo name the pull request of a rebase merge for its last commit alone: squash, or make a merge commit. "
      : "";
  return say("approved/no-pull-request", { commit: commit.slice(0, 12), rebased });
}

/** A head that was never planned before its merge. */
export function withoutStatus({ number, head, isFromFork }: PullRequest, context: string): Diagnostic {
  const plan = isFromFork
    ? `A pull request from a fork is not planned. Before the merge, push ${head.commit} to a branch of this repository and open a pull request from there.`
    : `Plan its head before the merge. Where a bot opened it, push a commit of your own, which may be empty, to ${head.branch}.`;
  return say("approved/no-status", { number, context, commit: head.commit.slice(0, 12), plan });
}

/** Statuses that another account wrote. */
export function byAnother(
  { number }: PullRequest,
  context: string,
  { author }: CommitStatus,
  { login }: ForgeAccount,
): Diagnostic {
  return say("approved/other-author", {
    context,
    number,
    author: author?.login ?? "an unknown account",
    login,
  });
}

/** A plan that could not be applied, or came to no effect. */
export function notApplicable({ number }: PullRequest, context: string): Diagnostic {
  return say("approved/not-applicable", { context, number });
}

/** A history without times. */
export function unknownTimes({ number }: PullRequest): Diagnostic {
  return say("approved/unknown-times", { number });
}

/** A head whose plan had two effects. */
export function secondEffect({ number, head }: PullRequest, first: string, last: string): Diagnostic {
  return say("approved/second-effect", { commit: head.commit.slice(0, 12), number, first, last });
}

/** Approvals of which none is of the effect. */
export function staleApproval({ number }: PullRequest, given: readonly JudgedApproval[]): Diagnostic {
  const names = given.map(({ approval: { by }, fault }) => `${by} (${FAULTS[fault ?? "not known"]})`);
  return say("approved/stale-approval", { number, names });
}

/** Why an approval does not count, in a few words. */
export const FAULTS: Readonly<Record<ApprovalFault, string>> = {
  "not known": "the forge does not say when, or for which commit",
  "before the plan": "given before the plan",
  "another effect": "given for another effect",
};

/** Two open pull requests have one head, so what is said of the commit is said of both. */
export function oneHead(commit: string, numbers: readonly number[]): Diagnostic {
  const names = numbers.map((number) => `#${number}`).join(" and ");
  return say("approved/one-head", { names, commit: commit.slice(0, 12) });
}
