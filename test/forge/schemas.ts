import { Ajv2020 } from "ajv/dist/2020.js";
import type { ForgeName } from "../../src/forge/forge.js";

/*
 * The requests and replies of the forges, as far as remit uses them: GitHub's OpenAPI description, GitLab's pages on
 * notes, commits and merge requests, Gitea's structs. Real replies have more members, so replies are open and requests closed.
 */

type Schema = Readonly<Record<string, unknown>>;

const text = { type: "string" };
const id = { type: "integer" };
const time = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$" };
const sha = { type: "string", pattern: "^[0-9a-f]{40}$" };
const or = (schema: Schema) => ({ anyOf: [schema, { type: "null" }] });
const open = (properties: Schema, optional: readonly string[] = []): Schema => ({
  type: "object",
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});
const closed = (properties: Schema, optional: readonly string[] = []): Schema => ({
  ...open(properties, optional),
  additionalProperties: false,
});
const list = (items: Schema): Schema => ({ type: "array", items });
const NONE: Schema = { type: "null" };

const user = open({ login: text, id, type: { enum: ["Bot", "User"] } });
const comment = open({ id, body: text, user: or(user), created_at: time, updated_at: time }, ["body"]);
const status = open({
  id,
  state: { enum: ["error", "failure", "pending", "success"] },
  description: or(text),
  target_url: or(text),
  context: text,
  creator: or(user),
  created_at: time,
});
const end = open({ sha, ref: text, repo: or(open({ full_name: text, fork: { type: "boolean" } })) });
const shortPull = open({
  number: id,
  state: { enum: ["open", "closed"] },
  merged_at: or(time),
  merge_commit_sha: or(sha),
  head: end,
  base: end,
});
const pull = { ...shortPull, required: [...(shortPull.required as readonly string[]), "merged"] };
const body = closed({ body: { type: "string", minLength: 1 } });
const newStatus = closed(
  {
    state: { enum: ["error", "failure", "pending", "success"] },
    context: { type: "string", maxLength: 255 },
    description: { type: "string", maxLength: 140 },
    target_url: { type: "string", pattern: "^https?://" },
  },
  ["target_url"],
);

const giteaUser = open({ login: text, id });
const giteaComment = open({ id, body: text, user: or(giteaUser), created_at: time });
const giteaStatus = open({
  id,
  status: { enum: ["pending", "success", "error", "failure", "warning"] },
  context: text,
  description: text,
  creator: or(giteaUser),
  created_at: time,
});
const giteaPull = { ...pull, required: [...pull.required, "merge_base"] };

const review = open({ id, user: or(user), state: text, commit_id: or(sha), submitted_at: time }, [
  "submitted_at",
]);
const giteaReview = open({
  id,
  user: or(giteaUser),
  state: { enum: ["APPROVED", "PENDING", "COMMENT", "REQUEST_CHANGES", "REQUEST_REVIEW"] },
  commit_id: text,
  dismissed: { type: "boolean" },
  submitted_at: time,
});

const gitlabUser = open({ id, username: text });
const note = open({ id, body: text, author: gitlabUser, system: { type: "boolean" }, created_at: time });
const gitlabStatus = open({
  id,
  sha,
  status: { enum: ["pending", "running", "success", "failed", "canceled", "skipped"] },
  name: text,
  description: or(text),
  author: gitlabUser,
  created_at: time,
});
const newGitlabStatus = closed(
  {
    state: { enum: ["pending", "running", "success", "failed", "canceled", "skipped"] },
    name: { type: "string", maxLength: 255 },
    description: { type: "string", maxLength: 255 },
    target_url: { type: "string", maxLength: 255 },
    pipeline_id: id,
  },
  ["target_url", "pipeline_id"],
);
const mergeRequest = open({
  iid: id,
  state: { enum: ["opened", "closed", "merged", "locked"] },
  source_branch: text,
  target_branch: text,
  source_project_id: or(id),
  target_project_id: id,
  sha: or(sha),
  merged_at: or(time),
  merge_commit_sha: or(sha),
  squash_commit_sha: or(sha),
});

const repository = open({ default_branch: text });
const policy = open({ protected_branches: { type: "boolean" }, custom_branch_policies: { type: "boolean" } });
const environment = open({ name: text, deployment_branch_policy: or(policy) });
const policies = open({ branch_policies: list(open({ name: text })) });

const gitlabVersion = open({ id, head_commit_sha: sha, created_at: time });
const gitlabApprovals = open({ iid: id, approved_by: list(open({ user: gitlabUser })) });

/** One operation: its method and path, what is sent, the query that it takes, and what is answered. */
export interface Operation {
  readonly method: string;
  readonly path: RegExp;
  readonly query: readonly string[];
  readonly sent: Schema;
  readonly answered: Schema;
  readonly status: number;
}

const operation = (
  method: string,
  path: string,
  [sent, answered, code]: readonly [Schema, Schema, number],
  query: readonly string[] = [],
): Operation => ({
  method,
  path: new RegExp(`^${path.replaceAll("{}", "([^/]+)")}$`),
  query,
  sent,
  answered,
  status: code,
});

