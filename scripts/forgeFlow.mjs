// Runs two pull requests through a real Gitea or Forgejo, from the branch to the apply: plan, comment, edit, status, squash
// merge, approval, apply. Makes a repository of its own and deletes it. npm run build && node scripts/forgeFlow.mjs
// REMIT_TEST_FORGE_URL is the address of the server, and REMIT_TEST_FORGE_TOKEN a token that may write repositories and issues.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { REMIT_TEST_FORGE_URL: address, REMIT_TEST_FORGE_TOKEN: token } = process.env;
if (address === undefined || token === undefined) {
  console.log(
    "Skipped: set REMIT_TEST_FORGE_URL and REMIT_TEST_FORGE_TOKEN to the address and a token of a Gitea or Forgejo.",
  );
  process.exit(0);
}
const command = process.env.REMIT_TEST_COMMAND ?? join(root, "dist", "remit.js");
const [program, ...script] = command.endsWith(".js") ? [process.execPath, command] : [command];
const server = address.replace(/\/+$/, "");
const home = mkdtempSync(join(tmpdir(), "remit-flow-"));
const work = join(home, "work");

const repository = await ask("POST", "/user/repos", {
  name: `remit-flow-${Date.now()}`,
  default_branch: "main",
});
const path = repository.full_name;
try {
  await begin();
  const one = await open("one", "engineering-group.yaml", "Engineering", "Engineers");
  const two = await open("two", "on-call-rotation.yaml", "On-call rotation", "On call");
  say("opened", `#${one.number} and #${two.number}`);

  for (const pull of [one, two]) await review(pull);
  assert.match(await review(one), /up to date/);
  change(one, "Engineers", "All engineers");
  assert.match(await review(one), /Edited/);
  for (const { number } of [one, two]) {
    const comments = await ask("GET", `/repos/${path}/issues/${number}/comments`);
    assert.equal(comments.length, 1, "a pull request has one comment");
    assert.match(comments[0].body, /^<!-- remit:plan /);
  }

  for (const pull of [one, two]) {
    await merge(pull);
    say("merged", `#${pull.number}, as one commit`);
    await applyMerges(pull);
  }
  git("checkout", "--quiet", "--detach", "origin/main");
  assert.equal((await remit({}, "approved")).trim(), "", "nothing is left to apply");
  assert.match(await remit({}, "plan", "--detailed-exitcode", "--settings-from", "HEAD"), /Nothing to do/);
  say("done", "both changes are applied, each exactly as it was reviewed");
} finally {
  await ask("DELETE", `/repos/${path}`);
  rmSync(home, { recursive: true, force: true });
}

/** A repository with a project that is applied, and a clone of it. */
async function begin() {
  cpSync(join(root, "examples", "quickstart"), work, {
    recursive: true,
    filter: (name) => !name.endsWith(".remit"),
  });
  writeFileSync(join(work, ".gitignore"), ".remit/\n*.json\n");
  git("init", "--quiet", "--initial-branch", "main");
  git("remote", "add", "origin", repository.clone_url);
  commit("project");
  git("push", "--quiet", "origin", "main");
  const outcome = join(home, "outcome.json");
  await remit({}, "apply", "--yes", "--quiet", "--settings-from", "HEAD", "--report", `json=${outcome}`);
  // Its status says that everything up to this commit is applied.
  await remit({}, "comment", outcome);
  say("began", path);
}

/** Opens a pull request from a branch of main that changes one name. */
async function open(branch, file, from, to) {
  git("checkout", "--quiet", "-b", branch, "main");
  const pull = { branch, file };
  change(pull, from, to);
  const { number } = await ask("POST", `/repos/${path}/pulls`, { head: branch, base: "main", title: branch });
  return { ...pull, number };
}

function change({ branch, file }, from, to) {
  git("checkout", "--quiet", branch);
  const at = join(work, "manifests", file);
  const text = readFileSync(at, "utf8");
  assert.ok(text.includes(`displayName: ${from}`), `${file} has the name ${from}`);
  writeFileSync(at, text.replace(`displayName: ${from}`, `displayName: ${to}`));
  commit(`${branch}: ${to}`);
  git("push", "--quiet", "origin", branch);
}

