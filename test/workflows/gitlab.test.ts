import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { readPipeline } from "../fakes/gitlabPipeline.js";
import { remitOnPath } from "../fakes/remitOnPath.js";
import { beginGitlab, JOBS, pipeline, TEXT } from "./gitlabTeam.js";
import { type Packed, packedPrograms, packRemit } from "./team.js";

// Real processes, one after the other: on a busy machine they take their time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

describe("the pipeline that GitLab includes", () => {
  test("has a job for each purpose, and its schema is GitLab's", () => {
    const jobs: readonly { readonly name: string }[] = JSON.parse(readPipeline("--list-json", TEXT));
    expect(jobs.map(({ name }) => name).sort()).toEqual(JOBS.toSorted());
  });

  /** The jobs that GitLab makes for a pipeline with some variables, by the first rule of each that holds. */
  function jobsOf(variables: Readonly<Record<string, string>>): readonly string[] {
    const meant = (side: string) => (side.startsWith("$") ? variables[side.slice(1)] : side.slice(1, -1));
    const holds = (condition: string) =>
      condition.split(" && ").every((part) => {
        const [left = "", right = ""] = part.split(" == ");
        return meant(left) !== undefined && meant(left) === meant(right);
      });
    return JOBS.flatMap((name) => {
      const rule = pipeline[name]?.rules.find((one) => holds(one.if));
      if (rule === undefined || rule.when === "never") return [];
      return [rule.when === "manual" ? `${name} by hand` : name];
    });
  }

  const change = {
    CI_PIPELINE_SOURCE: "merge_request_event",
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "5",
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
  };
  test.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
    ["a merge request", change, ["remit validate", "remit plan"]],
    ["one of a fork", { ...change, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "8" }, ["remit validate"]],
    [
      "one into another branch",
      { ...change, CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "other" },
      ["remit validate"],
    ],
    ["one in a merge train", { ...change, CI_MERGE_REQUEST_EVENT_TYPE: "merge_train" }, ["remit validate"]],
    ["a push", { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main" }, ["remit apply by hand"]],
    ["a push of another branch", { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "topic" }, []],
    ["a push of a tag", { CI_PIPELINE_SOURCE: "push", CI_COMMIT_TAG: "main" }, []],
    ["a night", { CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BRANCH: "main" }, ["remit drift"]],
    ["a night on another branch", { CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BRANCH: "topic" }, []],
  ])("makes the jobs for %s", (_what, variables, jobs) => {
    const found = jobsOf({ CI_DEFAULT_BRANCH: "main", CI_PROJECT_ID: "5", ...variables });
    expect(found.filter((name) => !name.includes("queue"))).toEqual(jobs);
  });

  test.each(JOBS)("installs %s outside the checkout", (name) => {
    const before = pipeline[name]?.before_script ?? [];
    const installs = before.findIndex((script) => script.includes("npm install --global"));
    expect(before[0]).toBe("temp=$(mktemp -d)");
    expect(before[installs - 1]).toBe('mkdir "$temp/install" && cd "$temp/install"');
  });
});

describe("a project on GitLab", () => {
  let packed: Packed;
  beforeAll(async () => {
    packed = await packRemit();
  });

  test("gets a plan on its merge request, and after the merge exactly that is applied, with GitLab's own state", async () => {
    const inside = await remitOnPath();
    onTestFinished(inside.close);
    const team = await beginGitlab({ ...packedPrograms(packed), inside: inside.folder });
    const { sandbox, forge, head, states, validate, plan, apply, drift, merge } = team;
    const validated = await validate(true);
    expect(validated.code, validated.output).toBe(0);
    expect(existsSync(join(validated.work, "remit-artifacts", "quality.json"))).toBe(true);
    const planned = await plan();
    expect(planned.code, planned.output).toBe(0);
    expect(forge.comments.at(-1)?.body).toContain("engineering");
    expect(forge.statuses.at(-1)).toMatchObject({ sha: head });
    expect(
      JSON.parse(readFileSync(join(planned.work, "remit-artifacts", "counts.json"), "utf8")),
    ).toMatchObject({ update: 1 });
    merge();
    const applied = await apply();
    expect(applied.code, applied.output).toBe(0);
    expect(JSON.stringify(sandbox.store.toTenant().automations)).toContain("Engineers");
    expect(states.written("/api/v4/projects/5/terraform/state/remit").length).toBeGreaterThan(0);
    const watched = await drift();
    expect(watched.code, watched.output).toBe(0);
    expect(forge.comments.at(-1)).toMatchObject({
      number: 12,
      body: expect.stringContaining("**Nothing to do.**"),
    });
  });
});
