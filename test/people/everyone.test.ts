import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plan as makePlan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { guardPlan } from "../../src/plan/guards/guards.js";
import { DEFAULT_LIMITS } from "../../src/plan/guards/settings.js";
import type { PlanImpact } from "../../src/plan/people/impact.js";
import type { Finding, Planned } from "../../src/plan/plan.js";
import type { Request } from "../../src/plan/request.js";
import { hashesOf } from "../../src/plan/saved/effect.js";
import { COUNTING, taxSeed, user } from "../apply/people.js";
import { type SessionScene, sessionScene } from "../apply/sessionScene.js";
import { checkedClient, refusal } from "../fakes/checkedClient.js";

const USERS = 40;

/** Of forty people, all have the title but one, twelve are in Tax, and each has a mail address. */
const PEOPLE = Array.from({ length: USERS }, (_, at) =>
  user(`u${at}`, at < 12 ? "Tax" : "Law", at === 0 ? "Boss" : "Staff"),
);

async function withPeople(): Promise<SessionScene> {
  const seed = { ...taxSeed(PEOPLE), automations: [], members: [] };
  const { tenant } = readSeed(JSON.stringify(seed), "seed.yaml");
  const users = tenant.users.map((one) => ({
    ...one,
    profile: one.department === "Tax" ? { badge: "b" } : {},
  }));
  return sessionScene("full", { sandbox: { tenant: { ...tenant, users } } });
}

type Reading = "people read" | "people refused" | "people not asked";

/** The scene as a token sees it that may not read users. */
function refusing(scene: SessionScene): SessionScene {
  const { client } = scene.session;
  if (client === null) return scene;
  const refused = checkedClient(client, (call) => {
    if (call.path.includes("users")) throw refusal(call, 403);
  });
  return { ...scene, session: { ...scene.session, client: refused } };
}

function requestOf(scene: SessionScene, expression: string, isAsked = true): Request {
  const text = `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: tax }
spec:
  appId: { name: C1 }
  appEntitlementId: { alias: c1-tax-member }
  displayName: Tax
  cel: { expression: ${JSON.stringify(expression)} }
`;
  return scene.request(text, {
    limits: { ...DEFAULT_LIMITS, changesFloor: 0, maxChangesPercent: 100 },
    counting: isAsked ? { ...COUNTING, names: false } : null,
  });
}

async function planned(scene: SessionScene, request: Request): Promise<Planned> {
  const { value, diagnostics } = await makePlan(request, scene.session);
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return value;
}

async function findingsOf(
  scene: SessionScene,
  expression: string,
  reading: Reading,
): Promise<readonly Finding[]> {
  const at = reading === "people refused" ? refusing(scene) : scene;
  const { findings } = await planned(at, requestOf(at, expression, reading !== "people not asked"));
  return findings.filter(({ guard }) => guard === "everyone");
}

/** Patterns of RE2 that every text matches; remit does not translate all of them. */
const PATTERNS = ["(?s)^.*$", "\\\\pL*", "(?U)x*", "[[:alpha:]]*", "^.{0,1000}", ".*", "^", "(|x)", "(?i)x?"];
const FIELDS = ["subject.email", "subject.displayName", "subject.email.lowerAscii()"];

/** Tests that hold for everyone, each by something that remit cannot evaluate or does not see through. */
const OPEN = fc.oneof(
  fc
    .tuple(fc.constantFrom(...FIELDS), fc.constantFrom(...PATTERNS))
    .map(([field, pattern]) => `${field}.matches("${pattern}")`),
  fc.constantFrom(...PATTERNS).map((pattern) => `subject.emails.exists(m, m.matches("${pattern}"))`),
  fc.constantFrom(
    'subject.email.reverse() != "x"',
    'subject.email.charAt(0) != "~"',
    'subject.attributes["level"] != "x"',
    'subject.email.startsWith("")',
    'subject.email.contains("")',
  ),
);

/** A rule of such tests and of attributes, and how many people it may hold for if each of the tests holds. */
interface Rule {
  readonly text: string;
  readonly people: number;
  /** Whether someone is left out by an attribute that the rule requires. */
  readonly requires: boolean;
}

