import { isLoopback } from "../../model/loopback.js";
import { decodedPart, malformedAddress } from "../addressText.js";

/** A state in a ref of a git repository. */
export interface GitAddress {
  /** The remote of the checkout by name, a repository by its address, or null for the checkout's own remote. */
  readonly remote:
    | { readonly as: "name"; readonly name: string }
    | { readonly as: "url"; readonly url: string }
    | null;
  /** The name of the state; null where the project and its tenant name it. */
  readonly name: string | null;
}

/** Where git connects to. */
export interface RemoteUrl {
  readonly protocol: "https" | "http" | "ssh" | "file";
  /** What git is given; it contains no password. */
  readonly url: string;
  /** Null for a path on this machine. */
  readonly host: string | null;
  /** The user that the address names. */
  readonly user: string | null;
}

/** An address of a state in a repository that cannot be used. */
export const malformed = malformedAddress(
  "Write for example `git:` for the checkout's own remote, git:origin#prod, or git:https://github.com/acme/state.git#prod.",
);

/** Reads `git:`, `git:REMOTE#NAME` and `git:URL#NAME`; throws a `StateError` for a name that cannot be a ref. */
export function gitAddress(text: string): GitAddress {
  const rest = text.slice("git:".length);
  const mark = rest.indexOf("#");
  const place = mark < 0 ? rest : rest.slice(0, mark);
  const name = mark < 0 ? null : rest.slice(mark + 1);
  if (name !== null) refOf(name);
  if (place === "") return { remote: null, name };
  if (/[:/\\]/.test(place)) return { remote: { as: "url", url: place }, name };
  return { remote: { as: "name", name: place }, name };
}

/** What the name of the ref of a lock ends with. */
const LOCK = "-lock";

/** The ref of a state: `refs/remit/NAME`, or a branch where the name says so. */
export function refOf(name: string): string {
  const ref = name.startsWith("refs/") ? name : `refs/remit/${name}`;
  if (!/^refs\/(remit|heads)\/./.test(ref))
    throw malformed(`${ref} is neither a branch nor below refs/remit/`);
  const isPart = (part: string) =>
    /^[\w%+=@-][\w.%+=@-]*$/.test(part) && !/\.\.|@\{|\.$|\.lock$/.test(part) && part !== "@";
  if (ref.endsWith(LOCK)) throw malformed(`${ref} ends as the refs of locks do (${LOCK})`);
  if (!ref.split("/").every(isPart)) throw malformed(`${ref} cannot be the name of a ref`);
  return ref;
}

/** The ref of the lock of a state. */
export function lockRefOf(ref: string): string {
  return `${ref}${LOCK}`;
}

/** The name of the state of a project in its checkout, for one tenant. */
export function defaultName(project: string, host: string): string {
  const part = (text: string) =>
    encodeURIComponent(text)
      .replace(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
      .replace(/^\.|\.(?=\.)|\.$|\.(?=lock$)/g, "%2E")
      .replace(/-(?=lock$)/, "%2D");
  return [...project.split("/"), host]
    .filter((one) => one !== "" && one !== ".")
    .map(part)
    .join("/");
}

const SCP = /^(?:([\w.-]+)@)?([\w.-]+):(?!\/\/)(.+)$/;

/** Reads the address of a repository; null for one that remit does not use, such as `ext::`. */
export function remoteUrl(text: string): RemoteUrl | null {
  if (/[\0\n]/.test(text) || text.startsWith("-")) return null;
  if (/^(?:\.{0,2}\/|[A-Za-z]:[\\/])/.test(text))
    return { protocol: "file", url: text, host: null, user: null };
  if (text.includes("::")) return null;
  const url = /^[a-z]+:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null) {
    const [, user = null, host = "", path = ""] = SCP.exec(text) ?? [];
    // A user and a password before a host look like a host and a path.
    const isPath = path !== "" && !/^[^/]*@[^/]*:/.test(path);
    return isPath && !host.startsWith("-") ? { protocol: "ssh", url: text, host, user } : null;
  }
  if (url.protocol === "file:") {
    const path = decodedPart(url.pathname);
    return path === null ? null : { protocol: "file", url: path, host: null, user: null };
  }
  const protocol = (["https", "http", "ssh"] as const).find((one) => `${one}:` === url.protocol);
  if (protocol === undefined || (protocol === "http" && !isLoopback(url.hostname))) return null;
  const user = decodedPart(url.username);
  if (user === null) return null;
  url.password = "";
  if (protocol !== "ssh") url.username = "";
  return { protocol, url: url.href, host: url.host, user: user === "" ? null : user };
}
