import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { proxiesFrom } from "../../../src/cli/credentials/give.js";
import { findProxy, proxyProblem } from "../../../src/tenant/client/proxy.js";
import { makeTransport } from "../../../src/tenant/client/transport.js";
import { rejection, startPair } from "../../fakes/client.js";
import { fakeClock } from "../../fakes/clock.js";
import { json } from "../../fakes/server.js";
import { shown } from "../../fakes/shown.js";

const SECURE = "https://tenant.example/api";

describe("the environment names the proxy", () => {
  test.each([
    [SECURE, { HTTPS_PROXY: "http://proxy:3128" }, "http://proxy:3128"],
    [SECURE, { https_proxy: "http://small", HTTPS_PROXY: "http://large" }, "http://small"],
    [SECURE, { HTTPS_PROXY: "proxy:3128" }, "http://proxy:3128"],
    [SECURE, { HTTP_PROXY: "http://proxy" }, null],
    [SECURE, { ALL_PROXY: "http://proxy" }, "http://proxy"],
    [SECURE, { HTTPS_PROXY: " " }, null],
    [SECURE, {}, null],
    ["http://sandbox.internal", { HTTP_PROXY: "http://proxy" }, "http://proxy"],
    ["http://127.0.0.1:8080", { HTTP_PROXY: "http://proxy" }, null],
  ])("%s with %j goes through %s", (url, env, proxy) => {
    expect(findProxy(url, proxiesFrom(env))).toBe(proxy);
  });

  test.each([
    ["*", null],
    ["tenant.example", null],
    ["TENANT.example", null],
    [".example", null],
    ["*.example", null],
    ["example", null],
    ["other.example, tenant.example", null],
    ["other.example tenant.example:443", null],
    ["tenant.example:8443", "http://proxy"],
    ["nant.example", "http://proxy"],
    ["other.example", "http://proxy"],
    ["", "http://proxy"],
  ])("NO_PROXY=%s", (list, proxy) => {
    expect(findProxy(SECURE, proxiesFrom({ HTTPS_PROXY: "http://proxy", NO_PROXY: list }))).toBe(proxy);
  });
});

test.each([
  ["http://proxy:3128", null],
  ["proxy:3128", null],
  ["https://fox:100%25@proxy", null],
  ["http://fox:hunter22@proxy:99999", "it is not a URL"],
  ["http://fox:hunter22 @@", "it is not a URL"],
  ["socks5://fox:hunter22@proxy", "it is spoken to neither by http nor by https"],
  ["http://fox:100%hunter22@proxy", "a % in its user or its password encodes nothing"],
])("what is wrong with the proxy %s is said without it: %s", (proxy, problem) => {
  expect(proxyProblem(SECURE, proxiesFrom({ HTTPS_PROXY: proxy }))).toBe(problem);
});

test("no client is made for a proxy that cannot be used, and its address is not shown", async () => {
  const options = {
    server: "https://tenant.example",
    proxies: proxiesFrom({ HTTPS_PROXY: "http://fox:hunter22@proxy:99999" }),
  };
  const error = await rejection(startPair(() => undefined, options));
  expect(String(error)).toContain("the proxy's address cannot be used: it is not a URL");
  expect(shown(error)).not.toContain("hunter22");
});

test("a call goes through the proxy, which sees the host and its own credentials alone", async () => {
  const { server } = await startPair((_, response) => json(response, 200, { ok: true }));
  const tunnels: unknown[] = [];
  const proxy = createServer();
  proxy.on("connect", (asked, socket) => {
    tunnels.push({ host: asked.url, credentials: asked.headers["proxy-authorization"] });
    const onward = connect(Number(new URL(server.url).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    socket.on("error", () => onward.destroy());
    onward.on("error", () => socket.destroy());
  });
  const transport = await through(proxy, "user:pass@");
  const message = { method: "GET", url: "http://tenant.example:80/x", headers: {}, body: undefined };
  expect(await transport.transmit(message)).toMatchObject({ as: "reply", status: 200 });
  expect(await transport.transmit(message)).toMatchObject({ as: "reply", status: 200 });
  expect(tunnels).toEqual([{ host: "tenant.example:80", credentials: `Basic ${btoa("user:pass")}` }]);
  expect(server.seen.map((seen) => seen.headers["proxy-authorization"])).toEqual([undefined, undefined]);
});

test("a proxy that refuses means that the call was never sent", async () => {
  const proxy = createServer();
  proxy.on("connect", (_, socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
  const transport = await through(proxy, "");
  const message = { method: "POST", url: "http://tenant.example/x", headers: {}, body: undefined };
  expect(await transport.transmit(message)).toMatchObject({ as: "lost", sent: false });
});

test("a reply's time begins with the request, not with the connection", async () => {
  const clock = fakeClock();
  const { server } = await startPair((_, response) => {
    clock.advance(40);
    json(response, 200, {});
  });
  const proxy = createServer();
  proxy.on("connect", (_, socket) => {
    clock.advance(300);
    const onward = connect(Number(new URL(server.url).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
  });
  const transport = await through(proxy, "", clock);
  const message = { method: "POST", url: "http://tenant.example:80/x", headers: {}, body: "{}" };
  expect(await transport.transmit(message)).toMatchObject({ as: "reply", took: 40 });
});

async function through(proxy: ReturnType<typeof createServer>, user: string, clock = fakeClock()) {
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  const transport = makeTransport({
    largestReply: 1_000_000,
    width: 1,
    requestTimeout: 2_000,
    proxy: `http://${user}127.0.0.1:${port}`,
    clock,
  });
  onTestFinished(() => {
    transport.close();
    proxy.closeAllConnections();
    proxy.close();
  });
  return transport;
}
