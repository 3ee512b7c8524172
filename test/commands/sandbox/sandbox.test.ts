import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { main } from "../../../src/bin/main.js";
import type { Output, Signal, World } from "../../../src/cli/world/world.js";
import { fakeClock } from "../../fakes/clock.js";

let cwd: string;
let env: World["env"];
beforeEach(() => {
  env = {};
  cwd = mkdtempSync(join(tmpdir(), "remit-sandbox-"));
});
afterEach(() => rmSync(cwd, { recursive: true }));

/** A run of the command under way, or already over. */
interface Run {
  /** Resolves with the first line of standard output. */
  readonly url: Promise<string>;
  readonly code: Promise<number>;
  readonly stderr: () => string;
  signal(signal: Signal): void;
}

function start(...argv: readonly string[]): Run {
  let listener: ((signal: Signal) => void) | undefined;
  let told = "";
  let tell: (url: string) => void;
  const url = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const output = (write: (text: string) => void): Output => ({
    isTerminal: false,
    columns: 80,
    rows: 24,
    write,
  });
  const world: World = {
    stdin: { isTerminal: false, bytes: async () => new Uint8Array(), line: async () => "" },
    stdout: output((text) => tell(text.trim())),
    stderr: output((text) => {
      told += text;
    }),
    env,
    cwd,
    clock: fakeClock(),
    random: () => 0.5,
    evaluate: (work) => ({ value: work(), milliseconds: 1 }),
    unique: () => "one",
    process: { pid: 1, host: "here", arch: "any", node: "v20" },
    onSignal(each) {
      listener = each;
      return () => {
        listener = undefined;
      };
    },
    leave(code) {
      throw new Error(`left with ${code}`);
    },
  };
  return {
    url,
    code: main(["sandbox", ...argv], world),
    stderr: () => told,
    signal: (signal) => listener?.(signal),
  };
}

async function countApps(url: string, token = "sandbox"): Promise<number> {
  const reply = await fetch(`${url}/api/v1/apps?page_size=100`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await reply.json()) as { readonly list: readonly object[] }).list.length;
}

describe("remit sandbox", () => {
  it("serves until a signal comes, and says how to use it", async () => {
    const run = start("--port", "0", "--seed", resolve("examples/company/seed.yaml"));
    const url = await run.url;
    expect(await countApps(url)).toBe(12);
    run.signal("SIGINT");
    expect(await run.code).toBe(0);
    expect(run.stderr()).toContain(`export REMIT_SERVER=${url}\n  export REMIT_TOKEN=sandbox\n`);
    expect(run.stderr()).toContain("12 apps, 302 entitlements, 4 templates, 6 automations");
    await expect(fetch(url)).rejects.toThrow();
  });

  it("keeps a tenant in a file from run to run", async () => {
    for (const apps of [5, 4]) {
      const run = start("--port", "0", "--data", "data.json", "--generate", "1000");
      const url = await run.url;
      if (apps === 5) {
        await fetch(`${url}/api/v1/access_review_template`, {
          method: "POST",
          headers: { authorization: "Bearer sandbox" },
          body: JSON.stringify({ displayName: "Q4", ownerIds: ["u"] }),
        });
      }
      run.signal("SIGTERM");
      expect(await run.code).toBe(0);
      expect(run.stderr()).toContain(`${apps === 5 ? 5 : 6} templates`);
    }
  });

  it("writes a line of JSON for each request", async () => {
    const run = start("--port", "0", "--log", "log.jsonl", "--faults", "429=1,seed=3");
    expect((await fetch(`${await run.url}/api/v1/apps`)).status).toBe(429);
    run.signal("SIGINT");
    await run.code;
    const lines = readFileSync(join(cwd, "log.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { sequence: 1, method: "GET", path: "/api/v1/apps", status: 429, fault: "throttle", delivered: true },
    ]);
  });

  it("keeps a token that it was given to itself", async () => {
    env = { REMIT_SANDBOX_TOKEN: "hunter2" };
    const run = start("--port", "0");
    const url = await run.url;
    expect(await countApps(url, "hunter2")).toBe(0);
    expect((await fetch(`${url}/_sandbox/log`)).status).toBe(401);
    const headers = { authorization: "Bearer hunter2" };
    expect((await fetch(`${url}/_sandbox/log`, { headers })).status).toBe(200);
    run.signal("SIGINT");
    await run.code;
    expect(run.stderr()).not.toContain("hunter2");
  });

  it("takes no token on the command line, where the list of processes would show it", async () => {
    const run = start("--port", "0", "--token", "hunter2");
    expect(await run.code).not.toBe(0);
    expect(run.stderr()).toContain("--token");
  });

  it.each<[string, readonly string[], number, string]>([
    ["an open door without a token", ["--host", "0.0.0.0"], 5, "set a token in REMIT_SANDBOX_TOKEN"],
    [
      "a door whose name looks like loopback",
      ["--host", "127.evil.test"],
      5,
      "set a token in REMIT_SANDBOX_TOKEN",
    ],
    ["a seed and a number", ["--seed", "a", "--generate", "1"], 5, "cannot both be given"],
    ["a seed that is not there", ["--seed", "a.yaml"], 5, "a.yaml: the file does not exist"],
    ["a seed that is wrong", ["--seed", "wrong.yaml"], 5, "apps must be a list"],
    ["a data file that is damaged", ["--data", "wrong.yaml"], 5, "is damaged"],
    ["a file of faults that is not there", ["--faults", "f.yaml"], 5, "f.yaml: the file does not exist"],
    ["a log that cannot be written", ["--log", "no/log"], 5, "no/log: the file does not exist"],
    ["a fault that does not exist", ["--faults", "teapot=1"], 5, "teapot is not a fault"],
  ])("refuses %s", async (_, argv, code, words) => {
    writeFileSync(join(cwd, "wrong.yaml"), "apps: 1\n");
    const run = start("--port", "0", ...argv);
    expect([await run.code, run.stderr()]).toEqual([code, expect.stringContaining(words)]);
  });

  it("knows how far ports go", async () => {
    const run = start("--port", "65536");
    expect([await run.code, run.stderr()]).toEqual([
      1,
      expect.stringContaining("a whole number from 0 to 65535 is needed"),
    ]);
  });

  it("says so where another program already listens", async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
    const run = start("--port", String((other.address() as AddressInfo).port));
    expect([await run.code, run.stderr()]).toEqual([
      1,
      expect.stringContaining("another program already listens"),
    ]);
    other.close();
  });
});
