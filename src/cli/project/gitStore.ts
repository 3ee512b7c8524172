import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { relative, resolve, sep } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { isWithin } from "../../entry/documents.js";
import { type GitAddress, StateError } from "../../entry/stores.js";
import {
  type Diagnostic,
  type Environment,
  gitEnvironment,
  readVariable,
  Secret,
} from "../../entry/values.js";
import { runMarkOf } from "../outside/runMark.js";
import type { World } from "../outside/world.js";
import { namerOf } from "./config.js";
import type { Project } from "./project.js";

type Entry = typeof import("../../entry/git.js");
type RemoteUrl = NonNullable<ReturnType<Entry["remoteUrl"]>>;
type Options = Parameters<Entry["gitStore"]>[0];

/**
 * What the store in a repository is opened with. The checkout's configuration gives the address of its remote, and
 * nothing else. Throws a `StateError` for an address that cannot be used, and for one that only the working tree names
 * and that leads to another host than the checkout's remotes.
 */
export async function gitOptions(world: World, project: Project, at: GitAddress): Promise<Options> {
  const git = await import("../../entry/git.js");
  const { env, clock } = world;
  const { root, settings } = project;
  const checkout = git.findCheckout(root);
  const environment = gitEnvironment(env);
  const remotes =
    checkout === null ? new Map() : await git.readRemotes(await git.openGit(checkout, environment));
  const named = namedUrl(at, remotes, git);
  const base = checkout?.root ?? root;
  const found = git.remoteUrl(named);
  if (found === null) throw git.malformed("its repository is not at an https or ssh address, nor at a path");
  const remote = found.protocol === "file" ? { ...found, url: resolve(base, found.url) } : found;
  if (remote.protocol === "file" && isWithin(base, realOf(remote.url))) throw git.malformed(INSIDE);
  const hosts = [...remotes.values()].map((url) => git.remoteUrl(url)?.host);
  const isTrusted = namerOf(settings.state) !== "working tree" || at.remote?.as !== "url";
  if (!isTrusted && !hosts.includes(remote.host)) throw new StateError(unconfirmed(remote));
  const name = at.name ?? git.defaultName(projectIn(base, root), hostOf(settings.server.value, git));
  const state = git.refOf(name);
  const access = accessOf(remote, env);
  return {
    name: `git:${remote.url}#${name}`,
    url: remote.url,
    refs: { state, lock: git.lockRefOf(state) },
    open: (folder) => git.openBareGit(folder, base, environment, access),
    scratch: { folder: tmpdir(), user: process.getuid?.() ?? null, ...runMarkOf(world.process) },
    clock,
    version: packageFile.version,
    requestTimeout: settings.requestTimeout.value,
  };
}

const INSIDE = "its repository is inside the checkout, and its hooks would be run";

function namedUrl({ remote }: GitAddress, remotes: ReadonlyMap<string, string>, git: Entry): string {
  if (remote?.as === "url") return remote.url;
  const name = remote?.name ?? (remotes.size === 1 ? [...remotes.keys()][0] : "origin");
  const url = remotes.get(name ?? "");
  if (url !== undefined) return url;
  const names = [...remotes.keys()].join(", ");
  throw git.malformed(
    remotes.size === 0
      ? "the project is not in a checkout with a remote"
      : `the checkout has no remote ${name}, only ${names}`,
  );
}

function projectIn(base: string, root: string): string {
  return relative(realOf(base), realOf(root)).split(sep).join("/");
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function hostOf(server: string | null, git: Entry): string {
  if (server === null) throw git.malformed("without a tenant it needs a name: git:#NAME");
  return URL.canParse(server) ? new URL(server).host : server;
}

/** What git gets to reach one remote: its protocol alone, and a token that belongs to its host. */
function accessOf({ protocol, host, url, user }: RemoteUrl, env: Environment): Access {
  const environment = { GIT_ALLOW_PROTOCOL: protocol };
  const socket = readVariable(env, "SSH_AUTH_SOCK");
  if (protocol === "ssh") {
    const agent = socket === undefined ? {} : { SSH_AUTH_SOCK: socket };
    return { environment: { ...environment, ...agent }, settings: ["core.sshCommand=ssh -o BatchMode=yes"] };
  }
  if (protocol === "file" || host === null) return { environment, settings: ["credential.helper="] };
  const settings = ["http.followRedirects=false"];
  const token = tokenFor(host, env);
  if (token === null) return { environment, settings };
  const login = Buffer.from(`${user ?? token.user}:${token.secret.reveal()}`).toString("base64");
  const header = {
    // The arguments of a process can be read by others, its environment by this user alone.
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${login}`,
  };
  return { environment: { ...environment, ...header }, settings: [...settings, "credential.helper="] };
}

type Access = Parameters<Entry["openBareGit"]>[3];

/** A token of a pipeline goes to its own forge only. */
function tokenFor(host: string, env: Environment): { readonly user: string; readonly secret: Secret } | null {
  const isAt = (server: string | undefined) =>
    server !== undefined && URL.canParse(server) && new URL(server).host === host;
  const own = readVariable(env, "REMIT_GIT_TOKEN");
  if (own !== undefined) return { user: "x-access-token", secret: new Secret(own) };
  const github = readVariable(env, "GITHUB_TOKEN");
  if (github !== undefined && isAt(readVariable(env, "GITHUB_SERVER_URL") ?? "https://github.com"))
    return { user: "x-access-token", secret: new Secret(github) };
  const gitlab = readVariable(env, "CI_JOB_TOKEN");
  if (gitlab !== undefined && isAt(readVariable(env, "CI_SERVER_URL")))
    return { user: "gitlab-ci-token", secret: new Secret(gitlab) };
  return null;
}

function unconfirmed({ url }: RemoteUrl): Diagnostic {
  return {
    code: "credentials/unconfirmed-server",
    severity: "error",
    message: `only remit.yaml of the working tree names the repository ${url}, so remit does not connect to it`,
    hint: "If you trust it, give the address in REMIT_STATE or --state.",
  };
}
