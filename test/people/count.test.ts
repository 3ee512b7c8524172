import { describe, expect, it } from "vitest";
import { plan as makePlan } from "../../src/apply/preview.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import type { Json } from "../../src/model/json.js";
import { explain } from "../../src/people/explain.js";
import type { Counting, PlanImpact } from "../../src/plan/people/impact.js";
import type { Planned } from "../../src/plan/plan.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { describePeople, sentencesOf } from "../../src/report/plan/people.js";
import type { Client } from "../../src/tenant/client/client.js";
import { COUNTING, groupRule, taxSeed, user } from "../apply/people.js";
import { type SessionScene, sessionScene } from "../apply/sessionScene.js";

const SEED = taxSeed([
  user("Ana", "Tax", "Analyst"),
  user("Bo", "Tax", "Director"),
  user("Cy", "Law", "Director"),
]);

function tenantOf(seed: object) {
  return readSeed(JSON.stringify(seed), "seed.yaml").tenant;
}

function scene(seed: object = SEED): Promise<SessionScene> {
  return sessionScene("full", { sandbox: { tenant: tenantOf(seed) } });
}

async function planned(
  text: string,
  counting: Partial<Counting> | null = {},
  on?: SessionScene,
): Promise<Planned> {
  const { request, session } = on ?? (await scene());
  const { value, diagnostics } = await makePlan(
    request(text, { counting: counting === null ? null : { ...COUNTING, ...counting } }),
    session,
  );
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return value;
}

function named(impact: PlanImpact | null, which: "gains" | "loses"): readonly string[] {
  const [step] = impact?.steps ?? [];
  return step?.as === "members" ? (step[which].people ?? []).map(({ name }) => name) : [];
}

