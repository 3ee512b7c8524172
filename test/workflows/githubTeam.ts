import { existsSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { DEFAULT_CLIENT } from "../../src/sandbox/auth/client.js";
import { type RemitOnPath, remitOnPath } from "../fakes/remitOnPath.js";
import { BOT, REPOSITORY } from "../forge/standIn.js";
import { type Contexts, newMachine, runWorkflow, workflowNamed } from "./runner.js";
import { beginTeam, type Named, type Packed, PLAIN } from "./team.js";

/** Programs for PATH that stand before the others, and how a job installs remit with them. */
export interface Programs {
  readonly folders: readonly string[];
  /** The folder that npm installs into, and what it installs. */
  readonly tools: string;
  readonly installed: Packed["installed"];
  /** The folder with a `remit` that runs inside the test. */
  readonly inside: string;
}

/** The remit of this process for each job of a test file. What npm installs is tested elsewhere: here it installs nothing. */
export function programsInside(): () => Programs {
  let inside: RemitOnPath;
  let programs: Programs;
  beforeAll(async () => {
    inside = await remitOnPath();
    const tools = realpathSync(mkdtempSync(join(tmpdir(), "remit-npm-")));
    writeFileSync(join(tools, "npm"), '#!/bin/sh\ntest "$1" != pack || : > remit.tgz\n', { mode: 0o755 });
    const installed = { install: "npm", package: "remit.tgz", checksum: "" };
    programs = { folders: [tools], tools, installed, inside: inside.folder };
  });
  afterAll(() => inside.close());
  return () => programs;
}

/** A team on GitHub or Gitea, which runs the same workflows, and the runs of its workflows. Every job installs the package; few of them also run it. */
export async function beginGithub(
  { folders, tools, installed, inside }: Programs,
  named: Named = PLAIN,
  kind: "github" | "gitea" = "github",
) {
  const team = await beginTeam(kind, named);
  const { main, topic } = named;
  const { folder, origin, git, sandbox, forge, head } = team;
  /** Runs a workflow on a new runner, as an event starts it. */
  async function run(
    name: string,
    event: object,
    inputs: Readonly<Record<string, string>> = {},
    secret: string = DEFAULT_CLIENT.secret,
    runsPackage = false,
    branch = main,
    vars: Readonly<Record<string, string>> = {},
  ) {
    const machine = newMachine(origin, {
      npm_config_prefix: tools,
      PATH: [...(runsPackage ? [] : [inside]), ...folders, process.env.PATH].join(":"),
      ...(kind === "gitea" && { GITEA_ACTIONS: "true" }),
      GITHUB_API_URL: forge.url,
      GITHUB_SERVER_URL: "https://forge.example",
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_REF: `refs/heads/${branch}`,
      GITHUB_SHA: git("rev-parse", `refs/heads/${branch}`),
      GITHUB_RUN_ID: "7",
      GITHUB_WORKFLOW: "apply",
      GITHUB_EVENT_PATH: join(folder, "event.json"),
    });
    const sent = { repository: { default_branch: main }, ...event };
    writeFileSync(join(folder, "event.json"), JSON.stringify(sent));
    const contexts: Contexts = {
      inputs: {
        server: sandbox.url,
        "client-id": DEFAULT_CLIENT.id,
        environment: "tenant",
        ...installed,
        state: join(folder, "state.json"),
        folder: named.project,
        ...inputs,
      },
      secrets: { "client-secret": secret, "plan-client-secret": secret },
      vars,
      github: {
        repository: REPOSITORY,
        token: BOT.token,
        event_name: Object.keys(event)[0] ?? "",
        event: sent,
      },
    };
    const jobs = await runWorkflow(workflowNamed(name), contexts, machine);
    const summary = join(machine.folder, "temp", "summary.md");
    const ran = { jobs, summary: existsSync(summary) ? readFileSync(summary, "utf8") : "" };
    machine.close();
    return ran;
  }

  return {
    ...team,
    plan: (
      more: {
        readonly repository?: string;
        readonly head?: string;
        readonly secret?: string;
        readonly runsPackage?: boolean;
      } = {},
      inputs: Readonly<Record<string, string>> = {},
    ) => {
      const repo = { full_name: more.repository ?? REPOSITORY };
      const base = {
        sha: git("rev-parse", `refs/heads/${main}`),
        ref: main,
        repo: { full_name: REPOSITORY },
      };
      const pull = { number: 41, head: { sha: more.head ?? head, ref: topic, repo }, base };
      return run("remit-plan", { pull_request: pull }, inputs, more.secret, more.runsPackage);
    },
    /** Passes a commit of a merge queue. */
    queue: (head: string) => {
      const group = { head_sha: head, base_sha: git("rev-parse", `refs/heads/${main}`) };
      return run("remit-plan", { merge_group: group });
    },
    /** Applies, as a push to a branch or a person on it starts it; that names where to begin, as for a first apply. */
    apply: (
      inputs: Readonly<Record<string, string>> = {},
      runsPackage = false,
      branch = main,
      vars: Readonly<Record<string, string>> = {},
    ) => {
      const event = { ref: `refs/heads/${branch}` };
      const since = { since: team.begun() };
      return run(
        "remit-apply",
        event,
        { ...since, ...inputs },
        DEFAULT_CLIENT.secret,
        runsPackage,
        branch,
        vars,
      );
    },
    /** Shows what two commits do, and applies that, as a person starts it. */
    manual: (base: string, commit: string, inputs: Readonly<Record<string, string>> = {}) => {
      const given = { base, commit, "plan-client-id": DEFAULT_CLIENT.id, ...inputs };
      return run("remit-manual", { ref: `refs/heads/${main}` }, given);
    },
    contexts: () => run("remit-contexts", {}, {}),
    drift: (inputs: Readonly<Record<string, string>> = {}) =>
      run("remit-drift", {}, { issue: "12", ...inputs }),
  };
}
