import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import type { ForgeName } from "../../src/forge/forge.js";
import { json, type Seen, startServer } from "../fakes/server.js";
import { faultsIn, OPERATIONS } from "./schemas.js";

/** An account of the stand-in, and what its token may do. */
export interface StandInUser {
  readonly id: number;
  readonly login: string;
  readonly token: string;
  /** Whether the token may ask who it is, and whether it may write. */
  readonly knowsItself: boolean;
  readonly mayWrite: boolean;
}

/** A pull request of the stand-in. */
export interface StandInPull {
  readonly number: number;
  readonly head: { readonly sha: string; readonly ref: string; readonly repository: string | null };
  readonly state: "open" | "merged";
  readonly mergeCommit: string | null;
  /** The branch that it is merged into; `main` where none is given. */
  readonly base?: string;
  /** The commits that its merge brought onto the branch. */
  readonly merged: readonly string[];
  /** When it was merged; null where the forge does not say, and long after everything where none is given. */
  readonly mergedAt?: string | null;
  /** The heads that it had, and since when; its head since ever where none are given. */
  readonly versions?: readonly { readonly sha: string; readonly at: string }[];
}

/** A word of a reviewer: what GitHub calls its state. */
export interface StandInReview {
  readonly by: StandInUser;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED";
  /** Null where the forge does not say. */
  readonly at: string | null;
  /** The commit that was the head then, and the pull request; of each one where none is given. */
  readonly commit?: string;
  readonly number?: number;
}

interface Row {
  readonly id: number;
  readonly author: StandInUser | null;
}

export interface StandInComment extends Row {
  readonly number: number;
  readonly isSystem: boolean;
  body: string;
}

interface StandInStatus extends Row {
  readonly sha: string;
  readonly context: string;
  readonly state: string;
  readonly description: string;
  readonly at: string;
}

/** A forge on loopback: its contents, and every rule of its interface that a request or a reply broke. */
export interface StandIn {
  readonly url: string;
  readonly comments: StandInComment[];
  readonly statuses: StandInStatus[];
  readonly pulls: StandInPull[];
  readonly reviews: StandInReview[];
  /** The default branch, and the branches of which the environment `tenant` takes jobs: each, protected ones, or those named. */
  branches: { readonly default: string; readonly ofTenant: "each" | "protected" | readonly string[] };
  readonly faults: string[];
  readonly seen: readonly Seen[];
  readonly comment: (
    body: string,
    author?: StandInUser | null,
    more?: Partial<StandInComment>,
  ) => StandInComment;
  readonly status: (sha: string, context: string, description: string, author?: StandInUser) => void;
  /** The time of the forge, which goes on by a second. */
  readonly now: () => string;
  /** Asked before each request is served; what it returns is answered instead. */
  trouble: (seen: Seen, response: ServerResponse) => boolean;
}

export const REPOSITORY = "acme/infra";
export const HEAD = "a1".repeat(20);
const [AT, LATE] = ["2026-02-03T10:00:00Z", "2029-01-01T00:00:00Z"];

export const BOT: StandInUser = {
  id: 41898282,
  login: "github-actions[bot]",
  token: "token-of-the-bot",
  knowsItself: true,
  mayWrite: true,
};
export const OTHER: StandInUser = { ...BOT, id: 12, login: "mallory", token: "token-of-mallory" };

export const PULL: StandInPull = {
  number: 41,
  head: { sha: HEAD, ref: "topic", repository: REPOSITORY },
  state: "open",
  mergeCommit: null,
  merged: [],
};

const PAGE: Readonly<Record<ForgeName, number>> = { github: 100, gitlab: 100, gitea: 30 };

