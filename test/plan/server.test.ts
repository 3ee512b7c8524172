import { describe, expect, it } from "vitest";
import { publicServer } from "../../src/plan/server.js";

describe("a server in a plan", () => {
  it.each([
    ["https://tenant.example", "https://tenant.example"],
    ["https://TENANT.example:443/", "https://tenant.example"],
    ["http://127.0.0.1:8080/base/", "http://127.0.0.1:8080/base"],
    ["https://client:secret@tenant.example?token=secret#secret", "https://tenant.example"],
    ["client:secret@tenant.example", "tenant.example"],
    ["//client:secret@tenant.example", "tenant.example"],
    ["client:secret\nsecret@tenant.example", "tenant.example"],
    ["tenant.example/?token=secret", "tenant.example/"],
    ["tenant.example#secret", "tenant.example"],
    ["https://client:2/secret@tenant.example", "https://tenant.example"],
    ["https://client:se/cret@tenant.example", "tenant.example"],
    ["sandbox", "sandbox"],
  ])("%s is published as %s", (server, expected) => {
    expect(publicServer(server)).toBe(expected);
  });
});
