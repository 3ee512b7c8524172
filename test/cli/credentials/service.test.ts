import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { credentialsFrom } from "../../../src/cli/credentials/service.js";

const SERVER = "https://tenant.example";
const CLIENT = "cool-fox-1@tenant.example/spc";
const GITHUB = {
  ACTIONS_ID_TOKEN_REQUEST_URL: "https://actions.example/token",
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: "g",
};

const OTHER = ["credentials/other-tenant"];
const UNCONFIRMED = ["credentials/unconfirmed-server"];

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
      "a secret before the file of an identity",
      { REMIT_CLIENT_ID: CLIENT, REMIT_CLIENT_SECRET: "s", REMIT_OIDC_TOKEN_FILE: "/token" },
      "client",
      ["REMIT_CLIENT_ID", "REMIT_CLIENT_SECRET"],
    ],
    [
      "the file of an identity before GitHub",
      { REMIT_CLIENT_ID: CLIENT, REMIT_OIDC_TOKEN_FILE: "/token", ...GITHUB },
      "exchange",
      ["REMIT_CLIENT_ID", "REMIT_OIDC_TOKEN_FILE"],
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

test("a variable that is set and empty is an error, whatever else is set", () => {
  const env = { REMIT_TOKEN: "  ", C1I_CLIENT_ID: CLIENT, C1I_CLIENT_SECRET: "s" };
  expect(credentialsFrom(env, SERVER)).toMatchObject({
    value: null,
    diagnostics: [{ code: "credentials/empty", message: "REMIT_TOKEN is set, but empty." }],
  });
});

describe("credentials belong to a server:", () => {
  const secret = { REMIT_CLIENT_SECRET: "hunter2-hunter2" };
  const codes = (env: Record<string, string>, server: string, namedBy: "operator" | "working tree") => {
    const { value, diagnostics } = credentialsFrom(env, server, namedBy);
    return value === null ? diagnostics.map(({ code }) => code) : "sent";
  };

  test.each<[id: string, server: string, operator: unknown, tree: unknown]>([
    ["fox@tenant.example/spc", "https://tenant.example", "sent", "sent"],
    ["fox@Tenant.Example/spc", "https://tenant.example", "sent", "sent"],
    ["fox@tenant.example:443/spc", "https://tenant.example", "sent", "sent"],
    ["fox@other.example/spc", "https://tenant.example", OTHER, OTHER],
    ["fox@other.example/spc", "http://127.0.0.1:1", "sent", OTHER],
    ["fox@tenant.example.evil.example/spc", "https://tenant.example", OTHER, OTHER],
    ["fox@evil.example@tenant.example/spc", "https://tenant.example", OTHER, OTHER],
    ["fox@tenant.example@evil.example/spc", "https://evil.example", OTHER, OTHER],
    ["fox", "https://tenant.example", "sent", UNCONFIRMED],
    ["fox@/spc", "https://tenant.example", "sent", UNCONFIRMED],
  ])("the client %s, and the server %s", (id, server, operator, tree) => {
    const env = { REMIT_CLIENT_ID: id, ...secret };
    expect([codes(env, server, "operator"), codes(env, server, "working tree")]).toEqual([operator, tree]);
  });

  test("a token goes only to a server that the operator named, this machine included", () => {
    for (const server of ["https://tenant.example", "http://127.0.0.1:8080"]) {
      expect(codes({ REMIT_TOKEN: "t0ken" }, server, "operator")).toBe("sent");
      expect(codes({ REMIT_TOKEN: "t0ken" }, server, "working tree")).toEqual(UNCONFIRMED);
    }
  });
});

test("a server whose address is not a URL says nothing of the client", () => {
  const env = { REMIT_CLIENT_ID: "fox@other.example/spc", REMIT_CLIENT_SECRET: "hunter2-hunter2" };
  expect(credentialsFrom(env, "tenant.example")).toMatchObject({ value: { as: "client" }, diagnostics: [] });
});

function key(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return Buffer.from(JSON.stringify(privateKey.export({ format: "jwk" }))).toString("base64url");
}
