import type { ForgeName } from "../../forge/forge.js";
import type { ForgeToken, Pipeline, PipelineChange } from "../../forge/pipeline.js";
import { numberOf, partOf, textOf } from "../../forge/rest.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.js";
import { type Environment, hasVariable, type OpenName, readVariable } from "../../model/variables.js";
import { say } from "../../words/say.js";
import { give } from "../credentials/give.js";
import { readNamedFile } from "../world/namedFile.js";
import type { World } from "../world/world.js";

/**
 * The pipeline that remit runs in; null outside of one. Runners of Gitea and Forgejo also set the variables of GitHub,
 * so theirs are looked at first. `event` is the text of the file that GITHUB_EVENT_PATH names, null where there is none.
 */
export function pipelineFrom(env: Environment, event: string | null): Checked<Pipeline | null> {
  const isSet = (name: OpenName) => hasVariable(env, name);
  const isGitea = isSet("FORGEJO_ACTIONS") || isSet("GITEA_ACTIONS");
  const found =
    isGitea || isSet("GITHUB_ACTIONS")
      ? fromActions(env, isGitea ? "gitea" : "github", event)
      : isSet("GITLAB_CI")
        ? fromGitlab(env)
        : null;
  if (found === null) return { value: null, diagnostics: [] };
  const missing = (["api", "web", "repository"] as const).filter((name) => found[name] === "");
  return missing.length === 0
    ? { value: found, diagnostics: [] }
    : { value: null, diagnostics: [incomplete(found.forge)] };
}

/** The name of the file with the event of this pipeline; null where the forge has none. */
function eventFileOf(env: Environment): string | null {
  return readVariable(env, "GITHUB_EVENT_PATH") ?? null;
}

function fromActions(env: Environment, forge: "github" | "gitea", event: string | null): Pipeline {
  const read = (name: OpenName) => readVariable(env, name) ?? "";
  const payload = parseJson(event ?? "null");
  const web = read("GITHUB_SERVER_URL").replace(/\/+$/, "");
  const repository = read("GITHUB_REPOSITORY");
  const run = read("GITHUB_RUN_ID");
  const api = readVariable(env, "REMIT_FORGE_URL") ?? read("GITHUB_API_URL");
  return {
    forge,
    api,
    web,
    repository,
    path: repository,
    commit: readVariable(env, "GITHUB_SHA") ?? null,
    branch: /^refs\/heads\/(.+)$/.exec(read("GITHUB_REF"))?.[1] ?? null,
    defaultBranch: isObject(payload) ? named(partOf(payload, "repository").default_branch) : null,
    change: isObject(payload) ? changeIn(payload) : { as: "none" },
    run: run === "" ? null : `${web}/${repository}/actions/runs/${run}`,
    pipeline: null,
    token: tokenFrom(env, "GITHUB_TOKEN", api),
  };
}

/** The change of an event; what the event is called does not count, because a reusable workflow hides it. */
function changeIn(event: JsonObject): PipelineChange {
  const pull = partOf(event, "pull_request");
  if (numberOf(pull.number) > 0) {
    const head = partOf(pull, "head");
    const from = textOf(partOf(head, "repo").full_name);
    const base = partOf(pull, "base");
    const into = textOf(partOf(base, "repo").full_name);
    return {
      as: "pull request",
      number: numberOf(pull.number),
      commit: textOf(head.sha),
      base: named(base.ref),
      isFromFork: from === "" || from !== into,
    };
  }
  if (numberOf(partOf(event, "issue").number) > 0) return { as: "issue" };
  const group = partOf(event, "merge_group");
  if (typeof group.head_sha === "string") return { as: "queue", commit: group.head_sha };
  const run = partOf(event, "workflow_run");
  if (typeof run.head_sha !== "string") return { as: "none" };
  const repository = textOf(partOf(run, "head_repository").full_name);
  const head = {
    commit: run.head_sha,
    branch: textOf(run.head_branch),
    repository: repository === "" ? null : repository,
  };
  return { as: "branch", head };
}

function named(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function fromGitlab(env: Environment): Pipeline {
  const read = (name: OpenName) => readVariable(env, name) ?? "";
  const own = read("CI_PROJECT_ID");
  const api = readVariable(env, "REMIT_FORGE_URL") ?? read("CI_API_V4_URL");
  const target = readVariable(env, "CI_MERGE_REQUEST_PROJECT_ID") ?? own;
  const source = readVariable(env, "CI_MERGE_REQUEST_SOURCE_PROJECT_ID") ?? own;
  const number = Number(readVariable(env, "CI_MERGE_REQUEST_IID") ?? 0);
  const commit = readVariable(env, "CI_COMMIT_SHA") ?? null;
  // Empty in a plain pipeline of a merge request; filled where the commit is a merge that was tried.
  const head = readVariable(env, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") ?? commit ?? "";
  return {
    forge: "gitlab",
    api,
    web: read("CI_SERVER_URL").replace(/\/+$/, ""),
    repository: target,
    path: read("CI_PROJECT_PATH"),
    commit,
    branch: readVariable(env, "CI_COMMIT_BRANCH") ?? null,
    defaultBranch: readVariable(env, "CI_DEFAULT_BRANCH") ?? null,
    change: !(number > 0)
      ? { as: "none" }
      : readVariable(env, "CI_MERGE_REQUEST_EVENT_TYPE") === "merge_train"
        ? { as: "queue", commit: commit ?? "" }
        : {
            as: "pull request",
            number,
            commit: head,
            base: own === target ? (readVariable(env, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME") ?? null) : null,
            isFromFork: source !== target,
          },
    run: readVariable(env, "CI_JOB_URL") ?? null,
    pipeline: Number(readVariable(env, "CI_PIPELINE_ID") ?? 0) || null,
    token: tokenFrom(env, "CI_JOB_TOKEN", api),
  };
}

/** The token of the forge: its address comes from the pipeline's own variables, or the operator names it. Without a job, null. */
export function tokenFrom(
  env: Environment,
  ofJob: "GITHUB_TOKEN" | "CI_JOB_TOKEN" | null,
  shown: string,
): ForgeToken | null {
  const to = { shown, namedBy: "operator", namedIn: "REMIT_FORGE_URL" } as const;
  const own = give(env, "REMIT_FORGE_TOKEN", to).value;
  const secret = own ?? (ofJob === null ? null : give(env, ofJob, to).value);
  return secret === null ? null : { secret, isOfJob: own === null };
}

function incomplete(forge: ForgeName): Diagnostic {
  const names =
    forge === "gitlab"
      ? "CI_API_V4_URL, CI_SERVER_URL and CI_PROJECT_ID"
      : "GITHUB_API_URL, GITHUB_SERVER_URL and GITHUB_REPOSITORY";
  return say("forge/incomplete#incomplete", { names });
}

/** The pipeline that this run is a part of; null, with what to do, outside of one. */
export async function pipelineOf(world: World): Promise<Checked<Pipeline | null>> {
  const file = eventFileOf(world.env);
  const event = file === null ? null : (await readNamedFile(world, file)).text;
  const found = pipelineFrom(world.env, event);
  return found.value !== null || found.diagnostics.length > 0 ? found : { value: null, diagnostics: [none] };
}

const none: Diagnostic = say("forge/none");
