import { describe, expect, it } from "vitest";
import { plan as makePlan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import type { Acknowledgement } from "../../src/plan/guards/acknowledge.js";
import { readGuards } from "../../src/plan/guards/own/document.js";
import { withOwnGuards } from "../../src/plan/guards/own/inForce.js";
import { NO_SETTINGS } from "../../src/plan/guards/rules.js";
import { hashesOf } from "../../src/plan/saved/effect.js";
import type { VerifiedPlan } from "../../src/plan/saved/read.js";
import { COUNTING, groupRule, taxSeed, user } from "./people.js";
import { type SessionScene, sessionScene } from "./sessionScene.js";

const HR = 'people.gain.exists(p, p.department == "HR")';
const HELD = 'people.gain.exists(p, holds(p, "C1", "c1-tax-member"))';
const RULES = [
  groupRule('subject.department == "Tax"'),
  groupRule('subject.jobTitle == "Clerk"', "law"),
].join("---\n");

interface How {
  readonly trips?: string;
  readonly level?: string;
  readonly acknowledgements?: readonly Acknowledgement[];
  readonly isCounted?: boolean;
}

/** A request whose settings have one guard; without an expression, none. */
function asked(
  at: SessionScene,
  { trips, level = "acknowledge", acknowledgements = [], isCounted = true }: How,
) {
  const text = `apiVersion: remit/v1\nkind: Guard\nmetadata: { name: ours }\nspec:\n  on: {}\n  trips: ${JSON.stringify(trips)}\n  message: Ask us.\n  level: ${level}\n`;
  const { value } = readGuards(trips === undefined ? [] : [{ file: "guards/a.yaml", text, named: true }]);
  const request = at.request(RULES, {
    acknowledgements,
    counting: isCounted ? { ...COUNTING, names: false } : null,
  });
  const tree = value.map(({ guard }) => guard);
  const own = { context: "", evaluate: COUNTING.evaluate };
  const settings = withOwnGuards(NO_SETTINGS, { reviewed: null, tree }, own);
  return { ...request, rules: { ...request.rules, settings } };
}

/** A plan that was saved under one request, applied under another, after people came or went. */
async function applied(saved: How, now: How, happens: (at: SessionScene) => void = () => undefined) {
  const users = [user("ana", "Tax", "Clerk"), user("ben", "Law", "Clerk")];
  const { tenant } = readSeed(JSON.stringify(taxSeed(users)), "seed.yaml");
  const at = await sessionScene("full", { sandbox: { tenant } });
  const { value, diagnostics } = await makePlan(asked(at, saved), at.session);
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  happens(at);
  const plan: VerifiedPlan = { plan: value, ...hashesOf(value) };
  const result = await apply(at.order(asked(at, now), { plan }), at.session);
  const said = result.diagnostics.map(({ code, message }) => `${code} ${message}`);
  return { findings: value.findings.length, as: result.as, said, writes: at.writes() };
}

/** Someone moves from the law department to another one. */
const moves = (at: SessionScene) => {
  const { users } = at.sandbox.store;
  const ben = users.of("").find(({ email }) => email === "ben@x.test");
  if (ben === undefined) throw new Error("the seed has him");
  users.put("", ben.id, { ...ben, department: "HR" });
};

const TRIPS = "own/ours EntitlementAutomation/law: Ask us.";

describe("an apply of a saved plan, where a guard of a team reads people,", () => {
  it("counts them again, and refuses what is not acknowledged", async () => {
    const how = { trips: HR };
    expect(await applied(how, how)).toMatchObject({ findings: 0, as: "applied", writes: 1 });
    expect(await applied(how, how, moves)).toMatchObject({
      ...{ findings: 0, as: "refused", said: [TRIPS], writes: 0 },
    });
    const flag = { by: "flag", guard: "own/ours", address: null } as const;
    const answered = { ...how, acknowledgements: [flag] };
    expect(await applied(how, answered, moves)).toMatchObject({ as: "applied", writes: 1 });
    expect(await applied(how, { ...answered, level: "deny" }, moves)).toMatchObject({ as: "refused" });
  });

  it("asks who holds something by the rules and the grants of that day", async () => {
    expect(await applied({}, { trips: HELD })).toMatchObject({
      ...{ findings: 0, as: "refused", writes: 0 },
      said: [expect.stringContaining(`${TRIPS} (who holds what: by `)],
    });
  });

  it("takes neither the plan's word nor a missing count for an answer", async () => {
    // The plan was made with another guard, or with none.
    expect(await applied({ trips: "false" }, { trips: HR }, moves)).toMatchObject({ as: "refused" });
    expect(await applied({ trips: HR }, { trips: HR, isCounted: false })).toMatchObject({
      as: "refused",
      said: [`${TRIPS} (people.gain is unknown: people were not counted)`],
    });
    // What only the plan's settings asked is not in force any more.
    expect(await applied({ trips: "true" }, {})).toMatchObject({ findings: 1, as: "applied", writes: 1 });
  });
});
