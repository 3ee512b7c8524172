import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { type GitRemote, makeGitRemote } from "../fakes/gitRemote.js";
import { runInside } from "../fakes/inside.js";
import { makeMany } from "../fakes/many.js";
import { makeProject, type Project } from "../fakes/project.js";

/** The first run with a state on a server, where the service shows nothing: a wrong address would write everything again. */

const many = makeMany(4, "core");
const NEW = ["--first-run"];

let remote: GitRemote;
beforeAll(() => {
  remote = makeGitRemote();
});
afterAll(() => remote.close());

describe.each(["core", "full"] as const)("a state on a server that was never written, on %s", (spoken) => {
  let sandbox: Sandbox;
  let project: Project;
  let written = 0;
  let state: string;

  beforeEach(async ({ task }) => {
    state = `git:${remote.folder}#${task.id}`;
    written = 0;
    const log = (call: { readonly written: boolean }) => {
      if (call.written) written += 1;
    };
    sandbox = await startSandbox({ interface: spoken, tenant: many.tenant, seed: 1, log });
    project = makeProject({
      interface: spoken,
      guards: { firstWrite: "allow", maxChangesPercent: 100 },
    });
    project.write(many.wanted(1));
  });
  afterEach(async () => {
    await sandbox.close();
    project.close();
  });

  async function remit(
    argv: readonly string[],
    more: { readonly answer?: string; readonly at?: string } = {},
  ) {
    const { at = state, ...answering } = more;
    const { PATH = "" } = process.env;
    const env = { PATH, REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, REMIT_STATE: at };
    const { code, stdout, stderr } = await runInside(argv, { cwd: project.cwd, env, ...answering });
    return { code, said: (stdout + stderr).replace(/\s+/g, " ") };
  }

  if (spoken === "full") {
    it("is written without the flag", async () => {
      expect(await remit(["apply", "--yes"])).toMatchObject({
        code: 0,
        said: expect.not.stringContaining("first-run"),
      });
    });
    return;
  }

  it("stops plan and apply, which name the address and the flag, and nothing is sent", async () => {
    for (const argv of [["plan"], ["apply", "--yes"]]) {
      const { code, said } = await remit(argv);
      expect(code, said).toBe(4);
      expect(said).toContain(`${state} contains no state, and the plan writes 2 objects that cannot be read`);
      expect(said).toContain("--first-run");
    }
    expect(written).toBe(0);
  });

  it("is written with `--first-run`, and no run after it is a first run", async () => {
    expect((await remit(["plan", ...NEW])).code).toBe(0);
    expect(await remit(["apply", "--yes", ...NEW])).toMatchObject({ code: 0 });
    expect(written).toBe(2);
    const again = await remit(["plan", "--detailed-exitcode"]);
    expect(again, again.said).toMatchObject({ code: 0, said: expect.not.stringContaining("first-run") });
    const wrong = await remit(["apply", "--yes"], { at: `${state}-misspelt` });
    expect(wrong).toMatchObject({ code: 4, said: expect.stringContaining("-misspelt contains no state") });
    expect(written).toBe(2);
  });

  it("is asked about at a terminal, also with `--yes`", async () => {
    expect(await remit(["apply", "--yes"], { answer: "no" })).toMatchObject({ code: 4 });
    expect(written).toBe(0);
    const { code, said } = await remit(["apply"], { answer: "yes" });
    expect(code, said).toBe(0);
    expect(said).toContain("Apply only if this is the first run with this state.");
    expect(written).toBe(2);
  });

  it("stops a saved plan where it is applied, whatever the plan was made with", async () => {
    const file = `${project.cwd}/plan.json`;
    expect((await remit(["plan", ...NEW, "--out", file])).code).toBe(0);
    expect(await remit(["apply", "--yes", file])).toMatchObject({ code: 4 });
    expect(written).toBe(0);
    expect(await remit(["show", file])).toMatchObject({ said: expect.stringContaining("contains no state") });
    expect((await remit(["apply", "--yes", ...NEW, file])).code).toBe(0);
    expect(written).toBe(2);
  });

  it("says nothing of a state in a file", async () => {
    const { code, said } = await remit(["apply", "--yes"], { at: ".remit/state.json" });
    expect(code, said).toBe(0);
    expect(said).not.toContain("first-run");
  });
});
