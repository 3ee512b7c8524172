import type { Forge, Pipeline } from "../../entry/forge.js";

/** The pull request that a pipeline runs for, and the commit that its statuses belong to; or why there is none. */
export type FoundPull =
  | { readonly as: "found"; readonly number: number | null; readonly commit: string }
  | { readonly as: "none"; readonly why: string };

/**
 * Finds the pull request of a pipeline. It is the one that its event names. Of a branch, it is the only open one with
 * that very head and repository; of a push, the only one that brought the commit. What a merge queue or a merge train made
 * belongs to none: its comment and status stay as they were reviewed.
 */
export async function findPull(forge: Forge, { change, commit }: Pipeline): Promise<FoundPull> {
  switch (change.as) {
    case "pull request":
      return { as: "found", number: change.number, commit: change.commit };
    case "group":
    case "train":
      return { as: "found", number: null, commit: change.commit };
    case "branch": {
      const { head } = change;
      const open = (await forge.openFrom(head)).filter(
        (pull) => pull.head.commit === head.commit && pull.head.repository === head.repository,
      );
      const [only] = open;
      if (only !== undefined && open.length === 1)
        return { as: "found", number: only.number, commit: head.commit };
      const what = open.length === 0 ? "no open pull request has" : `${open.length} open pull requests have`;
      return { as: "none", why: `${what} the commit ${head.commit.slice(0, 12)}` };
    }
    case "none": {
      if (commit === null) return { as: "none", why: "the pipeline runs for no commit" };
      const merged = await forge.mergedWith(commit);
      const [only] = merged;
      if (only !== undefined && merged.length === 1) return { as: "found", number: only.number, commit };
      return { as: "none", why: `the commit ${commit.slice(0, 12)} does not belong to one pull request` };
    }
    default:
      return change satisfies never;
  }
}
