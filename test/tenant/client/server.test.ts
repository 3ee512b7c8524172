import { expect, test } from "vitest";
import { checkServer, completeServer } from "../../../src/tenant/client/server.js";

test.each([
  ["https://tenant.example", "https://tenant.example"],
  ["https://tenant.example/", "https://tenant.example"],
  ["https://TENANT.example:8443/base//", "https://tenant.example:8443/base"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
  ["http://127.9.9.9", "http://127.9.9.9"],
  ["http://localhost:1", "http://localhost:1"],
  ["http://[::1]:1/", "http://[::1]:1"],
])("%s can be used as %s", (text, server) => {
  expect(checkServer(text)).toEqual({ server });
});

test.each([
  ["tenant.example", "it is not an address"],
  ["", "it is not an address"],
  ["http://tenant.example", "plain http to another machine"],
  ["http://127.0.0.1.tenant.example", "plain http to another machine"],
  ["http://localhost.tenant.example", "plain http to another machine"],
  ["https://name:password@tenant.example", "it holds credentials"],
  ["https://name:2/word@tenant.example", "it holds credentials"],
  ["https://tenant.example?x=1", "it has a query"],
  ["https://tenant.example#x", "it has a query or a fragment"],
  ["tenant:8443", "it is not an address"],
  ["ftp://tenant.example", "ftp: is not a scheme"],
])("%j cannot be used: %s", (text, problem) => {
  expect(checkServer(text)).toEqual({ problem: expect.stringContaining(problem) });
});

test("what is wrong with an address never repeats the password in it", () => {
  expect(JSON.stringify(checkServer("https://name:hunter2@tenant.example"))).not.toContain("hunter2");
});

test("plain http to another machine can be allowed", () => {
  expect(checkServer("http://sandbox.internal:8080", { plain: true })).toEqual({
    server: "http://sandbox.internal:8080",
  });
});

test.each([
  ["tenant.example", "https://tenant.example"],
  ["tenant.example:8443/base", "https://tenant.example:8443/base"],
  ["localhost:8700", "http://localhost:8700"],
  ["127.0.0.1:8700/", "http://127.0.0.1:8700/"],
])("the bare host %s means %s", (text, address) => {
  expect(completeServer(text)).toBe(address);
});

test.each([
  "sandbox",
  "tenant",
  "tenant:8443",
  "https://tenant.example",
  "name@tenant.example",
  "tenant..example",
  "",
])("%j stays as it is written", (text) => {
  expect(completeServer(text)).toBe(text);
});
