import { readFile } from "node:fs/promises";
import packageFile from "../../../package.json" with { type: "json" };
import { Secret } from "../../model/secret.js";
import { type Environment, readVariable } from "../../model/variables.js";
import { type BucketAddress, checkEndpoint } from "../../state/s3/address.js";
import type { S3StoreOptions } from "../../state/s3/s3.js";
import { StateError } from "../../state/store.js";
import { makeNetwork } from "../../tenant/client/transport.js";
import { say } from "../../words/say.js";
import { proxiesFrom, type Receiver } from "../credentials/give.js";
import { giveStore, mayHave, stateServer } from "../credentials/state.js";
import type { Project } from "../settings/project.js";
import type { World } from "../world/world.js";

/** The most bytes of a snapshot that is read. */
const LARGEST = 512 * 1024 * 1024;
/** Milliseconds that one request may take, unless it moves a whole snapshot. */
const TIMEOUT = 20_000;

/**
 * What a bucket is opened with: the keys and the region of AWS's own variables. Throws a `StateError` where they are
 * missing, and where only the working tree names a server that is not AWS.
 */
export async function bucketOptions(
  { env, clock }: World,
  { settings }: Project,
  at: BucketAddress,
): Promise<S3StoreOptions> {
  // AWS gets a signature, and no secret; any other server may answer with a state of its own.
  const to = stateServer(settings, at.shown);
  if (at.endpoint !== null)
    mayHave("keys", { ...to, shown: `the server ${at.endpoint} of ${at.shown}`, namedIn: SERVER_NAMED_IN });
  const named =
    at.endpoint ?? readVariable(env, "AWS_ENDPOINT_URL_S3") ?? readVariable(env, "AWS_ENDPOINT_URL");
  const region = at.region ?? readVariable(env, "AWS_REGION") ?? readVariable(env, "AWS_DEFAULT_REGION");
  if (region === undefined && named === undefined)
    throw new StateError(say("state/address#namesNoRegion", { shown: at.shown }));
  return {
    at,
    // Servers that have no regions take the name that is the default of most tools.
    region: region ?? "us-east-1",
    endpoint: named === undefined ? null : checkEndpoint(named),
    keys: keysIn(env, at, region ?? "us-east-1", { ...to, namedBy: "operator" }),
    transmit: makeNetwork({
      proxies: proxiesFrom(env),
      clock,
      width: 16,
      requestTimeout: TIMEOUT,
      largestReply: LARGEST,
    }),
    version: packageFile.version,
    clock,
    requestTimeout: settings.requestTimeout.value,
  };
}

const SERVER_NAMED_IN = "REMIT_STATE or --state, or the server in AWS_ENDPOINT_URL_S3";

type Keys = S3StoreOptions["keys"];

function keysIn(env: Environment, at: BucketAddress, region: string, to: Receiver): Keys {
  const id = readVariable(env, "AWS_ACCESS_KEY_ID");
  const secret = giveStore(env, "AWS_SECRET_ACCESS_KEY", to);
  if (id !== undefined && secret !== null)
    return { as: "keys", id, secret, session: giveStore(env, "AWS_SESSION_TOKEN", to) };
  const [role, file] = [readVariable(env, "AWS_ROLE_ARN"), readVariable(env, "AWS_WEB_IDENTITY_TOKEN_FILE")];
  if (role === undefined || file === undefined)
    throw new StateError(say("state/address#namesNoKeys", { shown: at.shown }));
  const suffix = region.startsWith("cn-") ? ".cn" : "";
  return {
    as: "web identity",
    role,
    sessionName: readVariable(env, "AWS_ROLE_SESSION_NAME") ?? "remit",
    readToken: async () => new Secret((await readToken(file)).trim()),
    lender: checkEndpoint(
      readVariable(env, "AWS_ENDPOINT_URL_STS") ?? `https://sts.${region}.amazonaws.com${suffix}`,
    ),
  };
}

async function readToken(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw new StateError(say("state/refused#readToken", { file }));
  }
}
