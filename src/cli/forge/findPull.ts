import type { Forge, PullRequest } from "../../forge/forge.js";
import type { Pipeline } from "../../forge/pipeline.js";
import { resolveCommit } from "../../manifest/git/merges.js";
import { readVariable } from "../../model/variables.js";
import { gitHere } from "../world/gitHere.js";
import type { World } from "../world/world.js";

/** A pull request, the commit that its statuses belong to, and whether it still asks for a review. */
export interface FoundOne {
  readonly as: "found";
  readonly number: number;
  readonly commit: string;
  readonly isOpen: boolean;
}

/** The pull request that a pipeline runs for, and the commit that its statuses belong to; or why there is none. */
type FoundPull =
  | FoundOne
  /** The commit is that of a push, whose apply has a status all the same; null where there is none. */
  | { readonly as: "none"; readonly why: string; readonly commit: string | null };

/**
 * Finds the pull request of a pipeline. It is the one that its event names, as long as it is open and has that head: a job
 * may run again later. Of a branch, it is the only open one with
 * that very head and repository. Of a push, it is the only one that brought the commit that is checked out: a job may
 * apply several merges. What a merge queue or a merge train made belongs to none.
 */
export async function findPull(world: World, forge: Forge, pipeline: Pipeline): Promise<FoundPull> {
  const { change, commit: started } = pipeline;
  switch (change.as) {
    case "pull request": {
      const { number, commit } = change;
      const { head, isOpen } = await forge.pullRequest(number);
      if (head.commit !== commit) return none(`the head of #${number} is ${head.commit.slice(0, 12)} now`);
      return isOpen
        ? { as: "found", number, commit, isOpen }
        : none(`#${number} is merged or closed, and its plan stays as it was reviewed`);
    }
    case "queue":
      return none(
        "a merge queue made this commit, and the plan of each pull request stays as it was reviewed",
      );
    case "branch": {
      const { head } = change;
      const open = (await forge.openFrom(head)).filter(
        (pull) => pull.head.commit === head.commit && pull.head.repository === head.repository,
      );
      const [only] = open;
      if (only !== undefined && open.length === 1)
        return { as: "found", number: only.number, commit: head.commit, isOpen: true };
      const numbers = open.map(({ number }) => `#${number}`).join(" and ");
      const what = open.length === 0 ? "no open pull request has" : `${numbers} have`;
      return none(`${what} the commit ${head.commit.slice(0, 12)}`);
    }
    case "issue":
      return none("the pipeline runs for an issue or a comment, which names no commit");
    case "none": {
      const commit = (await checkedOut(world)) ?? started;
      if (commit === null) return none("the pipeline runs for no commit");
      const merged = await mergedInto(branchOfRun(world.env, pipeline), forge, commit);
      const [only] = merged;
      if (only !== undefined && merged.length === 1)
        return { as: "found", number: only.number, commit, isOpen: false };
      return { ...none(`the commit ${commit.slice(0, 12)} does not belong to one pull request`), commit };
    }
    default:
      return change satisfies never;
  }
}

function none(why: string): Extract<FoundPull, { readonly as: "none" }> {
  return { as: "none", why, commit: null };
}

/** The branch that a pipeline applies, as it says itself; null where it does not say. */
export function branchOfRun(
  env: World["env"],
  { branch, defaultBranch }: Pick<Pipeline, "branch" | "defaultBranch">,
): string | null {
  return branch ?? readVariable(env, "REMIT_BRANCH") ?? defaultBranch;
}

/** The pull requests that brought a commit onto a branch. One that was merged into another branch brought nothing onto this one. */
export async function mergedInto(
  branch: string | null,
  forge: Pick<Forge, "mergedWith">,
  commit: string,
): Promise<readonly PullRequest[]> {
  const merged = await forge.mergedWith(commit);
  return merged.filter(({ base }) => branch === null || base === branch);
}

/** The commit of the checkout that remit runs in; null outside of one. */
export async function checkedOut(world: World): Promise<string | null> {
  const git = gitHere(world);
  return git === null ? null : resolveCommit(git, "HEAD");
}
