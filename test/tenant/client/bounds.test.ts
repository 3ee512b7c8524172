import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Call } from "../../../src/model/call.js";
import { Secret } from "../../../src/model/secret.js";
import { DEFAULT_BOUNDS, EMPTY_PAGES } from "../../../src/tenant/client/pages.js";
import { rejection, startPair } from "../../fakes/client.js";
import { json } from "../../fakes/server.js";

const READ: Call = {
  operation: "Test",
  method: "GET",
  path: ["api", "v1", "apps"],
  effect: "read",
  expects: ["list"],
};
const LIST: Call = { operation: "Test", method: "GET", path: ["api", "v1", "apps"], effect: "read" };

async function readAll(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pages);
}

describe("a reply has a largest size", () => {
  test("a gzip bomb ends at the bound, inflated, and the error names the setting", async () => {
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024));
    const { client, server } = await startPair((_, response) =>
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bomb),
    );
    const error = await rejection(client.send(READ));
    expect(error).toMatchObject({ fault: "too much", next: "stop", attempts: 1 });
    expect(String(error)).toContain("more than 32 MiB");
    expect(server.seen).toHaveLength(1);
  });

  test.each([true, false])(
    "a plain reply that is larger ends at the bound; its length is named: %s",
    async (named) => {
      const body = JSON.stringify({ list: ["x".repeat(3_000_000)] });
      const length = named ? { "content-length": String(body.length) } : {};
      const { client } = await startPair(
        (_, response) => response.writeHead(200, { "content-type": "application/json", ...length }).end(body),
        { bounds: { reply: 1024 * 1024 } },
      );
      expect(await rejection(client.send(READ))).toMatchObject({ fault: "too much", attempts: 1 });
    },
  );

  test("a compressed reply within the bound is read", async () => {
    const body = gzipSync(JSON.stringify({ list: [1] }));
    const { client } = await startPair((_, response) =>
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(body),
    );
    expect((await client.send(READ)).body).toEqual({ list: [1] });
  });

  test("a long error message is quoted in part, with its request id", async () => {
    const message = `${"x".repeat(5_000_000)} (request-id: 2abc)`;
    const { client } = await startPair((_, response) => json(response, 400, { code: 3, message }));
    const error = await rejection(client.send(READ));
    expect(error).toMatchObject({ requestId: "2abc", status: 400 });
    expect(String(error).length).toBeLessThan(2_500);
  });
});

describe("a list has an end", () => {
  const endless = (rows: number, bounds = {}) => {
    let page = 0;
    return startPair(
      (_, response) => {
        page += 1;
        json(response, 200, { list: Array(rows).fill(page), nextPageToken: `t${page}` });
      },
      { bounds },
    );
  };

  test("a list of empty pages is ended", async () => {
    const { client, server } = await endless(0);
    const error = await rejection(readAll(client.pages(LIST)));
    expect(error).toMatchObject({ fault: "too much" });
    expect(String(error)).toContain("the list makes no progress");
    expect(server.seen).toHaveLength(EMPTY_PAGES);
  });

  test.each([
    ["rows", { rows: 250 }, "more than 250 rows"],
    ["pages", { pages: 3 }, "3 pages and no end"],
  ])("more %s than the bound are an error that names the bound", async (_, bounds, words) => {
    const { client, server } = await endless(100, bounds);
    expect(String(await rejection(readAll(client.pages(LIST))))).toContain(words);
    expect(server.seen).toHaveLength(3);
  });

  test("a list that takes too long is an error that names the bound", async () => {
    const { client, clock } = await endless(1);
    const slow = async () => {
      for await (const _ of client.pages(LIST)) clock.advance(DEFAULT_BOUNDS.time / 2 + 1);
    };
    expect(String(await rejection(slow()))).toContain("took longer than 1800 s");
  });
});

describe("a server that hangs", () => {
  test("is found out after one request timeout, although a read may be retried", async () => {
    const { client, server } = await startPair(() => undefined, { requestTimeout: 50, retries: 5 });
    const error = await rejection(client.send(READ));
    expect(error).toMatchObject({ fault: "timeout", progress: "no reply", attempts: 1 });
    expect(String(error)).not.toContain("taken effect");
    expect(server.seen).toHaveLength(1);
  });

  test("for one call only is asked again", async () => {
    const { client, server } = await startPair(
      (_, response) => {
        if (server.seen.length !== 2) json(response, 200, { list: [] });
      },
      { requestTimeout: 200, retries: 1 },
    );
    await client.send(READ);
    expect((await client.send(READ)).attempts).toBe(2);
  });

  test("is not asked again by a probe", async () => {
    const { client, server } = await startPair(
      (_, response) => {
        if (server.seen.length === 1) json(response, 200, { list: [] });
      },
      { requestTimeout: 200, retries: 5 },
    );
    await client.send(READ);
    expect(await rejection(client.send(READ, { once: true }))).toMatchObject({ attempts: 1 });
  });
});

test.each([[""], [7], [null]])(
  "a token endpoint that answers %j as access_token is a clear error",
  async (value) => {
    const credentials = {
      as: "client",
      id: "one@tenant.example/x",
      secret: new Secret("plain-secret"),
      from: ["REMIT_CLIENT_ID"],
    } as const;
    const { client } = await startPair((_, response) => json(response, 200, { access_token: value }), {
      credentials,
    });
    const error = await rejection(client.send(READ));
    expect(error).toMatchObject({ progress: "never sent" });
    expect(String(error)).toMatch(/`access_token` that is empty or not a text|has no access_token/);
  },
);

test("an identity endpoint that is not a URL is a clear error", async () => {
  const identity = { as: "github", url: "not a url", asking: new Secret("asking-secret") } as const;
  const credentials = {
    as: "exchange",
    id: "one@tenant.example/x",
    identity,
    from: ["REMIT_CLIENT_ID"],
  } as const;
  const { client } = await startPair((_, response) => json(response, 200, {}), { credentials });
  expect(String(await rejection(client.send(READ)))).toContain("ACTIONS_ID_TOKEN_REQUEST_URL is not a URL");
});
