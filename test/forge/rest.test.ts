import { expect, it } from "vitest";
import { makeRest } from "../../src/forge/rest.js";

it("gives no part of a list for all of it: a list without an end is an error", async () => {
  let id = 0;
  const send = async () => ({ status: 200, body: [{ id: ++id }], attempts: 1 });
  const rest = makeRest(send, { size: "limit", rows: 1, isSizeKept: true });
  await expect(rest.all(["comments"])).rejects.toThrow("gave more than 100 pages");
  expect(id).toBe(101);
});
