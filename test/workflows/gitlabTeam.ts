import { cpSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { parse } from "yaml";
import { DEFAULT_CLIENT } from "../../src/sandbox/auth/client.js";
import { cloneAt } from "../fakes/checkout.js";
import { readPipeline } from "../fakes/gitlabPipeline.js";
import { gitlabState } from "../fakes/gitlabState.js";
import { BOT, REPOSITORY } from "../forge/standIn.js";
import type { Programs } from "./githubTeam.js";
import { shell } from "./runner.js";
import { beginTeam, type Named, PLAIN } from "./team.js";

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

/** A job of the pipeline. */
export interface Job {
  readonly variables: Readonly<Record<string, string>>;
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly rules: readonly { readonly if: string; readonly when?: string }[];
  readonly artifacts?: {
    readonly paths?: readonly string[];
    readonly reports?: Readonly<Record<string, string | readonly string[]>>;
  };
}

export const TEXT = readFileSync(join("gitlab", "remit.yml"), "utf8");
const preview = readPipeline("--preview", TEXT);
/** The pipeline as GitLab reads it, with everything resolved. */
export const pipeline: { readonly variables: Readonly<Record<string, string>> } & Readonly<
  Record<string, Job>
> = parse(preview.slice(preview.indexOf("---\n")));

/** Its jobs. */
export const JOBS = [
  "remit validate",
  "remit plan",
  "remit apply",
  "remit show",
  "remit apply shown",
  "remit drift",
];

/** A team on GitLab, and the runs of its jobs. */
export async function beginGitlab({ folders, tools, installed, inside }: Programs, named: Named = PLAIN) {
  const team = await beginTeam("gitlab", named);
  const { main, topic } = named;
  const { folder, origin, git, sandbox, forge } = team;
  const states = gitlabState({ "gitlab-ci-token:token-of-the-job": "Maintainer" });
  const served = await states.serve();
  const front = await oneAddress(served.url, forge.url);
  onTestFinished(async () => {
    await front.close();
    await served.close();
  });

  /** Runs a job as the runner of GitLab does: in a new checkout of a commit. Every job installs the package; few of them also run it. */
  async function run(
    name: string,
    ref: string,
    more: Readonly<Record<string, string>>,
    runsPackage = false,
    needed: string | null = null,
  ) {
    const job = pipeline[name];
    if (job === undefined) throw new Error(`there is no job ${name}`);
    const work = join(folder, `${name.replace(" ", "-")}-${Math.random()}`);
    cloneAt(work, origin, `refs/heads/${ref}`);
    // What the job before kept.
    if (needed !== null)
      cpSync(join(needed, "remit-artifacts"), join(work, "remit-artifacts"), { recursive: true });
    const given: Readonly<Record<string, string>> = {
      PATH: [...(runsPackage ? [] : [inside]), ...folders, process.env.PATH].join(":"),
      HOME: folder,
      npm_config_prefix: tools,
      CI: "true",
      GITLAB_CI: "true",
      CI_API_V4_URL: `${front.url}/api/v4`,
      CI_SERVER_URL: front.url,
      CI_PROJECT_ID: "5",
      CI_PROJECT_PATH: REPOSITORY,
      CI_PROJECT_DIR: work,
      CI_DEFAULT_BRANCH: main,
      CI_COMMIT_SHA: git("rev-parse", `refs/heads/${ref}`),
      CI_PIPELINE_ID: "1010",
      CI_JOB_NAME: name,
      CI_JOB_URL: "https://gitlab.example/jobs/7",
      CI_JOB_TOKEN: "token-of-the-job",
      REMIT_FORGE_TOKEN: BOT.token,
      REMIT_SERVER: sandbox.url,
      REMIT_FOLDER: named.project,
      REMIT_INSTALL: installed.install,
      REMIT_PACKAGE: installed.package,
      REMIT_CHECKSUM: installed.checksum,
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
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: main,
    CI_MERGE_REQUEST_PROJECT_ID: "5",
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "5",
  };
  return {
    ...team,
    states,
    request,
    run,
    validate: (runsPackage = false) => run("remit validate", topic, request, runsPackage),
    plan: (more: Readonly<Record<string, string>> = {}) => run("remit plan", topic, { ...request, ...more }),
    apply: (more: Readonly<Record<string, string>> = {}) =>
      run("remit apply", main, {
        CI_PIPELINE_SOURCE: "push",
        CI_COMMIT_BRANCH: main,
        SINCE: team.begun(),
        ...more,
      }),
    /** Shows what two commits do, and applies that, as a person starts it. */
    async manual(base: string, commit: string) {
      const web = { CI_PIPELINE_SOURCE: "web", CI_COMMIT_BRANCH: main, BASE: base, COMMIT: commit };
      const shown = await run("remit show", main, web);
      if (shown.code !== 0) return { shown, applied: null };
      return { shown, applied: await run("remit apply shown", main, web, false, shown.work) };
    },
    drift: (more: Readonly<Record<string, string>> = {}) =>
      run("remit drift", main, { CI_PIPELINE_SOURCE: "schedule", REMIT_DRIFT_ISSUE: "12", ...more }),
  };
}
