import type { Diagnostic } from "../model/diagnostic.js";
import type { CommitStatus, ForgeAccount, ForgeName, PullRequest } from "./forge.js";
import type { ApprovalFault, JudgedApproval } from "./review.js";

const GO_ON =
  "Apply it with the manual job: it shows the plan first, and waits for the reviewers of the protected environment.";

function refusal(code: string, message: string, hint: string = GO_ON): Diagnostic {
  return { code, severity: "error", message, hint };
}

/** A commit that no pull request brought, or several. */
export function withoutPull(commit: string, forge: ForgeName): Diagnostic {
  const message = `${commit.slice(0, 12)} was not merged by one pull request, so no review approved it`;
  const rebased =
    forge === "gitea"
      ? "Gitea and Forgejo name the pull request of a rebase merge for its last commit alone: squash, or make a merge commit. "
      : "";
  return refusal("approved/no-pull-request", message, `${rebased}${GO_ON}`);
}

/** A head that was never planned before its merge. */
export function withoutStatus({ number, head, isFromFork }: PullRequest, context: string): Diagnostic {
  const plan = isFromFork
    ? `A pull request from a fork is not planned. Before the merge, push ${head.commit} to a branch of this repository and open a pull request from there.`
    : `Plan its head before the merge. Where a bot opened it, push a commit of your own, which may be empty, to ${head.branch}.`;
  return refusal(
    "approved/no-status",
    `#${number} has no status ${context} on ${head.commit.slice(0, 12)} from before its merge, so remit does not know what was reviewed`,
    `${plan} ${GO_ON}`,
  );
}

/** Statuses that another account wrote. */
export function byAnother(
  { number }: PullRequest,
  context: string,
  { author }: CommitStatus,
  { login }: ForgeAccount,
): Diagnostic {
  return refusal(
    "approved/other-author",
    `the status ${context} of #${number} was written by ${author?.login ?? "an unknown account"}, and ${login} plans`,
    `Name the account of the plan job with --author, if it is another one. ${GO_ON}`,
  );
}

/** A plan that could not be applied, or came to no effect. */
export function notApplicable({ number }: PullRequest, context: string): Diagnostic {
  const message = `the status ${context} of #${number} says that its plan could not be applied, or contains no effect`;
  return refusal("approved/not-applicable", message);
}

/** A history without times. */
export function unknownTimes({ number }: PullRequest): Diagnostic {
  const message = `the forge does not say when #${number} was merged, or when it was planned`;
  return refusal("approved/unknown-times", `${message}, so remit does not know what was reviewed`);
}

/** A head whose plan had two effects. */
export function secondEffect({ number, head }: PullRequest, first: string, last: string): Diagnostic {
  return refusal(
    "approved/second-effect",
    `${head.commit.slice(0, 12)}, the head of #${number}, was planned with the effect ${first} first, and with ${last} later`,
  );
}

/** Approvals of which none is of the effect. */
export function staleApproval({ number }: PullRequest, given: readonly JudgedApproval[]): Diagnostic {
  const names = given.map(({ approval: { by }, fault }) => `${by} (${FAULTS[fault ?? "not known"]})`);
  return refusal(
    "approved/stale-approval",
    `no approval of #${number} is of the effect that its merged head was planned with: ${names.join(", ")}`,
    `Someone who may approve #${number} can also approve its merged head now, where the forge takes that. ${GO_ON}`,
  );
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
  return refusal(
    "approved/one-head",
    `${names} have the same head, ${commit.slice(0, 12)}, so its status does not say which of them was reviewed`,
    "Close one of them, or push a commit to one. Then run the job again.",
  );
}
