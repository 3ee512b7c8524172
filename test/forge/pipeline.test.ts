import { describe, expect, it } from "vitest";
import { pipelineFrom } from "../../src/cli/forge/pipelineFrom.js";
import { namedForge } from "../../src/commands/review/approved/approved.js";
import { silenceOf } from "../../src/forge/pipeline.js";

const ACTIONS = {
  GITHUB_ACTIONS: "true",
  GITHUB_API_URL: "https://api.github.com",
  GITHUB_SERVER_URL: "https://github.com/",
  GITHUB_REPOSITORY: "acme/infra",
  GITHUB_SHA: "c3",
  GITHUB_RUN_ID: "7",
  GITHUB_TOKEN: "t",
};
const GITLAB = {
  GITLAB_CI: "true",
  CI_API_V4_URL: "https://gitlab.example/api/v4",
  CI_SERVER_URL: "https://gitlab.example",
  CI_PROJECT_ID: "8",
  CI_PROJECT_PATH: "ada/infra",
  CI_COMMIT_SHA: "c3",
  CI_PIPELINE_ID: "1010",
  CI_JOB_TOKEN: "job",
};
const pull = (repository: string | null) =>
  JSON.stringify({
    pull_request: {
      number: 41,
      head: { sha: "a1", ref: "topic", repo: repository === null ? null : { full_name: repository } },
      base: { sha: "b2", ref: "main", repo: { full_name: "acme/infra" } },
    },
  });

describe("the forge that the operator names", () => {
  it("is one place for those that everyone shares, and needs an address for any other", () => {
    const of = (forge: string, more: Readonly<Record<string, string>> = {}) =>
      namedForge({
        REMIT_FORGE: forge,
        REMIT_FORGE_REPOSITORY: "acme/access",
        REMIT_FORGE_TOKEN: "t",
        ...more,
      });
    expect(of("github").value).toMatchObject({
      forge: "github",
      api: "https://api.github.com",
      web: "https://github.com",
      path: "acme/access",
      change: { as: "none" },
      token: { isOfJob: false },
    });
    expect(of("gitlab").value).toMatchObject({ api: "https://gitlab.com/api/v4", web: "https://gitlab.com" });
    expect(of("forgejo").diagnostics).toMatchObject([{ code: "forge/incomplete" }]);
    const own = { REMIT_FORGE_URL: "https://git.acme.example/api/v1" };
    expect(of("forgejo", own).value).toMatchObject({ forge: "gitea", web: "https://git.acme.example" });
    expect(namedForge({ GITHUB_TOKEN: "t" })).toEqual({ value: null, diagnostics: [] });
  });

  it("gets no token of a job, which is for the forge of that job", () => {
    const env = {
      REMIT_FORGE: "github",
      REMIT_FORGE_REPOSITORY: "acme/access",
      GITHUB_TOKEN: "t",
      CI_JOB_TOKEN: "t",
    };
    expect(namedForge(env).value?.token).toBeNull();
  });
});

describe("the pipeline that remit runs in", () => {
  it("is found by its variables, those of Forgejo and Gitea before those of GitHub", () => {
    expect(pipelineFrom({}, null)).toEqual({ value: null, diagnostics: [] });
    expect(pipelineFrom(ACTIONS, null).value).toMatchObject({
      forge: "github",
      web: "https://github.com",
      run: "https://github.com/acme/infra/actions/runs/7",
    });
    for (const name of ["FORGEJO_ACTIONS", "GITEA_ACTIONS"])
      expect(pipelineFrom({ ...ACTIONS, [name]: "true" }, null).value?.forge).toBe("gitea");
    expect(pipelineFrom(GITLAB, null).value).toMatchObject({ forge: "gitlab", pipeline: 1010 });
    const { GITHUB_REPOSITORY: _, ...incomplete } = ACTIONS;
    expect(pipelineFrom(incomplete, null).diagnostics).toMatchObject([{ code: "forge/incomplete" }]);
  });

  it("is about the head of the pull request, not the merge that was tried", () => {
    const change = pipelineFrom(ACTIONS, pull("acme/infra")).value?.change;
    expect(change).toEqual({ as: "pull request", number: 41, commit: "a1", base: "main", isFromFork: false });
  });

  it("is one of a fork where the repository is another one, or gone", () => {
    for (const from of ["ada/infra", null]) {
      const { value } = pipelineFrom(ACTIONS, pull(from));
      expect(value === null ? null : silenceOf(value)).toBe("fork");
    }
  });

  it("is about no commit where a comment started it", () => {
    const event = JSON.stringify({ action: "created", issue: { number: 41, pull_request: {} }, comment: {} });
    expect(pipelineFrom(ACTIONS, event).value?.change).toEqual({ as: "issue" });
  });

  it("knows a merge queue, and the branch that another workflow ran for", () => {
    const group = JSON.stringify({ merge_group: { head_sha: "c3", base_sha: "b2" } });
    expect(pipelineFrom(ACTIONS, group).value?.change).toEqual({ as: "queue", commit: "c3" });
    const run = { head_sha: "a1", head_branch: "topic", head_repository: { full_name: "ada/infra" } };
    expect(pipelineFrom(ACTIONS, JSON.stringify({ workflow_run: run })).value?.change).toEqual({
      as: "branch",
      head: { commit: "a1", branch: "topic", repository: "ada/infra" },
    });
    expect(pipelineFrom(ACTIONS, "not JSON").value?.change).toEqual({ as: "none" });
  });

  it("of GitLab addresses the merge request's own project, and needs a token of its own to write", () => {
    const merge = {
      ...GITLAB,
      CI_MERGE_REQUEST_IID: "41",
      CI_MERGE_REQUEST_PROJECT_ID: "5",
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "5",
    };
    const of = (more: object = {}) => {
      const { value } = pipelineFrom({ ...merge, ...more }, null);
      return value === null ? null : { ...value, silence: silenceOf(value) };
    };
    expect(of()).toMatchObject({
      repository: "5",
      silence: "no token",
      change: { number: 41, commit: "c3" },
    });
    expect(of({ REMIT_FORGE_TOKEN: "own" })).toMatchObject({ silence: null });
    expect(of({ CI_MERGE_REQUEST_EVENT_TYPE: "merge_train" })).toMatchObject({
      change: { as: "queue", commit: "c3" },
    });
    expect(of({ CI_MERGE_REQUEST_EVENT_TYPE: "merged_result" })).toMatchObject({
      change: { as: "pull request" },
    });
    expect(of({ CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "8" })).toMatchObject({ silence: "fork" });
    expect(of({ CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "a1" })).toMatchObject({ change: { commit: "a1" } });
  });
});
