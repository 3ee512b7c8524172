import { isObject } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import { Secret } from "../../../model/secret.js";
import { type Failure, unsendable, unusable } from "../error.js";
import type { Good } from "../reply.js";
import type { Identity } from "./credentials.js";

/** A request outside the service's API: it may go to another server, and its body may be a form. */
interface Question {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly expects: Path;
}

/** Asks a question with the client's patience; `call` is how errors name it. */
export type Ask = (call: Failure["call"], question: Question) => Promise<Good>;

const IDENTITY_CALL = {
  operation: "GetIdentityToken",
  method: "GET",
  path: ["identity token of GitHub Actions"],
  effect: "read",
} as const;
const FILE_CALL = {
  operation: "GetIdentityToken",
  method: "GET",
  path: ["identity token of a file"],
  effect: "read",
} as const;

/** The token that says who a workload is. It is short-lived: a file is read, and GitHub Actions asked, each time. */
export async function askIdentity(identity: Identity, server: string, ask: Ask): Promise<Secret> {
  if (identity.as === "token") return identity.token;
  if (identity.as === "file") {
    const token = await identity.read();
    if (token === null) throw unsendable(FILE_CALL, `the identity token in ${identity.shown} cannot be read`);
    return token;
  }
  if (!URL.canParse(identity.url)) {
    throw unsendable(IDENTITY_CALL, "the address in ACTIONS_ID_TOKEN_REQUEST_URL is not a URL");
  }
  const url = new URL(identity.url);
  url.searchParams.set("audience", new URL(server).origin);
  const { body } = await ask(IDENTITY_CALL, {
    url: url.href,
    headers: { authorization: `Bearer ${identity.asking.reveal()}` },
    expects: ["value"],
  });
  const text = isObject(body) && typeof body.value === "string" ? body.value : "";
  if (text === "") throw unusable(IDENTITY_CALL, "answered with a `value` that is empty or not a text");
  return new Secret(text);
}
