import { describe, expect, test } from "vitest";
import { UNKNOWN_ENUM, UNKNOWN_FIELD } from "../../src/sandbox/answer/routes.js";
import { ADMIN, C1, GITHUB, MEMBER, QUARTERLY, RULED, told, visit } from "./visit.js";

const SETUP = `/api/v1/access_review_template/${QUARTERLY}/scope_and_entitlements`;
const AUTOMATION = `/api/v1/apps/${C1}/entitlements/${RULED}/automation`;

describe("a world that rewrites expressions", () => {
  test("keeps one space for each run of white space, in scopes and in automations", () => {
    const { ask, turn } = visit();
    turn({ rewriteExpressions: true });
    const expression = "  a ==\n\t'b'  \n";
    const scope = { celExpression: { expression }, accountCelExpression: { expression } };
    const shown = told(ask("POST", SETUP, { scope }), "scope");
    expect(shown).toMatchObject({
      celExpression: { expression: "a == 'b'" },
      accountCelExpression: { expression: "a == 'b'" },
    });
    const made = ask("POST", `${AUTOMATION}/create`, { automation: { cel: { expression } } });
    expect(told(made, "automation", "cel", "expression")).toBe("a == 'b'");
    const changed = ask("POST", `${AUTOMATION}/update`, { basic: { expression } });
    expect(told(changed, "AppEntitlementAutomation", "basic", "expression")).toBe("a == 'b'");
  });
});

describe("a world that shuffles lists", () => {
  test("gives the same rows in ever other orders", () => {
    const { ask, turn } = visit();
    const userIds = Array.from({ length: 20 }, (_, n) => `u${n}`);
    ask("POST", SETUP, { scope: { selectedUsers: { userIds } } });
    turn({ shuffleLists: true });
    const orders = [1, 2, 3].map(
      () => told(ask("GET", SETUP), "scope", "selectedUsers", "userIds") as string[],
    );
    expect(new Set(orders.map((order) => order.join())).size).toBe(3);
    for (const order of orders) expect([...order].sort()).toEqual([...userIds].sort());
  });

  test("keeps what rows point to in its place", () => {
    const { ask, turn } = visit();
    turn({ shuffleLists: true });
    const entitlements = [ADMIN, MEMBER].map((id) => ({ appId: GITHUB, appEntitlementId: id }));
    const reply = ask("POST", SETUP, { entitlements, expandMask: { paths: ["*"] } });
    for (const place of [0, 1]) {
      const id = told(reply, "list", place, "accessReviewTemplateEntitlement", "appEntitlementId");
      const path = /\d+/.exec(String(told(reply, "list", place, "entitlementPath")));
      expect(told(reply, "expanded", Number(path), "id")).toBe(id);
    }
  });
});

describe("a world of a later version", () => {
  test("shows a field more in every message, and none in maps", () => {
    const { ask, turn } = visit();
    turn({ unknownFields: true });
    const multiUserProfileAttributes = { team: { values: [{ value: "blue" }] } };
    const reply = ask("POST", SETUP, { scope: { userCriteria: { multiUserProfileAttributes } } });
    expect(reply.body).toHaveProperty(UNKNOWN_FIELD);
    const attributes = told(reply, "scope", "userCriteria", "multiUserProfileAttributes");
    expect(Object.keys(attributes ?? {})).toEqual(["team"]);
    expect(
      told(reply, "scope", "userCriteria", "multiUserProfileAttributes", "team", "values", 0),
    ).toHaveProperty(UNKNOWN_FIELD);
  });

  test("says other words where only the service speaks, and none where the client does", () => {
    const { ask, turn } = visit();
    turn({ unknownEnums: true });
    const made = ask("POST", `${AUTOMATION}/create`, { automation: { none: {} } });
    expect(told(made, "automation", "lastRunStatus", "status")).toMatch(new RegExp(`${UNKNOWN_ENUM}$`));
    const scope = { principalTypeFilter: "PRINCIPAL_TYPE_FILTER_USERS" };
    expect(told(ask("POST", SETUP, { scope }), "scope")).toMatchObject(scope);
  });
});

test("a world that spaces its replies sends the same values in other bytes", () => {
  const { ask, turn } = visit();
  const plain = ask("GET", SETUP).body;
  turn({ spacing: true });
  const bodies = Array.from({ length: 20 }, () => ask("GET", SETUP).body);
  const texts = bodies.filter((body) => typeof body === "string");
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.length).toBeLessThan(20);
  for (const text of texts) expect(JSON.parse(text)).toEqual(plain);
});
