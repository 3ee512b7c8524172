import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSeed } from "../../../src/cli/open/sandboxInput.js";
import { signingSecret } from "../../../src/sandbox/auth/client.js";
import { isLocal } from "../../../src/sandbox/http/exchange.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/http/server.js";
import { type FakeClock, fakeClock } from "../../fakes/clock.js";

const pair = generateKeyPairSync("ed25519");
const stranger = generateKeyPairSync("ed25519");

const PLAIN = "plain@acme.example/spc";
const SIGNED = "signed@acme.example/spc";
const KEYED = "keyed@acme.example/spc";
const FEDERATED = "ci@acme.example/wfe";

const CREDENTIALS = "client_credentials";
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const JWT = "urn:ietf:params:oauth:token-type:jwt";

let clock: FakeClock;
let sandbox: Sandbox;
beforeEach(async () => {
  clock = fakeClock();
  sandbox = await startSandbox({
    clock,
    auth: {
      token: "standing",
      clients: [
        { id: PLAIN, secret: "hunter2" },
        { id: SIGNED, secret: signingSecret(pair.privateKey.export({ format: "jwk" })) },
        { id: KEYED, publicKey: pair.publicKey.export({ format: "jwk" }) },
        { id: FEDERATED, trusts: { issuer: "https://ci.example", subject: "repo:acme/*" } },
      ],
    },
  });
});
afterEach(() => sandbox.close());

interface Answer {
  readonly status: number;
  readonly body: { readonly [name: string]: unknown };
}

async function form(fields: Record<string, string>, path = "/auth/v1/token"): Promise<Answer> {
  const reply = await fetch(`${sandbox.url}${path}`, { method: "POST", body: new URLSearchParams(fields) });
  return { status: reply.status, body: (await reply.json()) as Answer["body"] };
}

async function call(method: string, path: string, token: string, body?: unknown): Promise<Answer> {
  const init = { method, headers: { authorization: `Bearer ${token}` } };
  const reply = await fetch(
    `${sandbox.url}${path}`,
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
  );
  return { status: reply.status, body: (await reply.json()) as Answer["body"] };
}

function jwt(claims: object, key: KeyObject = pair.privateKey, header: object = {}): string {
  const parts = [{ alg: "EdDSA", typ: "JWT", nonce: String(Math.random()), ...header }, claims];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
}

function claims(over: object = {}, clientId = SIGNED): object {
  const now = Math.floor(clock.now() / 1000);
  return {
    iss: clientId,
    sub: clientId,
    aud: "127.0.0.1",
    iat: now,
    nbf: now - 120,
    exp: now + 120,
    ...over,
  };
}

function signedGrant(assertion: string, clientId = SIGNED): Promise<Answer> {
  return form({
    grant_type: CREDENTIALS,
    client_id: clientId,
    client_assertion_type: ASSERTION,
    client_assertion: assertion,
  });
}

describe("client credentials with a plain secret", () => {
  it("give a token that lets its client in", async () => {
    const { status, body } = await form({
      grant_type: CREDENTIALS,
      client_id: PLAIN,
      client_secret: "hunter2",
    });
    expect(status).toBe(200);
    expect(body).toEqual({ access_token: expect.any(String), token_type: "Bearer", expires_in: 600 });
    const who = await call("GET", "/api/v1/auth/introspect", String(body.access_token));
    expect(who.body).toMatchObject({ principleId: PLAIN, userId: PLAIN });
  });

  it.each([
    ["a wrong secret", { client_id: PLAIN, client_secret: "wrong" }, 401, "invalid_client"],
    ["no such client", { client_id: "nobody", client_secret: "hunter2" }, 401, "invalid_client"],
    ["no secret", { client_id: PLAIN }, 400, "invalid_request"],
    ["a client that has only a key", { client_id: KEYED, client_secret: "hunter2" }, 401, "invalid_client"],
  ])("are refused for %s", async (_, fields, status, error) => {
    const answer = await form({ grant_type: CREDENTIALS, ...fields });
    expect(answer).toEqual({ status, body: { error, error_description: expect.any(String) } });
  });

  it("are not taken from a header", async () => {
    const basic = Buffer.from(`${PLAIN}:hunter2`).toString("base64");
    const reply = await fetch(`${sandbox.url}/auth/v1/token`, {
      method: "POST",
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: CREDENTIALS }),
    });
    expect(reply.status).toBe(401);
  });
});

