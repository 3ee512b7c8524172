import { describe, expect, it } from "vitest";
import { plan as makePlan } from "../../src/apply/preview.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import type { Call } from "../../src/model/call.js";
import { explain } from "../../src/people/explain.js";
import { ApiError, NO_REPLY } from "../../src/tenant/client/error.js";
import { COUNTING, groupRule, taxSeed, user } from "../apply/people.js";
import { sessionScene } from "../apply/sessionScene.js";

const SEED = taxSeed([
  user("Ana", "Tax", "Analyst"),
  user("Bo", "Tax", "Director"),
  user("Cy", "Law", "Director"),
  user("Di", "Law", "Analyst"),
]);

const ADDRESS = "EntitlementAutomation/tax";

async function explained(
  email: string,
  expression = 'subject.jobTitle == "Director"',
  calls = 200,
  listener: (call: Call) => void = () => undefined,
) {
  const { tenant } = readSeed(JSON.stringify(SEED), "seed.yaml");
  const { request, session } = await sessionScene("full", { sandbox: { tenant } });
  const { value: plan } = await makePlan(request(groupRule(expression)), session);
  if (plan === null || session.client === null) throw new Error("no plan");
  const { client } = session;
  const heard: typeof client = {
    ...client,
    send: (call, options) => {
      listener(call);
      return client.send(call, options);
    },
    pages: (call, options) => {
      listener(call);
      return client.pages(call, options);
    },
  };
  return explain(plan, { address: ADDRESS, email }, heard, { ...COUNTING, calls });
}

describe("why one person gains or loses", () => {
  it.each([
    ["ana@x.test", true, false, true, [{ outcome: "loses", isCertain: false }]],
    ["bo@x.test", true, true, true, [{ outcome: "keeps", isCertain: true }]],
    ["CY@x.test", false, true, false, [{ outcome: "gains", isCertain: true }]],
    ["di@x.test", false, false, false, []],
  ] as const)(
    "follows for %s from the rules and the membership",
    async (email, before, after, member, outcomes) => {
      const { value, diagnostics } = await explained(email);
      expect(diagnostics).toEqual([]);
      expect(value).toMatchObject({
        as: "members",
        before: { rule: 'subject.department == "Tax"', matches: before },
        after: { matches: after },
        member,
        excluded: false,
        outcomes,
      });
    },
  );

  it("is unknown, with the reason, where a rule cannot be evaluated", async () => {
    const { value } = await explained("cy@x.test", 'subject.attributes.x == "y"');
    expect(value).toMatchObject({
      after: { matches: null, why: expect.stringContaining("attributes") },
      outcomes: [{ outcome: "gains", isCertain: false }],
    });
  });

  it("is unknown as far as the budget ends before the reads", async () => {
    const { value } = await explained("ana@x.test", 'subject.jobTitle == "Director"', 2);
    expect(value).toMatchObject({ member: null, excluded: null });
  });

  it("reads one user, by address or id, and all of them only where a rule asks about others or no one is found", async () => {
    const asked = async (email: string, expression?: string) => {
      const sent: string[] = [];
      await explained(email, expression, 200, ({ method, path, body }) => {
        if (path.includes("users") && !path.includes("grants"))
          sent.push(`${method} ${path.at(-1)} ${JSON.stringify(body ?? null)}`);
      });
      return sent;
    };
    const statuses = '"userStatuses":["UNKNOWN","ENABLED","DISABLED"]';
    const [byAddress, ...more] = await asked("CY@x.test");
    expect([byAddress, more]).toEqual([`POST users {"email":"CY@x.test",${statuses}}`, []]);
    const { value } = await explained("ana@x.test");
    const id = value?.user.id ?? "";
    expect(await asked(id)).toEqual([`POST users {"refs":[{"id":"${id}"}],${statuses}}`]);
    expect(await asked("eve@x.test")).toEqual([
      expect.stringContaining("POST users"),
      expect.stringContaining('POST users {"userStatuses"'),
    ]);
    expect(await asked("cy@x.test", 'subject.manager == "ana@x.test"')).toEqual([
      expect.stringContaining('POST users {"userStatuses"'),
    ]);
  });

  it("is asked of one user that the service shows", async () => {
    expect(codes(await explained("eve@x.test"))).toEqual(["impact/no-user"]);
  });

  it("is what the rule says today where the plan does not change it", async () => {
    const { value, diagnostics } = await explained("ana@x.test", 'subject.department == "Tax"');
    expect(diagnostics).toEqual([]);
    expect([value?.before.rule, value?.before.matches]).toEqual([value?.after.rule, value?.after.matches]);
  });

  it("says what the service answered where users cannot be read, and that the budget is spent where it is", async () => {
    const failing = (call: Call) => {
      if (call.path.at(-1) !== "users") return;
      const failure = { ...NO_REPLY, call, progress: "replied", next: "stop", attempts: 1 } as const;
      throw new ApiError("answered 503", { ...failure, fault: "own", status: 503 });
    };
    const refused = await explained("ana@x.test", undefined, 200, failing);
    expect(refused.diagnostics).toMatchObject([
      { message: "the users could not be read: POST /api/v1/search/users: answered 503" },
    ]);
    const spent = await explained("ana@x.test", undefined, 1);
    expect(spent.diagnostics).toMatchObject([
      { message: "`impact.calls` of 1 leaves no call for the users" },
    ]);
  });
});

function codes({ diagnostics }: Awaited<ReturnType<typeof explained>>): readonly string[] {
  return diagnostics.map(({ code }) => code);
}
