import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProjectCheckout, type ProjectCheckout } from "../fakes/projectCheckout.js";

const FAR = new Date(Date.now() + 400 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
const NEAR = new Date(Date.now() + 20 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

let checkout: ProjectCheckout;
beforeEach(() => {
  checkout = makeProjectCheckout("examples/quickstart");
  checkout.write("remit.yaml", `${checkout.read("remit.yaml")}guards: { maxDeletes: 0, maxChanges: 2 }\n`);
  checkout.commit();
  checkout.git("checkout", "-q", "-b", "evil");
});
afterEach(() => checkout.close());

const edit = (before: string | RegExp, after: string) =>
  checkout.write("remit.yaml", checkout.read("remit.yaml").replace(before, after));
const append = (text: string) => edit(/$/, text);
const plan = (...argv: readonly string[]) => checkout.remit("plan", "--settings-from", "main", ...argv);
const flat = (text: string) => text.replaceAll(/\s+/g, " ");

describe("a pull request that changes what it is judged by", () => {
  it.each<[string, () => void, string]>([
    ["the state", () => append("state: .remit/other.json\n"), "state: .remit/state.json → .remit/other.json"],
    ["the interface", () => append("interface: core\n"), "interface: auto → core"],
    ["a limit", () => edit("maxChanges: 2", "maxChanges: 9"), "guards.maxChanges: 2 → 9"],
    ["the absence of a limit", () => edit(", maxChanges: 2", ""), "guards.maxChanges: 2 → not set"],
    ["the seed", () => edit("seed.yaml", "evil.yaml"), "sandbox.seed: seed.yaml → evil.yaml"],
    ["the pace", () => append("retries: 20\nconcurrency: 500\n"), "concurrency: 10 → 500"],
    [
      "an acknowledgement",
      () => append(`acknowledge: [{ guard: max-changes, address: "*", until: ${NEAR}, reason: x }]\n`),
      `acknowledge.max-changes.*: not set → until ${NEAR}: x`,
    ],
    ["its file's name", () => checkout.git("mv", "remit.yaml", "remit.yml"), ""],
  ])("is still judged by the reviewed branch: %s", async (_, change, shown) => {
    change();
    const { stdout } = await plan();
    if (shown !== "") expect(flat(stdout)).toContain(`in force once it is merged`);
    expect(flat(stdout)).toContain(shown);
    expect(flat(stdout)).toMatch(/max-changes:? 3 objects would be written; the limit is 2/);
    const { stdout: inForce } = await checkout.remit("config", "--settings-from", "main");
    expect(inForce).toMatch(/^state +\.remit\/state\.json/m);
    expect(inForce).toMatch(/^interface +auto/m);
    expect(inForce).toMatch(/^guards\.maxChanges +2 /m);
    expect(inForce).toMatch(/^acknowledge +none/m);
  });

  it("is not applied by its own limit", async () => {
    edit("maxChanges: 2", "maxChanges: 9");
    const { code, stderr } = await checkout.remit("apply", "--yes", "--settings-from", "main");
    expect([code, stderr]).toEqual([4, expect.stringContaining("error[guard/max-changes]")]);
  });

  it("may tighten a limit, and the plan obeys it", async () => {
    edit("maxChanges: 2", "maxChanges: 1");
    const { code, stdout } = await plan();
    expect(code).toBe(4);
    expect(flat(stdout)).toContain("Tightened by this change, and in force now guards.maxChanges: 2 → 1");
    expect(flat(stdout)).toContain("the limit is 1");
  });

  it("with an acknowledgement that has expired, or holds for too long, is not answered", async () => {
    const entry = (until: string) =>
      `acknowledge: [{ guard: max-changes, address: "*", until: ${until}, reason: x }]\n`;
    append(entry("2026-01-01"));
    expect((await plan()).code).toBe(4);
    edit(entry("2026-01-01"), entry(FAR));
    const { code, stderr } = await plan();
    expect([code, stderr]).toEqual([5, expect.stringContaining("error[guard/long-term]")]);
    // Its own number of days is not in force, either.
    edit("maxDeletes: 0", "maxDeletes: 0, acknowledgeDays: 1000");
    expect((await plan()).code).toBe(5);
  });

  it("by a project file in a nearer folder is refused", async () => {
    checkout.git("checkout", "-q", "main");
    checkout.write("below/notes.txt");
    checkout.commit();
    checkout.git("checkout", "-q", "-B", "evil");
    checkout.write("below/remit.yaml", "server: https://evil.example\n");
    const below = { cwd: join(checkout.root, "below"), env: { REMIT_SETTINGS_FROM: "main" } };
    const { code, stderr } = await checkout.remitIn(below, "plan");
    expect([code, stderr]).toEqual([5, expect.stringContaining("error[config/settings-from]")]);
    expect(flat(stderr)).toContain("the project file of that commit is main:remit.yaml");
  });

  it("by a project in a folder of its own has the defaults, and no server", async () => {
    checkout.write("below/remit.yaml", "server: https://evil.example\nretries: 20\n");
    const { code, stdout } = await checkout.remit("-C", "below", "config", "--settings-from", "main");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^server +not set/m)]);
    expect(stdout).toMatch(/^retries +5/m);
  });

  it("by a file that has the name of the reviewed branch does not succeed", async () => {
    checkout.write("origin/main", "server: https://evil.example\n");
    const { code, stderr } = await checkout.remit("plan", "--settings-from", "origin/main");
    expect([code, stderr]).toEqual([5, expect.stringContaining("this checkout does not contain it")]);
  });

  it("by a tag that has the name of the reviewed branch does not succeed", async () => {
    append("state: .remit/other.json\n");
    checkout.commit();
    checkout.git("tag", "main");
    const { code, stdout } = await plan();
    expect([code, flat(stdout)]).toEqual([4, expect.stringContaining("the limit is 2")]);
    expect(flat(stdout)).toContain("state: .remit/state.json → .remit/other.json");
  });
});