const FORMS: readonly ((open: string) => Rule)[] = [
  (open) => ({ text: open, people: USERS, requires: false }),
  (open) => ({ text: `!!(${open})`, people: USERS, requires: false }),
  (open) => ({ text: `subject.department == "Tax" || ${open}`, people: USERS, requires: false }),
  (open) => ({ text: `${open} || subject.department == "Tax"`, people: USERS, requires: false }),
  (open) => ({ text: `(${open}) == true`, people: USERS, requires: false }),
  (open) => ({ text: `${open} ? true : false`, people: USERS, requires: false }),
  (open) => ({ text: `subject.jobTitle == "Staff" && ${open}`, people: USERS - 1, requires: true }),
  (open) => ({ text: `${open} && subject.jobTitle == "Staff"`, people: USERS - 1, requires: true }),
  (open) => ({ text: `subject.department == "Tax" && ${open}`, people: 12, requires: true }),
  (open) => ({ text: `${open} && subject.department == "Tax"`, people: 12, requires: true }),
  (open) => ({ text: `${open} && has(subject.profile.badge)`, people: 12, requires: true }),
  (open) => ({ text: `subject.profile["badge"] != "x" && ${open}`, people: 12, requires: true }),
  (open) => ({ text: `${open} && subject.profile["badge"].startsWith("b")`, people: 12, requires: true }),
];

const RULE: fc.Arbitrary<Rule> = fc.tuple(OPEN, fc.constantFrom(...FORMS)).map(([open, form]) => form(open));

describe("a rule that holds for everyone by what remit cannot evaluate", () => {
  it("trips `everyone` where people were read, unless an attribute leaves out more than a tenth", async () => {
    const scene = await withPeople();
    await fc.assert(
      fc.asyncProperty(RULE, async ({ text, people }) => {
        const findings = await findingsOf(scene, text, "people read");
        expect([text, findings.length]).toEqual([text, people * 10 > USERS * 9 ? 1 : 0]);
      }),
      { numRuns: 40 },
    );
  });

  it("trips `everyone` by its condition alone where no one was read, unless it requires an attribute", async () => {
    const scene = await withPeople();
    await fc.assert(
      fc.asyncProperty(
        RULE,
        fc.constantFrom<Reading>("people refused", "people not asked"),
        async ({ text, requires }, reading) => {
          const findings = await findingsOf(scene, text, reading);
          expect([text, reading, findings.length]).toEqual([text, reading, requires ? 0 : 1]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("names the call, where people were read and where they were not", async () => {
    const scene = await withPeople();
    const rule = 'subject.email.matches("(?s)^.*$") || subject.department == "Tax"';
    const messages = async (text: string, reading: Reading) =>
      (await findingsOf(scene, text, reading)).map(({ message }) => message);
    expect(await messages(rule, "people read")).toEqual([
      "whether it would hold for everyone could not be decided for 28 of 40 people: matches asks for a regular expression that remit does not translate, which remit did not read",
    ]);
    expect(await messages(rule, "people refused")).toEqual([
      "whether cel.expression is true for everyone could not be decided: remit does not evaluate matches",
    ]);
  });

  it("is counted again where a saved plan is applied: its own numbers answer for nothing", async () => {
    const scene = await withPeople();
    const request = requestOf(scene, 'subject.email.matches("(?s)^.*$")');
    const plan = await planned(scene, request);
    const steps = (plan.impact?.steps ?? []).map((step) => ({ ...step, unknown: [] }));
    const forged: Planned = {
      ...plan,
      impact: plan.impact === null ? null : { ...plan.impact, steps },
      findings: [],
    };
    const order = scene.order(request, { plan: { plan: forged, ...hashesOf(forged) } });
    const result = await apply(order, scene.session);
    expect(result.as === "applied" ? [] : result.diagnostics.map(({ code }) => code)).toEqual([
      "guard/everyone",
    ]);
  });

  it("trips `everyone` where a part of the people was read, and it is unknown for them", async () => {
    const scene = await withPeople();
    const request = requestOf(scene, 'subject.email.matches("(?s)^.*$")');
    const plan = await planned(scene, request);
    const { impact } = plan;
    if (impact === null) throw new Error("people were counted");
    const users = { ...impact.users, areAll: false };
    const found = (about: Partial<PlanImpact>) =>
      guardPlan({ ...plan, impact: { ...impact, ...about } }, request.rules).map(({ guard }) => guard);
    expect(found({ users })).toEqual(["everyone"]);
    const steps = impact.steps.map((step) => ({ ...step, unknown: [] }));
    expect(found({ users, steps })).toEqual([]);
  });
});