describe("the people of a plan", () => {
  it("are those who lose and gain an entitlement by an edited rule", async () => {
    const { impact } = await planned(groupRule('subject.jobTitle == "Director"'));
    expect(impact?.users).toEqual({ read: 3, areAll: true, where: null });
    expect(named(impact, "loses")).toEqual(["Ana"]);
    expect(named(impact, "gains")).toEqual(["Cy"]);
    expect(impact?.steps[0]).toMatchObject({ gains: { certainty: "exact", low: 1 }, keeps: { high: 1 } });
  });

  it("are followed to the rule that stays and asks for what a changed one gives", async () => {
    const [app, tax] = (await planned(groupRule("true"))).steps[0]?.key ?? [];
    const asksFor = (id: string) => `c1.user.v1.HasEntitlement(subject, "${app}", "${id}")`;
    const law = { entitlement: "C1/c1-law-member", name: "Tax", cel: asksFor(tax ?? "") };
    const at = await scene({ ...SEED, automations: [...SEED.automations, law] });
    const texts = [groupRule('subject.jobTitle == "Director"'), groupRule(law.cel, "law")];
    const { impact, steps } = await planned(texts.join("---\n"), {}, at);
    expect(steps.map(({ action }) => action).toSorted()).toEqual(["adopt", "update"]);
    expect(impact?.steps.map(({ address }) => address.name)).toEqual(["tax"]);
    expect(impact?.follow).toMatchObject([
      {
        address: { name: "law" },
        asksFor: [{ name: "tax" }],
        counts: { gains: { low: 0, high: 1 } },
      },
    ]);
  });

  it("have each member of the profile that a rule asks for, or a warning names it with the nearest", async () => {
    const seed = { ...SEED, users: SEED.users.map((one) => ({ ...one, profile: { costCentre: "4711" } })) };
    const asked = async (name: string) =>
      (await planned(groupRule(`subject.profile.${name} == "4711"`), {}, await scene(seed))).impact
        ?.unknownAttributes;
    expect(await asked("costCentre")).toEqual([]);
    expect(await asked("costCenter")).toMatchObject([
      { address: { name: "tax" }, name: "costCenter", nearest: "costCentre" },
    ]);
    expect(await asked("shoeSize")).toMatchObject([{ name: "shoeSize", nearest: null }]);
  });

  it("are not asked for where nothing changes a rule, and nothing is read for it", async () => {
    const at = await scene();
    const same = await planned(groupRule('subject.department == "Tax"'), {}, at);
    expect(same.impact).toBeNull();
    expect(at.sandbox.log.count({ operation: "SearchUsers" })).toBe(0);
  });

  it("are not counted when that is switched off, and the effect of the plan stays the same", async () => {
    const at = await scene();
    const text = groupRule('subject.jobTitle == "Director"');
    const [on, off] = [await planned(text, {}, at), await planned(text, null, at)];
    expect(off.impact).toMatchObject({ steps: [], uncounted: [{ why: "`--impact off` counts no one" }] });
    expect({ ...on, impact: off.impact, calls: off.calls }).toEqual(off);
  });

  it("are not counted on `core`, also where a rule is made that everyone matches", async () => {
    const core = await sessionScene("core", { sandbox: { tenant: tenantOf(SEED) } });
    const ids = groupRule("true")
      .replace(/{ name: C1 }/, "c1")
      .replace(/{ alias: [^}]* }/, "group1");
    expect((await planned(ids, {}, core)).impact).toMatchObject({
      steps: [],
      uncounted: [{ why: "the interface `core` shows no people" }],
    });
  });

  it("have no names where none were asked for", async () => {
    const { impact } = await planned(groupRule('subject.jobTitle == "Director"'), { names: false });
    expect(JSON.stringify(impact)).not.toContain("Ruiz");
  });

  it("are a bound where a row left a page of a list while it was read, and hid another", async () => {
    const many = Array.from({ length: 250 }, (_, at) =>
      user(`P${at}`, "Law", at < 220 ? "Director" : "Clerk"),
    );
    /** The page that loses a row once it was given. */
    const about = async (leaves: number) => {
      const at = await scene(taxSeed([user("Ana", "Tax", "Analyst"), ...many]));
      const { client } = at.session;
      if (client === null) throw new Error("a scene has a client");
      const read: Client["pages"] = client.pages;
      let hasLeft = false;
      async function* pages(...[call, effort]: Parameters<Client["pages"]>) {
        if (call.path.at(-1) !== "users") return yield* read(call, effort);
        const all: Json[] = [];
        for await (const page of read(call, {})) all.push(...page.rows);
        const first = Number(effort?.from ?? 0);
        for (let page = first; page * 100 < all.length; page += 1) {
          const now = hasLeft ? all.toSpliced(leaves * 100, 1) : all;
          const next = (page + 1) * 100 < all.length ? String(page + 1) : "";
          yield { rows: now.slice(page * 100, (page + 1) * 100), next };
          if (page === leaves) hasLeft = true;
        }
      }
      const text = groupRule('subject.jobTitle == "Director"');
      const session = { ...at.session, client: { ...client, pages } };
      const { impact } = await planned(text, { names: false }, { ...at, session });
      const [step] = impact?.steps ?? [];
      return { impact, gains: step?.as === "members" ? step.gains : null };
    };
    // Nothing is hidden by a row that leaves the last page once that was read.
    expect((await about(2)).gains).toMatchObject({ certainty: "exact", low: 220, high: 220 });
    for (const page of [0, 1]) {
      const { impact, gains } = await about(page);
      expect(gains?.certainty).not.toBe("exact");
      expect(gains?.low).toBeLessThanOrEqual(219);
      expect(gains?.high ?? 220).toBeGreaterThanOrEqual(220);
      expect(impact?.users.areAll).toBe(false);
      expect(impact?.failed).toEqual([
        { what: "users", why: expect.stringContaining("showed other rows when it was read again") },
      ]);
    }
  });

  it("stay within the budget: a part of the users gives no upper bound", async () => {
    const { impact } = await planned(groupRule('subject.jobTitle == "Director"'), { calls: 1 });
    expect(impact?.users.areAll).toBe(false);
    expect(impact?.failed).toEqual([]);
    expect(Object.values(impact?.calls ?? {}).reduce((sum, calls) => sum + calls, 0)).toBeLessThanOrEqual(1);
  });

  it("are bounds, with the reason, where the budget ends before each page was read again", async () => {
    const many = Array.from({ length: 250 }, (_, place) => user(`P${place}`, "Law", "Director"));
    const text = groupRule('subject.jobTitle == "Director"', "law");
    const about = async (calls: number) => {
      const at = await scene(taxSeed([user("Ana", "Tax", "Analyst"), ...many]));
      return (await planned(text, { calls, names: false }, at)).impact;
    };
    const why = (what: string) => ({
      what: "users",
      why: `the list POST /api/v1/search/users ${what}: \`impact.calls\` leaves no call for it, so the numbers are bounds`,
    });
    expect(await about(3)).toMatchObject({
      users: { read: 200, areAll: false },
      failed: [why("was not read to its end")],
    });
    expect(await about(4)).toMatchObject({
      users: { read: 250, areAll: false },
      failed: [why("was not read again")],
    });
    expect(await about(6)).toMatchObject({ users: { read: 250, areAll: true }, failed: [] });
  });

  it("are all read where the budget ends with their last page, and unknown where it leaves none for them", async () => {
    const at = (calls: number) => planned(groupRule('subject.jobTitle == "Director"'), { calls });
    expect((await at(2)).impact?.users).toMatchObject({ read: 3, areAll: true });
    expect((await at(1)).impact?.uncounted).toMatchObject([
      { why: "`impact.calls` of 1 leaves no call for the users" },
    ]);
  });

  it("are unknown, and change nothing else, where the service refuses the read", async () => {
    const at = await sessionScene("full", {
      sandbox: { tenant: tenantOf(SEED) },
      rules: [{ fault: "error", status: 403, operation: "SearchUsers" }],
    });
    const made = await planned(groupRule('subject.jobTitle == "Director"'), {}, at);
    expect(made.steps[0]?.action).toBe("update");
    expect(made.impact?.failed).toEqual([{ what: "users", why: expect.stringContaining("403") }]);
    expect(made.impact?.uncounted).toMatchObject([{ why: "the users could not be read" }]);
  });

  it("are named in no message of a read that failed, not even by an id", async () => {
    const directors = Array.from({ length: 800 }, (_, place) => user(`D${place}`, "Tax", "Director"));
    const at = await sessionScene("full", {
      sandbox: { tenant: tenantOf(taxSeed([user("Ana", "Tax", "Analyst"), ...directors])) },
      rules: [{ fault: "error", status: 403, operation: "ListGrantsOfUser" }],
    });
    const made = await planned(groupRule('subject.jobTitle == "Director"'), {}, at);
    expect(made.impact?.failed).toEqual([
      { what: "grants", why: expect.stringContaining("/users/{user}/grants: answered 403") },
    ]);
  });

  it("of a rule that no longer exists may stay members: the service documents neither", async () => {
    const text = groupRule("x").replace("cel: { expression: 'x' }", "none: {}");
    const { impact } = await planned(text);
    expect(impact?.steps[0]).toMatchObject({ ends: true, gains: { high: 0 }, loses: { low: 0, high: 2 } });
  });

  it("of a rule that never ends are unknown after a while", async () => {
    const slow = groupRule('("a".matches("a") && "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("^(a+)+$"))');
    const { impact } = await planned(slow, { evaluate: (work) => COUNTING.evaluate(work, 50) });
    expect(impact?.steps[0]).toMatchObject({
      unknown: [{ why: "the expression takes too long", people: 3, after: 3 }],
      gains: { low: 0 },
    });
  });
});

