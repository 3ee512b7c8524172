import type { Send } from "../model/call.js";
import { isObject } from "../model/json.js";
import type { Dialect } from "../tenant/client/dialect.js";
import type { Forge, ForgeAccount } from "./forge.js";
import { inCommon, pathsOf, pullOf, reviewOf, statusOf } from "./githubLike.js";
import { authorOf, ifAllowed, makeRest, partOf, read, textOf, write } from "./rest.js";

/** GitHub and GitHub Enterprise Server (docs.github.com/rest). */
export const GITHUB_DIALECT: Dialect = {
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
  const rest = makeRest(send, { size: "per_page", rows: 100, isSizeKept: true });
  const at = pathsOf(repository);
  return {
    ...inCommon(rest, at),
    name: "github",
    account: async () =>
      isOfJob ? OF_JOBS : ifAllowed(async () => authorOf(await rest.one(read(["user"])))),
    async branchRule(environment, branch) {
      const found = await ifAllowed(async () => rest.one(read(at("environments", environment))));
      if (found?.deployment_branch_policy === null) return { as: "every branch" };
      const { protected_branches: ofProtected, custom_branch_policies: ofNames } = partOf(
        found ?? {},
        "deployment_branch_policy",
      );
      if (ofProtected === true) {
        const { protected: isTaken } = await rest.one(read(at("branches", branch)));
        return { as: "some", branches: "protected branches", isTaken: isTaken === true };
      }
      if (ofNames !== true) return { as: "unknown" };
      const path = at("environments", environment, "deployment-branch-policies");
      const { branch_policies: rows } = await rest.one(read(path, { per_page: "100" }));
      const ofBranches = (Array.isArray(rows) ? rows.filter(isObject) : []).filter(
        ({ type }) => type !== "tag",
      );
      const names = ofBranches.map(({ name }) => textOf(name));
      const isTaken = names.some((name) => patternOf(name).test(branch));
      return { as: "some", branches: names.join(", "), isTaken };
    },
    async editComment(_, id, body) {
      await rest.one(write("PATCH", at("issues", "comments", id), "repeatable", { body }));
    },
    statuses: async (commit) => (await rest.all(at("commits", commit, "statuses"))).map(statusOf),
    async approvals(number) {
      const reviews = await rest.all(at("pulls", number, "reviews"));
      // A comment is a review, too, and takes nothing back. A reviewer's last word counts.
      const words = reviews.filter(({ state }) => state !== "COMMENTED" && state !== "PENDING");
      const last = new Map(words.map((row) => [authorOf(row.user)?.login ?? "", row]));
      return [...last.values()].filter(({ state }) => state === "APPROVED").map(reviewOf);
    },
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

/** A pattern for the names of branches, in which `*` stands for what has no `/`, and `**` for anything. */
function patternOf(name: string): RegExp {
  const parts = name.split(/(\*+)/).map((part, at) => {
    if (at % 2 === 1) return part === "*" ? "[^/]*" : ".*";
    return part.replaceAll(
      /[^\w/-]/gu,
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    );
  });
  return new RegExp(`^${parts.join("")}$`, "su");
}
