import type { Secret } from "../model/secret.js";
import type { ForgeName, PullHead } from "./forge.js";

/** The change that a pipeline runs for. */
export type PipelineChange =
  /** A pull request; the commit is the head of its branch, not a merge that was tried. */
  | {
      readonly as: "pull request";
      readonly number: number;
      readonly commit: string;
      /** The branch that it goes into; null where the pipeline does not name it, or where `origin` is another repository. */
      readonly base: string | null;
      readonly isFromFork: boolean;
    }
  /** The head of a branch, whose pull request has to be found: another workflow started this one. */
  | { readonly as: "branch"; readonly head: PullHead }
  /** A commit that a merge queue or a merge train made of pull requests. */
  | { readonly as: "queue"; readonly commit: string }
  /** An issue, or a comment on one or on a pull request: the commit of the pipeline is not its own. */
  | { readonly as: "issue" }
  | { readonly as: "none" };

/** A token of a forge, and whether it is the one that every job gets. */
export interface ForgeToken {
  readonly secret: Secret;
  readonly isOfJob: boolean;
}

/** The pipeline that remit runs in, as its variables describe it. */
export interface Pipeline {
  readonly forge: ForgeName;
  /** The address of the REST interface, and of the pages. */
  readonly api: string;
  readonly web: string;
  /** `owner/name`; of GitLab the id of the project that the merge request belongs to. */
  readonly repository: string;
  /** `owner/name` or `group/project`, as pages name it. */
  readonly path: string;
  readonly commit: string | null;
  /** The branch that it runs for; null where it runs for a tag or a change. */
  readonly branch: string | null;
  /** The default branch of the repository; null where the pipeline does not name it. */
  readonly defaultBranch: string | null;
  readonly change: PipelineChange;
  /** The page of this run. */
  readonly run: string | null;
  /** GitLab's id of the pipeline. */
  readonly pipeline: number | null;
  readonly token: ForgeToken | null;
}

/** Why remit may write nothing on the pull request; null where it may try. A job of GitLab gets a token that only reads. */
export function silenceOf({ forge, change, token }: Pipeline): "fork" | "no token" | null {
  if (change.as === "pull request" && change.isFromFork && token?.isOfJob !== false) return "fork";
  return token === null || (forge === "gitlab" && token.isOfJob) ? "no token" : null;
}
