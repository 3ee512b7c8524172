import type { Send } from "../model/call.js";
import type { JsonObject } from "../model/json.js";
import type { Dialect } from "../tenant/client/dialect.js";
import type { Forge, PullHead, PullRequest } from "./forge.js";
import { inCommon, pathsOf, pullOf, reviewOf, statusOf } from "./githubLike.js";
import { authorOf, ifAllowed, makeRest, numberOf, read, write } from "./rest.js";

/** Gitea and Forgejo (docs.gitea.com/api). */
export const GITEA_DIALECT: Dialect = {
  headers: (token) => ({ authorization: `token ${token.reveal()}` }),
  mayBeEmpty: true,
  ending: () => null,
};

/** Speaks with Gitea or Forgejo about one repository, `owner/name`. */
export function gitea(send: Send, repository: string): Forge {
  // The server may give fewer rows than were asked for.
  const rest = makeRest(send, { size: "limit", rows: 50, isSizeKept: false });
  const at = pathsOf(repository);
  return {
    ...inCommon(rest, at),
    name: "gitea",
    account: () => ifAllowed(async () => authorOf(await rest.one(read(["user"])))),
    branchRule: async () => ({ as: "unknown" }),
    async editComment(_, id, body) {
      await rest.send(write("PATCH", at("issues", "comments", id), "repeatable", { body }));
    },
    async statuses(commit) {
      const rows = await rest.all(at("commits", commit, "statuses"));
      // Statuses of one second come in any order.
      return rows.toSorted((one, other) => numberOf(other.id) - numberOf(one.id)).map(statusOf);
    },
    async approvals(number) {
      const reviews = await rest.all(at("pulls", number, "reviews"));
      // REQUEST_REVIEW only asks for one. What was dismissed stays APPROVED, with a mark.
      const words = reviews.filter(({ state }) => state === "APPROVED" || state === "REQUEST_CHANGES");
      const last = new Map(words.map((row) => [authorOf(row.user)?.login ?? "", row]));
      const agreed = [...last.values()].filter(
        ({ state, dismissed }) => state === "APPROVED" && !(dismissed === true),
      );
      return agreed.map(reviewOf);
    },
    async openFrom(head) {
      const open = await rest.all(at("pulls"), { state: "open" });
      return open.map(pullOf).filter(isFrom(head));
    },
    async openWith(commit) {
      const open = await rest.all(at("pulls"), { state: "open" });
      return open.map(pullOf).filter(({ head }) => head.commit === commit);
    },
    async mergedWith(commit) {
      const found = await ifAllowed(async () => rest.one(read(at("commits", commit, "pull"))));
      return found === null || !isMerged(found) ? [] : [pullOf(found)];
    },
  };
}

function isFrom({ repository, branch }: PullHead): (pull: PullRequest) => boolean {
  return ({ head }) => head.repository === repository && head.branch === branch;
}

function isMerged({ merged }: JsonObject): boolean {
  return merged === true;
}
