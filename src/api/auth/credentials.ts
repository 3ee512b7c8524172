import type { Secret } from "../../model/secret.js";
import { encodedKey, isSigningKey } from "./assertion.js";

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
