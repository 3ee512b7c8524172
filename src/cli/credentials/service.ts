import { readFile } from "node:fs/promises";
import { type Checked, type Diagnostic, refuse } from "../../model/diagnostic.js";
import { isLoopback } from "../../model/loopback.js";
import { Secret } from "../../model/secret.js";
import {
  type Environment,
  hasVariable,
  isEmptyVariable,
  type OpenName,
  readVariable,
  type SecretName,
  type VariableName,
} from "../../model/variables.js";
import { isSigningKey, readSigningKey } from "../../tenant/client/auth/assertion.js";
import type { Credentials, Identity } from "../../tenant/client/auth/credentials.js";
import { say } from "../../words/say.js";
import { give, type NamedBy, type Receiver, withheld } from "./give.js";

interface Family {
  readonly token: readonly SecretName[];
  readonly identity: readonly SecretName[];
  readonly identityFile: OpenName | null;
  readonly id: OpenName;
  readonly secret: SecretName;
}

/** remit's own names first, then those of the vendor's clients; one client's id and secret come from one family. */
const FAMILIES: readonly Family[] = [
  {
    token: ["REMIT_TOKEN"],
    identity: ["REMIT_OIDC_TOKEN"],
    identityFile: "REMIT_OIDC_TOKEN_FILE",
    id: "REMIT_CLIENT_ID",
    secret: "REMIT_CLIENT_SECRET",
  },
  {
    token: ["CONDUCTORONE_ACCESS_TOKEN"],
    identity: [
      "CONDUCTORONE_OIDC_TOKEN",
      "TFC_WORKLOAD_IDENTITY_TOKEN_CONDUCTORONE",
      "TFC_WORKLOAD_IDENTITY_TOKEN_C1",
      "TFC_WORKLOAD_IDENTITY_TOKEN",
    ],
    identityFile: null,
    id: "CONDUCTORONE_CLIENT_ID",
    secret: "CONDUCTORONE_CLIENT_SECRET",
  },
  { token: [], identity: [], identityFile: null, id: "CONE_CLIENT_ID", secret: "CONE_CLIENT_SECRET" },
  { token: [], identity: [], identityFile: null, id: "C1I_CLIENT_ID", secret: "C1I_CLIENT_SECRET" },
];

/** Every variable that gives credentials by itself, or a part of them. */
export const CREDENTIAL_VARIABLES: readonly VariableName[] = FAMILIES.flatMap(
  ({ token, identity, identityFile, id, secret }) => [
    ...token,
    ...identity,
    ...(identityFile === null ? [] : [identityFile]),
    id,
    secret,
  ],
);

/**
 * The credentials an environment gives for a server: the first family that is complete. Null, with an error, where it lacks
 * such a family, and where the credentials must not go to this server. A client id that names its host goes there
 * only. Any other credentials go only to a server that the operator or the reviewed branch named.
 */
export function credentialsFrom(
  env: Environment,
  server: string,
  namedBy: NamedBy = "operator",
): Checked<Credentials | null> {
  const empty = CREDENTIAL_VARIABLES.find((name) => isEmptyVariable(env, name));
  if (empty !== undefined) return refuse(say("credentials/empty", { empty }));
  for (const family of FAMILIES) {
    const login = loginOf(family, env);
    if (login === undefined) continue;
    const to = receiverFor(login, server, namedBy);
    if ("code" in to) return { value: null, diagnostics: [to] };
    const { value: credentials, diagnostics } = login.give(to);
    return credentials === null
      ? { value: null, diagnostics }
      : { value: credentials, diagnostics: malformed(credentials) };
  }
  const half = FAMILIES.find((family) => hasVariable(env, family.id) !== hasVariable(env, family.secret));
  if (half !== undefined) {
    const [given, missing] = hasVariable(env, half.id) ? [half.id, half.secret] : [half.secret, half.id];
    return refuse(say("credentials/incomplete", { given, missing }));
  }
  return refuse(say("credentials/none"));
}

/** A complete family: the client that it names, and its credentials for who may have them. */
interface Login {
  /** Null where a token alone says who calls. */
  readonly id: { readonly name: OpenName; readonly text: string } | null;
  readonly give: (to: Receiver) => Checked<Credentials | null>;
}