const CAMPAIGNS = {
  apps: [
    {
      name: "C1",
      types: [{ name: "Group", kind: "GROUP", resources: ["Tax", "Law"], entitlements: ["Member"] }],
    },
  ],
  users: SEED.users,
  members: [{ entitlement: "C1/c1-tax-member", departments: ["Tax"] }],
  templates: [
    {
      id: "2quarterly00000000000000000",
      name: "Quarterly",
      scope: { allUsers: {} },
      entitlements: ["C1/c1-tax-member"],
    },
  ],
  campaigns: [
    {
      name: "Q1",
      template: "Quarterly",
      tasks: 12,
      started: "2025-01-01T00:00:00Z",
      closed: "2025-02-01T00:00:00Z",
    },
    {
      name: "Q2",
      template: "Quarterly",
      state: "OPEN",
      tasks: 14,
      started: "2025-04-01T00:00:00Z",
      closed: "2025-05-01T00:00:00Z",
      fields: { autoCloseCampaign: true, autoCloseDecision: "CLOSE_DECISION_REVOKED" },
    },
  ],
};

function review(scope: string, aliases = ["c1-tax-member"]): string {
  const rows = aliases.map(
    (alias) => `    - { appId: { name: C1 }, appEntitlementId: { alias: ${alias} } }\n`,
  );
  return `apiVersion: remit/v1
kind: TemplateScope
metadata: { name: quarterly }
spec:
  templateId: 2quarterly00000000000000000
  scope: ${scope}
  entitlements:
${rows.join("")}`;
}