/** Plans a pull request as its job does, and posts the plan. */
async function review({ branch, number }) {
  git("checkout", "--quiet", branch);
  git("fetch", "--quiet", "origin");
  const sha = git("rev-parse", "HEAD");
  const repo = { full_name: path };
  const event = {
    pull_request: { number, head: { sha, ref: branch, repo }, base: { ref: "main", repo } },
    repository: { ...repo, default_branch: "main" },
  };
  await remit(event, "plan", "--since", "origin/main", "--out", join(home, "plan.json"));
  const said = await remit(event, "comment", join(home, "plan.json"));
  const statuses = await ask("GET", `/repos/${path}/commits/${sha}/statuses`);
  const status = statuses.find(({ context }) => context.startsWith("remit/plan "));
  assert.match(status?.description ?? "", /^sha256:[0-9a-f]{64} /, "the status begins with the effect");
  say("reviewed", `#${number}: ${said.trim()}; ${status.description.slice(0, 19)}…`);
  return said;
}

/** Merges a pull request as one commit. A forge that still looks for conflicts answers 405 until it knows. */
async function merge({ number }) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask("POST", `/repos/${path}/pulls/${number}/merge`, { Do: "squash" });
    } catch (error) {
      if (attempt === 10 || !String(error).includes("answered 405")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/** Applies what was merged, as the apply job does: each merge with the effect of its review. */
async function applyMerges({ number }) {
  git("fetch", "--quiet", "origin");
  git("checkout", "--quiet", "--detach", "origin/main");
  const merges = (await remit({}, "approved")).trim().split("\n");
  assert.equal(merges.length, 1, "one merge is left to apply");
  const [base, effect, merged, at, pull] = merges[0].split(" ");
  assert.match(pull, new RegExp(`${number}$`));
  git("checkout", "--quiet", merged);
  const pinned = ["--since", base, "--expect", effect, "--merged-at", at, "--settings-from", "HEAD"];
  await remit({}, "apply", "--yes", ...pinned, "--report", `json=${join(home, "outcome.json")}`);
  say("applied", `#${number}: ${(await remit({}, "comment", join(home, "outcome.json"))).trim()}`);
}

function environment(event) {
  const file = join(home, "event.json");
  writeFileSync(file, JSON.stringify(event));
  return {
    PATH: process.env.PATH,
    HOME: home,
    CI: "true",
    GITEA_ACTIONS: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: `${server}/api/v1`,
    GITHUB_SERVER_URL: server,
    GITHUB_REPOSITORY: path,
    GITHUB_SHA: git("rev-parse", "HEAD"),
    GITHUB_EVENT_PATH: file,
    REMIT_FORGE_TOKEN: token,
  };
}

/** Runs remit in a job of that event; a failure ends the flow. */
function remit(event, ...argv) {
  const options = { cwd: work, env: environment(event), encoding: "utf8" };
  return new Promise((resolve, reject) => {
    execFile(program, [...script, ...argv], options, (error, stdout, stderr) => {
      if (error !== null)
        return reject(new Error(`remit ${argv.join(" ")}: exit ${error.code}\n${stdout}${stderr}`));
      resolve(argv[0] === "comment" ? stderr : stdout);
    });
  });
}

function commit(message) {
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
}

/** git in the clone; the token is in no argument and in no file. */
function git(...argv) {
  const identity = ["-c", "user.name=flow", "-c", "user.email=flow@example.com"];
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.extraHeader",
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`${token}:x-oauth-basic`).toString("base64")}`,
  };
  return execFileSync("git", [...identity, ...argv], {
    cwd: work,
    env,
    encoding: "utf8",
    stdio: "pipe",
  }).trim();
}

/** Asks the forge itself; any refusal ends the flow. */
async function ask(method, route, body) {
  const headers = { authorization: `token ${token}`, "content-type": "application/json" };
  const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const answer = await fetch(`${server}/api/v1${route}`, request);
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${route} answered ${answer.status}: ${text}`);
  return text === "" ? null : JSON.parse(text);
}

function say(what, text) {
  console.log(`${what.padEnd(10)}${text}`);
}