describe("client credentials with a signed assertion", () => {
  it.each([SIGNED, KEYED])("give a token to %s", async (clientId) => {
    expect((await signedGrant(jwt(claims({}, clientId)), clientId)).status).toBe(200);
  });

  it("may be meant for the host in the client's id", async () => {
    expect((await signedGrant(jwt(claims({ aud: ["acme.example"] })))).status).toBe(200);
  });

  const seconds = () => Math.floor(clock.now() / 1000);
  it.each<[string, () => string]>([
    ["another key", () => jwt(claims(), stranger.privateKey)],
    ["another algorithm", () => jwt(claims(), pair.privateKey, { alg: "none" })],
    ["another issuer", () => jwt(claims({ iss: PLAIN }))],
    ["another subject", () => jwt(claims({ sub: PLAIN }))],
    ["another audience", () => jwt(claims({ aud: "elsewhere.example" }))],
    ["an audience with a port", () => jwt(claims({ aud: new URL(sandbox.url).host }))],
    ["its end in the past", () => jwt(claims({ exp: seconds() - 1 }))],
    ["its end over five minutes ahead", () => jwt(claims({ exp: seconds() + 301 }))],
    ["its begin in the future", () => jwt(claims({ nbf: seconds() + 60 }))],
    ["no nonce", () => jwt(claims(), pair.privateKey, { nonce: undefined })],
    ["no form", () => "not.a"],
  ])("are refused for %s", async (_, make) => {
    const { status, body } = await signedGrant(make());
    expect([status, body.error]).toEqual([401, "invalid_client"]);
  });

  it("are refused the second time", async () => {
    const assertion = jwt(claims());
    expect((await signedGrant(assertion)).status).toBe(200);
    expect((await signedGrant(assertion)).body.error_description).toContain("used before");
  });
});

describe("token exchange", () => {
  function exchange(over: object = {}, clientId = FEDERATED): Promise<Answer> {
    const now = Math.floor(clock.now() / 1000);
    const subject = {
      iss: "https://ci.example",
      sub: "repo:acme/access:main",
      iat: now,
      exp: now + 300,
      ...over,
    };
    return form({
      grant_type: EXCHANGE,
      client_id: clientId,
      subject_token: jwt(subject, stranger.privateKey),
      subject_token_type: JWT,
    });
  }

  it("gives a token for the word of a trusted issuer", async () => {
    expect((await exchange()).status).toBe(200);
  });

  it.each<[string, () => Promise<Answer>, string]>([
    ["another issuer", () => exchange({ iss: "https://elsewhere.example" }), "invalid_grant"],
    ["another subject", () => exchange({ sub: "repo:evil/access" }), "invalid_grant"],
    ["an old token", () => exchange({ iat: Math.floor(clock.now() / 1000) - 601 }), "invalid_grant"],
    ["an expired token", () => exchange({ exp: Math.floor(clock.now() / 1000) }), "invalid_grant"],
    ["a client that is not federated", () => exchange({}, PLAIN), "invalid_grant"],
  ])("is refused for %s", async (_, ask, error) => {
    expect((await ask()).body.error).toBe(error);
  });
});

describe("a token", () => {
  it("is good for its lifetime and no longer", async () => {
    const { body } = await form({ grant_type: CREDENTIALS, client_id: PLAIN, client_secret: "hunter2" });
    const token = String(body.access_token);
    clock.advance(599_999);
    expect((await call("GET", "/api/v1/apps", token)).status).toBe(200);
    clock.advance(1);
    const late = await call("GET", "/api/v1/apps", token);
    expect(late).toEqual({
      status: 401,
      body: { code: 16, message: expect.stringContaining("request-id: ") },
    });
  });

  it("that was given at the start is always good", async () => {
    clock.advance(10_000_000);
    expect((await call("GET", "/api/v1/apps", "standing")).status).toBe(200);
  });
});

