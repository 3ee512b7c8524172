import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Client } from "../../src/api/client.js";
import { makePace } from "../../src/api/pace/pace.js";
import { readPages } from "../../src/api/pages.js";
import type { Call } from "../../src/model/call.js";
import { listsAhead } from "../../src/people/listsAhead.js";
import { fakeClock } from "../fakes/clock.js";

const LISTS = ["a", "b", "c"];

function listCall(name: string): Call {
  return { operation: "Test", method: "GET", path: ["api", "v1", name], effect: "read" };
}

/** A service with lists of so many pages each, through a client of that width; every reply takes a turn of the loop. */
function serviceOf(pages: Readonly<Record<string, number>>, width: number, forbidden = "") {
  const sent: string[] = [];
  const client = {
    pages(call: Call, { goesOn }: { goesOn?: () => boolean | Promise<boolean> } = {}) {
      const name = String(call.path.at(-1));
      return readPages(
        call,
        async ({ query }) => {
          const page = Number(query?.page_token ?? 0);
          sent.push(`${name}${page}`);
          await new Promise((resolve) => setImmediate(resolve));
          if (name === forbidden) throw new Error("answered 403");
          const isLast = page + 1 >= (pages[name] ?? 1);
          const body = { list: [`${name}${page}`], nextPageToken: isLast ? "" : String(page + 1) };
          return { status: 200, body, attempts: 1 };
        },
        { goesOn },
      );
    },
    pace: makePace({ width, clock: fakeClock() }),
  } as unknown as Client;
  return { client, sent };
}

/** What someone reads of a list who may read so many pages; nothing else is under way with a client of width 1. */
async function read(client: Client, name: string, allowed: number) {
  let left = allowed - 1;
  let asked = 0;
  const goesOn = () => {
    asked += 1;
    left -= 1;
    return left >= 0;
  };
  const found: unknown[] = [];
  await client.pace.limit(async () => {
    for await (const page of client.pages(listCall(name), { goesOn })) found.push(...page);
  });
  return { found, asked };
}

const turns = async (count: number) => {
  for (let at = 0; at < count; at += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe("lists that are read before someone asks for them", () => {
  it("give what they give without, ask as often whether they go on, and send no page twice", async () => {
    const anyPages = fc.integer({ min: 1, max: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ a: anyPages, b: anyPages, c: anyPages }),
        fc.record({
          width: fc.integer({ min: 1, max: 4 }),
          ahead: fc.integer({ min: 1, max: 6 }),
          begun: fc.subarray(LISTS),
          asked: fc.shuffledSubarray(LISTS),
          allowed: fc.integer({ min: 1, max: 7 }),
          wait: fc.integer({ min: 0, max: 8 }),
        }),
        async (pages, { width, ahead, begun, asked, allowed, wait }) => {
          const plain = serviceOf(pages, width);
          const early = serviceOf(pages, width);
          const lists = listsAhead(early.client);
          lists.begin(begun.map(listCall), ahead);
          await turns(wait);
          const [without, with_] = await Promise.all([
            Promise.all(asked.map((name) => read(plain.client, name, allowed))),
            Promise.all(asked.map((name) => read(lists.client, name, allowed))),
          ]);
          expect(with_).toEqual(without);
          await turns(10);
          expect(new Set(early.sent).size).toBe(early.sent.length);
          for (const name of LISTS) {
            const count = early.sent.filter((one) => one.startsWith(name)).length;
            const taken = plain.sent.filter((one) => one.startsWith(name)).length;
            expect(count).toBeLessThanOrEqual(Math.max(taken, begun.includes(name) ? ahead : 0));
          }
        },
      ),
    );
  });

  it("are not read once the service forbade the first of them, and the one who asks hears why", async () => {
    const { client, sent } = serviceOf({}, 4, "a");
    const lists = listsAhead(client);
    lists.begin(LISTS.map(listCall), 4);
    await turns(5);
    expect(sent).toEqual(["a0"]);
    await expect(read(lists.client, "a", 1)).rejects.toThrow("answered 403");
    expect(sent).toEqual(["a0"]);
  });

  it("are read again by the next who asks", async () => {
    const { client, sent } = serviceOf({ a: 1 }, 4);
    const lists = listsAhead(client);
    lists.begin([listCall("a")], 4);
    await read(lists.client, "a", 1);
    await read(lists.client, "a", 1);
    expect(sent).toEqual(["a0", "a0"]);
  });
});
