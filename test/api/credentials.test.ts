import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { credentialsFrom } from "../../src/api/credentials.js";

const SERVER = "https://tenant.example";
const CLIENT = "cool-fox-1@tenant.example/spc";
const GITHUB = {
  ACTIONS_ID_TOKEN_REQUEST_URL: "https://actions.example/token",
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: "g",
};

describe("the first family that is complete speaks for the caller", () => {
  test.each<[string, Record<string, string>, string, readonly string[]]>([
    ["our token", { REMIT_TOKEN: "t", CONDUCTORONE_ACCESS_TOKEN: "v" }, "bearer", ["REMIT_TOKEN"]],
    [
      "our token before our client",
      { REMIT_TOKEN: "t", REMIT_CLIENT_ID: CLIENT, REMIT_CLIENT_SECRET: "s" },
      "bearer",
      ["REMIT_TOKEN"],
    ],
    [
      "our client before the vendor's token",
      { REMIT_CLIENT_ID: CLIENT, REMIT_CLIENT_SECRET: "s", CONDUCTORONE_ACCESS_TOKEN: "v" },
      "client",
      ["REMIT_CLIENT_ID", "REMIT_CLIENT_SECRET"],
    ],
    [
      "an identity before a secret",
      { REMIT_CLIENT_ID: CLIENT, REMIT_CLIENT_SECRET: "s", REMIT_OIDC_TOKEN: "i" },
      "exchange",
      ["REMIT_CLIENT_ID", "REMIT_OIDC_TOKEN"],
    ],
    [
      "an identity asked of GitHub where there is no secret",
      { REMIT_CLIENT_ID: CLIENT, ...GITHUB },
      "exchange",
      ["REMIT_CLIENT_ID", "ACTIONS_ID_TOKEN_REQUEST_URL"],
    ],
    [
      "a secret before GitHub",
      { REMIT_CLIENT_ID: CLIENT, REMIT_CLIENT_SECRET: "s", ...GITHUB },
      "client",
      ["REMIT_CLIENT_ID", "REMIT_CLIENT_SECRET"],
    ],
    ["the vendor's token", { CONDUCTORONE_ACCESS_TOKEN: "v" }, "bearer", ["CONDUCTORONE_ACCESS_TOKEN"]],
    [
      "the vendor's identity",
      { CONDUCTORONE_CLIENT_ID: CLIENT, TFC_WORKLOAD_IDENTITY_TOKEN: "i" },
      "exchange",
      ["CONDUCTORONE_CLIENT_ID", "TFC_WORKLOAD_IDENTITY_TOKEN"],
    ],
    [
      "cone's client",
      { CONE_CLIENT_ID: CLIENT, CONE_CLIENT_SECRET: "s" },
      "client",
      ["CONE_CLIENT_ID", "CONE_CLIENT_SECRET"],
    ],
    [
      "c1i's client",
      { C1I_CLIENT_ID: CLIENT, C1I_CLIENT_SECRET: "s" },
      "client",
      ["C1I_CLIENT_ID", "C1I_CLIENT_SECRET"],
    ],
    [
      "a later family where the first is empty",
      { REMIT_TOKEN: "  ", C1I_CLIENT_ID: CLIENT, C1I_CLIENT_SECRET: "s" },
      "client",
      ["C1I_CLIENT_ID", "C1I_CLIENT_SECRET"],
    ],
  ])("%s", (_, env, as, from) => {
    const { value, diagnostics } = credentialsFrom(env, SERVER);
    expect(value).toMatchObject({ as, from });
    expect(diagnostics).toEqual([]);
  });
});

test("an id of one family is never joined to a secret of another", () => {
  const { value, diagnostics } = credentialsFrom({ REMIT_CLIENT_ID: CLIENT, C1I_CLIENT_SECRET: "s" }, SERVER);
  expect(value).toBeNull();
  expect(diagnostics).toMatchObject([
    { code: "credentials/incomplete", message: "REMIT_CLIENT_ID is set, and REMIT_CLIENT_SECRET is not." },
  ]);
});

test.each([SERVER, "http://127.0.0.1:8080"])(
  "no credentials for %s are an error that names the variables",
  (server) => {
    const { value, diagnostics } = credentialsFrom({}, server);
    expect(value).toBeNull();
    expect(diagnostics).toMatchObject([
      { code: "credentials/none", severity: "error", hint: expect.stringContaining("REMIT_TOKEN") },
    ]);
  },
);

test("white space around a value is ignored", () => {
  const { value } = credentialsFrom({ REMIT_TOKEN: " t0ken\n" }, SERVER);
  expect(value?.as === "bearer" && value.token.reveal()).toBe("t0ken");
});

test.each<[string, Record<string, string>]>([
  ["a token with a line break in it", { REMIT_TOKEN: "hunter2\nx" }],
  [
    "a signing key that is damaged",
    { REMIT_CLIENT_ID: CLIENT, REMIT_CLIENT_SECRET: "secret-token:x:v1:hunter2" },
  ],
  [
    "a signing key of another version",
    { REMIT_CLIENT_ID: CLIENT, REMIT_CLIENT_SECRET: `secret-token:x:v2:${key()}` },
  ],
])("%s is said before it is sent, without showing it", (_, env) => {
  const { diagnostics } = credentialsFrom(env, SERVER);
  expect(diagnostics).toMatchObject([{ code: "credentials/malformed", severity: "error" }]);
  expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
});

test("a client of another tenant than the server is a warning", () => {
  const env = { REMIT_CLIENT_ID: "fox@other.example/spc", REMIT_CLIENT_SECRET: `secret-token:x:v1:${key()}` };
  expect(credentialsFrom(env, SERVER).diagnostics).toMatchObject([
    { code: "credentials/other-tenant", severity: "warning" },
  ]);
  expect(credentialsFrom(env, "http://127.0.0.1:1").diagnostics).toEqual([]);
});

test("a server whose address is not a URL says nothing of the client", () => {
  const env = { REMIT_CLIENT_ID: "fox@other.example/spc", REMIT_CLIENT_SECRET: "hunter2-hunter2" };
  expect(credentialsFrom(env, "tenant.example")).toMatchObject({ value: { as: "client" }, diagnostics: [] });
});

function key(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return Buffer.from(JSON.stringify(privateKey.export({ format: "jwk" }))).toString("base64url");
}
