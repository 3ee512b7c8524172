import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { DEFAULT_CLIENT } from "../../src/sandbox/auth/client.js";
import { readPipeline } from "../fakes/gitlabPipeline.js";
import { gitlabState } from "../fakes/gitlabState.js";
import { remitOnPath } from "../fakes/remitOnPath.js";
import { BOT, REPOSITORY } from "../forge/standIn.js";
import { shell } from "./runner.js";
import { beginTeam, type Packed, packRemit } from "./team.js";

// Real processes, one after the other: on a busy machine they take their time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** GitLab has its states and the rest of its interface at one address; the two substitutes are two servers. */
async function oneAddress(states: string, forge: string) {
  const server = createServer(async (request, response) => {
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part);
    const path = request.url ?? "";
    const url = path.includes("/terraform/state/")
      ? `${states}${path}`
      : `${forge}${path.replace("/api/v4", "")}`;
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const body = parts.length === 0 ? null : Buffer.concat(parts);
    const answer = await fetch(url, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      body,
    });
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "application/json",
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    close: () =>
      new Promise<void>((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

interface Job {
  readonly variables: Readonly<Record<string, string>>;
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly rules: readonly { readonly if: string; readonly when?: string }[];
  readonly artifacts?: {
    readonly paths?: readonly string[];
    readonly reports?: Readonly<Record<string, string | readonly string[]>>;
  };
}

const TEXT = readFileSync(join("gitlab", "remit.yml"), "utf8");
const preview = readPipeline("--preview", TEXT);
const pipeline: { readonly variables: Readonly<Record<string, string>> } & Readonly<Record<string, Job>> =
  parse(preview.slice(preview.indexOf("---\n")));

const JOBS = ["remit validate", "remit plan", "remit apply", "remit drift"];

describe("the pipeline that GitLab includes", () => {
  test("has a job for each purpose, and its schema is GitLab's", () => {
    const jobs: readonly { readonly name: string }[] = JSON.parse(readPipeline("--list-json", TEXT));
    expect(jobs.map(({ name }) => name).sort()).toEqual(JOBS.toSorted());
  });

  test("plans no merge request of a fork, and a person starts the apply", () => {
    expect(pipeline["remit plan"]?.rules[0]?.if).toContain(
      "$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID",
    );
    expect(pipeline["remit apply"]?.rules[0]?.when).toBe("manual");
  });

  test.each(JOBS)("installs %s outside the checkout", (name) => {
    const before = pipeline[name]?.before_script ?? [];
    const installs = before.findIndex((script) => script.includes("npm install --global"));
    expect(before.slice(installs - 2, installs)).toEqual([
      "temp=$(mktemp -d)",
      'mkdir "$temp/install" && cd "$temp/install"',
    ]);
  });

  test.each(JOBS)("keeps of %s no artifact that a commit brought", async (name) => {
    const { before_script = [], artifacts } = pipeline[name] ?? {};
    const brought = [...(artifacts?.paths ?? []), ...Object.values(artifacts?.reports ?? {}).flat()];
    expect(brought).not.toEqual([]);
    const checkout = mkdtempSync(join(tmpdir(), "remit-gitlab-"));
    onTestFinished(() => rmSync(checkout, { recursive: true }));
    const removes = before_script.slice(0, before_script.indexOf("temp=$(mktemp -d)"));
    const env = { PATH: process.env.PATH, HOME: checkout, CI_PROJECT_DIR: checkout };
    for (const bring of [
      (path: string) => writeFileSync(path, "of the commit"),
      (path: string) => mkdirSync(join(path, "inside"), { recursive: true }),
    ]) {
      for (const path of brought) bring(join(checkout, path));
      const { code, output } = await shell(["set -eo pipefail", ...removes].join("\n"), checkout, env);
      expect({ code, output, left: readdirSync(checkout) }).toEqual({ code: 0, output: "", left: [] });
    }
  });
});

describe("a project on GitLab", () => {
  let packed: Packed;
  beforeAll(async () => {
    packed = await packRemit();
  });

  test("gets a plan on its merge request, and after the merge exactly that is applied, with GitLab's own state", async () => {
    const team = await beginTeam("gitlab");
    const { folder, origin, git, sandbox, forge, head } = team;
    const states = gitlabState({ "gitlab-ci-token:token-of-the-job": "Maintainer" });
    const served = await states.serve();
    const front = await oneAddress(served.url, forge.url);
    const inside = await remitOnPath();
    onTestFinished(async () => {
      await inside.close();
      await front.close();
      await served.close();
    });

    /** Runs a job as the runner of GitLab does: in a new checkout of a commit. Every job installs the package; few of them also run it. */
    async function run(
      name: string,
      ref: string,
      more: Readonly<Record<string, string>>,
      runsPackage = false,
    ) {
      const job = pipeline[name];
      if (job === undefined) throw new Error(`there is no job ${name}`);
      const work = join(folder, `${name.replace(" ", "-")}-${Math.random()}`);
      mkdirSync(work);
      const at = (...argv: readonly string[]) => execFileSync("git", argv, { cwd: work, stdio: "pipe" });
      at("init", "-q");
      at("remote", "add", "origin", origin);
      at("fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*");
      at("checkout", "-q", "--detach", `origin/${ref}`);
      const tools = join(packed.home, "tools", "bin");
      const given: Readonly<Record<string, string>> = {
        PATH: [...(runsPackage ? [] : [inside.folder]), tools, process.env.PATH].join(":"),
        HOME: folder,
        npm_config_prefix: join(packed.home, "tools"),
        CI: "true",
        GITLAB_CI: "true",
        CI_API_V4_URL: `${front.url}/api/v4`,
        CI_SERVER_URL: front.url,
        CI_PROJECT_ID: "5",
        CI_PROJECT_PATH: REPOSITORY,
        CI_PROJECT_DIR: work,
        CI_DEFAULT_BRANCH: "main",
        CI_COMMIT_SHA: git("rev-parse", ref),
        CI_PIPELINE_ID: "1010",
        CI_JOB_NAME: name,
        CI_JOB_URL: "https://gitlab.example/jobs/7",
        CI_JOB_TOKEN: "token-of-the-job",
        REMIT_FORGE_TOKEN: BOT.token,
        REMIT_SERVER: sandbox.url,
        REMIT_INSTALL: packed.installed.install,
        REMIT_PACKAGE: packed.installed.package,
        REMIT_CHECKSUM: packed.installed.checksum,
        REMIT_PLAN_CLIENT_ID: DEFAULT_CLIENT.id,
        REMIT_APPLY_CLIENT_ID: DEFAULT_CLIENT.id,
        REMIT_CLIENT_SECRET: DEFAULT_CLIENT.secret,
        ...more,
      };
      const filled = (text: string): string =>
        text.replace(/\$([A-Z_0-9]+)/g, (_all, variable: string) => given[variable] ?? "");
      const own = Object.entries({ ...pipeline.variables, ...job.variables })
        .filter(([variable]) => !(variable in given))
        .map(([variable, value]) => [variable, filled(String(value))]);
      const env = { ...given, ...Object.fromEntries(own) };
      const script = ["set -eo pipefail", ...job.before_script, ...job.script].join("\n");
      return { ...(await shell(script, work, env)), work };
    }

    const request = {
      CI_PIPELINE_SOURCE: "merge_request_event",
      CI_MERGE_REQUEST_IID: "41",
      CI_MERGE_REQUEST_PROJECT_ID: "5",
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "5",
    };
    const validated = await run("remit validate", "topic", request, true);
    expect(validated.code, validated.output).toBe(0);
    expect(existsSync(join(validated.work, "quality.json"))).toBe(true);
    const planned = await run("remit plan", "topic", request);
    expect(planned.code, planned.output).toBe(0);
    expect(forge.comments.at(-1)?.body).toContain("engineering");
    expect(forge.statuses.at(-1)).toMatchObject({ sha: head });
    expect(JSON.parse(readFileSync(join(planned.work, "counts.json"), "utf8"))).toMatchObject({ update: 1 });
    // In a merge train the merge of the topic is planned on top of main; the review stays as it was.
    const review = forge.comments.at(-1)?.body;
    git("checkout", "-q", "-B", "train", "main");
    git("merge", "-q", "--no-ff", "-m", "train", "topic");
    git("push", "-q", "-f", "origin", "train");
    const train = { ...request, CI_MERGE_REQUEST_EVENT_TYPE: "merge_train" };
    for (const base of ["", git("rev-parse", "train^1")]) {
      const queued = await run("remit plan", "train", { ...train, CI_MERGE_REQUEST_TARGET_BRANCH_SHA: base });
      expect(queued.code, queued.output).toBe(0);
      expect(forge.statuses.at(-1)).toMatchObject({ sha: git("rev-parse", "train"), state: "success" });
    }
    expect(forge.comments.at(-1)?.body).toBe(review);
    git("checkout", "-q", "main");
    team.merge();
    const applied = await run("remit apply", "main", {
      CI_PIPELINE_SOURCE: "push",
      CI_COMMIT_BRANCH: "main",
    });
    expect(applied.code, applied.output).toBe(0);
    expect(JSON.stringify(sandbox.store.toTenant().automations)).toContain("Engineers");
    expect(states.written("/api/v4/projects/5/terraform/state/remit").length).toBeGreaterThan(0);
    const night = { CI_PIPELINE_SOURCE: "schedule", REMIT_DRIFT_ISSUE: "12" };
    const watched = await run("remit drift", "main", night);
    expect(watched.code, watched.output).toBe(0);
    expect(forge.comments.at(-1)).toMatchObject({
      number: 12,
      body: expect.stringContaining("**Nothing to do.**"),
    });
  });
});