/** Starts a stand-in of a forge; it ends with the test, which fails where something broke the interface. */
export async function startStandIn(
  forge: ForgeName,
  users: readonly StandInUser[] = [BOT, OTHER],
): Promise<StandIn> {
  let ids = 9000;
  const words = WORDS[forge];
  let time = Date.parse(AT);
  const now = () => {
    time += 1000;
    return new Date(time).toISOString().replace(".000", "");
  };
  const server = await startServer((seen, response) => {
    if (standIn.trouble(seen, response)) return;
    const url = new URL(seen.url, "http://forge");
    const user = users.find(({ token }) => words.token(seen) === token);
    const found = OPERATIONS[forge]
      .map((one) => ({ one, match: one.path.exec(url.pathname) }))
      .find(({ one, match }) => one.method === seen.method && match !== null);
    if (found === undefined || found.match === null) {
      standIn.faults.push(`${seen.method} ${url.pathname} is no operation of ${forge}`);
      return json(response, 404, { message: "Not Found" });
    }
    const { one, match } = found;
    const sent: unknown = seen.body === "" ? null : JSON.parse(seen.body);
    for (const fault of faultsIn(one.sent, sent))
      standIn.faults.push(`${seen.method} ${url.pathname} sent: ${fault}`);
    for (const name of url.searchParams.keys())
      if (!one.query.includes(name)) standIn.faults.push(`${url.pathname} has no parameter ${name}`);
    if (user === undefined) return json(response, 401, { message: "Bad credentials" });
    if (url.pathname === "/user" && !user.knowsItself)
      return json(response, 403, { message: "Resource not accessible by integration" });
    if (seen.method !== "GET" && !user.mayWrite) return json(response, 403, { message: "Forbidden" });
    const reply = serve(url, match.slice(1).map(decodeURIComponent), seen.method, sent as Sent, user);
    if (reply.status >= 400) return json(response, reply.status, { message: reply.body });
    for (const fault of faultsIn(one.answered, reply.body ?? null))
      standIn.faults.push(`${seen.method} ${url.pathname} answered: ${fault}`);
    if (reply.body === undefined) return void response.writeHead(one.status).end();
    return json(response, one.status, reply.body);
  });
  const standIn: StandIn = {
    url: server.url,
    comments: [],
    statuses: [],
    pulls: [PULL],
    reviews: [],
    branches: { default: "main", ofTenant: ["main"] },
    faults: [],
    seen: server.seen,
    now,
    trouble: () => false,
    comment(body, author = BOT, more = {}) {
      const made = { id: ids++, number: 41, body, author, isSystem: false, ...more };
      standIn.comments.push(made);
      return made;
    },
    status(sha, context, description, author = BOT) {
      standIn.statuses.push({ id: ids++, sha, context, state: "success", description, author, at: now() });
    },
  };
  onTestFinished(async () => {
    await server.close();
    if (standIn.faults.length > 0) throw new Error(standIn.faults.join("\n"));
  });

  interface Sent {
    readonly body: string;
    readonly state: string;
    readonly context?: string;
    readonly name?: string;
    readonly description: string;
  }
  interface Served {
    readonly status: number;
    readonly body?: unknown;
  }
  const good = (body?: unknown): Served => ({ status: 200, body });

  function paged<T>(rows: readonly T[], query: URLSearchParams, isWhole = false): Served {
    if (isWhole) return good(rows);
    const size = Math.min(PAGE[forge], Number(query.get("per_page") ?? query.get("limit") ?? 20));
    const first = (Number(query.get("page") ?? 1) - 1) * size;
    return good(rows.slice(first, first + size));
  }

  function serve(url: URL, ids_: readonly string[], method: string, sent: Sent, user: StandInUser): Served {
    const { pathname: path, searchParams: query } = url;
    const rest = forge === "gitlab" ? ids_.slice(1) : ids_.slice(2);
    const [first = "", second = ""] = rest;
    if (path === "/user") return good(words.user(user));
    if (/^\/(repos\/[^/]+\/[^/]+|projects\/[^/]+)$/.test(path))
      return good({ default_branch: standIn.branches.default });
    if (/\/branches\//.test(path))
      return good({ name: first, protected: first === standIn.branches.default });
    if (/\/environments\//.test(path)) {
      const { ofTenant } = standIn.branches;
      if (first !== "tenant") return { status: 404, body: "Not Found" };
      if (path.endsWith("-policies"))
        return good({ branch_policies: Array.isArray(ofTenant) ? ofTenant.map((name) => ({ name })) : [] });
      const isProtected = ofTenant === "protected";
      const policy = { protected_branches: isProtected, custom_branch_policies: !isProtected };
      return good({ name: first, deployment_branch_policy: ofTenant === "each" ? null : policy });
    }
    if (/\/(notes|comments)/.test(path)) {
      if (method === "GET") {
        const rows = standIn.comments.filter(({ number }) => String(number) === first);
        const inOrder = query.get("sort") === "asc" || forge !== "gitlab" ? rows : rows.toReversed();
        // Gitea gives all comments in one reply, whatever page is asked for.
        return paged(inOrder.map(words.comment), query, forge === "gitea");
      }
      if (method === "POST") {
        if (sent.body.length > (forge === "gitlab" ? 1_000_000 : 65_536))
          return { status: 422, body: "Body is too long (maximum is 65536 characters)" };
        return good(words.comment(standIn.comment(sent.body, user, { number: Number(first) })));
      }
      const at = standIn.comments.findIndex(({ id }) => String(id) === (second === "" ? first : second));
      const known = standIn.comments[at];
      if (known === undefined) return { status: 404, body: "Not Found" };
      if (known.author?.id !== user.id) {
        standIn.faults.push(`${user.login} wrote to a comment of ${known.author?.login ?? "nobody"}`);
        return { status: 403, body: "Forbidden" };
      }
      if (method === "DELETE") {
        standIn.comments.splice(at, 1);
        return good();
      }
      known.body = sent.body;
      return good(words.comment(known));
    }
    if (/\/(reviews|approvals)$/.test(path)) {
      const rows = words.reviews(standIn.reviews.filter(({ number = first }) => String(number) === first));
      return forge === "gitlab" ? good({ iid: Number(first), approved_by: rows }) : paged(rows, query);
    }
    if (path.endsWith("/versions")) {
      const found = standIn.pulls.find(({ number }) => String(number) === first);
      const { versions = [{ sha: found?.head.sha, at: "2026-01-01T00:00:00Z" }] } = found ?? {};
      const rows = versions.map(({ sha, at }, id) => ({ id, head_commit_sha: sha, created_at: at }));
      return paged(rows.toReversed(), query);
    }
    if (/\/statuses(\/|$)/.test(path)) {
      if (method === "GET") {
        const rows = standIn.statuses.filter(({ sha }) => sha === first).toReversed();
        return paged(rows.map(words.status), query);
      }
      standIn.status(first, sent.context ?? sent.name ?? "default", sent.description, user);
      const made = standIn.statuses.at(-1) as StandInStatus;
      const row = { ...made, state: sent.state };
      standIn.statuses[standIn.statuses.length - 1] = row;
      return good(words.status(row));
    }
    if (/\/commits\//.test(path)) {
      const found = standIn.pulls.filter(({ merged, head }) => [...merged, head.sha].includes(first));
      if (!path.endsWith("/pull")) return paged(found.map(words.pull), query);
      // Gitea knows a pull request only by the commit of its merge.
      const own = found.find(({ mergeCommit }) => mergeCommit === first);
      return own === undefined ? { status: 404, body: "not found" } : good(words.pull(own));
    }
    if (first === "") {
      const branch = query.get("source_branch") ?? query.get("head")?.split(":")[1] ?? null;
      const found = standIn.pulls.filter(
        ({ state, head }) => state === "open" && (branch === null || head.ref === branch),
      );
      return paged(found.map(words.pull), query);
    }
    const pull = standIn.pulls.find(({ number }) => String(number) === first);
    return pull === undefined ? { status: 404, body: "Not Found" } : good(words.pull(pull));
  }
  return standIn;
}

interface Words {
  readonly token: (seen: Seen) => string | undefined;
  readonly user: (user: StandInUser) => unknown;
  readonly comment: (comment: StandInComment) => unknown;
  readonly status: (status: StandInStatus) => unknown;
  readonly pull: (pull: StandInPull) => unknown;
  readonly reviews: (reviews: readonly StandInReview[]) => readonly unknown[];
}

const after = (prefix: string, header: string | undefined) =>
  header?.startsWith(prefix) === true ? header.slice(prefix.length) : undefined;

const userOf = ({ id, login }: StandInUser) => ({
  id,
  login,
  type: login.endsWith("[bot]") ? "Bot" : "User",
});
const repositoryOf = (name: string | null) =>
  name === null ? null : { full_name: name, fork: name !== REPOSITORY };
const mergedAtOf = ({ state, mergedAt = LATE }: StandInPull) => (state === "merged" ? mergedAt : null);
const pullOf = (one: StandInPull) => {
  const { number, head, base = "main", state, mergeCommit } = one;
  return {
    number,
    state: state === "open" ? "open" : "closed",
    merged: state === "merged",
    merged_at: mergedAtOf(one),
    merge_base: "b2".repeat(20),
    // GitHub names a merge that it only tried, before the merge.
    merge_commit_sha: mergeCommit ?? "d4".repeat(20),
    head: { sha: head.sha, ref: head.ref, repo: repositoryOf(head.repository) },
    base: { sha: "b2".repeat(20), ref: base, repo: repositoryOf(REPOSITORY) },
  };
};
const commentOf = ({ id, body, author }: StandInComment) => ({
  id,
  body,
  user: author === null ? null : userOf(author),
  created_at: AT,
  updated_at: AT,
});

const WORDS: Readonly<Record<ForgeName, Words>> = {
  github: {
    token: ({ headers }) => after("Bearer ", headers.authorization),
    user: userOf,
    comment: commentOf,
    status: ({ id, context, state, description, author, at }) => ({
      id,
      context,
      state,
      description,
      target_url: null,
      creator: author === null ? null : userOf(author),
      created_at: at,
    }),
    pull: pullOf,
    reviews: (all) =>
      all.map(({ by, state, at, commit = HEAD }, id) => ({
        id,
        user: userOf(by),
        state,
        commit_id: commit,
        submitted_at: at,
      })),
  },
  gitea: {
    token: ({ headers }) => after("token ", headers.authorization),
    user: userOf,
    comment: commentOf,
    status: ({ id, context, state, description, author, at }) => ({
      id,
      context,
      status: state,
      description,
      creator: author === null ? null : userOf(author),
      created_at: at,
    }),
    pull: pullOf,
    reviews: (all) =>
      all.map(({ by, state, at, commit = HEAD }, id) => ({
        id,
        user: userOf(by),
        state:
          state === "CHANGES_REQUESTED" ? "REQUEST_CHANGES" : state === "COMMENTED" ? "COMMENT" : "APPROVED",
        commit_id: commit,
        dismissed: state === "DISMISSED",
        submitted_at: at,
      })),
  },
  gitlab: {
    token: ({ headers }) => (headers["private-token"] ?? headers["job-token"]) as string | undefined,
    user: ({ id, login }) => ({ id, username: login }),
    comment: ({ id, body, author, isSystem }) => ({
      id,
      body,
      author: { id: author?.id ?? 0, username: author?.login ?? "ghost" },
      system: isSystem,
      created_at: AT,
    }),
    status: ({ id, sha, context, state, description, author, at }) => ({
      id,
      sha,
      name: context,
      status: state,
      description,
      created_at: at,
      author: { id: author?.id ?? 0, username: author?.login ?? "ghost" },
    }),
    pull: ({ number, head, base = "main", state, mergeCommit, mergedAt = LATE }) => ({
      iid: number,
      merged_at: state === "merged" ? mergedAt : null,
      state: state === "open" ? "opened" : "merged",
      source_branch: head.ref,
      target_branch: base,
      source_project_id: head.repository === null ? null : head.repository === REPOSITORY ? 5 : 8,
      target_project_id: 5,
      sha: head.sha,
      merge_commit_sha: mergeCommit,
      squash_commit_sha: null,
    }),
    // GitLab names only those whose approval still counts.
    reviews: (all) =>
      [
        ...new Map(
          all.filter(({ state }) => state !== "COMMENTED").map((one) => [one.by.login, one]),
        ).values(),
      ]
        .filter(({ state }) => state === "APPROVED")
        // Older versions name no time.
        .map(({ by, at }) => ({
          user: { id: by.id, username: by.login },
          ...(at === null ? {} : { approved_at: at }),
        })),
  },
};