function loginOf(family: Family, env: Environment): Login | undefined {
  const { id: client, secret, identityFile } = family;
  const by = (name: SecretName, made: (value: Secret) => Credentials) => (to: Receiver) => {
    const { value, diagnostics } = give(env, name, to);
    return { value: value === null ? null : made(value), diagnostics };
  };
  const token = family.token.find((name) => hasVariable(env, name));
  if (token !== undefined)
    return { id: null, give: by(token, (value) => ({ as: "bearer", token: value, from: [token] })) };
  const text = readVariable(env, client);
  if (text === undefined) return undefined;
  const id = { name: client, text };
  const exchange = (identity: Identity, from: VariableName): Credentials => ({
    as: "exchange",
    id: text,
    identity,
    from: [client, from],
  });
  const shown = family.identity.find((name) => hasVariable(env, name));
  if (shown !== undefined)
    return { id, give: by(shown, (value) => exchange({ as: "token", token: value }, shown)) };
  if (hasVariable(env, secret)) {
    const from = [client, secret];
    return { id, give: by(secret, (value) => ({ as: "client", id: text, secret: value, from })) };
  }
  const file = identityFile === null ? undefined : readVariable(env, identityFile);
  if (identityFile !== null && file !== undefined) {
    const identity: Identity = {
      as: "file",
      shown: `${file} (${identityFile})`,
      read: () => readIdentity(file),
    };
    const giveFile = (to: Receiver): Checked<Credentials | null> => {
      const why = withheld(`the token of ${identityFile}`, to);
      return why === null
        ? { value: exchange(identity, identityFile), diagnostics: [] }
        : { value: null, diagnostics: [why] };
    };
    return { id, give: giveFile };
  }
  const url = readVariable(env, "ACTIONS_ID_TOKEN_REQUEST_URL");
  const asking = "ACTIONS_ID_TOKEN_REQUEST_TOKEN";
  if (url === undefined || !hasVariable(env, asking)) return undefined;
  const asked = (value: Secret) =>
    exchange({ as: "github", url, asking: value }, "ACTIONS_ID_TOKEN_REQUEST_URL");
  return { id, give: by(asking, asked) };
}

/** A token is a few kilobytes. */
const LARGEST = 65_536;

/** The identity token of a file that the operator names; null where it cannot be read, or holds something else. */
async function readIdentity(file: string): Promise<Secret | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  const token = text.trim();
  return text.length <= LARGEST && /^[\x21-\x7e]+$/.test(token) ? new Secret(token) : null;
}

/** A secret is a header's value or a key: a stray line break or a damaged key is reported before it is sent. */
function malformed(credentials: Credentials): readonly Diagnostic[] {
  const name = credentials.from.at(-1) ?? "";
  if (credentials.as === "client" && isSigningKey(credentials.secret)) {
    if (readSigningKey(credentials.secret) !== undefined) return [];
    return [say("credentials/malformed#key", { name })];
  }
  const shown = credentials.as === "bearer" ? credentials.token : undefined;
  if (shown === undefined || /^[\x21-\x7e]+$/.test(shown.reveal())) return [];
  return [say("credentials/malformed#token", { name })];
}

/**
 * Who gets the credentials, or why this server must not: a client id that names its host goes there only. What is wrong
 * with an address is said where it is used.
 */
function receiverFor({ id }: Login, server: string, namedBy: NamedBy): Receiver | Diagnostic {
  const namedIn = "REMIT_SERVER or --server";
  if (!URL.canParse(server)) return { shown: "the server", namedBy: "operator", namedIn };
  const { hostname } = new URL(server);
  const shown = `the server ${hostname}`;
  const host = id === null ? null : hostOf(id.text);
  if (id === null || host === null) return { shown, namedBy, namedIn };
  // A proxy on this machine may stand before the tenant, where the operator says so.
  if (host === hostname.toLowerCase() || (namedBy === "operator" && isLoopback(hostname)))
    return { shown, namedBy: "operator", namedIn };
  return say("credentials/other-tenant", { name: id.name, host, hostname });
}

/** The host that a client's id names, `NAME@HOST/SUFFIX`; null where it names none. */
function hostOf(id: string): string | null {
  const at = id.indexOf("@");
  if (at < 0) return null;
  const host = /^[^/:]*/.exec(id.slice(at + 1))?.[0] ?? "";
  return host === "" ? null : host.toLowerCase();
}
