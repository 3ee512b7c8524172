import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { relative, resolve, sep } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { isWithin } from "../../manifest/files.js";
import { findCheckout, openBareGit, openGit } from "../../manifest/git/git.js";
import { readRemotes, readRewrites } from "../../manifest/git/remotes.js";
import type { Secret } from "../../model/secret.js";
import { type Environment, gitEnvironment, readVariable } from "../../model/variables.js";
import type { GitAddress, RemoteUrl } from "../../state/git/address.js";
import { defaultName, lockRefOf, malformed, refOf, remoteUrl } from "../../state/git/address.js";
import type { GitStoreOptions } from "../../state/git/commits.js";
import type { Receiver } from "../credentials/give.js";
import { proxiesFrom } from "../credentials/give.js";
import { giveStore, mayHave, stateServer } from "../credentials/state.js";
import type { Project } from "../settings/project.js";
import { runMarkOf } from "../world/runMark.js";
import type { World } from "../world/world.js";

type Rewrites = Awaited<ReturnType<typeof readRewrites>>;

/**
 * What the store in a repository is opened with. The checkout's configuration gives the address of its remote, and
 * nothing else. Throws a `StateError` for an address that cannot be used, and for one that only the working tree names
 * and that leads to another host than the checkout's remotes.
 */
export async function gitOptions(world: World, project: Project, at: GitAddress): Promise<GitStoreOptions> {
  const { env, clock } = world;
  const { root, settings } = project;
  const checkout = findCheckout(root);
  const environment = gitEnvironment(env);
  const remotes = checkout === null ? new Map() : await readRemotes(openGit(checkout, environment));
  const base = checkout?.root ?? root;
  const rewrites = await readRewrites(base, environment);
  const { written, fetched, pushed } = addressesOf(namedUrl(at, remotes), base, rewrites);
  if ([fetched, pushed].some(({ protocol, url }) => protocol === "file" && isWithin(base, realOf(url))))
    throw malformed(INSIDE);
  const hosts = [...remotes.values()].map((url) => remoteUrl(rewrites.fetched(url))?.host);
  // The operator made the checkout, and with it its remotes.
  const isOfRemote = at.remote?.as !== "url" || [fetched, pushed].every(({ host }) => hosts.includes(host));
  const named = stateServer(settings, `the repository ${written}`);
  const to = isOfRemote ? ({ ...named, namedBy: "operator" } as const) : named;
  mayHave("credentials", to);
  const name = at.name ?? defaultName(projectIn(base, root), hostOf(settings.server.value));
  const state = refOf(name);
  const access = accessOf(fetched, pushed, env, to);
  return {
    name: `git:${written}#${name}`,
    url: written,
    refs: { state, lock: lockRefOf(state) },
    open: (folder) => openBareGit(folder, base, environment, access),
    scratch: { folder: tmpdir(), user: process.getuid?.() ?? null, ...runMarkOf(world.process) },
    clock,
    version: packageFile.version,
    requestTimeout: settings.requestTimeout.value,
  };
}

const INSIDE = "its repository is inside the checkout, and its hooks would be run";

function namedUrl({ remote }: GitAddress, remotes: ReadonlyMap<string, string>): string {
  if (remote?.as === "url") return remote.url;
  const name = remote?.name ?? (remotes.size === 1 ? [...remotes.keys()][0] : "origin");
  const url = remotes.get(name ?? "");
  if (url !== undefined) return url;
  const names = [...remotes.keys()].join(", ");
  throw malformed(
    remotes.size === 0
      ? "the project is not in a checkout with a remote"
      : `the checkout has no remote ${name}, only ${names}`,
  );
}

/** An address without a password, and where git connects to for it. */
interface Addresses {
  readonly written: string;
  readonly fetched: RemoteUrl;
  readonly pushed: RemoteUrl;
}

