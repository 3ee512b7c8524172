import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { isAddressed } from "../../../src/sandbox/http/exchange.js";
import { startSandbox } from "../../../src/sandbox/http/server.js";

describe("the sandbox", () => {
  it.each<[string, string, string]>([
    ["127.0.0.1:8700", "127.0.0.1", "127.0.0.1"],
    ["localhost", "127.0.0.1", "127.0.0.1"],
    ["[::1]:8700", "::1", "::1"],
    ["10.0.0.7:8700", "::ffff:10.0.0.7", "0.0.0.0"],
    ["[fd00::7]", "fd00::7", "::"],
    ["sandbox:8700", "10.0.0.7", "Sandbox"],
  ])("is asked as %s", (header, local, host) => {
    expect(isAddressed(header, local, host)).toBe(true);
  });

  it.each([
    "evil.test",
    "evil.test:8700",
    "127.0.0.1.evil.test",
    "localhost:8700@evil.test",
    "10.0.0.8",
    "",
    undefined,
  ])("is refused as %s", (header) => {
    expect(isAddressed(header, "::ffff:10.0.0.7", "0.0.0.0")).toBe(false);
  });

  it("answers a page of another name nothing, and logs, counts and writes nothing of it", async () => {
    const sandbox = await startSandbox();
    const { port } = new URL(sandbox.url);
    const ask = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { host, authorization: `Bearer ${sandbox.token}` };
        const sent = request({ port, host: "127.0.0.1", path: "/api/v1/apps", headers }, (reply) => {
          reply.resume();
          resolve(reply.statusCode);
        });
        sent.on("error", reject).end();
      });
    expect([await ask("evil.test"), await ask(`localhost:${port}`)]).toEqual([403, 200]);
    expect(sandbox.log.count()).toBe(1);
    await sandbox.close();
  });
});
