import type { Clock } from "../../../model/clock.js";
import { isObject, type Json } from "../../../model/json.js";
import { Secret } from "../../../model/secret.js";
import { ApiError, unsendable, unusable } from "../error.js";
import type { Mask } from "../mask.js";
import { isSigningKey, readSigningKey, signAssertion } from "./assertion.js";
import type { Credentials } from "./credentials.js";
import { type Ask, askIdentity } from "./identity.js";

/** The token that calls carry, asked for when needed and shared by all. */
interface Tokens {
  /** A token that holds for a while yet. */
  current(): Promise<Secret>;
  /** The service did not accept this token; gives whether another one is available. */
  discard(token: Secret): boolean;
}

/** What tokens are made with. */
interface TokenOptions {
  readonly credentials: Credentials;
  readonly server: string;
  readonly clock: Clock;
  readonly ask: Ask;
  /** Called with every new secret. */
  readonly mask: Mask;
}

/** The call a token is asked for with, as errors name it; asking twice changes nothing. */
const TOKEN_CALL = {
  operation: "IssueToken",
  method: "POST",
  path: ["auth", "v1", "token"],
  effect: "read",
} as const;

/** A token is renewed this long before it expires, or for a fifth of a short life. */
const SKEW = { milliseconds: 60_000, share: 0.2 };
/** The shorter of the two lives the service documents, for a reply that names none. */
const DEFAULT_LIFE = 600;

const GRANT = {
  client: "client_credentials",
  exchange: "urn:ietf:params:oauth:grant-type:token-exchange",
  assertion: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  jwt: "urn:ietf:params:oauth:token-type:jwt",
};

/** Makes the tokens of a run out of its credentials. */
export function makeTokens({ credentials, ...world }: TokenOptions): Tokens {
  if (credentials.as !== "bearer") return renewedTokens(credentials, world);
  return { current: async () => credentials.token, discard: () => false };
}

type Renewable = Exclude<Credentials, { readonly as: "bearer" }>;
type World = Omit<TokenOptions, "credentials">;

function renewedTokens(credentials: Renewable, world: World): Tokens {
  const { server, clock, ask, mask } = world;
  let held: { readonly token: Secret; readonly until: number } | undefined;
  let asking: Promise<Secret> | undefined;
  let refusal: ApiError | undefined;

  async function renew(): Promise<Secret> {
    const asked = clock.elapsed();
    try {
      const form = await fill(credentials, world);
      const { body } = await ask(TOKEN_CALL, {
        url: `${server}/auth/v1/token`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(form).toString(),
        expects: ["access_token"],
      });
      const life = lifeOf(body) * 1000;
      const text = textAt(body, "access_token");
      if (text === "")
        throw unusable(TOKEN_CALL, "answered with an `access_token` that is empty or not a text");
      const token = mask.hide(new Secret(text));
      held = { token, until: asked + life - Math.min(SKEW.milliseconds, life * SKEW.share) };
      return token;
    } catch (error) {
      // Asking again with credentials the service refused gives the same answer, once per call.
      if (error instanceof ApiError && error.status !== null && error.status < 500 && error.status !== 429) {
        refusal = error;
      }
      throw error;
    } finally {
      asking = undefined;
    }
  }

  return {
    async current() {
      if (held !== undefined && clock.elapsed() < held.until) return held.token;
      if (refusal !== undefined) throw refusal;
      asking ??= renew();
      return asking;
    },
    discard(token) {
      if (held?.token === token) held = undefined;
      return true;
    },
  };
}

async function fill(
  credentials: Renewable,
  { server, clock, ask, mask }: World,
): Promise<Record<string, string>> {
  const { id } = credentials;
  if (credentials.as === "exchange") {
    const shown = mask.hide(await askIdentity(credentials.identity, server, ask));
    return {
      grant_type: GRANT.exchange,
      client_id: id,
      subject_token: shown.reveal(),
      subject_token_type: GRANT.jwt,
    };
  }
  const { secret } = credentials;
  if (!isSigningKey(secret)) {
    return { grant_type: GRANT.client, client_id: id, client_secret: secret.reveal() };
  }
  const key = readSigningKey(secret);
  if (key === undefined) {
    throw unsendable(TOKEN_CALL, "the key in the client's secret cannot be read");
  }
  // The audience is the server that it is sent to, so that no other server can use it.
  const assertion = mask.hide(signAssertion(key, id, new URL(server).hostname, clock));
  return {
    grant_type: GRANT.client,
    client_id: id,
    client_assertion_type: GRANT.assertion,
    client_assertion: assertion.reveal(),
  };
}

function textAt(body: Json, name: string): string {
  const value = isObject(body) ? body[name] : undefined;
  return typeof value === "string" ? value : "";
}

function lifeOf(body: Json): number {
  const life = Number(isObject(body) ? (body.expires_in ?? DEFAULT_LIFE) : DEFAULT_LIFE);
  return Number.isFinite(life) ? Math.max(0, life) : DEFAULT_LIFE;
}