function addressesOf(named: string, base: string, { fetched, pushed }: Rewrites): Addresses {
  const plain = remoteUrl(named);
  const isPath = plain?.protocol === "file";
  const written = isPath ? resolve(base, plain.url) : (plain?.url ?? named.replace(/\/\/[^/]*@/, "//"));
  const [from, to] = [remoteUrl(fetched(written)), remoteUrl(pushed(written))];
  if (from === null || to === null || /^-|[\0\n]/.test(written))
    throw malformed("its repository is not at an https or ssh address, nor at a path");
  return { written, fetched: from, pushed: to };
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

function hostOf(server: string | null): string {
  if (server === null) throw malformed("without a tenant it needs a name: git:#NAME");
  return URL.canParse(server) ? new URL(server).host : server;
}

type Access = Parameters<typeof openBareGit>[3];

/** What git gets to reach one remote: its protocol alone, the proxies, its authority, and a token that belongs to its host. */
function accessOf(fetched: RemoteUrl, pushed: RemoteUrl, env: Environment, to: Receiver): Access {
  const ends = [fetched, pushed];
  const isSsh = ends.some(({ protocol }) => protocol === "ssh");
  const socket = readVariable(env, "SSH_AUTH_SOCK");
  const authority = readVariable(env, "GIT_SSL_CAINFO");
  const web = ends.find(({ protocol }) => protocol === "https" || protocol === "http");
  const token = web === undefined ? null : tokenFor(web, env, to);
  return {
    environment: {
      GIT_ALLOW_PROTOCOL: [...new Set(ends.map(({ protocol }) => protocol))].join(":"),
      ...(isSsh && socket !== undefined && { SSH_AUTH_SOCK: socket }),
      ...(web !== undefined && proxiesIn(env)),
      ...(web !== undefined && authority !== undefined && { GIT_SSL_CAINFO: authority }),
      ...(token !== null && {
        // The arguments of a process can be read by others, its environment by this user alone.
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: `http.${token.origin}/.extraHeader`,
        GIT_CONFIG_VALUE_0: `Authorization: Basic ${token.login}`,
      }),
    },
    settings: [
      ...(isSsh ? ["core.sshCommand=ssh -o BatchMode=yes"] : []),
      "http.followRedirects=false",
      ...(web !== undefined && token === null ? [] : ["credential.helper="]),
    ],
  };
}

/** The proxies, by the names that git knows them by. */
function proxiesIn(env: Environment): Readonly<Record<string, string>> {
  const { https, http, all, exempt } = proxiesFrom(env);
  return {
    ...(https !== null && { https_proxy: https.reveal() }),
    ...(http !== null && { http_proxy: http.reveal() }),
    ...(all !== null && { all_proxy: all.reveal() }),
    ...(exempt !== "" && { no_proxy: exempt }),
  };
}

/** A user and a token as a header contains them, and the server that they belong to. */
function tokenFor(
  { url, host, user }: RemoteUrl,
  env: Environment,
  to: Receiver,
): { readonly origin: string; readonly login: string } | null {
  const token = host === null ? null : tokenAt(host, env, to);
  if (token === null) return null;
  const login = Buffer.from(`${user ?? token.user}:${token.secret.reveal()}`).toString("base64");
  return { origin: new URL(url).origin, login };
}

/** A token of a pipeline goes to its own forge only. */
function tokenAt(
  host: string,
  env: Environment,
  to: Receiver,
): { readonly user: string; readonly secret: Secret } | null {
  const isAt = (server: string | undefined) =>
    server !== undefined && URL.canParse(server) && new URL(server).host === host;
  const tokens = [
    { name: "REMIT_GIT_TOKEN", user: "x-access-token", isHere: true },
    {
      name: "GITHUB_TOKEN",
      user: "x-access-token",
      isHere: isAt(readVariable(env, "GITHUB_SERVER_URL") ?? "https://github.com"),
    },
    { name: "CI_JOB_TOKEN", user: "gitlab-ci-token", isHere: isAt(readVariable(env, "CI_SERVER_URL")) },
  ] as const;
  for (const { name, user } of tokens.filter(({ isHere }) => isHere)) {
    const secret = giveStore(env, name, to);
    if (secret !== null) return { user, secret };
  }
  return null;
}
