import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fileStore } from "../../../src/state/file.js";
import { newSnapshot } from "../../../src/state/snapshot.js";
import { following, owner } from "../../contracts/store.js";
import { gitlabState } from "../../fakes/gitlabState.js";
import { handClock } from "../../fakes/handClock.js";
import { hastyClock, runInside } from "../../fakes/inside.js";
import { makeProject, type Project } from "../../fakes/project.js";

const ADDRESS = "postgres://me:open-sesame@127.0.0.1:1/remit";

let project: Project | undefined;
afterEach(() => project?.close());

async function run(argv: readonly string[], settings: { readonly state?: string }, env = {}) {
  project = makeProject({ server: "sandbox", ...settings });
  const { code, stdout, stderr } = await runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
  return { code, printed: `${stdout}${stderr}`.replace(/\s+/g, " ") };
}

describe("the address of a state", () => {
  it.each([
    { where: "remit.yaml", argv: ["state", "list"], settings: { state: ADDRESS } },
    { where: "a flag", argv: ["state", "list", "--state", ADDRESS], settings: {} },
  ])(
    "a password in remit.yaml or in a flag is refused and not repeated: $where",
    async ({ argv, settings }) => {
      const { code, printed } = await run(argv, settings);
      expect(code).toBe(5);
      expect(printed).toContain("error[state/address]");
      expect(printed).not.toContain("sesame");
    },
  );

  it("a scheme without a store is an error that says which exist", async () => {
    const { code, printed } = await run(["state", "list"], { state: "mysql://host/db" });
    expect(code).toBe(5);
    expect(printed).toContain("postgres://HOST/DATABASE");
  });

  it("without a user is an error that names PGUSER", async () => {
    const { code, printed } = await run(["state", "list"], { state: "postgres://127.0.0.1:1/remit" });
    expect(code).toBe(5);
    expect(printed).toContain("PGUSER");
  });

  it.each([
    { lacks: "a region", state: "s3://bucket/key", env: {}, says: "AWS_REGION" },
    { lacks: "keys", state: "s3://bucket/key?region=eu-west-1", env: {}, says: "AWS_ACCESS_KEY_ID" },
    {
      lacks: "an operator who names the server",
      state: "s3://bucket/key?region=eu-west-1&endpoint=https://elsewhere.example",
      env: { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "open-sesame" },
      says: "only remit.yaml of the working tree names the server https://elsewhere.example",
    },
  ])("in a bucket without $lacks is an error that says what to do", async ({ state, env, says }) => {
    const { code, printed } = await run(["state", "list"], { state }, env);
    expect(code).toBe(5);
    expect(printed).toContain(says);
    expect(printed).not.toContain("sesame");
  });

  const STATE = "/api/v4/projects/7/terraform/state/remit";
  it.each([
    { named: "by REMIT_STATE", by: "env", password: "TF_HTTP_PASSWORD", works: true },
    { named: "by the working tree", by: "file", password: "TF_HTTP_PASSWORD", works: false },
    {
      named: "by the working tree, on the server of the job",
      by: "file",
      password: "CI_JOB_TOKEN",
      works: true,
    },
  ])("of GitLab, named $named, gets $password: $works", async ({ by, password, works }) => {
    const users = { "gitlab-ci-token:open-sesame": "Maintainer", "ada:open-sesame": "Maintainer" } as const;
    const server = await gitlabState(users).serve();
    const state = `${server.url}${STATE}`;
    const env = { TF_HTTP_USERNAME: "ada", [password]: "open-sesame", CI_API_V4_URL: `${server.url}/api/v4` };
    const { code, printed } = await run(
      ["state", "list"],
      by === "file" ? { state } : {},
      by === "env" ? { ...env, REMIT_STATE: state } : env,
    );
    await server.close();
    expect(code, printed).toBe(works ? 0 : 5);
    expect(printed).toContain(works ? "The state is empty" : "does not send TF_HTTP_PASSWORD there");
    expect(printed).not.toContain("sesame");
  });

  it("is listed as missing, and not as empty, where its backup is left", async () => {
    const folder = mkdtempSync(join(tmpdir(), "remit-lost-"));
    const path = join(folder, "state.json");
    writeFileSync(`${path}.backup`, "{}");
    const { printed } = await run(["state", "list", "--state", path], {}, {});
    rmSync(folder, { recursive: true });
    expect(printed).toContain("shows that a state existed");
    expect(printed).not.toContain("The state is empty");
  });

  it("is moved by remit state move, and no command continues with the old one", async () => {
    project = makeProject({ server: "sandbox" });
    const { cwd } = project;
    const path = join(cwd, ".remit", "state.json");
    const clock = handClock();
    const store = fileStore({ path, name: "state.json", version: "0.1.0", clock, isDead: () => false });
    const lock = await store.lock(owner("one"), { timeout: 0 });
    await lock.save(following(newSnapshot("lineage", "sandbox"), ["team"]));
    await lock.release();
    const runs = async (...argv: string[]) => {
      const { code, stdout, stderr } = await runInside(argv, { cwd, env: {} });
      return { code, stdout, printed: `${stdout}${stderr}`.replace(/\s+/g, " ") };
    };
    const moved = await runs("state", "move", "moved/state.json");
    expect(moved.code, moved.printed).toBe(0);
    expect(moved.stdout).toBe(
      "Moved the state of 1 object from .remit/state.json to moved/state.json, and read it back.\n" +
        "No run continues with .remit/state.json. Name the new place in `state:` or REMIT_STATE.\n",
    );
    for (const argv of [["state", "list"], ["plan"], ["apply", "--yes"]]) {
      const { code, printed } = await runs(...argv);
      expect(code, printed).toBe(5);
      expect(printed).toContain("error[state/moved]");
      expect(printed).toContain("moved to moved/state.json");
    }
    const { code, printed } = await runs("state", "list", "--state", "moved/state.json");
    expect(code).toBe(0);
    expect(printed).toContain("ResourceType/team");
  });

  it("keeps the token of a job from every other server", async () => {
    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const env = { CI_JOB_TOKEN: "open-sesame", CI_API_V4_URL: "https://gitlab.example.com/api/v4" };
    const { code } = await run(["state", "list"], { state: `http://127.0.0.1:${port}${STATE}` }, env);
    await new Promise((closed) => server.close(closed));
    expect(code).toBe(1);
    expect(seen).toEqual([undefined]);
  });

  it.each(["text", "json"])("remit config --format %s never prints its password", async (format) => {
    const env = { REMIT_STATE: ADDRESS, PGPASSWORD: "hidden-too" };
    const { code, printed } = await run(["config", "--format", format], {}, env);
    expect(code).toBe(0);
    expect(printed).toContain("postgres://127.0.0.1:1/remit");
    expect(printed).not.toMatch(/sesame|hidden-too/);
  });

  it("remit state compact never prints its password", async () => {
    const { code, printed } = await run(["state", "compact"], {}, { REMIT_STATE: ADDRESS });
    expect(code).toBe(5);
    expect(printed).toContain("the state at postgres://127.0.0.1:1/remit has no history");
  });

  it("that cannot be used is not printed, because a part of it may be a password", async () => {
    const { printed } = await run(["config"], {}, { REMIT_STATE: "https://h/x?private_token=open-sesame" });
    expect(printed).toContain("https:… REMIT_STATE");
    expect(printed).not.toContain("sesame");
  });

  it("a server that is not there ends the run with a clear error", async () => {
    const { code, printed } = await run(["state", "list"], {}, { REMIT_STATE: ADDRESS });
    expect(code).toBe(1);
    expect(printed).toContain("error[state/unreachable]");
    expect(printed).not.toContain("sesame");
  });
});
