import { describe, expect, test } from "vitest";
import type { Call, Segment } from "../../../src/model/call.js";
import { LARGEST_BODY, makeOutgoing } from "../../../src/tenant/client/client.js";
import { ApiError } from "../../../src/tenant/client/error.js";
import { rejection, startPair } from "../../fakes/client.js";

const SERVER = "https://tenant.example/base";
const call = (path: readonly Segment[], rest: Partial<Call> = {}): Call => ({
  operation: "Test",
  method: "POST",
  path,
  effect: "once",
  ...rest,
});

describe("a path's segments are encoded, each for itself", () => {
  test.each([
    ["2fsgTvxP0DVTsNXEUBI7hOe0l5A", "2fsgTvxP0DVTsNXEUBI7hOe0l5A"],
    ["a/b", "a%2Fb"],
    ["a?b#c", "a%3Fb%23c"],
    ["%2e%2e", "%252e%252e"],
    ["ü ", "%C3%BC%20"],
    ["...", "..."],
    ["__proto__", "__proto__"],
  ])("%j is sent as %s", (segment, encoded) => {
    const { url } = makeOutgoing(call(["api", segment]), SERVER);
    expect(url).toBe(`${SERVER}/api/${encoded}`);
    expect(new URL(url).pathname).toBe(`/base/api/${encoded}`);
  });
});

describe("what must not leave the program does not", () => {
  test.each<[string, Segment, string]>([
    ["an empty id", "", "an id in its path is empty"],
    ["a blank id", " \t", "an id in its path is empty"],
    ["a segment that leads nowhere", ".", '"." in its path would lead elsewhere'],
    ["a segment that leads upwards", "..", '".." in its path would lead elsewhere'],
    ["half a character", "\ud800", "an id in its path is not valid text"],
    ["an id that an earlier reply has yet to give", { reply: ["id"] }, "its path waits for an earlier reply"],
  ])("%s", async (_, segment, problem) => {
    const { client, server } = await startPair(() => undefined);
    const error = await rejection(client.send(call(["api", segment, "x"])));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ progress: "never sent", next: "stop", attempts: 0 });
    expect(String(error)).toContain(problem);
    expect(server.seen).toEqual([]);
  });
});

test("a body of 4 MiB is sent, and one more byte is refused with both sizes", () => {
  const frame = JSON.stringify({ text: "" }).length;
  const bodyOf = (size: number) => call(["x"], { body: { text: "x".repeat(size - frame) } });
  expect(makeOutgoing(bodyOf(LARGEST_BODY), SERVER).body).toHaveLength(LARGEST_BODY);
  expect(() => makeOutgoing(bodyOf(LARGEST_BODY + 1), SERVER)).toThrow(
    "its body is 4.00 MiB (4194305 bytes), and the service reads 4 MiB at most",
  );
});

test("a body's size is counted in bytes, not in characters", () => {
  const body = { text: "ü".repeat(LARGEST_BODY / 2) };
  expect(() => makeOutgoing(call(["x"], { body }), SERVER)).toThrow("the service reads 4 MiB at most");
});

test("a query is encoded, and an empty one leaves no question mark", () => {
  expect(makeOutgoing(call(["x"], { query: { page_token: "a&b=c" } }), SERVER).url).toBe(
    `${SERVER}/x?page_token=a%26b%3Dc`,
  );
  expect(makeOutgoing(call(["x"], { query: {} }), SERVER).url).toBe(`${SERVER}/x`);
});