describe("a sandbox that was given a token", () => {
  it("does not open to the words that everybody can read", async () => {
    const given = await startSandbox({ auth: { token: "mine", clients: [] } });
    const client = { client_id: "sandbox@127.0.0.1/spc", client_secret: "sandbox" };
    const reply = await fetch(`${given.url}/auth/v1/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: CREDENTIALS, ...client }),
    });
    expect(reply.status).toBe(401);
    const headers = { authorization: "Bearer sandbox" };
    expect((await fetch(`${given.url}/api/v1/apps`, { headers })).status).toBe(401);
    await given.close();
  });
});

describe("what only this machine may ask", () => {
  it.each([
    ["127.0.0.1", true],
    ["127.8.0.1", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["10.0.0.1", false],
    ["::ffff:10.0.0.1", false],
    ["1270.0.0.1", false],
    [undefined, false],
  ])("comes from %s: %s", (address, expected) => {
    expect(isLocal(address)).toBe(expected);
  });
});

describe("the token endpoint", () => {
  it("names what it does not know", async () => {
    expect((await form({ grant_type: "password" })).body.error).toBe("unsupported_grant_type");
    expect((await form({})).body.error).toBe("invalid_request");
  });

  it("leaves no secret in the log", async () => {
    await form({ client_id: PLAIN, client_secret: "hunter2", grant_type: CREDENTIALS });
    const [entry] = sandbox.log.entries({ operation: "IssueToken" });
    expect(entry?.body).toBe(
      `client_id=${encodeURIComponent(PLAIN)}&client_secret=(secret)&grant_type=${CREDENTIALS}`,
    );
    expect(entry).toMatchObject({ status: 200, reached: true, written: false });
  });

  it.each([
    ["in a query", "/auth/v1/token?client_secret=hunter2&x=1", ""],
    ["in JSON", "/auth/v1/token", '{"client_secret": "hunter2 \\" hunter2"}'],
    ["under an encoded name", "/auth/v1/token", "client%5Fsecret=hunter2"],
    ["at another spelling of its path", "//AUTH/v1/token", "client_secret=hunter2"],
    ["at any path", "/oauth/token", "grant_type=x&client_assertion=hunter2"],
  ])("leaves no secret in the log that came %s", async (_, path, body) => {
    await fetch(`${sandbox.url}${path}`, { method: "POST", body });
    const entries = sandbox.log.entries();
    expect(entries.length).toBeGreaterThan(0);
    expect(JSON.stringify(entries)).toContain("(secret)");
    expect(JSON.stringify(entries)).not.toContain("hunter2");
  });

  it("of the core interface knows client credentials alone", async () => {
    const core = await startSandbox({ interface: "core" });
    const ask = (fields: Record<string, string>) =>
      fetch(`${core.url}/auth/v1/token`, { method: "POST", body: new URLSearchParams(fields) });
    const client = { client_id: "sandbox@127.0.0.1/spc", client_secret: "sandbox" };
    expect((await ask({ grant_type: CREDENTIALS, ...client })).status).toBe(200);
    expect((await ask({ grant_type: EXCHANGE })).status).toBe(400);
    await core.close();
  });
});

describe("a client that may not use everything", () => {
  const seed = `
users: [{ name: Ana, email: ana@acme.example }]
operator: ana@acme.example
clients:
  - { id: reader@acme.example/spc, secret: s, user: ana@acme.example, roles: [campaign-admin], denies: ["*User*"] }
`;

  it("is answered 403 for what its seed denies, and its introspection shows its user and its roles", async () => {
    const { tenant, clients } = readSeed(seed, "seed.yaml");
    const other = await startSandbox({ tenant, auth: { clients } });
    const ana = tenant.users[0]?.id;
    const issued = await fetch(`${other.url}/auth/v1/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: CREDENTIALS,
        client_id: "reader@acme.example/spc",
        client_secret: "s",
      }),
    });
    const { access_token: token } = (await issued.json()) as { readonly access_token: string };
    const ask = async (path: string, bearer: string) => {
      const reply = await fetch(`${other.url}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
      return { status: reply.status, body: await reply.json() };
    };
    expect(await ask("/api/v1/users", token)).toMatchObject({ status: 403, body: { code: 7 } });
    expect(other.log.entries().at(-1)).toMatchObject({ status: 403, reached: false, fault: null });
    expect((await ask("/api/v1/access_reviews", token)).status).toBe(200);
    expect((await ask("/api/v1/users", other.token)).status).toBe(200);
    const who = await ask("/api/v1/auth/introspect", token);
    expect(who.body).toMatchObject({ userId: ana, tenantId: tenant.id, roles: ["campaign-admin"] });
    expect((await ask("/api/v1/auth/introspect", other.token)).body).toMatchObject({ userId: ana });
    await other.close();
  });
});
