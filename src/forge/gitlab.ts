import type { Send } from "../model/call.js";
import { isObject, type JsonObject } from "../model/json.js";
import type { Dialect } from "../tenant/client/dialect.js";
import type { CommitStatus, Forge, PullComment, PullRequest } from "./forge.js";
import { authorOf, ifAllowed, makeRest, numberOf, read, textOf, write } from "./rest.js";

/** GitLab (docs.gitlab.com/api). The token of a job has a header of its own, and may only read. */
export function gitlabDialect(isJobToken: boolean): Dialect {
  return {
    headers: (token) => ({ [isJobToken ? "job-token" : "private-token"]: token.reveal() }),
    mayBeEmpty: true,
    // Another update of the statuses of the commit is in progress.
    ending: (status) => (status === 409 ? "aborted" : null),
  };
}

/** The project that merge requests belong to, and the pipeline that statuses are shown in. */
interface GitlabPlace {
  /** Its id, or its path. */
  readonly project: string;
  readonly pipeline: { readonly id: number; readonly commit: string } | null;
  /** What notes are written on: each has numbers of its own. */
  readonly commented: "merge_requests" | "issues";
}

/** Speaks with GitLab about one project. */
export function gitlab(send: Send, { project, pipeline, commented }: GitlabPlace): Forge {
  const rest = makeRest(send, { size: "per_page", rows: 100, isSizeKept: true });
  const at = (...path: readonly (string | number)[]) => ["projects", project, ...path.map(String)];
  const notes = (number: number) => at(commented, number, "notes");
  return {
    name: "gitlab",
    account: () => ifAllowed(async () => authorOf(await rest.one(read(["user"])), "username")),
    defaultBranch: async () => textOf((await rest.one(read(at()))).default_branch),
    branchRule: async () => ({ as: "unknown" }),
    async comments(number) {
      const rows = await rest.all(notes(number), { sort: "asc", order_by: "created_at" });
      return rows.filter(({ system }) => system !== true).map(commentOf);
    },
    addComment: async (number, body) =>
      commentOf(await rest.one(write("POST", notes(number), "once", { body }))),
    async editComment(number, id, body) {
      await rest.one(write("PUT", [...notes(number), String(id)], "repeatable", { body }));
    },
    async removeComment(number, id) {
      await rest.send(write("DELETE", [...notes(number), String(id)], "repeatable"));
    },
    async statuses(commit) {
      const rows = await rest.all(at("repository", "commits", commit, "statuses"), { all: "true" });
      return rows.toSorted((one, other) => numberOf(other.id) - numberOf(one.id)).map(statusOf);
    },
    async setStatus(commit, { context, state, description, url }) {
      const body = {
        state: state === "failure" ? "failed" : "success",
        name: context,
        description,
        ...(url === null ? {} : { target_url: url }),
        // Without one, GitLab may make a new pipeline for the status.
        ...(pipeline?.commit === commit ? { pipeline_id: pipeline.id } : {}),
      };
      await rest.one(write("POST", at("statuses", commit), "repeatable", body));
    },
    pullRequest: async (number) => mergeRequestOf(await rest.one(read(at("merge_requests", number)))),
    async approvals(number) {
      const { approved_by: rows } = await rest.one(read(at("merge_requests", number, "approvals")));
      const agreed = Array.isArray(rows) ? rows.filter(isObject) : [];
      // GitLab names no commit; older versions name no time, either.
      const isTimed = agreed.some((row) => typeof row.approved_at === "string");
      const versions = isTimed ? await rest.all(at("merge_requests", number, "versions")) : [];
      return agreed.map((row) => ({
        by: authorOf(row.user, "username")?.login ?? "an account that is gone",
        at: textOf(row.approved_at) || null,
        commit: typeof row.approved_at === "string" ? headAt(versions, row.approved_at) : null,
      }));
    },
    async openFrom({ branch }) {
      const rows = await rest.all(at("merge_requests"), { state: "opened", source_branch: branch });
      return rows.map(mergeRequestOf);
    },
    async openWith(commit) {
      const rows = await rest.all(at("repository", "commits", commit, "merge_requests"));
      return rows.map(mergeRequestOf).filter(({ isOpen }) => isOpen);
    },
    async mergedWith(commit) {
      const rows = await rest.all(at("repository", "commits", commit, "merge_requests"));
      return rows.filter(({ state }) => state === "merged").map(mergeRequestOf);
    },
  };
}

function commentOf(row: JsonObject): PullComment {
  return { id: numberOf(row.id), body: textOf(row.body), author: authorOf(row.author, "username") };
}

function statusOf(row: JsonObject): CommitStatus {
  return {
    context: textOf(row.name),
    description: textOf(row.description),
    isSuccess: row.status === "success",
    author: authorOf(row.author, "username"),
    at: textOf(row.created_at) || null,
  };
}

/**
 * The head of a merge request at a time, by the versions that GitLab has of it. Null where that is not certain: before the
 * first version, and in the very moment of a new one.
 */
function headAt(versions: readonly JsonObject[], at: string): string | null {
  const time = Date.parse(at);
  const timed = versions.map((row) => ({
    head: textOf(row.head_commit_sha),
    time: Date.parse(textOf(row.created_at)),
  }));
  if (timed.some((one) => Number.isNaN(one.time) || one.time === time)) return null;
  const before = timed.filter((one) => one.time < time).toSorted((one, other) => other.time - one.time);
  return before[0]?.head || null;
}

function mergeRequestOf(row: JsonObject): PullRequest {
  const source = numberOf(row.source_project_id);
  const merged = [row.merge_commit_sha, row.squash_commit_sha, row.sha].find(
    (sha) => typeof sha === "string",
  );
  return {
    number: numberOf(row.iid),
    head: {
      commit: textOf(row.sha),
      branch: textOf(row.source_branch),
      repository: source === 0 ? null : String(source),
    },
    base: textOf(row.target_branch),
    isFromFork: source === 0 || source !== numberOf(row.target_project_id),
    isOpen: row.state === "opened",
    mergeCommit: row.state === "merged" && typeof merged === "string" ? merged : null,
    mergedAt: row.state === "merged" ? textOf(row.merged_at) || null : null,
  };
}
