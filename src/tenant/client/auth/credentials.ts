import type { Secret } from "../../../model/secret.js";
import { encodedKey, isSigningKey } from "./assertion.js";

/** What a workload shows to say who it is. */
export type Identity =
  | { readonly as: "token"; readonly token: Secret }
  /** Another program writes it, and writes it anew before it expires; null where it cannot be read. */
  | { readonly as: "file"; readonly shown: string; readonly read: () => Promise<Secret | null> }
  /** GitHub Actions gives one to who asks. */
  | { readonly as: "github"; readonly url: string; readonly asking: Secret };

/** Who calls, and the variables that said so. */
export type Credentials = { readonly from: readonly string[] } & (
  | { readonly as: "bearer"; readonly token: Secret }
  | { readonly as: "client"; readonly id: string; readonly secret: Secret }
  | { readonly as: "exchange"; readonly id: string; readonly identity: Identity }
);

/** The secret parts of the credentials. */
export function secretsOf(credentials: Credentials): readonly Secret[] {
  switch (credentials.as) {
    case "bearer":
      return [credentials.token];
    case "client":
      return [isSigningKey(credentials.secret) ? encodedKey(credentials.secret) : credentials.secret];
    case "exchange":
      return secretsOfIdentity(credentials.identity);
    default:
      return credentials satisfies never;
  }
}

/** A token of a file is not known before it is read. */
function secretsOfIdentity(identity: Identity): readonly Secret[] {
  if (identity.as === "file") return [];
  return [identity.as === "token" ? identity.token : identity.asking];
}
