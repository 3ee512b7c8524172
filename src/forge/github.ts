import { ApiError } from "../api/error.js";
import type { Manner } from "../api/manner.js";
import type { Send } from "../model/call.js";
import type { JsonObject } from "../model/json.js";
import type { CommitStatus, Forge, ForgeAccount, PullComment, PullRequest } from "./forge.js";
import { authorOf, makeRest, numberOf, partOf, read, textOf, write } from "./rest.js";

/** GitHub and GitHub Enterprise Server (docs.github.com/rest). */
export const GITHUB_MANNER: Manner = {
  headers: (token) => ({
    authorization: `Bearer ${token.reveal()}`,
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
  }),
  mayBeEmpty: true,
  // A used-up limit is a 403, too; then the reply says when to come again.
  ending: (status, asksForTime) => (status === 403 && asksForTime ? "refused" : null),
};

/** The account of the token that every job gets. That token may not ask who it is. */
const OF_JOBS: ForgeAccount = { id: null, login: "github-actions[bot]" };

/** Speaks with GitHub about one repository, `owner/name`. */
export function github(send: Send, repository: string, isOfJob: boolean): Forge {
  const [owner = "", name = ""] = repository.split("/");
  const rest = makeRest(send, { size: "per_page", rows: 100, isSizeKept: true });
  const at = (...path: readonly (string | number)[]) => ["repos", owner, name, ...path.map(String)];
  return {
    name: "github",
    account: async () =>
      isOfJob ? OF_JOBS : accountOf(async () => authorOf(await rest.one(read(["user"])))),
    comments: async (number) => (await rest.all(at("issues", number, "comments"))).map(commentOf),
    addComment: async (number, body) =>
      commentOf(await rest.one(write("POST", at("issues", number, "comments"), "once", { body }))),
    async editComment(_, id, body) {
      await rest.one(write("PATCH", at("issues", "comments", id), "repeatable", { body }));
    },
    async removeComment(_, id) {
      await rest.send(write("DELETE", at("issues", "comments", id), "repeatable"));
    },
    statuses: async (commit) => (await rest.all(at("commits", commit, "statuses"))).map(statusOf),
    async setStatus(commit, { context, state, description, url }) {
      const body = { state, context, description, ...(url === null ? {} : { target_url: url }) };
      await rest.one(write("POST", at("statuses", commit), "repeatable", body));
    },
    pullRequest: async (number) => pullOf(await rest.one(read(at("pulls", number)))),
    async openFrom({ repository: from, branch }) {
      const head = `${from?.split("/")[0] ?? ""}:${branch}`;
      return (await rest.all(at("pulls"), { state: "open", head })).map(pullOf);
    },
    async openWith(commit) {
      return (await rest.all(at("commits", commit, "pulls"))).map(pullOf).filter(({ isOpen }) => isOpen);
    },
    async mergedWith(commit) {
      const found = await rest.all(at("commits", commit, "pulls"));
      return found.filter(({ merged_at: at }) => typeof at === "string").map(pullOf);
    },
  };
}

/** The account of a token; null where a token of its kind may not ask. */
export async function accountOf<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ApiError && [401, 403, 404].includes(error.status ?? 0)) return null;
    throw error;
  }
}

/** A comment of GitHub and of Gitea. */
export function commentOf(row: JsonObject): PullComment {
  return { id: numberOf(row.id), body: textOf(row.body), author: authorOf(row.user) };
}

function statusOf(row: JsonObject): CommitStatus {
  return {
    context: textOf(row.context),
    description: textOf(row.description),
    isSuccess: row.state === "success",
    author: authorOf(row.creator),
  };
}

/** A pull request of GitHub and of Gitea, in a list or by itself. */
export function pullOf(row: JsonObject): PullRequest {
  const head = partOf(row, "head");
  const repository = textOf(partOf(head, "repo").full_name);
  const base = textOf(partOf(partOf(row, "base"), "repo").full_name);
  const isMerged = row.merged === true || typeof row.merged_at === "string";
  return {
    number: numberOf(row.number),
    head: {
      commit: textOf(head.sha),
      branch: textOf(head.ref),
      repository: repository === "" ? null : repository,
    },
    isFromFork: repository === "" || repository !== base,
    isOpen: row.state === "open",
    // Before a merge, GitHub names a merge here that it only tried.
    mergeCommit: isMerged && typeof row.merge_commit_sha === "string" ? row.merge_commit_sha : null,
  };
}
