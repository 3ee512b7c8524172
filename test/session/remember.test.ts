import { expect, it } from "vitest";
import type { Call } from "../../src/model/call.js";
import type { Json } from "../../src/model/json.js";
import { remembering } from "../../src/session/remember.js";
import { virtualClock } from "../fakes/clock.js";
import { directClient } from "../fakes/directClient.js";

const PAGES: readonly (readonly Json[])[] = [
  [
    { id: "a", name: "Überwachung 🔑", alias: "" },
    { id: "b", parts: [1, 2.5, null, true] },
  ],
  [],
  [{ id: "c" }],
];
const LIST: Call = { operation: "Test", method: "GET", path: ["api", "v1", "apps"], effect: "read" };

function listing() {
  const { client } = directClient({}, virtualClock());
  const asked: Call[] = [];
  const remembers = remembering({
    ...client,
    async *pages(call, options) {
      asked.push(call);
      for (const page of PAGES) {
        yield page;
        if (options?.goesOn?.("") === false) return;
      }
    },
  });
  return { remembers, asked };
}

it("a list that was read to its end is given again, page by page, without a call", async () => {
  const { remembers, asked } = listing();
  await everyPage(remembers.pages(LIST));
  expect(await everyPage(remembers.pages(LIST))).toEqual(PAGES);
  expect(asked).toHaveLength(1);
});

it("a list that was cut off is read again, and so is another list", async () => {
  const { remembers, asked } = listing();
  await everyPage(remembers.pages(LIST, { goesOn: () => false }));
  expect(await everyPage(remembers.pages(LIST))).toEqual(PAGES);
  await everyPage(remembers.pages({ ...LIST, path: ["api v1", "apps"] }));
  expect(asked).toHaveLength(3);
});

async function everyPage(pages: AsyncIterable<readonly Json[]>): Promise<readonly (readonly Json[])[]> {
  const all: (readonly Json[])[] = [];
  for await (const page of pages) all.push(page);
  return all;
}
