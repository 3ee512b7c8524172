import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { credentialsFrom } from "../../src/cli/credentials/service.js";
import { signingSecret } from "../../src/sandbox/auth/client.js";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { makeClient } from "../../src/tenant/client/client.js";
import { NO_PROXIES } from "../../src/tenant/client/proxy.js";
import { fakeClock } from "../fakes/clock.js";
import { everythingOf, readable, repeated } from "../fakes/echo.js";
import { hastyClock, runInside } from "../fakes/inside.js";
import { makeProject } from "../fakes/project.js";
import { json, type Seen, startServer } from "../fakes/server.js";
import { TENANT, worldsOn } from "./worlds.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const ID = {
  plain: "plain@127.0.0.1/spc",
  signing: "signing@127.0.0.1/spc",
  trusted: "trusted@127.0.0.1/wfe",
};
const IDENTITY = [{ alg: "none" }, { iss: "https://issuer.example", sub: "repo:acme/access" }, ""]
  .map((part) => Buffer.from(part === "" ? "" : JSON.stringify(part)).toString("base64url"))
  .join(".");

test.each([
  ["a token", { REMIT_TOKEN: "standing" }],
  ["a plain secret", { REMIT_CLIENT_ID: ID.plain, REMIT_CLIENT_SECRET: "plain" }],
  [
    "a signed assertion",
    { REMIT_CLIENT_ID: ID.signing, REMIT_CLIENT_SECRET: signingSecret(privateKey.export({ format: "jwk" })) },
  ],
  ["another's word", { REMIT_CLIENT_ID: ID.trusted, REMIT_OIDC_TOKEN: IDENTITY }],
])("the service lets in who shows %s", async (_, env) => {
  const now = Date.UTC(2026, 0, 1);
  const sandbox = await startSandbox({
    clock: fakeClock(now),
    auth: {
      token: "standing",
      clients: [
        { id: ID.plain, secret: "plain" },
        { id: ID.signing, publicKey: publicKey.export({ format: "jwk" }) },
        { id: ID.trusted, trusts: { issuer: "https://issuer.example", subject: "repo:acme/*" } },
      ],
    },
  });
  const { value: credentials, diagnostics } = credentialsFrom(env, sandbox.url);
  const client = makeClient({
    server: sandbox.url,
    credentials,
    clock: fakeClock(now),
    random: () => 0.5,
    width: 1,
    retries: 0,
    requestTimeout: 5_000,
    userAgent: "remit/test",
    proxies: NO_PROXIES,
  });
  onTestFinished(async () => {
    client.close();
    await sandbox.close();
  });
  expect(diagnostics).toEqual([]);
  const call = {
    operation: "Test",
    method: "GET",
    path: ["api", "v1", "apps"],
    effect: "read",
    expects: ["list"],
  } as const;
  expect(await client.send(call)).toMatchObject({ status: 200, attempts: 1 });
});

test("a service that repeats what it is sent finds no run that prints or keeps a secret", async () => {
  const secret = "plain/s3cret of+fox";
  const sandbox = await startSandbox({ tenant: TENANT, auth: { clients: [{ id: ID.plain, secret }] } });
  const met = new Set<string>();
  const front = await startServer((seen, response) => {
    const request = `${seen.method} ${seen.url}`;
    const isMet = met.has(request);
    met.add(request);
    if (!isMet) return json(response, 503, { code: 14, message: repeated([seen]) });
    if (/resource_types\/[^/]+$/.test(seen.url) && seen.method === "POST")
      return json(response, 400, { code: 3, message: repeated(front.seen.slice(0, 2)) });
    return void forward(seen, sandbox.url).then(({ status, body }) =>
      json(response, status, body, { "c1-trace-id": everythingOf({ ...seen, body: "" }) }),
    );
  });
  const project = makeProject({ server: front.url });
  onTestFinished(async () => {
    project.close();
    await front.close();
    await sandbox.close();
  });
  project.write(worldsOn("full")[0]?.wanted ?? []);
  const env = { REMIT_SERVER: front.url, REMIT_CLIENT_ID: ID.plain, REMIT_CLIENT_SECRET: secret };
  const run = (...argv: readonly string[]) =>
    runInside(argv, { cwd: project.cwd, env, clock: hastyClock(1000) });

  const seen = [
    await run("plan", "-v", "--out", "plan.json", "--report", "json=plan-report.json"),
    await run("apply", "-v", "--yes", "--report", "markdown=report.md", "--out-remaining", "left.json"),
    await run("apply", "--yes", "--json"),
    await run("config"),
    await run("state", "list"),
  ];
  const said = seen.map(({ stdout, stderr }) => `${stdout}${stderr}`).join("\n");
  expect(seen.map(({ code }) => code)).toEqual([0, 3, 1, 0, 0]);
  expect(said).toContain("(secret)");
  const written = filesIn(project.cwd).map((path) => readFileSync(path, "utf8"));
  expect(written.join("\n")).toContain("(secret)");
  const bearers = front.seen.map(({ headers }) => headers.authorization?.replace("Bearer ", ""));
  const secrets = [secret, ...new Set(bearers.filter((text) => text !== undefined))];
  expect(secrets.length).toBeGreaterThan(1);
  for (const text of [said, ...written]) expect(readable(text, secrets)).toEqual([]);
});

/** Passes a request on, and gives the answer. */
async function forward({ method, url, headers, body }: Seen, to: string) {
  const { authorization, "content-type": type } = headers;
  const reply = await fetch(`${to}${url}`, {
    method,
    headers: { ...(authorization && { authorization }), ...(type && { "content-type": type }) },
    ...(body === "" ? {} : { body }),
  });
  return { status: reply.status, body: await reply.json() };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
