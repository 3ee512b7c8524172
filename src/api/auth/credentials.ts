import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { isLoopback } from "../../model/loopback.js";
import { Secret } from "../../model/secret.js";
import { type Environment, isEmptyVariable, readVariable, type VariableName } from "../../model/variables.js";
import { encodedKey, isSigningKey, readSigningKey } from "./assertion.js";

/** What a workload shows to say who it is. */
export type Identity =
  | { readonly as: "token"; readonly token: Secret }
  /** GitHub Actions gives one to who asks. */
  | { readonly as: "github"; readonly url: string; readonly asking: Secret };

/** Who calls, and the variables that said so. */
export type Credentials = { readonly from: readonly string[] } & (
  | { readonly as: "bearer"; readonly token: Secret }
  | { readonly as: "client"; readonly id: string; readonly secret: Secret }
  | { readonly as: "exchange"; readonly id: string; readonly identity: Identity }
);

interface Family {
  readonly token: readonly VariableName[];
  readonly identity: readonly VariableName[];
  readonly id: VariableName;
  readonly secret: VariableName;
}

/** remit's own names first, then those of the vendor's clients; one client's id and secret come from one family. */
const FAMILIES: readonly Family[] = [
  {
    token: ["REMIT_TOKEN"],
    identity: ["REMIT_OIDC_TOKEN"],
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
    id: "CONDUCTORONE_CLIENT_ID",
    secret: "CONDUCTORONE_CLIENT_SECRET",
  },
  { token: [], identity: [], id: "CONE_CLIENT_ID", secret: "CONE_CLIENT_SECRET" },
  { token: [], identity: [], id: "C1I_CLIENT_ID", secret: "C1I_CLIENT_SECRET" },
];

/** Who named the server: the operator or the reviewed branch, or a file that the author of a change may write. */
export type NamedBy = "operator" | "working tree";

/** Every variable that gives credentials by itself, or a part of them. */
export const CREDENTIAL_VARIABLES: readonly VariableName[] = FAMILIES.flatMap(
  ({ token, identity, id, secret }) => [...token, ...identity, id, secret],
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
  if (empty !== undefined)
    return none("credentials/empty", `${empty} is set, but empty.`, `Give ${empty} a value, or remove it.`);
  for (const family of FAMILIES) {
    const credentials = complete(family, env);
    if (credentials === undefined) continue;
    const misdirected = wrongServer(credentials, server, namedBy);
    if (misdirected.length > 0) return { value: null, diagnostics: misdirected };
    return { value: credentials, diagnostics: malformed(credentials) };
  }
  const half = FAMILIES.find((family) => has(env, family.id) !== has(env, family.secret));
  if (half !== undefined) {
    const [given, missing] = has(env, half.id) ? [half.id, half.secret] : [half.secret, half.id];
    return none("credentials/incomplete", `${given} is set, and ${missing} is not.`, `Set ${missing} too.`);
  }
  return none(
    "credentials/none",
    "No credentials for the server.",
    "Set REMIT_TOKEN, or REMIT_CLIENT_ID and REMIT_CLIENT_SECRET.",
  );
}

function complete(family: Family, env: Environment): Credentials | undefined {
  const token = family.token.find((name) => has(env, name));
  if (token !== undefined) return { as: "bearer", token: secret(env, token), from: [token] };
  if (!has(env, family.id)) return undefined;
  const id = text(env, family.id);
  const shown = family.identity.find((name) => has(env, name));
  if (shown !== undefined) {
    const identity = { as: "token" as const, token: secret(env, shown) };
    return { as: "exchange", id, identity, from: [family.id, shown] };
  }
  if (has(env, family.secret)) {
    return { as: "client", id, secret: secret(env, family.secret), from: [family.id, family.secret] };
  }
  const [url, asking] = ["ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"] as const;
  if (!has(env, url) || !has(env, asking)) return undefined;
  const identity = { as: "github" as const, url: text(env, url), asking: secret(env, asking) };
  return { as: "exchange", id, identity, from: [family.id, url] };
}

/** The secret parts of the credentials. */
export function secretsOf(credentials: Credentials): readonly Secret[] {
  switch (credentials.as) {
    case "bearer":
      return [credentials.token];
    case "client":
      return [isSigningKey(credentials.secret) ? encodedKey(credentials.secret) : credentials.secret];
    case "exchange":
      return [credentials.identity.as === "token" ? credentials.identity.token : credentials.identity.asking];
    default:
      return credentials satisfies never;
  }
}

/** A secret is a header's value or a key: a stray line break or a damaged key is reported before it is sent. */
function malformed(credentials: Credentials): readonly Diagnostic[] {
  const name = credentials.from.at(-1) ?? "";
  if (credentials.as === "client" && isSigningKey(credentials.secret)) {
    if (readSigningKey(credentials.secret) !== undefined) return [];
    return [
      fault("credentials/malformed", `The key in ${name} cannot be read.`, "Copy the whole secret again."),
    ];
  }
  const shown = credentials.as === "bearer" ? credentials.token : undefined;
  if (shown === undefined || /^[\x21-\x7e]+$/.test(shown.reveal())) return [];
  return [
    fault(
      "credentials/malformed",
      `${name} contains characters that a token cannot have.`,
      "Copy the token again.",
    ),
  ];
}

/** Why credentials must not go to a server. What is wrong with an address is said where it is used. */
function wrongServer(credentials: Credentials, server: string, namedBy: NamedBy): readonly Diagnostic[] {
  if (!URL.canParse(server)) return [];
  const { hostname } = new URL(server);
  const [name] = credentials.from;
  const host = credentials.as === "bearer" ? null : hostOf(credentials.id);
  if (host === null) {
    if (namedBy === "operator") return [];
    const message = `Only remit.yaml of the working tree names the server ${hostname}, so ${name} is not sent there.`;
    const hint = "If you trust it, set REMIT_SERVER or --server.";
    return [fault(UNCONFIRMED, message, hint)];
  }
  // A proxy on this machine may stand before the tenant, where the operator says so.
  if (host === hostname.toLowerCase() || (namedBy === "operator" && isLoopback(hostname))) return [];
  const message = `${name} is a client of ${host}, and the server is ${hostname}. remit sends it to ${host} only.`;
  return [fault("credentials/other-tenant", message, "Correct the server, or use a client of that server.")];
}

/** The code of credentials that wait for the operator to confirm their server. */
export const UNCONFIRMED = "credentials/unconfirmed-server";

/** The host that a client's id names, `NAME@HOST/SUFFIX`; null where it names none. */
function hostOf(id: string): string | null {
  const at = id.indexOf("@");
  if (at < 0) return null;
  const host = /^[^/:]*/.exec(id.slice(at + 1))?.[0] ?? "";
  return host === "" ? null : host.toLowerCase();
}

function none(code: string, message: string, hint: string): Checked<null> {
  return { value: null, diagnostics: [fault(code, message, hint)] };
}

function fault(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint };
}

function text(env: Environment, name: VariableName): string {
  return readVariable(env, name) ?? "";
}

function has(env: Environment, name: VariableName): boolean {
  return readVariable(env, name) !== undefined;
}

function secret(env: Environment, name: VariableName): Secret {
  return new Secret(text(env, name));
}
