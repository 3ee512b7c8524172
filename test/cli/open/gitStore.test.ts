import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitOptions } from "../../../src/cli/open/gitStore.js";
import type { Project } from "../../../src/cli/settings/project.js";
import type { World } from "../../../src/cli/world/world.js";
import { gitAddress } from "../../../src/state/git/address.js";
import { failure } from "../../contracts/store.js";
import { emptyCheckout } from "../../fakes/checkout.js";
import { makeGitRemote, startGitServer } from "../../fakes/gitRemote.js";
import { handClock } from "../../fakes/handClock.js";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "remit-checkout-")));
  cpSync(emptyCheckout(), root, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

function git(...argv: readonly string[]): string {
  return execFileSync("git", ["-C", root, ...argv], { encoding: "utf8" });
}

type Env = Readonly<Record<string, string>>;

function optionsFor(address: string, env: Env = {}, by = "operator", project = root) {
  const here = { env: { PATH: process.env.PATH, ...env }, process: { pid: process.pid, host: "here" } };
  const world = { clock: handClock(), ...here } as unknown as World;
  const settings = {
    state: { value: address, from: "--state", by },
    server: { value: "https://acme.example" },
    requestTimeout: { value: 30_000 },
  };
  return gitOptions(world, { root: project, settings } as unknown as Project, gitAddress(address));
}

describe("a state in the checkout's own remote", () => {
  it("is named by the project's path and the host of the tenant", async () => {
    git("remote", "add", "upstream", "git@github.com:acme/access.git");
    const project = join(root, "teams", "iam");
    mkdirSync(project, { recursive: true });
    expect(await optionsFor("git:", {}, "operator", project)).toMatchObject({
      name: "git:git@github.com:acme/access.git#teams/iam/acme.example",
      refs: { state: "refs/remit/teams/iam/acme.example", lock: "refs/remit/teams/iam/acme.example-lock" },
    });
    git("remote", "add", "origin", "https://user:hidden@github.com/acme/access.git");
    const { name, url } = await optionsFor("git:#prod");
    expect([name, url]).toEqual([
      "git:https://github.com/acme/access.git#prod",
      "https://github.com/acme/access.git",
    ]);
    expect((await optionsFor("git:upstream#prod")).url).toBe("git@github.com:acme/access.git");
  });

  it.each<[string, string, string, string]>([
    ["a helper of git", "ext::sh -c id", "git:", "state/address"],
    ["a repository inside the checkout", "./evil.git", "git:", "state/address"],
    ["a remote that is missing", "/srv/a.git", "git:other", "state/address"],
    ["a branch that cannot be one", "/srv/a.git", "git:#refs/heads/a..b", "state/address"],
  ])("is refused for %s", async (_, remote, address, code) => {
    git("remote", "add", "origin", remote);
    const refused = failure((async () => optionsFor(address))());
    expect((await refused).diagnostic.code).toBe(code);
  });

  it("is refused where only the working tree names another host", async () => {
    git("remote", "add", "origin", "https://github.com/acme/access.git");
    const elsewhere = "git:https://evil.example/a.git#x";
    const { diagnostic } = await failure(optionsFor(elsewhere, {}, "working tree"));
    expect(diagnostic.code).toBe("credentials/unconfirmed-server");
    expect((await optionsFor(elsewhere)).url).toBe("https://evil.example/a.git");
    const same = "git:https://github.com/acme/state.git#x";
    expect((await optionsFor(same, {}, "working tree")).url).toBe("https://github.com/acme/state.git");
  });

  it("is where the user's own configuration of git leads to, and not the checkout's", async () => {
    const home = mkdtempSync(join(tmpdir(), "remit-home-"));
    const rules = [
      `[url "git@github.com:"] insteadOf = https://github.com/`,
      `[url "https://me:hidden@forge.example/"] insteadOf = forge:`,
      `[url "git@forge.example:"] pushInsteadOf = forge:`,
    ];
    writeFileSync(join(home, ".gitconfig"), rules.join("\n"));
    git("config", "url.ext::id .insteadOf", "https://");
    const protocolsFor = async (remote: string) => {
      git("config", "remote.origin.url", remote);
      const options = await optionsFor("git:#x", { HOME: home, SSH_AUTH_SOCK: "/run/agent" });
      expect(JSON.stringify(options)).not.toContain("hidden");
      const run = options.open(mkdtempSync(join(home, "bare-")));
      // git names the variables that it has where it is asked for the arguments of an alias.
      const { output } = await run(["-c", "alias.seen=!env", "seen"]);
      return [options.url, /^GIT_ALLOW_PROTOCOL=(.*)$/m.exec(output.toString())?.[1]];
    };
    expect(await protocolsFor("https://github.com/a/b.git")).toEqual(["https://github.com/a/b.git", "ssh"]);
    expect(await protocolsFor("https://h/a.git")).toEqual(["https://h/a.git", "https"]);
    expect(await protocolsFor("forge:a/b.git")).toEqual(["forge:a/b.git", "https:ssh"]);
    rmSync(home, { recursive: true });
  });

  it("is reached over https with the authorities that the environment names, and over ssh without them", async () => {
    const environmentFor = async (address: string) => {
      const options = await optionsFor(address, { GIT_SSL_CAINFO: "/etc/ca.pem", GIT_SSH_COMMAND: "other" });
      const folder = mkdtempSync(join(tmpdir(), "remit-bare-"));
      const { output } = await options.open(folder)(["-c", "alias.seen=!env", "seen"]);
      rmSync(folder, { recursive: true });
      return output.toString().split("\n");
    };
    const web = await environmentFor("git:https://forge.example/state.git#x");
    expect(web).toContain("GIT_SSL_CAINFO=/etc/ca.pem");
    const ssh = await environmentFor("git:git@forge.example:state.git#x");
    expect(ssh.filter((line) => /^GIT_SS[LH]/.test(line))).toEqual([]);
  });

  it("runs nothing that the checkout's configuration names, and changes nothing in it", async () => {
    const remote = makeGitRemote();
    git("remote", "add", "origin", remote.folder);
    for (const name of ["core.sshCommand", "credential.helper", "core.fsmonitor", "core.gitProxy"])
      git("config", name, `touch ${root}/pwned`);
    const before = git("config", "--list", "--local");
    const { open, url } = await optionsFor("git:");
    const folder = mkdtempSync(join(tmpdir(), "remit-bare-"));
    const run = open(folder);
    await run(["init", "--quiet", "--bare", folder]);
    expect((await run(["ls-remote", "--", url])).code).toBe(0);
    expect((await run(["config", "--get", "remote.origin.url"])).code).not.toBe(0);
    expect(existsSync(join(root, "pwned"))).toBe(false);
    expect(git("config", "--list", "--local")).toBe(before);
    rmSync(folder, { recursive: true });
    remote.close();
  });
});

describe("the token for a state behind http", () => {
  const asked = async (env: Env) => {
    const remote = makeGitRemote();
    const server = await startGitServer(remote.folder, {
      login: "x-access-token:open-sesame",
      takesPushes: true,
    });
    const folder = mkdtempSync(join(tmpdir(), "remit-bare-"));
    try {
      const at = (text: string) => text.replace("HERE", server.url);
      const filled = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, at(value)]));
      const { open, url, name } = await optionsFor(at("git:HERE/#x"), { HOME: folder, ...filled });
      const run = open(folder);
      await run(["init", "--quiet", "--bare", folder]);
      const { code, words } = await run(["ls-remote", "--", url]);
      expect(`${name} ${url} ${words}`).not.toContain("open-sesame");
      const sent = server.requests.some(({ authorization }) => authorization !== undefined);
      return { code, sent };
    } finally {
      await server.close();
      remote.close();
      rmSync(folder, { recursive: true });
    }
  };

  it.each<[string, Env, { readonly code: number; readonly sent: boolean }]>([
    ["REMIT_GIT_TOKEN is sent", { REMIT_GIT_TOKEN: "open-sesame" }, { code: 0, sent: true }],
    [
      "GITHUB_TOKEN is sent to the host of GITHUB_SERVER_URL",
      { GITHUB_TOKEN: "open-sesame", GITHUB_SERVER_URL: "HERE" },
      { code: 0, sent: true },
    ],
    ["GITHUB_TOKEN is sent to no other host", { GITHUB_TOKEN: "open-sesame" }, { code: 128, sent: false }],
    [
      "CI_JOB_TOKEN is sent to no other host than that of CI_SERVER_URL",
      { CI_JOB_TOKEN: "open-sesame", CI_SERVER_URL: "https://gitlab.example" },
      { code: 128, sent: false },
    ],
  ])("%s", async (_, env, expected) => {
    expect(await asked(env)).toEqual(expected);
  });
});