describe("the people of a review", () => {
  const at = () => sessionScene("full", { sandbox: { tenant: tenantOf(CAMPAIGNS) } });

  it("are counted before and after, with what else narrows it and the campaigns of its template", async () => {
    const scope =
      "{ celExpression: { expression: 'subject.department == \"Tax\"' }, grantsByCriteria: { daysSinceLastUsed: 90d } }";
    const { impact } = await planned(review(scope), {}, await at());
    expect(impact?.steps).toMatchObject([
      {
        as: "audience",
        before: { certainty: "exact", low: 3 },
        after: { certainty: "exact", low: 2 },
        // The new criterion may leave out anyone's grants.
        leaves: { low: 0, high: 3 },
        notCounted: ["grants (daysSinceLastUsed)"],
        campaigns: {
          last: { name: "Q2", tasks: 14 },
          open: [{ name: "Q2", isRunning: true, closes: { decision: "REVOKED" } }],
        },
      },
    ]);
  });

  it("say how many accounts of the reviewed apps fit edited account criteria, by the service's own search", async () => {
    /** What an edit of a scope in the tenant says of its accounts, and the searches that it sent. */
    async function edited(before: object, after: string, calls = 200) {
      const [quarterly] = CAMPAIGNS.templates;
      const team = { name: "Team", kind: "GROUP", resources: ["Core"], entitlements: ["Member"] };
      const tenant = tenantOf({
        ...CAMPAIGNS,
        apps: [...CAMPAIGNS.apps, { name: "GitHub", types: [team] }],
        templates: [
          {
            ...quarterly,
            scope: { specificResources: {}, ...before },
            entitlements: ["GitHub/github-core-member"],
          },
        ],
        accounts: [
          { app: "GitHub", name: "robot" },
          { app: "GitHub", name: "robot2" },
          { app: "GitHub", name: "left", type: "USER", status: "DISABLED" },
          { app: "C1", name: "elsewhere" },
        ],
      });
      const text = review(`{ specificResources: {}, ${after} }`, ["github-core-member"]);
      const scene = await sessionScene("full", { sandbox: { tenant } });
      const made = await planned(text.replace("name: C1", "name: GitHub"), { calls }, scene);
      expect(readSavedPlan(writePlan(made).text).diagnostics).toEqual([]);
      const [step] = made.impact?.steps ?? [];
      const found = step?.as === "audience" ? [step.accounts, step.notCounted] : null;
      return { found, searches: scene.sandbox.log.count({ operation: "SearchAccounts" }) };
    }
    const types = "accountCriteria: { accountTypes: [APP_USER_TYPE_SERVICE_ACCOUNT] }";
    const ofTypes = { accountCriteria: { accountTypes: ["APP_USER_TYPE_SERVICE_ACCOUNT"] } };
    const off = "accountCriteria: { appUserStatuses: [APP_USER_STATUS_DISABLED], noAccountOwner: true }";
    const all = (low: number) => ({ low, isAll: true });
    expect(await edited(ofTypes, off)).toEqual({
      found: [{ before: all(2), after: { low: 1, isAll: false } }, []],
      searches: 2,
    });
    expect((await edited({}, types)).found).toEqual([{ before: all(3), after: all(2) }, []]);
    // Not where they stay as they are, where no filter exists, or where the budget is spent.
    const notCounted = [undefined, [expect.stringContaining("accounts (")]];
    expect(await edited(ofTypes, `${types}, userCriteria: { userStatus: [ENABLED] }`)).toEqual({
      found: notCounted,
      searches: 0,
    });
    const byRule = "accountCelExpression: { expression: 'true' }";
    expect(await edited(ofTypes, byRule)).toEqual({ found: notCounted, searches: 0 });
    expect((await edited(ofTypes, off, 3)).found).toEqual(notCounted);
  });

  it("are explained by the part of each scope that chooses its users", async () => {
    const scene = await at();
    const rule = 'subject.department == "Tax"';
    const part = `celExpression: { expression: '${rule}' }, grantsByCriteria: { daysSinceLastUsed: 90d }`;
    const about = { address: "TemplateScope/quarterly", email: "cy@x.test" };
    const { client } = scene.session;
    if (client === null) throw new Error("the scene has a client");
    const plan = await planned(review(`{ ${part} }`), {}, scene);
    const { value } = await explain(plan, about, client, COUNTING);
    expect([value?.before.rule, value?.after.rule]).toEqual(['{"allUsers":{}}', rule]);
  });

  const SPECIFIC = {
    ...CAMPAIGNS,
    templates: [{ ...CAMPAIGNS.templates[0], scope: { specificResources: {} } }],
  };
  const ofSpecific = () => sessionScene("full", { sandbox: { tenant: tenantOf(SPECIFIC) } });

  it("are those who hold what is added or taken out, where the scope asks for the same users", async () => {
    const scope = "{ specificResources: {} }";
    const { impact } = await planned(review(scope, ["c1-law-member"]), {}, await ofSpecific());
    expect(impact?.steps).toMatchObject([
      {
        ...{ isSame: true, isStill: false, added: [{ grants: 0 }], removed: [{ grants: 2 }] },
        ...{ enters: { high: 0 }, leaves: { low: 2, high: 2 } },
      },
    ]);
  });

  it("may be anyone of them where a criterion changes", async () => {
    const scope = "{ specificResources: {}, grantsByCriteria: { daysSinceLastUsed: 30d } }";
    const { impact } = await planned(review(scope), {}, await ofSpecific());
    expect(impact?.steps).toMatchObject([{ isSame: true, leaves: { low: 0, high: 2 } }]);
  });

  it("are not read where nothing changes that decides who is in it", async () => {
    const scene = await ofSpecific();
    const { impact } = await planned(review("{ specificResources: {} }"), {}, scene);
    expect(impact).toBeNull();
    expect(scene.sandbox.log.count({ operation: "SearchUsers" })).toBe(0);
  });
});