describe("a pull request that changes the server", () => {
  let server: Server;
  let url: string;
  let heard: string[];
  beforeEach(async () => {
    heard = [];
    server = createServer((request, response) => {
      heard.push(String(request.headers.authorization));
      response.writeHead(401, { "content-type": "application/json" }).end("{}");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it("never hears the token, and the plan shows what it proposes", async () => {
    edit("server: sandbox", `server: ${url}`);
    const env = { REMIT_TOKEN: "a-token-that-must-not-leave", REMIT_SETTINGS_FROM: "main" };
    const { stdout } = await checkout.remitIn({ env }, "plan");
    expect(flat(stdout)).toContain(`server: sandbox → ${url} remit.yaml:3`);
    expect(heard).toEqual([]);
  });

  it("does not give it to a project whose reviewed branch names none", async () => {
    checkout.git("checkout", "-q", "main");
    checkout.remove("remit.yaml");
    checkout.commit();
    checkout.git("checkout", "-q", "evil");
    edit("server: sandbox", `server: ${url}`);
    const env = { REMIT_TOKEN: "a-token-that-must-not-leave" };
    const { code, stderr } = await checkout.remitIn({ env }, "plan", "--settings-from", "main");
    expect([code, heard]).toEqual([5, []]);
    expect(stderr).toContain("note[config/settings-default]");
    expect(flat(stderr)).toContain("no server is in force: only the working tree's remit.yaml names one");
  });

  it("is the server of the credentials once the reviewed branch names it", async () => {
    edit("server: sandbox", `server: ${url}`);
    checkout.commit();
    await checkout.remitIn({ env: { REMIT_TOKEN: "token" } }, "plan", "--settings-from", "HEAD");
    expect(heard).toContain("Bearer token");
  });
});

describe("--settings-from", () => {
  it.each([
    ["-x", "it is not the name of a commit or a file"],
    ["--upload-pack=touch proof", "it is not the name of a commit or a file"],
    ["", "it is not the name of a commit or a file"],
    ["main\nHEAD", "it is not the name of a commit or a file"],
    ["main:README.md", "it leads to a file and not to a commit"],
    ["main:remit.yaml", "it leads to a file and not to a commit"],
    ["main^{tree}", "it leads to a folder and not to a commit"],
    ["nowhere", "this checkout does not contain it"],
    ["main..evil", "this checkout does not contain it"],
  ])("refuses %o", async (name, why) => {
    const flag = name.startsWith("-") ? [`--settings-from=${name}`] : ["--settings-from", name];
    const { code, stderr } = await checkout.remit("plan", ...flag);
    expect([code, stderr]).toEqual([5, expect.stringContaining("error[config/settings-from]")]);
    expect(flat(stderr)).toContain(why);
  });

  it("reads the file that the operator names, outside the project as well as inside", async () => {
    const outside = join(checkout.home, "trust.yaml");
    writeFileSync(outside, "server: sandbox\nguards: { maxChanges: 1 }\n");
    const limit = async (name: string) => {
      const { stdout } = await checkout.remit("config", "--settings-from", name);
      return /^guards\.maxChanges +(\d+)/m.exec(stdout)?.[1];
    };
    expect(await limit(outside)).toBe("1");
    expect(await limit("../trust.yaml")).toBe("1");
    checkout.write("trust.yaml", "server: sandbox\nguards: { maxChanges: 0 }\n");
    expect(await limit("trust.yaml")).toBe("0");
    expect(await limit("./trust.yaml")).toBe("0");
  });

  it("reports the mistakes of the settings that it reads, at their lines", async () => {
    checkout.write("remit.yaml", "sever: sandbox\n");
    const broken = checkout.commit();
    checkout.git("checkout", "-q", "main");
    const { code, stderr } = await checkout.remit("validate", "--settings-from", broken);
    const { stdout } = await checkout.remit("validate", "--settings-from", broken);
    expect(code).toBe(5);
    expect(stdout + stderr).toContain("1│ sever: sandbox");
  });

  it("of the environment is an error where it is empty, and is outranked by the flag", async () => {
    const env = { REMIT_SETTINGS_FROM: "" };
    const empty = await checkout.remitIn({ env }, "plan");
    expect([empty.code, empty.stderr]).toEqual([
      5,
      expect.stringContaining("REMIT_SETTINGS_FROM is set, but empty"),
    ]);
    const both = { REMIT_SETTINGS_FROM: "nowhere" };
    expect((await checkout.remitIn({ env: both }, "config", "--settings-from", "main")).code).toBe(0);
    expect((await checkout.remitIn({ env: both }, "state", "list")).code).toBe(5);
    expect((await checkout.remitIn({ env: both }, "validate")).code).toBe(5);
  });

  it("keeps what the working tree forgets: an acknowledgement that it removes is gone", async () => {
    checkout.git("checkout", "-q", "main");
    append(`acknowledge: [{ guard: max-changes, address: "*", until: ${NEAR}, reason: agreed }]\n`);
    checkout.commit();
    expect((await plan()).code).toBe(0);
    checkout.git("checkout", "-q", "evil");
    const { code, stdout } = await plan();
    expect(code).toBe(4);
    expect(flat(stdout)).toContain(`acknowledge.max-changes.*: until ${NEAR}: agreed → not set`);
  });
});

it("an apply without a person refuses what the working tree alone decides", async () => {
  edit(", maxChanges: 2", ", maxChanges: 9");
  checkout.commit();
  checkout.git("branch", "-qf", "main");
  expect((await checkout.remit("apply", "--yes", "--settings-from", "main")).code).toBe(0);
  append(
    `removed: [{ address: EntitlementAutomation/other, then: forget }]\nprune: true\napps: { Unlisted: x }\n`,
  );
  const { code, stderr } = await checkout.remit("apply", "--yes", "--settings-from", "main");
  expect([code, stderr]).toEqual([4, expect.stringContaining("error[apply/other-intent]")]);
  expect(flat(stderr)).toContain("apps.Unlisted, prune, removed.EntitlementAutomation/other");
});
