import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Call } from "../../src/model/call.js";
import type { Json } from "../../src/model/json.js";
import { ApiError, NO_REPLY } from "../../src/tenant/client/error.js";
import { makePace } from "../../src/tenant/client/pace/pace.js";
import { readPages } from "../../src/tenant/client/pages.js";
import type { Remote } from "../../src/tenant/reads.js";
import { makeTenant, type Tenant } from "../../src/tenant/tenant.js";
import { fakeClock } from "../fakes/clock.js";

const LISTS = ["a", "b", "c"];

function listCall(name: string): Call {
  return { operation: "Test", method: "GET", path: ["api", "v1", name], effect: "read" };
}

/** A service with lists of so many pages each, through a client of that width; every reply takes a turn of the loop. */
function serviceOf(pages: Readonly<Record<string, number>>, width: number, forbidden = "", keepsAll = false) {
  const sent: string[] = [];
  const remote: Remote = {
    send: () => Promise.reject(new Error("only lists are read")),
    pages(call, { from } = {}) {
      const name = String(call.path.at(-1));
      const send = async ({ query }: Call) => {
        const page = Number(query?.page_token ?? 0);
        sent.push(`${name}${page}`);
        await new Promise((resolve) => setImmediate(resolve));
        if (name === forbidden)
          throw new ApiError("answered 403", {
            ...{ ...NO_REPLY, call, progress: "replied", next: "stop", attempts: 1 },
            ...{ status: 403, own: true },
          });
        const isLast = page + 1 >= (pages[name] ?? 1);
        const list: Json[] = [
          { name: `${name}${page}`, alias: "Überwachung 🔑", parts: [1, 2.5, null, true] },
        ];
        return { status: 200, body: { list, nextPageToken: isLast ? "" : String(page + 1) }, attempts: 1 };
      };
      return readPages(call, send, { from });
    },
    pace: makePace({ width, clock: fakeClock() }),
  };
  return { tenant: makeTenant(remote, { keepsAll }), sent };
}

/** What a part of a run reads of a list who may read so many pages. */
async function read(tenant: Tenant, name: string, allowed: number) {
  let left = allowed - 1;
  let asked = 0;
  const goesOn = () => {
    asked += 1;
    left -= 1;
    return left >= 0;
  };
  const found: Json[] = [];
  const reader = tenant.reader();
  const end = await reader.pages("things", listCall(name), (rows) => found.push(...rows), goesOn);
  return { found, asked, end, unknown: reader.unknown() };
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
          void early.tenant.readAhead(begun.map(listCall), ahead);
          await turns(wait);
          const [without, with_] = await Promise.all([
            Promise.all(asked.map((name) => read(plain.tenant, name, allowed))),
            Promise.all(asked.map((name) => read(early.tenant, name, allowed))),
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
    const { tenant, sent } = serviceOf({}, 4, "a");
    void tenant.readAhead(LISTS.map(listCall), 4);
    await turns(5);
    expect(sent).toEqual(["a0"]);
    const unknown = [{ what: "things", why: "GET /api/v1/a: answered 403" }];
    expect(await read(tenant, "a", 1)).toMatchObject({ end: "forbidden", unknown });
    expect(sent).toEqual(["a0"]);
  });
});

describe("a tenant", () => {
  it("reads no page twice, however many ask and however far, and gives each the same", async () => {
    const anyAsk = fc.record({
      name: fc.constantFrom(...LISTS),
      allowed: fc.integer({ min: 1, max: 7 }),
      isLater: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ a: fc.integer({ min: 1, max: 6 }), b: fc.constant(2), c: fc.constant(1) }),
        fc.array(anyAsk, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (pages, asks, width, keepsAll) => {
          const { tenant, sent } = serviceOf(pages, width, "", keepsAll);
          const answers: Promise<unknown>[] = [];
          for (const { name, allowed, isLater } of asks) {
            if (isLater) await Promise.all(answers);
            answers.push(read(tenant, name, allowed));
          }
          const alone = asks.map(({ name, allowed }) => read(serviceOf(pages, width).tenant, name, allowed));
          expect(await Promise.all(answers)).toEqual(await Promise.all(alone));
          expect(new Set(sent).size).toBe(sent.length);
        },
      ),
    );
  });

  it("counts a page for the part that asked first", async () => {
    const { tenant } = serviceOf({ a: 3 }, 1);
    const [one, other] = [tenant.reader(), tenant.reader()];
    await one.firstPage("plan", listCall("a"));
    await other.all("names", listCall("a"));
    await one.all("plan", listCall("a"));
    expect([one.calls(), other.calls()]).toEqual([{ plan: 1 }, { names: 2 }]);
  });

  it("says to each part why a list is unknown, and asks again only for one that needs it more", async () => {
    const { tenant, sent } = serviceOf({}, 4, "a");
    const [one, other] = [tenant.reader(), tenant.reader()];
    await one.all("plan", listCall("a"), "optional");
    await other.all("names", listCall("a"), "sparing");
    await other.pages("people", listCall("a"), () => undefined);
    const why = "GET /api/v1/a: answered 403";
    expect([one.unknown(), other.unknown()]).toEqual([[{ what: "plan", why }], [{ what: "people", why }]]);
    expect([one.calls(), other.calls(), sent.length]).toEqual([{ plan: 1 }, {}, 1]);
    expect(await tenant.reader().all("plan", listCall("a"))).toMatchObject({ as: "failed" });
    expect(sent).toHaveLength(2);
  });

  it.each([
    { rows: 1_200, keepsAll: false, times: 1 },
    { rows: 5_001, keepsAll: false, times: 2 },
    { rows: 5_001, keepsAll: true, times: 1 },
  ])(
    "reads a list of $rows rows $times times for two parts of a run, keepsAll: $keepsAll",
    async ({ rows, keepsAll, times }) => {
      const first = (tenant: Tenant) => tenant.reader().all("plan", listCall("a"));
      const { tenant, sent } = serviceOf({ a: rows }, 1, "", keepsAll);
      expect(await first(tenant)).toEqual(await first(tenant));
      expect(sent).toHaveLength(rows * times);
    },
  );
});
