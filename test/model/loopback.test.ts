import { expect, it } from "vitest";
import { isLoopback } from "../../src/model/loopback.js";

it.each(["localhost", "127.0.0.1", "127.12.0.254", "::1", "[::1]"])("%s is this machine", (hostname) => {
  expect(isLoopback(hostname)).toBe(true);
});

it.each(["", "128.0.0.1", "127.evil.test", "127.0.0.1.evil.test", "localhost.evil.test", "[::2]", "0.0.0.0"])(
  "%j is not this machine by its form",
  (hostname) => {
    expect(isLoopback(hostname)).toBe(false);
  },
);
