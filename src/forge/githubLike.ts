import type { Call } from "../model/call.js";
import type { JsonObject } from "../model/json.js";
import type { Approval, CommitStatus, Forge, PullComment, PullRequest } from "./forge.js";
import { authorOf, numberOf, partOf, type Rest, read, textOf, write } from "./rest.js";

/** The path of something in a repository. */
type At = (...path: readonly (string | number)[]) => Call["path"];

/** Makes the paths of one repository, `owner/name`. */
export function pathsOf(repository: string): At {
  const [owner = "", name = ""] = repository.split("/");
  return (...path) => ["repos", owner, name, ...path.map(String)];
}

/** The operations that GitHub and Gitea have in common. */
type InCommon = Pick<
  Forge,
  "comments" | "addComment" | "removeComment" | "setStatus" | "pullRequest" | "defaultBranch"
>;

/** Speaks with a forge about the comments, statuses and pull requests of a repository, as GitHub has them. */
export function inCommon(rest: Rest, at: At): InCommon {
  return {
    defaultBranch: async () => textOf((await rest.one(read(at()))).default_branch),
    comments: async (number) => (await rest.all(at("issues", number, "comments"))).map(commentOf),
    addComment: async (number, body) =>
      commentOf(await rest.one(write("POST", at("issues", number, "comments"), "once", { body }))),
    async removeComment(_, id) {
      await rest.send(write("DELETE", at("issues", "comments", id), "repeatable"));
    },
    async setStatus(commit, { context, state, description, url }) {
      const body = { state, context, description, ...(url === null ? {} : { target_url: url }) };
      await rest.one(write("POST", at("statuses", commit), "repeatable", body));
    },
    pullRequest: async (number) => pullOf(await rest.one(read(at("pulls", number)))),
  };
}

function commentOf(row: JsonObject): PullComment {
  return { id: numberOf(row.id), body: textOf(row.body), author: authorOf(row.user) };
}

/** A review that approves, of GitHub and of Gitea. */
export function reviewOf(row: JsonObject): Approval {
  return {
    by: authorOf(row.user)?.login ?? "an account that is gone",
    at: textOf(row.submitted_at) || null,
    commit: textOf(row.commit_id) || null,
  };
}

/** A pull request of GitHub and of Gitea, in a list or by itself. */
export function pullOf(row: JsonObject): PullRequest {
  const head = partOf(row, "head");
  const repository = textOf(partOf(head, "repo").full_name);
  const base = partOf(row, "base");
  const isMerged = row.merged === true || typeof row.merged_at === "string";
  return {
    number: numberOf(row.number),
    head: {
      commit: textOf(head.sha),
      branch: textOf(head.ref),
      repository: repository === "" ? null : repository,
    },
    base: textOf(base.ref),
    isFromFork: repository === "" || repository !== textOf(partOf(base, "repo").full_name),
    isOpen: row.state === "open",
    // Before a merge, GitHub names a merge here that it only tried.
    mergeCommit: isMerged && typeof row.merge_commit_sha === "string" ? row.merge_commit_sha : null,
    mergedAt: textOf(row.merged_at) || null,
  };
}

/** A status of GitHub and of Gitea, which gets it as `state` and returns it as `status`. */
export function statusOf(row: JsonObject): CommitStatus {
  return {
    context: textOf(row.context),
    description: textOf(row.description),
    isSuccess: (row.status ?? row.state) === "success",
    author: authorOf(row.creator),
    at: textOf(row.created_at) || null,
  };
}
