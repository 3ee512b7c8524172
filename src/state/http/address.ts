import { isLoopback } from "../../model/loopback.js";
import { malformedAddress } from "../addressText.js";

/** A state behind Terraform's HTTP protocol, as its address says it. */
export interface WebAddress {
  /** The address, which is also its name in messages. */
  readonly shown: string;
}

/** GitLab's path of a state; its lock has an address and methods of its own. */
const GITLAB = /\/api\/v4\/projects\/[^/]+\/terraform\/state\/[^/]+$/;

const malformed = malformedAddress(
  "Write for example https://gitlab.example.com/api/v4/projects/1/terraform/state/remit, and give the user and the password in TF_HTTP_USERNAME and TF_HTTP_PASSWORD.",
);

/** Reads `https://HOST/PATH`; throws a `StateError`. */
export function webAddress(text: string): WebAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === "" || url.pathname === "/") throw malformed("it has no path");
  if (url.username !== "" || url.password !== "") throw malformed("it contains credentials");
  if (url.search !== "" || url.hash !== "") throw malformed("it has a query or a fragment");
  if (url.protocol !== "https:" && !isLoopback(url.hostname))
    throw malformed("it is not https, so the state could be read and changed on the way");
  return { shown: url.href };
}

/** Where and how a state is read, written, locked and unlocked: Terraform's own settings of its backend `http`. */
export interface WebMethods {
  readonly address: string;
  readonly update: string;
  readonly lock: { readonly method: string; readonly address: string };
  readonly unlock: { readonly method: string; readonly address: string };
}

/** What is set of those, as the operator named it. */
export interface NamedMethods {
  readonly update?: string | undefined;
  readonly lockAddress?: string | undefined;
  readonly lockMethod?: string | undefined;
  readonly unlockAddress?: string | undefined;
  readonly unlockMethod?: string | undefined;
}

/** The methods for an address: GitLab's own for a state of GitLab, else Terraform's defaults. */
export function methodsFor({ shown }: WebAddress, named: NamedMethods): WebMethods {
  const isGitLab = GITLAB.test(new URL(shown).pathname);
  const lock = isGitLab ? `${shown}/lock` : shown;
  const standard = isGitLab ? { lock: "POST", unlock: "DELETE" } : { lock: "LOCK", unlock: "UNLOCK" };
  return {
    address: shown,
    update: named.update ?? "POST",
    lock: {
      method: named.lockMethod ?? standard.lock,
      address: sameOrigin(shown, named.lockAddress ?? lock),
    },
    unlock: {
      method: named.unlockMethod ?? standard.unlock,
      address: sameOrigin(shown, named.unlockAddress ?? named.lockAddress ?? lock),
    },
  };
}

/** The credentials belong to one server. */
function sameOrigin(address: string, other: string): string {
  if (URL.canParse(other) && new URL(other).origin === new URL(address).origin) return other;
  throw malformed("the address of its lock (TF_HTTP_LOCK_ADDRESS) is on another server");
}
