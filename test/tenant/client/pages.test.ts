import { describe, expect, test } from "vitest";
import type { Call } from "../../../src/model/call.js";
import type { Json } from "../../../src/model/json.js";
import { ApiError } from "../../../src/tenant/client/error.js";
import { readPages } from "../../../src/tenant/client/pages.js";
import { rejection, startPair } from "../../fakes/client.js";
import { json } from "../../fakes/server.js";

const LIST: Call = { operation: "Test", method: "GET", path: ["api", "v1", "apps"], effect: "read" };
const SEARCH: Call = { ...LIST, method: "POST", body: { query: "x" } };

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Gives the replies in turn, and remembers the calls. */
async function read(call: Call, replies: readonly Json[]) {
  const calls: Call[] = [];
  const pages = readPages(call, async (page) => {
    calls.push(page);
    const [body = null] = replies.slice(calls.length - 1);
    return { status: 200, body, attempts: 1 };
  });
  return { rows: (await collect(pages)).flatMap((page) => page.rows), calls };
}

test("a GET asks for 100 rows a page in its query, and repeats its filters with the token", async () => {
  const { rows, calls } = await read({ ...LIST, query: { filter: "a" } }, [
    { list: [1, 2], nextPageToken: "t1" },
    { list: [3], nextPageToken: "" },
  ]);
  expect(rows).toEqual([1, 2, 3]);
  expect(calls.map((call) => call.query)).toEqual([
    { filter: "a", page_size: "100" },
    { filter: "a", page_size: "100", page_token: "t1" },
  ]);
  expect(calls.every((call) => call.body === undefined)).toBe(true);
});

test("a POST asks in its body", async () => {
  const { calls } = await read(SEARCH, [{ list: [], nextPageToken: "t1" }, { list: [] }]);
  expect(calls.map((call) => call.body)).toEqual([
    { query: "x", page_size: 100 },
    { query: "x", page_size: 100, page_token: "t1" },
  ]);
  expect(calls.every((call) => call.query === undefined)).toBe(true);
});

describe("the list ends where the service names no further page", () => {
  test.each<[string, Json]>([
    ["absent", { list: [1] }],
    ["null", { list: [1], nextPageToken: null }],
    ["empty", { list: [1], nextPageToken: "" }],
    ["blank", { list: [1], nextPageToken: "  " }],
  ])("the token is %s", async (_, page) => {
    const { rows, calls } = await read(LIST, [page]);
    expect(rows).toEqual([1]);
    expect(calls).toHaveLength(1);
  });
});

test("a short page, an empty one and a null list are not the end", async () => {
  const { rows } = await read(LIST, [
    { list: [1], nextPageToken: "a" },
    { list: [], nextPageToken: "b" },
    { list: null, nextPageToken: "c" },
    { list: [2] },
  ]);
  expect(rows).toEqual([1, 2]);
});

test("a page longer than asked is taken whole", async () => {
  const long = Array.from({ length: 250 }, (_, index) => index);
  const { rows } = await read(LIST, [{ list: long, nextPageToken: "a" }, { list: [250] }]);
  expect(rows).toEqual([...long, 250]);
});

test.each([
  [["a", "a"], 2],
  [["a", "b", "a"], 3],
])("a token given before (%j) is an error instead of a loop", async (tokens, pages) => {
  let sent = 0;
  const endless = readPages(LIST, async () => {
    sent += 1;
    return {
      status: 200,
      body: { list: [], nextPageToken: tokens[(sent - 1) % tokens.length] ?? "" },
      attempts: 1,
    };
  });
  const error = await rejection(collect(endless));
  expect(error).toBeInstanceOf(ApiError);
  expect(String(error)).toContain("gave a page token a second time");
  expect(sent).toBe(pages);
});

test.each<[string, Json]>([
  ["an object without a list", { apps: [] }],
  ["a list that is an object", { list: {} }],
  ["a bare list", []],
  ["null", null],
])("a page that is %s is an error of another envelope", async (_, page) => {
  const error = await rejection(read(LIST, [page]));
  expect(error).toMatchObject({
    status: 200,
    own: false,
    next: "stop",
    message: expect.stringContaining("no list"),
  });
});

test("the client reads pages over the network, with one token each", async () => {
  const { client, server } = await startPair((seen, response) =>
    json(
      response,
      200,
      seen.url.includes("page_token=t1") ? { list: [2] } : { list: [1], nextPageToken: "t1" },
    ),
  );
  expect(await collect(client.pages(LIST))).toEqual([
    { rows: [1], next: "t1" },
    { rows: [2], next: "" },
  ]);
  expect(server.seen.map((seen) => seen.url)).toEqual([
    "/api/v1/apps?page_size=100",
    "/api/v1/apps?page_size=100&page_token=t1",
  ]);
});
