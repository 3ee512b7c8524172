import type { RemoteUrl } from "../../entry/stores.js";
import { type Environment, readVariable, Secret } from "../../entry/values.js";

type Access = Parameters<typeof import("../../entry/git.js").openBareGit>[3];

/** What git gets to reach one remote: its protocol alone, the proxies, its authority, and a token that belongs to its host. */
export function accessOf(fetched: RemoteUrl, pushed: RemoteUrl, env: Environment): Access {
  const ends = [fetched, pushed];
  const isSsh = ends.some(({ protocol }) => protocol === "ssh");
  const socket = readVariable(env, "SSH_AUTH_SOCK");
  const authority = readVariable(env, "GIT_SSL_CAINFO");
  const web = ends.find(({ protocol }) => protocol === "https" || protocol === "http");
  const token = web === undefined ? null : tokenFor(web, env);
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
  return Object.fromEntries(
    (["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"] as const).flatMap((name) => {
      const value = readVariable(env, name);
      return value === undefined ? [] : [[name.toLowerCase(), value]];
    }),
  );
}

/** A user and a token as a header contains them, and the server that they belong to. */
function tokenFor(
  { url, host, user }: RemoteUrl,
  env: Environment,
): { readonly origin: string; readonly login: string } | null {
  const token = host === null ? null : tokenAt(host, env);
  if (token === null) return null;
  const login = Buffer.from(`${user ?? token.user}:${token.secret.reveal()}`).toString("base64");
  return { origin: new URL(url).origin, login };
}

/** A token of a pipeline goes to its own forge only. */
function tokenAt(host: string, env: Environment): { readonly user: string; readonly secret: Secret } | null {
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
