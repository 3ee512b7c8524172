import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plan as makePlan } from "../../src/apply/preview.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import type { Acknowledgement } from "../../src/plan/guards/acknowledge.js";
import { readGuards } from "../../src/plan/guards/own/document.js";
import { withOwnGuards } from "../../src/plan/guards/own/inForce.js";
import type { OwnGuard } from "../../src/plan/guards/own/ownGuard.js";
import { NO_SETTINGS } from "../../src/plan/guards/rules.js";
import type { Planned } from "../../src/plan/plan.js";
import { effectOf, writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { cases } from "../fakes/cases.js";
import { planFile } from "../plan/saved/planFile.js";
import { COUNTING, groupRule, taxSeed, user } from "./people.js";
import { type SessionScene, sessionScene } from "./sessionScene.js";

function guard(name: string, trips: string, more = "", on = "{}"): OwnGuard {
  const text = `apiVersion: remit/v1\nkind: Guard\nmetadata: { name: ${name} }\nspec:\n  on: ${on}\n  trips: ${JSON.stringify(trips)}\n  message: It says ${name}.\n${more}`;
  const { value, diagnostics } = readGuards([{ file: "guards/a.yaml", text, named: true }]);
  expect(diagnostics).toEqual([]);
  const [document] = value;
  if (document === undefined) throw new Error("one guard is one");
  return document.guard;
}

let at: SessionScene;
async function open(): Promise<void> {
  const users = [user("ana", "Tax", "Clerk"), user("ben", "Law", "Clerk"), user("cy", "Law", "Director")];
  at = await sessionScene("full", {
    sandbox: { tenant: readSeed(JSON.stringify(taxSeed(users)), "seed.yaml").tenant },
  });
}

const MANIFESTS = `${groupRule('subject.department == "Law"')}---\n${groupRule('subject.jobTitle == "Clerk"', "law")}`;
const ASKED = { context: "", evaluate: COUNTING.evaluate };

interface How {
  readonly reviewed?: readonly OwnGuard[];
  readonly acknowledgements?: readonly Acknowledgement[];
  readonly isCounted?: boolean;
}

async function planned(
  tree: readonly OwnGuard[],
  { reviewed, acknowledgements = [], isCounted = true }: How = {},
): Promise<Planned> {
  const request = at.request(MANIFESTS, {
    acknowledgements,
    counting: isCounted ? { ...COUNTING, names: false } : null,
  });
  const { limits } = request.rules;
  const proposal = reviewed === undefined ? null : { limits, acknowledgements: [], own: [] };
  const settings = withOwnGuards({ ...NO_SETTINGS, proposal }, { reviewed: reviewed ?? null, tree }, ASKED);
  const { value, diagnostics } = await makePlan(
    { ...request, rules: { ...request.rules, settings } },
    at.session,
  );
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return value;
}

const own = ({ findings }: Planned) => findings.filter((one) => one.own !== undefined);
const said = (plan: Planned) =>
  own(plan).map(({ guard: name, address, message }) => `${name} ${address?.name ?? "*"} ${message}`);

const GAIN = guard("gain", 'people.gain.exists(p, p.department == "Law")');
const DENY = guard("deny", 'step.name == "law"', "  level: deny\n");
const NOTE = guard("note", 'step.name == "law"', "  level: note\n");
const WHOLE = guard("whole", "size(plan.steps) == 2 && size(people.gain) == 3", "", "plan");

describe("guards that a team wrote", () => {
  it("are findings with the people who may gain, of steps and of the whole plan", async () => {
    await open();
    expect(said(await planned([GAIN, WHOLE]))).toEqual([
      "own/gain law It says gain.",
      "own/gain tax It says gain.",
      "own/whole * It says whole.",
    ]);
    const unasked = guard("unasked", "true", "", "{ labels: { team: a } }");
    const elsewhere = guard("elsewhere", "true", "", "{ contexts: [staging] }");
    const other = guard("other", "true", "", "{ kinds: [Webhook] }");
    expect(said(await planned([unasked, elsewhere, other]))).toEqual([]);
  });

  it("trip with the reason where people are not counted", async () => {
    await open();
    expect(said(await planned([GAIN], { isCounted: false }))).toEqual([
      "own/gain law It says gain. (people.gain is unknown: `--impact off` counts no one)",
      "own/gain tax It says gain. (people.gain is unknown: `--impact off` counts no one)",
    ]);
  });

  it("say a note beside the findings, and block nothing by it", async () => {
    await open();
    const plan = await planned([NOTE]);
    expect(own(plan)).toEqual([]);
    expect(plan.diagnostics).toContainEqual({
      code: "own/note",
      severity: "note",
      message: "EntitlementAutomation/law: It says note.",
    });
  });

  it("are acknowledged like any guard, and by the hash of one finding; a denied one is not", async () => {
    await open();
    const [first, second] = own(await planned([GAIN]));
    const entry = (of: string | null) =>
      ({
        by: "project",
        guard: "own/gain",
        address: null,
        until: "2026-01-31",
        reason: "x",
        of,
        span: null,
      }) as const;
    const left = async (guards: readonly OwnGuard[], acknowledgements: readonly Acknowledgement[]) =>
      own(await planned(guards, { acknowledgements })).flatMap((one) =>
        one.acknowledged === null ? [one.address?.name] : [],
      );
    expect(await left([GAIN], [entry(null)])).toEqual([]);
    expect(await left([GAIN], [entry(first?.hash ?? "")])).toEqual([second?.address?.name]);
    expect(await left([GAIN], [{ by: "flag", guard: "own/gain", address: null }])).toEqual([]);
    expect(await left([DENY], [{ by: "flag", guard: "own/deny", address: null }])).toEqual(["law"]);
    // Another definition is another finding.
    const other = guard("gain", 'people.gain.exists(p, p.department == "Law" )');
    expect(await left([other], [entry(first?.hash ?? "")])).toHaveLength(2);
    // Of two with one name, only the hash of a finding says which is meant.
    expect(await left([GAIN], [entry(null)])).toEqual([]);
    const both = guard("gain", 'step.name != "none"');
    const doubled = await planned([both], {
      reviewed: [GAIN],
      acknowledgements: [entry(null), { by: "flag", guard: "own/gain", address: null }],
    });
    expect(own(doubled).map(({ acknowledged }) => acknowledged)).toEqual([null, null, null, null]);
  });

  it("of the reviewed branch stay in force where the working tree takes them away, which is proposed", async () => {
    await open();
    const plan = await planned([NOTE], { reviewed: [GAIN, NOTE] });
    expect(plan.settings.differences).toMatchObject([
      {
        setting: "guards.own.gain",
        effect: "loosens",
        inForce: expect.stringContaining("acknowledge: people.gain"),
        workingTree: null,
      },
    ]);
    expect(own(plan)).toMatchObject([
      { guard: "own/gain", proposed: [{ setting: "guards.own.gain" }] },
      { guard: "own/gain", proposed: [{ setting: "guards.own.gain" }] },
    ]);
    // What the working tree adds is asked at once, and its own finding is decided by no merge.
    const added = await planned([GAIN, DENY], { reviewed: [GAIN] });
    expect(added.settings.differences).toMatchObject([
      { setting: "guards.own.deny", effect: "tightens", inForce: null },
    ]);
    expect(own(added)).toMatchObject([
      { guard: "own/deny", proposed: [] },
      { guard: "own/gain", proposed: [] },
      { proposed: [] },
    ]);
    // One that is written otherwise and still trips is not answered by the merge.
    const loosened = guard("gain", 'step.name == "law"');
    const changed = await planned([loosened], { reviewed: [GAIN] });
    const seen = own(changed).map(({ address, proposed }) => `${address?.name} ${proposed.length}`);
    expect(seen.sort()).toEqual(["law 0", "law 0", "tax 1"]);
  });

  it("are kept in a saved plan, and those that do not belong to its steps are refused", async () => {
    await open();
    const plan = await planned([GAIN, DENY, WHOLE, NOTE]);
    const { text } = writePlan(plan);
    const read = readSavedPlan(text);
    expect(read.diagnostics).toEqual([]);
    expect(read.value?.plan.findings).toEqual(plan.findings);
    expect(text).not.toMatch(/@x\.test/);
    const stored = JSON.parse(text).plan;
    const [one, ...rest] = stored.own;
    const forge = (findings: unknown, answers: unknown = stored.answers) =>
      readSavedPlan(
        planFile({ ...stored, own: findings, answers, findings: undefined }, effectOf(plan)),
      ).diagnostics.map(({ code }) => code);
    expect(forge(stored.own)).toEqual([]);
    expect(forge([{ ...one, hash: `sha256:${"0".repeat(64)}` }, ...rest])).toEqual(["plan/other-findings"]);
    expect(forge([{ ...one, address: { kind: "EntitlementAutomation", name: "gone" } }, ...rest])).toEqual([
      "plan/other-findings",
    ]);
    expect(forge([{ ...one, guard: "own/another" }, ...rest])).toEqual(["plan/other-findings"]);
    expect(forge([{ ...one, guard: "everyone" }, ...rest])).toEqual(["plan/unreleased-format"]);
    const answer = {
      guard: "own/deny",
      hash: own(plan)[0]?.hash,
      acknowledged: { by: "flag", until: null, reason: null, of: null },
      proposed: [],
    };
    expect(forge(stored.own, [answer])).toEqual(["plan/other-findings"]);
  });

  it("change nothing that a plan does", async () => {
    await open();
    const bare = await planned([]);
    const trips = fc.constantFrom(
      "true",
      "false",
      "step.after.displayName == ''",
      "size(people.gain) > 1",
      "1 / 0 == 1",
      "has(step.before.cel)",
    );
    const levels = fc.constantFrom("note", "acknowledge", "deny");
    const some = fc.array(fc.tuple(trips, levels), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(some, fc.boolean(), async (written, isReviewed) => {
        const guards = written.map(([text, level], n) => guard(`g${n}`, text, `  level: ${level}\n`));
        const plan = await planned(guards, isReviewed ? { reviewed: guards.slice(1) } : {});
        expect(effectOf(plan)).toBe(effectOf(bare));
        expect(plan.steps).toEqual(bare.steps);
        expect(plan.impact).toEqual(bare.impact);
        expect(plan.findings.filter((one) => one.own === undefined)).toEqual(bare.findings);
      }),
      { numRuns: cases(12) },
    );
  });
});
