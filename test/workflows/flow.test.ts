import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { remitOnPath } from "../fakes/remitOnPath.js";
import { BOT, PULL, REPOSITORY, type StandIn, startStandIn } from "../forge/standIn.js";

// Real processes, one after the other: on a busy machine they take their time.
vi.setConfig({ testTimeout: 300_000 });

const SCRIPT = join("scripts", "forgeFlow.mjs");

/** What a forge does beside its comments and statuses: it makes a repository, opens pull requests and merges them. */
async function forgeWithGit(standIn: StandIn) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "remit-forge-")));
  const origin = join(folder, "origin.git");
  const merges = join(folder, "merges");
  const git = (cwd: string, ...argv: readonly string[]) => {
    const all = ["-c", "user.name=forge", "-c", "user.email=forge@example.com", ...argv];
    return execFileSync("git", all, { cwd, stdio: "pipe" }).toString().trim();
  };
  standIn.pulls.splice(0);
  const routes: Readonly<Record<string, (body: string, number: number) => unknown>> = {
    "POST /user/repos"() {
      git(folder, "init", "-q", "--bare", "-b", "main", origin);
      return { full_name: REPOSITORY, clone_url: origin };
    },
    [`DELETE /repos/${REPOSITORY}`]: () => ({}),
    [`POST /repos/${REPOSITORY}/pulls`](body) {
      const { head: ref } = JSON.parse(body) as { head: string };
      const number = 41 + standIn.pulls.length;
      const head = { sha: git(origin, "rev-parse", ref), ref, repository: REPOSITORY };
      standIn.pulls.push({ ...PULL, number, head });
      return { number };
    },
    [`POST /repos/${REPOSITORY}/pulls/N/merge`](_body, number) {
      const at = standIn.pulls.findIndex((pull) => pull.number === number);
      const pull = standIn.pulls[at] ?? PULL;
      rmSync(merges, { recursive: true, force: true });
      git(folder, "clone", "-q", origin, merges);
      git(merges, "merge", "-q", "--squash", `origin/${pull.head.ref}`);
      git(merges, "commit", "-qm", `change (#${number})`);
      git(merges, "push", "-q", "origin", "main");
      const commit = git(merges, "rev-parse", "HEAD");
      const head = { ...pull.head, sha: git(origin, "rev-parse", pull.head.ref) };
      standIn.pulls[at] = { ...pull, head, state: "merged", mergeCommit: commit, merged: [commit] };
      return {};
    },
  };
  const server = createServer(async (request, response) => {
    for (const [at, pull] of standIn.pulls.entries())
      if (pull.state === "open")
        standIn.pulls[at] = { ...pull, head: { ...pull.head, sha: git(origin, "rev-parse", pull.head.ref) } };
    let body = "";
    for await (const part of request) body += part;
    const path = (request.url ?? "").replace("/api/v1", "");
    const [, number = ""] = /\/pulls\/(\d+)\/merge$/.exec(path) ?? [];
    const own = routes[`${request.method} ${path.replace(`/${number}/merge`, "/N/merge")}`];
    const { authorization = "" } = request.headers;
    const asked =
      own === undefined
        ? await fetch(`${standIn.url}${path}`, {
            method: request.method ?? "GET",
            headers: { authorization, "content-type": "application/json" },
            ...(body === "" ? {} : { body }),
          })
        : Response.json(own(body, Number(number)));
    response.writeHead(asked.status, { "content-type": "application/json" }).end(await asked.text());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    rmSync(folder, { recursive: true, force: true });
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function run(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const all = { PATH: process.env.PATH, ...env };
    execFile(process.execPath, [SCRIPT], { env: all }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` }),
    );
  });
}

test("the flow against a real forge is skipped with a sentence where there is none", async () => {
  expect(await run({})).toMatchObject({ code: 0, output: expect.stringMatching(/^Skipped: .*\n$/) });
});

test("two pull requests go from the branch to the apply, each exactly as it was reviewed", async () => {
  const inside = await remitOnPath();
  onTestFinished(inside.close);
  const standIn = await startStandIn("gitea");
  const { url } = await forgeWithGit(standIn);
  const { code, output } = await run({
    REMIT_TEST_FORGE_URL: url,
    REMIT_TEST_FORGE_TOKEN: BOT.token,
    REMIT_TEST_COMMAND: join(inside.folder, "remit"),
  });
  expect(code, output).toBe(0);
  expect(output.split("\n").map((line) => line.split(" ")[0])).toEqual([
    ...["began", "opened", "reviewed", "reviewed", "reviewed", "reviewed"],
    ...["merged", "applied", "merged", "applied", "done", ""],
  ]);
});
