import type { Clock } from "../../model/clock.js";
import type { Transmit } from "../../model/exchange.js";
import { Secret } from "../../model/secret.js";
import { refused } from "../web/fault.js";
import { untilAnswered } from "../web/untilAnswered.js";

/** What requests are signed with. */
export interface Keys {
  readonly id: string;
  readonly secret: Secret;
  /** The token of keys that were lent for some time. */
  readonly session: Secret | null;
}

/** Where keys come from. */
export type KeySource =
  | ({ readonly as: "keys" } & Keys)
  | {
      /** Keys that AWS lends to whom an identity token of a pipeline names. */
      readonly as: "web identity";
      readonly role: string;
      readonly sessionName: string;
      /** The token is read anew each time: the pipeline renews it. */
      readonly readToken: () => Promise<Secret>;
      /** The URL of the service that lends keys. */
      readonly lender: string;
    };

/** The keys of a run, asked for when needed. */
export interface KeyRing {
  current(): Promise<Keys>;
  /** The server calls these keys expired; gives whether there may be others. */
  discard(keys: Keys): boolean;
}

/** Milliseconds before their end at which keys are renewed. */
const EARLY = 5 * 60_000;

/** Makes the keys of a run. */
export function keyRing(source: KeySource, name: string, transmit: Transmit, clock: Clock): KeyRing {
  if (source.as === "keys") return { current: async () => source, discard: () => false };
  let lent: { readonly keys: Keys; readonly until: number } | null = null;
  let asking: Promise<Keys> | null = null;

  async function borrow(): Promise<Keys> {
    const { role, sessionName, lender, readToken } = source as Extract<KeySource, { as: "web identity" }>;
    const form = new URLSearchParams({
      Action: "AssumeRoleWithWebIdentity",
      Version: "2011-06-15",
      RoleArn: role,
      RoleSessionName: sessionName,
      WebIdentityToken: (await readToken()).reveal(),
    });
    const message = {
      method: "POST",
      url: `${lender}/`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: form.toString(),
    };
    const { status, text } = await untilAnswered(() => message, { name: lender, transmit, clock });
    const [id, secret, session, until] = ["AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration"].map(
      (tag) => textIn(text, tag),
    );
    if (status !== 200 || !id || !secret || !session)
      throw refused(
        name,
        `${lender} lends no keys for ${role} (${textIn(text, "Code") ?? `status ${status}`})`,
        "Check AWS_ROLE_ARN, the token in AWS_WEB_IDENTITY_TOKEN_FILE, and whom the role trusts.",
      );
    const keys = { id, secret: new Secret(secret), session: new Secret(session) };
    const end = Date.parse(until ?? "");
    lent = { keys, until: Number.isNaN(end) ? Number.POSITIVE_INFINITY : end - EARLY };
    return keys;
  }

  return {
    async current() {
      if (lent !== null && clock.now() < lent.until) return lent.keys;
      asking ??= borrow().finally(() => {
        asking = null;
      });
      return asking;
    },
    discard(keys) {
      if (lent?.keys === keys) lent = null;
      return true;
    },
  };
}

/** The text of the first element of that name: S3 and STS answer in flat XML. */
export function textIn(xml: string, tag: string): string | null {
  return new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? null;
}
