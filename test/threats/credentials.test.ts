import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { main } from "../../src/bin/main.js";
import { processWorld } from "../../src/cli/world/process.js";
import { runInside } from "../fakes/inside.js";

const TOKEN = "a-token-that-must-not-leave";

let home: string;
let cwd: string;
let server: Server;
let url: string;
let heard: string[];
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "remit-threat-")));
  cwd = join(home, "project");
  mkdirSync(cwd);
  heard = [];
  server = createServer((request, response) => {
    heard.push(JSON.stringify(request.headers));
    response.writeHead(401, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(cwd, "remit.yaml"), `server: ${url}\n`);
  writeFileSync(
    join(cwd, "team.yaml"),
    readFileSync("examples/quickstart/manifests/engineering-group.yaml", "utf8"),
  );
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(home, { recursive: true, force: true });
});

const run = (env: Readonly<Record<string, string>>, ...argv: readonly string[]) =>
  runInside(argv, { cwd, env: { HOME: home, ...env } });

describe("a server that only the working tree names", () => {
  it.each([["plan"], ["apply", "--yes"]])("never hears the token of the operator (%s)", async (...argv) => {
    const { code, stderr } = await run({ REMIT_TOKEN: TOKEN }, ...argv);
    expect([code, heard]).toEqual([5, []]);
    expect(stderr).toContain("error[credentials/unconfirmed-server]");
    expect(stderr).toContain("REMIT_SERVER");
  });

  it("hears it where the operator names it, too", async () => {
    await run({ REMIT_TOKEN: TOKEN, REMIT_SERVER: url }, "plan");
    await run({ REMIT_TOKEN: TOKEN }, "plan", "--server", url);
    expect(heard.filter((headers) => headers.includes(TOKEN)).length).toBeGreaterThan(1);
  });

  it("hears it where `remit init --server` named it on this machine, and no other server does", async () => {
    rmSync(join(cwd, "remit.yaml"));
    await run({ REMIT_TOKEN: TOKEN }, "init", "--server", url.replace("http://", ""));
    await run({ REMIT_TOKEN: TOKEN }, "doctor");
    expect(heard.some((headers) => headers.includes(TOKEN))).toBe(true);
    const count = heard.length;
    const file = join(cwd, "remit.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("127.0.0.1", "localhost"));
    const { code, stderr } = await run({ REMIT_TOKEN: TOKEN }, "doctor");
    expect([code, heard.length, stderr]).toEqual([5, count, expect.stringContaining("unconfirmed-server")]);
  });

  it("hears it after one question at a terminal, whose answer is kept outside the project", async () => {
    let asked = 0;
    const attempt = async (answer: string) => {
      const quiet = { write: () => undefined, isTerminal: false, columns: 80, rows: 24 };
      const stdin = {
        isTerminal: true,
        bytes: async () => new Uint8Array(),
        line: async (ask: () => void) => {
          ask();
          asked += 1;
          return answer;
        },
      };
      const env = { HOME: home, REMIT_TOKEN: TOKEN };
      const world = { ...processWorld(), stdin, stdout: quiet, stderr: quiet, env, cwd };
      await main(["plan"], { ...world, process: { ...world.process, host: hostname() } });
    };
    await attempt("no");
    expect([asked, heard]).toEqual([1, []]);
    await attempt("yes");
    await attempt("no");
    expect(asked).toBe(2);
    expect(heard.length).toBeGreaterThan(1);
    expect(statSync(join(home, ".local/state/remit/servers.json")).mode & 0o777).toBe(0o600);
    // Another server in the same file is another question.
    writeFileSync(join(cwd, "remit.yaml"), "server: https://evil.example\n");
    await attempt("no");
    expect(asked).toBe(3);
  });
});

describe("a client id that names its host", () => {
  it("is never sent to another host", async () => {
    const env = { REMIT_CLIENT_ID: "fox@tenant.example/spc", REMIT_CLIENT_SECRET: TOKEN };
    const { code, stderr } = await run(env, "plan");
    expect([code, heard]).toEqual([5, []]);
    expect(stderr).toContain("error[credentials/other-tenant]");
  });
});

describe("a variable that is set and empty", () => {
  it.each(["REMIT_SERVER", "CONDUCTORONE_SERVER_URL", "REMIT_STATE", "REMIT_INTERFACE"])(
    "is an error and does not count as absent: %s",
    async (name) => {
      const { code, stderr } = await run({ REMIT_TOKEN: TOKEN, [name]: "" }, "plan");
      expect([code, heard]).toEqual([5, []]);
      expect(stderr).toContain(`${name} is set, but empty`);
    },
  );
});

describe("a remit.yaml in a folder above", () => {
  it("is not used where the folder is in no checkout, or where others may write it", async () => {
    mkdirSync(join(cwd, "below"));
    const below = (env: Readonly<Record<string, string>>) =>
      runInside(["plan", "team.yaml"], { cwd: join(cwd, "below"), env: { HOME: home, ...env } });
    const without = await below({ REMIT_TOKEN: TOKEN });
    expect(without.stderr).toContain("warning[config/parent]");
    mkdirSync(join(cwd, ".git"));
    expect((await below({ REMIT_TOKEN: TOKEN })).stderr).not.toContain("config/parent");
    const { chmodSync } = await import("node:fs");
    chmodSync(cwd, 0o777);
    const written = await below({ REMIT_TOKEN: TOKEN });
    expect(written.stderr).toContain("it may be written by other users");
    expect(heard).toEqual([]);
  });
});
