import packageFile from "../../../package.json" with { type: "json" };
import type { Secret } from "../../model/secret.js";
import { type Environment, readVariable } from "../../model/variables.js";
import { methodsFor, type WebAddress } from "../../state/http/address.js";
import { httpStore } from "../../state/http/http.js";
import type { Kept } from "../../state/snapshot.js";
import type { Store } from "../../state/store.js";
import { makeNetwork } from "../../tenant/client/transport.js";
import { proxiesFrom, type Receiver } from "../credentials/give.js";
import { giveStore, stateServer } from "../credentials/state.js";
import type { Project } from "../settings/project.js";
import type { World } from "../world/world.js";

/** The most bytes of a reply that is read. */
const LARGEST = 64 * 1024 * 1024;
/** Milliseconds that one request may take. */
const TIMEOUT = 60_000;

/** A user, and the password where there is one. */
interface Login {
  readonly user: string;
  readonly password: Secret | null;
}

/**
 * Opens the store behind Terraform's HTTP protocol, with Terraform's own variables, or as the job of GitLab that runs.
 * Throws a `StateError` where credentials would go to a server that only the working tree names.
 */
export async function openWebStore(
  { env, clock }: World,
  { settings }: Project,
  at: WebAddress,
): Promise<Store<Kept>> {
  const { user, password } = loginFor(at, env, stateServer(settings, at.shown));
  return httpStore({
    methods: methodsFor(at, {
      update: readVariable(env, "TF_HTTP_UPDATE_METHOD"),
      lockAddress: readVariable(env, "TF_HTTP_LOCK_ADDRESS"),
      lockMethod: readVariable(env, "TF_HTTP_LOCK_METHOD"),
      unlockAddress: readVariable(env, "TF_HTTP_UNLOCK_ADDRESS"),
      unlockMethod: readVariable(env, "TF_HTTP_UNLOCK_METHOD"),
    }),
    user,
    password,
    transmit: makeNetwork({
      proxies: proxiesFrom(env),
      clock,
      width: 4,
      requestTimeout: TIMEOUT,
      largestReply: LARGEST,
    }),
    version: packageFile.version,
    clock,
  });
}

function loginFor({ shown }: WebAddress, env: Environment, to: Receiver): Login {
  const user = readVariable(env, "TF_HTTP_USERNAME") ?? "";
  const password = giveStore(env, "TF_HTTP_PASSWORD", to);
  if (password !== null) return { user, password };
  // The token of a job belongs to the server that runs the job, and goes nowhere else.
  const isOfJob = isSameServer(shown, readVariable(env, "CI_API_V4_URL"));
  const job = isOfJob ? giveStore(env, "CI_JOB_TOKEN", { ...to, namedBy: "operator" }) : null;
  return job === null ? { user, password: null } : { user: "gitlab-ci-token", password: job };
}

function isSameServer(address: string, api: string | undefined): boolean {
  return api !== undefined && URL.canParse(api) && new URL(api).origin === new URL(address).origin;
}
