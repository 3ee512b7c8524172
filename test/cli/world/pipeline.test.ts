import { describe, expect, it } from "vitest";
import { pipelineOf } from "../../../src/cli/run/run.js";

const GITHUB = {
  GITHUB_SERVER_URL: "https://github.example",
  GITHUB_REPOSITORY: "acme/access",
  GITHUB_RUN_ID: "4711",
  GITHUB_ACTOR: "ada",
};
const GITLAB = { CI_JOB_URL: "https://gitlab.example/acme/access/-/jobs/7", GITLAB_USER_LOGIN: "grace" };

describe("the owner of a lock is", () => {
  it.each([
    {
      of: "a job on GitHub",
      env: { ...GITHUB, USER: "runner" },
      job: "https://github.example/acme/access/actions/runs/4711",
      user: "ada",
    },
    { of: "a job on GitLab", env: { ...GITLAB, USER: "root" }, job: GITLAB.CI_JOB_URL, user: "grace" },
    { of: "a person", env: { USER: "ada" }, job: null, user: "ada" },
    { of: "a process without variables", env: {}, job: null, user: null },
  ])("$of", ({ env, job, user }) => {
    expect(pipelineOf(env)).toEqual({ job, user });
  });

  it.each(["GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID"])(
    "in no job where GitHub's address lacks %s",
    (name) => {
      expect(pipelineOf({ ...GITHUB, [name]: undefined })).toEqual({ job: null, user: "ada" });
    },
  );
});
