import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { credentialsFrom } from "../../../../src/cli/credentials/service.js";
import { Secret } from "../../../../src/model/secret.js";
import type { Credentials } from "../../../../src/tenant/client/auth/credentials.js";
import { type Pair, rejection, startPair } from "../../../fakes/client.js";
import { json, type Script, type Seen } from "../../../fakes/server.js";

const READ = { operation: "Test", method: "GET", path: ["api", "v1", "x"], effect: "read" } as const;
const CLIENT_ID = "fox@tenant.example/spc";
const PLAIN: Credentials = {
  as: "client",
  id: CLIENT_ID,
  secret: new Secret("pla1n-s3cret"),
  from: ["REMIT_CLIENT_ID", "REMIT_CLIENT_SECRET"],
};

/** Gives tokens `t1`, `t2`, … that live so long, and asks `api` about everything else. */
function service(
  credentials: Credentials,
  options: { readonly life?: unknown; readonly api?: Script; readonly token?: Script } = {},
) {
  let given = 0;
  return startPair(
    (seen, response, socket) => {
      if (seen.url !== "/auth/v1/token") {
        return options.api === undefined ? json(response, 200, {}) : options.api(seen, response, socket);
      }
      if (options.token !== undefined) return options.token(seen, response, socket);
      given += 1;
      json(response, 200, {
        access_token: `t${given}`,
        token_type: "Bearer",
        expires_in: options.life ?? 600,
      });
    },
    { credentials },
  );
}

const asked = ({ server }: Pair) => server.seen.filter((seen) => seen.url === "/auth/v1/token");
const form = (seen: Seen | undefined) => Object.fromEntries(new URLSearchParams(seen?.body));
const carried = ({ server }: Pair) =>
  server.seen.filter((seen) => seen.url !== "/auth/v1/token").map((seen) => seen.headers.authorization);

test("a plain secret is sent in the body, never in a header", async () => {
  const pair = await service(PLAIN);
  await pair.client.send(READ);
  const [request] = asked(pair);
  expect(request?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  expect(request?.headers.authorization).toBeUndefined();
  expect(form(request)).toEqual({
    grant_type: "client_credentials",
    client_id: CLIENT_ID,
    client_secret: "pla1n-s3cret",
  });
  expect(carried(pair)).toEqual(["Bearer t1"]);
});

test("a signing key is never sent: an assertion of a few minutes is, new each time", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const jwk = Buffer.from(JSON.stringify(privateKey.export({ format: "jwk" }))).toString("base64url");
  const secret = new Secret(`secret-token:conductorone.com:v1:${jwk}`);
  const pair = await service({ ...PLAIN, secret }, { life: 10 });
  await pair.client.send(READ);
  pair.clock.advance(60_000);
  await pair.client.send(READ);
  const forms = asked(pair).map(form);
  expect(forms[0]).toEqual({
    grant_type: "client_credentials",
    client_id: CLIENT_ID,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: expect.any(String),
  });
  const nonces = forms.map(({ client_assertion = "" }) => {
    const [header = "", claims = "", signature = ""] = client_assertion.split(".");
    expect(
      verify(
        null,
        Buffer.from(`${header}.${claims}`),
        createPublicKey(publicKey.export({ type: "spki", format: "pem" })),
        Buffer.from(signature, "base64url"),
      ),
    ).toBe(true);
    const { iat, ...others } = JSON.parse(Buffer.from(claims, "base64url").toString());
    expect(others).toEqual({
      iss: CLIENT_ID,
      sub: CLIENT_ID,
      aud: "127.0.0.1",
      nbf: iat - 120,
      exp: iat + 120,
    });
    const { nonce, ...rest } = JSON.parse(Buffer.from(header, "base64url").toString());
    expect(rest).toEqual({ alg: "EdDSA", typ: "JWT" });
    expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    return nonce;
  });
  expect(new Set(nonces).size).toBe(2);
});

test("an identity token is exchanged", async () => {
  const identity = { as: "token", token: new Secret("1dentity") } as const;
  const pair = await service({ as: "exchange", id: CLIENT_ID, identity, from: ["REMIT_OIDC_TOKEN"] });
  await pair.client.send(READ);
  expect(form(asked(pair)[0])).toEqual({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: "1dentity",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    client_id: CLIENT_ID,
  });
});

