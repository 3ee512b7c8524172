/** A forge that remit speaks with; Forgejo is spoken with as Gitea is. */
export type ForgeName = "github" | "gitlab" | "gitea";

/** Who wrote something. Ids of a forge's own accounts may be negative. */
export interface Author {
  readonly id: number;
  readonly login: string;
}

/** The account of a token; without an id where only its login is known. */
export interface ForgeAccount {
  readonly id: number | null;
  readonly login: string;
}

/** A comment on a pull request or on an issue. */
export interface PullComment {
  readonly id: number;
  readonly body: string;
  /** Null where the account is gone. */
  readonly author: Author | null;
}

/** What a status says of a commit. */
export interface StatusText {
  readonly context: string;
  readonly state: "success" | "failure";
  readonly description: string;
  /** The page that a reader is led to; null for none. */
  readonly url: string | null;
}

/** A status as the forge has it. */
export interface CommitStatus {
  readonly context: string;
  readonly description: string;
  readonly isSuccess: boolean;
  readonly author: Author | null;
  /** When it was written, as the forge writes it; null where it does not say. */
  readonly at: string | null;
}

/** One end of a pull request. */
export interface PullHead {
  readonly commit: string;
  readonly branch: string;
  /** Null where the fork is gone. */
  readonly repository: string | null;
}

/** A pull request, which GitLab calls a merge request. */
export interface PullRequest {
  readonly number: number;
  readonly head: PullHead;
  /** The branch that it is merged into. */
  readonly base: string;
  /** Whether its branch is in another repository, or in none any more. */
  readonly isFromFork: boolean;
  readonly isOpen: boolean;
  /** The commit by which it was merged; null until then, and where the forge does not say. */
  readonly mergeCommit: string | null;
  /** When it was merged, as the forge writes it; null until then, and where the forge does not say. */
  readonly mergedAt: string | null;
}

/** That someone agreed to a pull request, and has not taken it back. */
export interface Approval {
  /** The login. */
  readonly by: string;
  /** When, as the forge writes it; null where it does not say. */
  readonly at: string | null;
  /** The commit that was the head then; null where the forge does not say. */
  readonly commit: string | null;
}

/** Which branches an environment takes jobs of. Only an administrator of the repository sets that. */
export type BranchRule =
  | { readonly as: "every branch" }
  /** Their names, for a reader; and whether the branch that was asked about is one of them. */
  | { readonly as: "some"; readonly branches: string; readonly isTaken: boolean }
  /** The forge has no such rule, or does not show it to this token. */
  | { readonly as: "unknown" };

/** What remit asks of a forge. Each may throw an `ApiError`. */
export interface Forge {
  readonly name: ForgeName;
  /** The account of the token; null where the forge does not tell a token of this kind. */
  readonly account: () => Promise<ForgeAccount | null>;
  readonly defaultBranch: () => Promise<string>;
  readonly branchRule: (environment: string, branch: string) => Promise<BranchRule>;
  /** The comments of a pull request or of an issue, as the forge was opened, the oldest first. */
  readonly comments: (number: number) => Promise<readonly PullComment[]>;
  readonly addComment: (number: number, body: string) => Promise<PullComment>;
  readonly editComment: (number: number, id: number, body: string) => Promise<void>;
  readonly removeComment: (number: number, id: number) => Promise<void>;
  /** The statuses of a commit, the newest first. */
  readonly statuses: (commit: string) => Promise<readonly CommitStatus[]>;
  readonly setStatus: (commit: string, status: StatusText) => Promise<void>;
  readonly pullRequest: (number: number) => Promise<PullRequest>;
  /** Who agreed to a pull request, in the order of time. */
  readonly approvals: (number: number) => Promise<readonly Approval[]>;
  /** The open pull requests from a branch of a repository. */
  readonly openFrom: (head: PullHead) => Promise<readonly PullRequest[]>;
  /** The open pull requests that have a commit as their head. */
  readonly openWith: (commit: string) => Promise<readonly PullRequest[]>;
  /** The merged pull requests that brought a commit onto its branch. */
  readonly mergedWith: (commit: string) => Promise<readonly PullRequest[]>;
}

/** The most characters of a comment and of a status: GitHub refuses more, and no forge takes less. */
export const LONGEST = { comment: 65_536, description: 140, context: 255 } as const;
