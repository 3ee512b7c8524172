import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectFace, face, type Given } from "./harness.js";
import { LARKSPUR } from "./larkspur.js";

const TOKEN = "a-token-that-nobody-may-see";

let server: Server;
let status = 401;
let isEcho = false;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const said = isEcho ? `${request.headers.authorization} may not do that` : "the token may not do that";
    const id = isEcho ? { "c1-trace-id": request.headers.authorization } : {};
    response.writeHead(status, { "content-type": "application/json", "x-request-id": "r-1", ...id });
    response.end(JSON.stringify({ code: status === 401 ? 16 : 7, message: said }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function seen(name: string, input: string | null, argv: readonly string[], given: Given): Promise<void> {
  const shown = await face(input, argv, given);
  expect(shown).not.toContain(TOKEN);
  expectFace(join(import.meta.dirname, "tenant", `${name}.face`), shown.replaceAll(url, "http://127.0.0.1:0…"));
}

describe("a tenant that", () => {
  test.each([401, 403])("answers %i", async (code) => {
    status = code;
    await seen(`answers-${code}`, LARKSPUR, ["plan"], { env: { REMIT_SERVER: url, REMIT_TOKEN: TOKEN } });
  });

  test("repeats the token in its words and its ids", async () => {
    status = 403;
    isEcho = true;
    onTestFinished(() => {
      isEcho = false;
    });
    await seen("repeats-token", LARKSPUR, ["plan", "-v"], { env: { REMIT_SERVER: url, REMIT_TOKEN: TOKEN } });
  });

  test("answers 401 to an apply", async () => {
    status = 401;
    await seen("apply-401", LARKSPUR, ["apply", "--yes"], { env: { REMIT_SERVER: url, REMIT_TOKEN: TOKEN } });
  });

  test.each<[name: string, env: Record<string, string>]>([
    ["nobody-listens", { REMIT_SERVER: "http://127.0.0.1:9", REMIT_TOKEN: TOKEN }],
    ["no-credentials", { REMIT_SERVER: "https://larkspur.conductor.one" }],
    ["half-credentials", { REMIT_SERVER: "https://larkspur.conductor.one", REMIT_CLIENT_ID: "x@larkspur/pcc" }],
    ["no-address", { REMIT_SERVER: "larkspur", REMIT_TOKEN: TOKEN }],
    ["not-secure", { REMIT_SERVER: "http://larkspur.conductor.one", REMIT_TOKEN: TOKEN }],
    [
      "bad-proxy",
      {
        REMIT_SERVER: "https://larkspur.conductor.one",
        REMIT_TOKEN: TOKEN,
        HTTPS_PROXY: `http://fox:100%${TOKEN}@proxy:3128`,
      },
    ],
  ])("cannot be reached: %s", async (name, env) => {
    await seen(name, LARKSPUR, ["plan"], { env });
  });
});

describe("an empty folder", () => {
  test.each([["plan"], ["apply"], ["validate"], ["fmt"], ["config"]])("is met by %s", async (command) => {
    await seen(`empty-${command}`, null, [command], {});
  });

  test("is met by plan with a server", async () => {
    await seen("empty-plan-sandbox", null, ["plan", "--server", "sandbox"], {});
  });
});
