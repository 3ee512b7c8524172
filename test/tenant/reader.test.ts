import { describe, expect, it } from "vitest";
import type { Call } from "../../src/model/call.js";
import { makeTenant } from "../../src/tenant/tenant.js";
import { answering, DOWN, type Fault, NO_ROUTE, NOT_FOUND, PAGE, REFUSED, type Says } from "./asked.js";

const list: Call = { operation: "Test", method: "GET", path: ["api", "v1", "things"], effect: "read" };
const item = (id: string): Call => ({ ...list, path: [...list.path, id] });

function reading(says: Readonly<Record<string, Says>>, otherwise?: Says) {
  const asked = answering(says, otherwise);
  const progress: (readonly [done: number, total: number])[] = [];
  const reader = makeTenant(asked.remote).reader((done, total) => progress.push([done, total]));
  return { ...asked, reader, progress };
}

describe("what a reply to a read means", () => {
  it.each<[string, Fault, object]>([
    ["404 of the service's own is nothing there", NOT_FOUND, { as: "absent" }],
    [
      "404 of a router is no such path",
      NO_ROUTE,
      { as: "not offered", why: "GET /api/v1/things/a answered 404" },
    ],
    ["405 is no such path", { status: 405, own: true }, { as: "not offered" }],
    ["501 is no such path", { status: 501, own: true }, { as: "not offered" }],
    ["another envelope is something strange", PAGE, { as: "failed", trouble: "strange" }],
    ["a redirect is something strange", { status: 301 }, { as: "failed", trouble: "strange" }],
    ["400 is a refusal", { status: 400, own: true }, { as: "failed", trouble: "refused" }],
    [
      "401 is a refusal",
      { status: 401, own: true },
      { as: "failed", diagnostic: { code: "service/refused-token" } },
    ],
    ["403 is a refusal", REFUSED, { as: "failed", diagnostic: { code: "service/not-allowed" } }],
    [
      "500 is a refusal",
      { status: 500, own: true },
      { as: "failed", diagnostic: { code: "service/read-failed" } },
    ],
    [
      "a lost reply is a refusal",
      { status: null, progress: "no reply" },
      { as: "failed", trouble: "refused" },
    ],
    ["no connection is nobody there", DOWN, { as: "failed", diagnostic: { code: "service/unreachable" } }],
    [
      "a call that was never tried is its own fault",
      { ...DOWN, attempts: 0 },
      { as: "failed", trouble: "refused" },
    ],
  ])("%s", async (_, fault, meaning) => {
    const { reader } = reading({ "things/a": fault });
    expect(await reader.one("Thing", item("a"))).toMatchObject(meaning);
  });

  it("names the call once and the request for people, and never in what a plan keeps", async () => {
    const { reader } = reading({}, REFUSED);
    expect(await reader.one("Thing", item("a"))).toMatchObject({
      why: "GET /api/v1/things/a: answered 403",
      diagnostic: { message: "GET /api/v1/things/a: answered 403 (request r-1)", severity: "error" },
    });
  });

  it("takes a list that breaks off for trouble, whatever ended it", async () => {
    for (const broken of [NOT_FOUND, NO_ROUTE, PAGE]) {
      const { reader } = reading({ things: { pages: [["a"]], broken } });
      expect(await reader.all("Thing", list)).toMatchObject({ as: "failed" });
    }
  });

  it("lets through what is not a failure of the service", async () => {
    const { reader } = reading({ things: { body: {} } });
    await expect(reader.all("Thing", list)).rejects.toThrow("an object was read as a list");
  });
});

describe("a reader", () => {
  it("asks for a list once, all its pages, however many want it", async () => {
    const { reader, paths, progress } = reading({ things: { pages: [["a", "b"], [], ["c"]] } });
    const [one, other] = await Promise.all([reader.all("Thing", list), reader.all("Thing", list)]);
    expect([one, other]).toEqual([one, { as: "got", value: ["a", "b", "c"] }]);
    expect([paths, reader.calls(), progress]).toEqual([["things"], { Thing: 3 }, [[1, 1]]]);
  });

  it("glances at one page, once, reads on from there, and glances at no list that was asked for", async () => {
    const { reader, paths } = reading({ things: { pages: [["a"], ["b"]] } });
    expect(await reader.firstPage("Thing", list)).toEqual({ as: "got", value: ["a"] });
    await reader.firstPage("Thing", list);
    expect([paths.length, reader.calls()]).toEqual([1, { Thing: 1 }]);
    await reader.all("Thing", list);
    expect(await reader.firstPage("Thing", list)).toEqual({ as: "got", value: ["a", "b"] });
    expect([paths.length, reader.calls()]).toEqual([1, { Thing: 2 }]);
  });

  it("counts what failed as well", async () => {
    const { reader } = reading({ things: { pages: [["a"]], broken: REFUSED } }, NOT_FOUND);
    await reader.all("Thing", list);
    await reader.one("Other", item("a"));
    expect(reader.calls()).toEqual({ Thing: 2, Other: 1 });
  });

  it("stops asking once the service is unreachable", async () => {
    const { reader, paths } = reading({}, DOWN);
    const first = await reader.one("Thing", item("a"));
    expect(await reader.one("Thing", item("b"))).toEqual(first);
    expect(paths).toEqual(["things/a"]);
  });

  it("is met with silence until the service says anything, were it that there is nothing", async () => {
    const { reader } = reading({ "things/a": REFUSED, "things/b": PAGE });
    expect(reader.silence()).toBeNull();
    await reader.one("Thing", item("a"));
    await reader.one("Thing", item("b"));
    expect(reader.silence()?.diagnostic.code).toBe("service/not-allowed");
    await reader.one("Thing", item("c"));
    expect(reader.silence()).toBeNull();
  });

  it("names an optional read that failed once, and is not silenced by it", async () => {
    const { reader } = reading({ "people/a": REFUSED, "people/b": PAGE, "things/a": { body: {} } });
    const people = (id: string): Call => ({ ...list, path: ["api", "v1", "people", id] });
    expect((await reader.one("people", people("a"), "optional")).as).toBe("failed");
    await reader.one("people", people("b"), "optional");
    expect([reader.silence(), reader.unknown()]).toEqual([
      null,
      [{ what: "people", why: "GET /api/v1/people/a: answered 403" }],
    ]);
  });

  it("waits for room under the shared pace, once for each list", async () => {
    const { reader, width } = reading({ things: { pages: [["a"], ["b"]] } });
    await Promise.all([
      reader.all("Thing", list),
      reader.one("Thing", item("a")),
      reader.one("Thing", item("b")),
    ]);
    expect(width()).toBe(3);
  });
});
