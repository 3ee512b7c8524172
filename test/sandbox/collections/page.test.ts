import { describe, expect, test } from "vitest";
import type { Interface, Quirks } from "../../../src/sandbox/http/exchange.js";
import { EMPTY_TENANT } from "../../../src/sandbox/tenant/tenant.js";
import { GITHUB, idOf, refusal, told, visit } from "../visit.js";

const APPS = "/api/v1/apps";

/** 249 entitlements, and the one that every app has. */
const entitlements = Array.from({ length: 249 }, (_, n) => ({
  appId: GITHUB,
  id: idOf(`e${n}x`),
  displayName: `${n}`,
}));
const tenant = { ...EMPTY_TENANT, open: false, apps: [{ id: GITHUB, displayName: "GitHub" }], entitlements };
const LIST = `${APPS}/${GITHUB}/entitlements`;

function size(path: string, quirks: Quirks = {}, spoken: Interface = "full") {
  const service = visit({ tenant, spoken });
  service.turn(quirks);
  const list = told(service.ask("GET", path), "list");
  return Array.isArray(list) ? list.length : -1;
}

describe("a page", () => {
  test.each([
    ["", 25],
    ["?page_size=", 25],
    ["?page_size=0", 25],
    ["?page_size=-3", 10],
    ["?page_size=1", 10],
    ["?page_size=10", 10],
    ["?page_size=99", 99],
    ["?page_size=100", 100],
    ["?page_size=101", 100],
    ["?page_size=100000", 100],
    ["?page_size=30&page_token=", 30],
  ])("asked for with '%s' holds %i", (query, rows) => {
    expect(size(`${LIST}${query}`)).toBe(rows);
  });

  test.each([
    ["?page_size=0", 10],
    ["?page_size=9", 10],
    ["?page_size=", 25],
    ["", 25],
  ])("of the documented contract, asked for with '%s', holds %i", (query, rows) => {
    expect(size(`${LIST}${query}`, {}, "core")).toBe(rows);
  });

  test.each(["ten", "1.5", "0x10", "99999999999"])("of size %s is refused", (text) => {
    expect(refusal(visit().ask("GET", `${APPS}?page_size=${text}`))).toEqual({
      status: 400,
      code: 3,
      message: `page_size: "${text}" is not a valid int`,
    });
  });

  test.each(["nonsense", "cGFnZTox", "%00"])("after the token %s is refused", (token) => {
    expect(refusal(visit({ tenant }).ask("GET", `${LIST}?page_token=${token}`))).toEqual({
      status: 400,
      code: 3,
      message: "invalid page token",
    });
  });
});

describe("pages one after another", () => {
  function walk(quirks: Quirks, limit = 50) {
    const { ask, turn } = visit({ tenant });
    turn(quirks);
    const ids: unknown[] = [];
    const tokens: string[] = [];
    do {
      const query = new URLSearchParams({ page_size: "100", page_token: tokens.at(-1) ?? "" });
      const reply = ask("GET", `${LIST}?${query}`);
      const list = told(reply, "list");
      for (const row of Array.isArray(list) ? list : []) ids.push(row.appEntitlement.id);
      tokens.push(String(told(reply, "nextPageToken")));
    } while (tokens.at(-1) !== "" && tokens.length < limit);
    return { ids, tokens };
  }

  test.each([{}, { pages: "short" }, { pages: "overlong" }] as const)("give every row once: %j", (quirks) => {
    const { ids, tokens } = walk(quirks);
    expect(ids).toHaveLength(250);
    expect(new Set(ids).size).toBe(250);
    expect(tokens.at(-1)).toBe("");
  });

  test("end with an empty token though the last page is full", () => {
    const { ask } = visit({ tenant: { ...tenant, entitlements: entitlements.slice(0, 99) } });
    const reply = ask("GET", `${LIST}?page_size=100`);
    expect(told(reply, "list", 99)).toBeDefined();
    expect(told(reply, "nextPageToken")).toBe("");
  });

  test("never end where the world repeats a token", () => {
    const { tokens } = walk({ repeatPageToken: true }, 5);
    expect(new Set(tokens.slice(1)).size).toBe(1);
    expect(tokens).toHaveLength(5);
  });

  test("go on in the body of a search, across apps", () => {
    const apps = ["a", "b", "c"].map((name) => ({ id: idOf(name), displayName: name }));
    const rows = apps.flatMap((app) =>
      Array.from({ length: 12 }, (_, n) => ({
        appId: app.id,
        id: idOf(`${app.displayName}${n}x`),
        displayName: "x",
      })),
    );
    const { ask } = visit({ tenant: { ...tenant, apps, entitlements: rows } });
    const search = (pageToken: string) =>
      ask("POST", "/api/v1/search/entitlements", { displayName: "x", pageSize: 20, pageToken });
    const first = search("");
    const second = search(String(told(first, "nextPageToken")));
    expect(told(first, "list", 19)).toBeDefined();
    expect(told(second, "list", 15)).toBeDefined();
    expect(told(second, "list", 16)).toBeUndefined();
    expect(told(second, "nextPageToken")).toBe("");
  });
});