describe("what a plan says of the service's own runs", () => {
  const seeded = (fields: object) =>
    scene({ ...SEED, automations: SEED.automations.map((one) => ({ ...one, fields })) });

  it("is a warning where the last run of a rule failed, also in a plan that changes nothing", async () => {
    const lastRunStatus = {
      status: "APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_FAILED",
      errorMessage: "no such key: level",
      lastCompletedAt: "2026-01-01T10:00:02Z",
    };
    const made = await planned(groupRule('subject.department == "Tax"'), {}, await seeded({ lastRunStatus }));
    expect(made.steps[0]).toMatchObject({
      action: "adopt",
      diagnostics: [
        {
          code: "plan/run-failed",
          severity: "warning",
          message: "the service's last run of the rule at 2026-01-01T10:00:02Z failed: no such key: level",
        },
      ],
    });
  });
});

describe("what a plan reads of the users", () => {
  it("is only those whom both rules can match, by the service's own filters", async () => {
    const at = await scene();
    const text = groupRule('subject.department == "Tax" && subject.jobTitle == "Director"');
    const { impact } = await planned(text, {}, at);
    expect(impact?.users).toEqual({ read: 2, areAll: true, where: { department: ["Tax"] } });
    expect(named(impact, "loses")).toEqual(["Ana"]);
    expect(at.sandbox.log.count({ operation: "SearchUsers" })).toBe(1);
  });

  it("is everyone of any status but the deleted", async () => {
    const some = ["UNKNOWN", "ENABLED", "DISABLED", "DELETED"].map((status, place) => ({
      ...user(`U${place}`, "Tax", "Director"),
      status,
    }));
    const seed = { ...SEED, users: [...SEED.users, ...some] };
    const { impact } = await planned(groupRule('subject.jobTitle == "Director"'), {}, await scene(seed));
    expect(impact?.users).toMatchObject({ read: 6, areAll: true });
  });

  it("says nothing of anyone where the service shows no user", async () => {
    const empty = { apps: SEED.apps, automations: SEED.automations };
    const text = groupRule('subject.jobTitle == "Director"');
    const { impact } = await planned(text, {}, await scene(empty));
    expect(impact?.uncounted).toMatchObject([{ why: "the service shows no users to this token" }]);
  });
});

