import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { type Caller, refusalOf } from "../../../src/sandbox/answer/caller.js";
import { startSandbox } from "../../../src/sandbox/http/server.js";

const LOCAL: Caller = {
  address: "127.0.0.1",
  host: "127.0.0.1:8700",
  origin: undefined,
  authorization: undefined,
};

describe("what is asked of the sandbox itself", () => {
  it.each<[string, Partial<Caller>]>([
    ["by an address", {}],
    ["by name", { host: "localhost:8700" }],
    ["over IPv6", { address: "::1", host: "[::1]:8700" }],
    ["over IPv4 in IPv6", { address: "::ffff:127.0.0.1" }],
    ["on port 80", { host: "localhost" }],
    ["by its own page", { origin: "http://127.0.0.1:8700" }],
  ])("is answered %s", (_, caller) => {
    expect(refusalOf({ ...LOCAL, ...caller }, undefined)).toBeNull();
  });

  it.each<[string, Partial<Caller>]>([
    ["another machine", { address: "10.0.0.7" }],
    ["a name that was made to resolve to this machine", { host: "evil.test:8700" }],
    ["a name that looks like loopback", { host: "127.0.0.1.evil.test" }],
    ["a name with a trick", { host: "localhost:8700@evil.test" }],
    ["no host", { host: undefined }],
    ["a page of another site", { origin: "https://evil.test" }],
    ["a page of another port", { origin: "http://127.0.0.1:3000" }],
    ["a page without an origin", { origin: "null" }],
  ])("is refused to %s", (_, caller) => {
    expect(refusalOf({ ...LOCAL, ...caller }, undefined)?.status).toBe(403);
  });

  it.each([undefined, "Bearer other", "Bearer ", "hunter2"])(
    "needs the token where the sandbox was given one: %s",
    (authorization) => {
      expect(refusalOf({ ...LOCAL, authorization }, "hunter2")?.status).toBe(401);
      expect(refusalOf({ ...LOCAL, authorization: "Bearer hunter2" }, "hunter2")).toBeNull();
    },
  );
});

it("a running sandbox refuses a foreign host, a foreign page and a missing token, and does nothing", async () => {
  const sandbox = await startSandbox({ auth: { token: "hunter2" } });
  const { port } = new URL(sandbox.url);
  const ask = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const body = JSON.stringify({ fault: "lost" });
      const options = { port, host: "127.0.0.1", method: "POST", path: "/_sandbox/faults", headers };
      request(options, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      })
        .on("error", reject)
        .end(body);
    });
  const authorization = "Bearer hunter2";
  expect(await ask({ authorization, host: `evil.test:${port}` })).toBe(403);
  expect(await ask({ authorization, origin: "https://evil.test" })).toBe(403);
  expect(await ask({})).toBe(401);
  expect(sandbox.faults.plan.rules).toEqual([]);
  expect(await ask({ authorization })).toBe(200);
  expect(sandbox.faults.plan.rules).toHaveLength(1);
  await sandbox.close();
});