test("an identity token of a file is read at every exchange, because it rotates", async () => {
  const folder = mkdtempSync(join(tmpdir(), "remit-identity-"));
  try {
    const file = join(folder, "token");
    const env = { REMIT_CLIENT_ID: "fox@127.0.0.1/spc", REMIT_OIDC_TOKEN_FILE: file };
    const { value: credentials } = credentialsFrom(env, "http://127.0.0.1");
    if (credentials === null) throw new Error("the variables give no credentials");
    const pair = await service(credentials, { life: 0 });
    const shown: string[] = [];
    for (const token of ["first", "second\n"]) {
      writeFileSync(file, token);
      await pair.client.send(READ);
      shown.push(String(form(asked(pair).at(-1)).subject_token));
    }
    expect(shown).toEqual(["first", "second"]);
    for (const bad of ["", "two words", "x".repeat(70_000)]) {
      writeFileSync(file, bad);
      expect(String(await rejection(pair.client.send(READ)))).toContain(`${file} (REMIT_OIDC_TOKEN_FILE)`);
    }
    rmSync(file);
    expect(String(await rejection(pair.client.send(READ)))).toContain("cannot be read");
    expect(asked(pair)).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("in GitHub Actions the identity is asked for, for this server alone", async () => {
  const github = await startPair((_, response) => json(response, 200, { value: "g1thub-identity" }));
  const identity = {
    as: "github",
    url: `${github.server.url}/token?api-version=2`,
    asking: new Secret("gh-asking"),
  } as const;
  const pair = await service({
    as: "exchange",
    id: CLIENT_ID,
    identity,
    from: ["ACTIONS_ID_TOKEN_REQUEST_URL"],
  });
  await pair.client.send(READ);
  expect(github.server.seen).toMatchObject([
    {
      url: `/token?api-version=2&audience=${encodeURIComponent(pair.server.url)}`,
      headers: { authorization: "Bearer gh-asking" },
    },
  ]);
  expect(form(asked(pair)[0]).subject_token).toBe("g1thub-identity");
});

test("calls at the same time share one token request", async () => {
  const pair = await service(PLAIN);
  await Promise.all(Array.from({ length: 20 }, () => pair.client.send(READ)));
  expect(asked(pair)).toHaveLength(1);
  expect(new Set(carried(pair))).toEqual(new Set(["Bearer t1"]));
});

describe("a token is renewed before it expires", () => {
  test.each<[unknown, number, number]>([
    [3600, 3_539_000, 1],
    [3600, 3_540_000, 2],
    ["600", 539_000, 1],
    ["600", 540_000, 2],
    [10, 7_999, 1],
    [10, 8_000, 2],
    [0, 0, 2],
    [-5, 0, 2],
    [undefined, 540_000, 2],
    ["soon", 540_000, 2],
  ])("of %j seconds, after %i ms: %i asked for", async (life, later, requests) => {
    const pair = await service(PLAIN, life === undefined ? {} : { life });
    await pair.client.send(READ);
    pair.clock.advance(later);
    await pair.client.send(READ);
    expect(asked(pair)).toHaveLength(requests);
  });
});

describe("a 401", () => {
  const refuse: Script = (_, response) => json(response, 401, { code: 16, message: "token expired" });

  test("is answered with a new token, once", async () => {
    const pair: Pair = await service(PLAIN, {
      api: (seen, response, socket) =>
        seen.headers.authorization === "Bearer t1" ? refuse(seen, response, socket) : json(response, 200, {}),
    });
    expect(await pair.client.send({ ...READ, effect: "once" })).toMatchObject({ status: 200, attempts: 2 });
    expect(carried(pair)).toEqual(["Bearer t1", "Bearer t2"]);
  });

  test("that stays is an error and no loop", async () => {
    const pair = await service(PLAIN, { api: refuse });
    expect(await rejection(pair.client.send(READ))).toMatchObject({
      status: 401,
      next: "stop",
      words: "token expired",
    });
    expect(carried(pair)).toEqual(["Bearer t1", "Bearer t2"]);
  });

  test("of many calls at once takes one new token for all", async () => {
    const pair: Pair = await service(PLAIN, {
      api: (seen, response, socket) =>
        seen.headers.authorization === "Bearer t1" ? refuse(seen, response, socket) : json(response, 200, {}),
    });
    await Promise.all(Array.from({ length: 10 }, () => pair.client.send(READ)));
    expect(asked(pair)).toHaveLength(2);
  });

  test("with a given token is final at once", async () => {
    const pair = await startPair(refuse);
    await rejection(pair.client.send(READ));
    expect(pair.server.seen).toHaveLength(1);
  });
});

describe("when no token is given", () => {
  test("a 429 waits as long as it says, and then the token is there", async () => {
    const pair: Pair = await service(PLAIN, {
      token: (_, response) =>
        asked(pair).length === 1
          ? json(response, 429, {}, { "retry-after": "7" })
          : json(response, 200, { access_token: "late", expires_in: 600 }),
    });
    await pair.client.send(READ);
    expect(pair.clock.elapsed()).toBe(7_000);
    expect(carried(pair)).toEqual(["Bearer late"]);
  });

  test("credentials that were refused are not tried again for every call", async () => {
    const pair = await service(PLAIN, {
      token: (_, response) =>
        json(response, 401, { error: "invalid_client", error_description: "unknown client" }),
    });
    for (let call = 0; call < 3; call += 1) {
      expect(await rejection(pair.client.send({ ...READ, effect: "once" }))).toMatchObject({
        message:
          "GET /api/v1/x: not sent, the service refused the credentials: POST /auth/v1/token: answered 401: unknown client",
        next: "stop",
        progress: "never sent",
        status: 401,
      });
    }
    expect(asked(pair)).toHaveLength(1);
  });

  test("a service that is down is asked again by the next call", async () => {
    const pair: Pair = await service(PLAIN, {
      token: (_, response) =>
        asked(pair).length <= 5 ? json(response, 503, {}) : json(response, 200, { access_token: "late" }),
    });
    expect(await rejection(pair.client.send(READ))).toMatchObject({ progress: "never sent", attempts: 1 });
    expect(await pair.client.send(READ)).toMatchObject({ status: 200 });
  });

  test("a create whose token got no reply was never sent, and needs no settling", async () => {
    const pair = await service(PLAIN, { token: (_seen, _response, socket) => socket.destroy() });
    expect(await rejection(pair.client.send({ ...READ, effect: "once" }))).toMatchObject({
      progress: "never sent",
      next: "stop",
      call: { operation: "Test", method: "GET", path: READ.path, effect: "once" },
    });
    expect(carried(pair)).toEqual([]);
  });

  test("a reply without a token is an error", async () => {
    const pair = await service(PLAIN, { token: (_, response) => json(response, 200, {}) });
    expect(String(await rejection(pair.client.send(READ)))).toContain("JSON that has no access_token");
  });
});