describe("a rule that matches no one", () => {
  const GHOST = 'subject.department == "Ghost"';
  const said = (impact: PlanImpact | null) =>
    (impact?.steps ?? []).map((step) => sentencesOf(describePeople(step, impact as PlanImpact, {}))[0]);

  it("says so, of all users, when it is new and when it is edited", async () => {
    const fresh = await planned(groupRule(GHOST, "law"));
    expect(said(fresh.impact)).toEqual(["0 of 3 users match"]);
    const edited = await planned(groupRule(GHOST));
    expect(said(edited.impact)).toEqual([
      expect.stringMatching(
        /^0 of 2 users with department Ghost or Tax match \(was 2\): at most 2 lose it \((Ana, Bo|Bo, Ana)\)$/,
      ),
    ]);
    const others = await planned(groupRule('subject.jobTitle.startsWith("Ghost")', "law"));
    expect(said(others.impact)).toEqual(["0 of 3 users match"]);
  });

  it("says so where the budget ends before the list of all users does", async () => {
    const many = Array.from({ length: 250 }, (_, at) => user(`U${at}`, "Tax", "Analyst"));
    const at = await scene(taxSeed(many));
    const { impact } = await planned(groupRule(GHOST, "law"), { calls: 4 }, at);
    expect(said(impact)).toEqual(["no user has department Ghost, 0 match"]);
    expect(impact?.uncounted).toEqual([]);
  });

  it("says what the service answered where the users' search is not found", async () => {
    const at = await sessionScene("full", {
      sandbox: { tenant: tenantOf(SEED) },
      rules: [{ fault: "error", status: 404, operation: "SearchUsers" }],
    });
    const { impact } = await planned(groupRule(GHOST), {}, at);
    expect(impact).toMatchObject({
      uncounted: [{ why: "the users could not be read" }],
      failed: [{ what: "users", why: "POST /api/v1/search/users answered 404" }],
    });
  });
});

describe("a group that a rule finds by its name", () => {
  const rule = (name: string) =>
    groupRule(
      `c1.user.v1.HasEntitlement(subject, c1.directory.groups.v1.FindByName("${name}").app_id, c1.directory.groups.v1.FindByName("${name}").id)`,
      "law",
    );

  it("is looked up, and its members are asked; that its name is the entitlement's is not documented", async () => {
    const { impact } = await planned(rule("Tax Member"));
    expect(impact?.steps).toMatchObject([
      {
        gains: {
          low: 0,
          high: 3,
          assumed: 2,
          assumptions: ["whether a group is found by the name of its entitlement"],
        },
      },
    ]);
  });

  it("is unknown where no entitlement has the name, and the reason names the function", async () => {
    const { impact } = await planned(rule("Nothing"));
    expect(impact?.steps).toMatchObject([
      {
        unknown: [
          { why: "FindByName asks for the group Nothing, which remit did not read", people: 3, after: 3 },
        ],
      },
    ]);
  });
});
