import { createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { untilAnswered } from "../../../src/state/web/untilAnswered.js";
import { makeTransport, type Transport } from "../../../src/tenant/client/transport.js";

const clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds / 20)),
};

let server: Server;
let transport: Transport;
afterEach(async () => {
  transport.close();
  await new Promise((resolve) => server.close(resolve));
});

/** A server that answers each request of a connection in a way of its own, by the place of the request in its connection and in all. */
async function serve(answer: (socket: Socket, place: number, number: number) => void): Promise<string> {
  let all = 0;
  server = createServer((socket) => {
    let place = 0;
    socket.on("error", () => undefined);
    socket.on("data", () => {
      place += 1;
      all += 1;
      answer(socket, place, all);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  transport = makeTransport({ width: 64, requestTimeout: 5_000, largestReply: 1e6, proxy: null, clock });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`;
}
const ask = (url: string) =>
  untilAnswered(() => ({ method: "GET", url, headers: {}, body: undefined }), {
    name: "the store",
    transmit: transport.transmit,
    clock,
  });
const reply = (status: number) =>
  `HTTP/1.1 ${status} X\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok`;

describe("a request that is repeated", () => {
  it("reaches a server that closes each connection at its second request, however many wait", async () => {
    const url = await serve((socket, place) => {
      if (place === 1) setTimeout(() => socket.write(reply(200)), 20);
      else socket.destroy();
    });
    const first = await Promise.all(Array.from({ length: 40 }, () => ask(url)));
    expect(first.map(({ status }) => status)).toEqual(first.map(() => 200));
    // Forty connections look open now, and each is closed as soon as it is used.
    for (let round = 0; round < 3; round += 1) {
      const { status, isRepeated } = await ask(url);
      expect([status, isRepeated]).toEqual([200, true]);
    }
  });

  it.each([500, 502, 503, 504])("reaches a server that answers %d four times", async (status) => {
    const url = await serve((socket, _, number) => socket.write(reply(number < 5 ? status : 200)));
    expect(await ask(url)).toMatchObject({ status: 200, text: "ok", isRepeated: true });
  });

  it("says that a server which closes every connection did not answer", async () => {
    const url = await serve((socket) => socket.destroy());
    await expect(ask(url)).rejects.toMatchObject({
      refusal: "again",
      diagnostic: { code: "state/unreachable" },
    });
  });
});
