import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { makeTransport, type Transport } from "../../../src/tenant/client/transport.js";
import { CERTIFICATE } from "../../fakes/certificate.js";
import { fakeClock } from "../../fakes/clock.js";
import { type Script, startServer } from "../../fakes/server.js";

const post = (url: string) => ({ method: "POST", url, headers: {}, body: "{}" });

function transport(): Transport {
  const made = makeTransport({
    width: 1,
    requestTimeout: 1_000,
    largestReply: 1_000_000,
    proxy: null,
    clock: fakeClock(),
  });
  onTestFinished(made.close);
  return made;
}

async function serve(script: Script) {
  const server = await startServer(script);
  onTestFinished(server.close);
  return server;
}

test("a server whose certificate is not trusted receives nothing", async () => {
  let asked = 0;
  const server = createServer(CERTIFICATE, () => {
    asked += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(await transport().transmit(post(url))).toEqual({
    as: "lost",
    sent: false,
    untrusted: true,
    code: "DEPTH_ZERO_SELF_SIGNED_CERT",
  });
  expect(asked).toBe(0);
});

test("a connection that is reset under a request may have carried it", async () => {
  const server = await serve((_seen, _response, socket) => socket.resetAndDestroy());
  expect(await transport().transmit(post(server.url))).toMatchObject({
    as: "lost",
    sent: true,
    code: "ECONNRESET",
  });
});

test("a kept connection that is reset under the next request may have carried it", async () => {
  const server = await serve((_, response, socket) =>
    server.seen.length === 1 ? response.end() : socket.resetAndDestroy(),
  );
  const { transmit } = transport();
  expect(await transmit(post(server.url))).toMatchObject({ as: "reply", status: 200 });
  expect(await transmit(post(server.url))).toMatchObject({ as: "lost", sent: true });
  expect(server.connections()).toBe(1);
});

test("a reply that breaks off is lost", async () => {
  const server = await serve((_, response, socket) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => socket.destroy());
  });
  expect(await transport().transmit(post(server.url))).toMatchObject({ as: "lost", sent: true });
});

test.each([
  ["says only that it goes on", "HTTP/1.1 100 Continue\r\n\r\n"],
  ["sends half a head", "HTTP/1.1 200 OK\r\ncontent-"],
  ["sends half a body", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"],
])("a server that %s is lost, and the wait for it ends", async (_name, text) => {
  const server = await serve((_seen, _response, socket) => void socket.write(text));
  expect(await transport().transmit(post(server.url))).toMatchObject({
    as: "lost",
    sent: true,
    code: "ETIMEDOUT",
  });
});

test.each(["connection: upgrade\r\nupgrade: other\r\n", ""])(
  "a server that switches protocols has replied: %j",
  async (headers) => {
    const text = `HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`;
    const server = await serve((_seen, _response, socket) => void socket.write(text));
    expect(await transport().transmit(post(server.url))).toMatchObject({ as: "reply", status: 101 });
  },
);

test("an aborted request is lost, and its reason goes nowhere", async () => {
  const stop = new AbortController();
  const server = await serve(() => stop.abort(new Error("hunter2")));
  const answer = await transport().transmit(post(server.url), stop.signal);
  expect(answer).toEqual({ as: "lost", sent: true, untrusted: false, code: "ERR_ABORTED" });
});
