import { expect, it, test } from "vitest";
import { type Call, formatCallPath } from "../../src/model/call.js";
import type { Json } from "../../src/model/json.js";
import { countPeople } from "../../src/people/count.js";
import type { Plan } from "../../src/plan/plan.js";
import { ApiError, NO_REPLY } from "../../src/tenant/client/error.js";
import type { Remote } from "../../src/tenant/reads.js";
import { makeTenant } from "../../src/tenant/tenant.js";
import { COUNTING } from "../apply/people.js";

/** A plan that edits the rules of so many entitlements. */
function planOf(rules: number): Plan {
  const steps = Array.from({ length: rules }, (_, at) => ({
    address: { kind: "EntitlementAutomation", name: `e${at}` },
    key: ["app", `e${at}`],
    action: "update",
    recorded: { driftedFrom: null },
    sight: { exists: "yes" },
    before: { cel: { expression: "subject.department.matches('A')" } },
    after: { cel: { expression: "subject.department.matches('B')" } },
  }));
  const full = { source: "live", interface: "full" };
  return { steps, interface: { asked: "full", kinds: { EntitlementAutomation: full } } } as unknown as Plan;
}

/** A service with a user in A and one in B on each page, each entitlement held by the first; it forbids what `forbids` names. */
function serviceOf(rules: number, forbids?: RegExp, pages = 1, turns = 1) {
  const sent: string[] = [];
  let rounds = 0;
  let waiting: (() => void)[] = [];
  const userOf = (department: string, page = 0): Json => ({
    user: { id: `u${department}${page}`, department, status: "ENABLED" },
  });

  /** All that was sent is answered together, once nothing else can be done without an answer. */
  function answered(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length > 1) return;
      setTimeout(() => {
        rounds += 1;
        const all = waiting;
        waiting = [];
        for (const one of all) one();
      }, 20);
    });
  }

  async function ask(call: Call): Promise<string> {
    const path = formatCallPath(call);
    sent.push(path);
    await answered();
    if (forbids?.test(path) !== true) return path;
    throw new ApiError("answered 403", {
      ...NO_REPLY,
      call,
      progress: "replied",
      next: "stop",
      status: 403,
      own: true,
      fault: "own",
      attempts: 1,
    });
  }

  function rowsOf(path: string): readonly Json[] {
    if (path.endsWith("/search/entitlements"))
      return Array.from({ length: rules }, (_, at) => ({
        appEntitlement: { appId: "app", id: `e${at}`, grantCount: "1" },
      }));
    return path.endsWith("/grants") ? [{ ...(userOf("A") as object), appUser: { id: "a" } }] : [];
  }

  const remote = {
    async send(call: Call) {
      await ask(call);
      return { status: 200, body: { userId: "" }, attempts: 1 };
    },
    async *pages(call: Call) {
      const path = await ask(call);
      // Each further page of users is asked for once the page before it is there.
      for (let turn = 1; turn < (path.endsWith("/search/users") ? turns : 1); turn += 1) await answered();
      if (!path.endsWith("/search/users")) yield { rows: rowsOf(path), next: "" };
      else
        for (let page = 0; page < pages; page += 1)
          yield { rows: ["A", "B"].map((one) => userOf(one, page)), next: page + 1 < pages ? "more" : "" };
    },
    pace: { limit: (work: () => unknown) => work(), lend: (wait: () => unknown) => wait() },
  } as unknown as Remote;
  return { remote, sent, rounds: () => rounds };
}

async function count(rules: number, forbids?: RegExp, pages = 1, turns = 1) {
  const service = serviceOf(rules, forbids, pages, turns);
  let asked = 0;
  const evaluate: typeof COUNTING.evaluate = (work, milliseconds) => {
    asked += 1;
    return COUNTING.evaluate(work, milliseconds);
  };
  const counting = { ...COUNTING, evaluate };
  const { impact } = await countPeople(planOf(rules), makeTenant(service.remote), counting);
  return { impact, ...service, rounds: service.rounds(), asked };
}

test.each([1, 2, 20, 75])(
  "the people of %i rules are read in four turns of the service at most",
  async (rules) => {
    const { impact, sent, rounds } = await count(rules);
    expect(impact?.steps).toHaveLength(rules);
    for (const step of impact?.steps ?? [])
      expect(step).toMatchObject({ loses: { high: 1 }, gains: { high: 1 } });
    expect(sent.filter((path) => path.endsWith("/grants"))).toHaveLength(rules);
    expect(rounds).toBeLessThanOrEqual(4);
  },
);

test.each([1, 2, 20])(
  "who holds what %i edited rules give is asked while the users are read: no turn comes after",
  async (rules) => {
    const { rounds } = await count(rules, undefined, 1, 4);
    expect(rounds).toBe(5);
  },
);

test.each([20, 75])(
  "does not send what the service forbade these credentials once, %i rules",
  async (rules) => {
    const { impact, sent } = await count(rules, /exclusions$/);
    expect(sent.filter((path) => path.endsWith("exclusions"))).toHaveLength(1);
    expect(impact?.failed).toEqual([{ what: "exclusions", why: expect.stringContaining("answered 403") }]);
    expect(sent.filter((path) => path.endsWith("/grants"))).toHaveLength(rules);
  },
);

it("asks each rule that may be slow about many people at once, however short the pages are", async () => {
  const { impact, asked } = await count(3, undefined, 150);
  expect(impact?.users.read).toBe(300);
  expect(asked).toBe(3 * 2);
});