const REPO = "/repos/{}/{}";
const PROJECT = "/projects/{}";
const PAGED = ["per_page", "page"];
const LIMITED = ["limit", "page"];

/** Every operation that remit may ask of a forge. */
export const OPERATIONS: Readonly<Record<ForgeName, readonly Operation[]>> = {
  github: [
    operation("GET", "/user", [NONE, user, 200]),
    operation("GET", REPO, [NONE, repository, 200]),
    operation("GET", `${REPO}/branches/{}`, [
      NONE,
      open({ name: text, protected: { type: "boolean" } }),
      200,
    ]),
    operation("GET", `${REPO}/environments/{}`, [NONE, environment, 200]),
    operation(
      "GET",
      `${REPO}/environments/{}/deployment-branch-policies`,
      [NONE, policies, 200],
      ["per_page"],
    ),
    operation("GET", `${REPO}/issues/{}/comments`, [NONE, list(comment), 200], PAGED),
    operation("POST", `${REPO}/issues/{}/comments`, [body, comment, 201]),
    operation("PATCH", `${REPO}/issues/comments/{}`, [body, comment, 200]),
    operation("DELETE", `${REPO}/issues/comments/{}`, [NONE, NONE, 204]),
    operation("GET", `${REPO}/commits/{}/statuses`, [NONE, list(status), 200], PAGED),
    operation("POST", `${REPO}/statuses/{}`, [newStatus, status, 201]),
    operation("GET", `${REPO}/commits/{}/pulls`, [NONE, list(shortPull), 200], PAGED),
    operation("GET", `${REPO}/pulls`, [NONE, list(shortPull), 200], [...PAGED, "state", "head"]),
    operation("GET", `${REPO}/pulls/{}`, [NONE, pull, 200]),
    operation("GET", `${REPO}/pulls/{}/reviews`, [NONE, list(review), 200], PAGED),
  ],
  gitlab: [
    operation("GET", "/user", [NONE, gitlabUser, 200]),
    operation("GET", PROJECT, [NONE, repository, 200]),
    ...["merge_requests", "issues"].flatMap((on) => [
      operation("GET", `${PROJECT}/${on}/{}/notes`, [NONE, list(note), 200], [...PAGED, "sort", "order_by"]),
      operation("POST", `${PROJECT}/${on}/{}/notes`, [body, note, 201]),
      operation("PUT", `${PROJECT}/${on}/{}/notes/{}`, [body, note, 200]),
      operation("DELETE", `${PROJECT}/${on}/{}/notes/{}`, [NONE, NONE, 204]),
    ]),
    operation(
      "GET",
      `${PROJECT}/repository/commits/{}/statuses`,
      [NONE, list(gitlabStatus), 200],
      [...PAGED, "all"],
    ),
    operation("POST", `${PROJECT}/statuses/{}`, [newGitlabStatus, gitlabStatus, 201]),
    operation(
      "GET",
      `${PROJECT}/repository/commits/{}/merge_requests`,
      [NONE, list(mergeRequest), 200],
      PAGED,
    ),
    operation(
      "GET",
      `${PROJECT}/merge_requests`,
      [NONE, list(mergeRequest), 200],
      [...PAGED, "state", "source_branch"],
    ),
    operation("GET", `${PROJECT}/merge_requests/{}`, [NONE, mergeRequest, 200]),
    operation("GET", `${PROJECT}/merge_requests/{}/approvals`, [NONE, gitlabApprovals, 200]),
    operation("GET", `${PROJECT}/merge_requests/{}/versions`, [NONE, list(gitlabVersion), 200], PAGED),
  ],
  gitea: [
    operation("GET", "/user", [NONE, giteaUser, 200]),
    operation("GET", REPO, [NONE, repository, 200]),
    operation("GET", `${REPO}/issues/{}/comments`, [NONE, list(giteaComment), 200], LIMITED),
    operation("POST", `${REPO}/issues/{}/comments`, [body, giteaComment, 201]),
    operation("PATCH", `${REPO}/issues/comments/{}`, [body, giteaComment, 200]),
    operation("DELETE", `${REPO}/issues/comments/{}`, [NONE, NONE, 204]),
    operation("GET", `${REPO}/commits/{}/statuses`, [NONE, list(giteaStatus), 200], LIMITED),
    operation("POST", `${REPO}/statuses/{}`, [newStatus, giteaStatus, 201]),
    operation("GET", `${REPO}/commits/{}/pull`, [NONE, giteaPull, 200]),
    operation("GET", `${REPO}/pulls`, [NONE, list(giteaPull), 200], [...LIMITED, "state"]),
    operation("GET", `${REPO}/pulls/{}`, [NONE, giteaPull, 200]),
    operation("GET", `${REPO}/pulls/{}/reviews`, [NONE, list(giteaReview), 200], LIMITED),
  ],
};

const ajv = new Ajv2020({ allErrors: true, strict: false });

/** What is wrong with a value; nothing where it is as the schema says. */
export function faultsIn(schema: Schema, value: unknown): readonly string[] {
  return ajv.validate(schema, value)
    ? []
    : (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}
