import { describe, expect, it } from "vitest";
import type { Step } from "../../src/plan/step.js";
import { renderComment } from "../../src/report/forms/comment/comment.js";
import { renderPlanInComment } from "../../src/report/forms/comment/plan.js";
import { FORM_NAMES, render } from "../../src/report/forms/table.js";
import { withStatements as withOutcomeStatements } from "../../src/report/outcome/describe.js";
import type { OutcomeReport } from "../../src/report/outcome/report.js";
import type { PlanReport } from "../../src/report/plan/report.js";
import { type Unstated, withStatements } from "../../src/report/plan/statements.js";
import type { Statement } from "../../src/report/statement.js";
import { viewOf } from "../../src/report/view/view.js";
import { STATEMENT } from "../../src/words/statement.js";
import { statementContract } from "../contracts/statements.js";
import { PARTIAL } from "./endings.js";
import { CREATED, DRIFTED, EVERY_CHANGE } from "./faces.js";
import { OPTIONS } from "./html/pages.js";
import { report, span } from "./plans.js";

const place = { file: "remit.yaml", line: 4 };
const unmanagedOf = (isWhole: boolean): PlanReport["unmanaged"] => ({
  isWhole,
  isRead: true,
  kinds: [
    {
      ...{ kind: "EntitlementAutomation", counted: "2 entitlement automations", count: 2, ignored: 3 },
      ...{ within: { apps: ["GitHub"], of: 5 }, isSure: true },
      objects: ["rogue", "stray"].map((name) => ({
        key: `a/${name}`,
        name,
        app: "GitHub",
        lines: ["cel: x"],
      })),
    },
  ],
});

const REMOVED = ["q1", "q2"].map((name): Step => {
  const address = { kind: "EntitlementAutomation", name };
  return { ...CREATED, address, action: "removed", changes: [], after: null };
});

/** A report that says everything that a plan can say. */
const EVERYTHING: Unstated = {
  ...report([EVERY_CHANGE, DRIFTED, CREATED, ...REMOVED]),
  hasState: false,
  undoesNothing: 3,
  settings: {
    from: { named: "origin/main", commit: "a1b2c3" },
    differences: (["loosens", "intent", "tightens"] as const).map((effect) => {
      return { setting: `guards.${effect}`, effect, inForce: 1, workingTree: 2, place };
    }),
    loosened: [{ setting: "prune", value: true, standard: false, from: "--prune" }],
  },
  labelChanges: [
    {
      ...{ address: "TemplateScope/q4", place, by: ["reviewed branch", "state"] },
      labels: [{ name: "environment", before: "production", after: null }],
    },
  ],
  findings: [
    {
      ...{ guard: "everyone", address: "TemplateScope/q4", message: "it opens to all", hash: "sha256:1" },
      ...{
        acknowledged: null,
        proposed: [{ setting: "acknowledge", place }],
        flag: "--acknowledge everyone",
      },
    },
  ],
  since: { ref: "main", commit: "c3d4", pending: report([DRIFTED]).steps },
  unmanaged: unmanagedOf(true),
  diagnostics: [
    { code: "state/lost", severity: "warning", message: "the state is missing", hint: "Restore it." },
    { code: "guard/expired", severity: "warning", message: "an acknowledgement ended", span: span(3) },
    { code: "state/open", severity: "note", message: "the state can be changed by all" },
  ],
  unapplied: { after: "9".repeat(40), commits: [{ commit: "1".repeat(40), subject: "Add q4" }], more: 2 },
  unseen: [{ what: "template scopes", why: "the core interface has no reads" }],
  people: {
    ...{ users: { read: 3, areAll: true, where: null }, calls: {} },
    follow: [
      {
        address: "EntitlementAutomation/vpn",
        as: "members",
        asksFor: ["EntitlementAutomation/a"],
        counts: null,
      },
      { address: "TemplateScope/q5", as: "audience", asksFor: ["EntitlementAutomation/a"], counts: null },
    ],
    conflicts: [
      {
        address: "AccessConflict/pay",
        newly: { certainty: "exact", low: 4, high: 4, assumed: 4, assumptions: [], people: null },
        isNegated: false,
        unread: ["Approve payments"],
      },
    ],
    unknownAttributes: [{ address: "EntitlementAutomation/a", name: "departmnt", nearest: "department" }],
    undocumented: ["whether disabled users count"],
    spread: [],
    withoutPeople: [
      {
        address: "EntitlementAutomation/b",
        unmet: [{ attribute: "department", value: "Enginering", nearest: ["Engineering"] }],
      },
    ],
    uncounted: [{ address: "EntitlementAutomation/new", why: "no users" }],
    totals: {
      access: {
        ...{ deletes: 0, rules: 4, profiles: 0, follow: 1 },
        ...{ gains: { low: 31, high: 32 }, loses: { low: 3, high: 3 } },
      },
      reviews: { scopes: 1, follow: 1, enters: { low: 0, high: 0 }, leaves: { low: 0, high: 38 } },
      requests: { profiles: 1, gains: { low: 0, high: null }, loses: { low: 0, high: null } },
    },
    failed: [{ what: "users", why: "POST /search/users answered 403" }],
  },
  writtenUnseen: ["ResourceType/github-team"],
  rewritten: [{ address: "TemplateScope/q4", fields: ["scope.celExpression"] }],
  notCompared: [{ kind: "ResourceType", objects: 2, members: ["createdAt"] }],
  calls: { made: { app: 1 }, ahead: { ResourceType: 2 } },
};

const WHOLE = withStatements(EVERYTHING);
/** What stands in a plan only where another statement does not. */
const OTHERWISE = withStatements({ ...EVERYTHING, unmanaged: unmanagedOf(false) });

const without = (made: PlanReport, dropped: Statement): PlanReport => ({
  ...made,
  statements: made.statements.filter(({ code }) => code !== dropped.code),
  diagnostics: made.diagnostics.filter(({ code }) => code !== dropped.code),
});

describe("the list of statements", () => {
  it("has every code in the plans of this contract", () => {
    const said = [...WHOLE.statements, ...OTHERWISE.statements].map(({ code }) => code);
    const ofPlans = Object.keys(STATEMENT.rows).filter((code) => !code.startsWith("apply/"));
    expect(ofPlans.filter((code) => !said.includes(code))).toEqual([]);
  });

  it("stands in the order of reading", () => {
    const order = ["top", "before", "after", "end", "detail"];
    const places = WHOLE.statements.map(({ rank }) => order.indexOf(rank));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it("has each code once, whatever number of objects it is about", () => {
    const codes = WHOLE.statements.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)]);
  });
});

describe.each([
  ["everything", WHOLE],
  ["what the lists show beside it", OTHERWISE],
])("a plan with %s", (_, made) => {
  const subject = { report: made, statements: made.statements, without };
  // GitLab's report has three numbers, and a summary has codes: they have no room for a sentence.
  for (const form of FORM_NAMES.filter((name) => name !== "terraform" && name !== "summary")) {
    const options = { ...OPTIONS, columns: Number.POSITIVE_INFINITY, verbose: true };
    statementContract(form, lined(form, subject), (one) => render(form, "plan", one, options));
  }
  const brief = made.statements.filter(({ rank }) => rank !== "detail");
  statementContract("text without -v", { ...subject, statements: brief }, (one) =>
    render("text", "plan", one, { ...OPTIONS, columns: Number.POSITIVE_INFINITY }),
  );
  // At a terminal, what people say comes later than the steps.
  statementContract("text in two parts", { ...subject, statements: brief }, async (one) => {
    const uncounted = { ...one, people: null, statements: one.statements.filter((two) => !isOfPeople(two)) };
    const parts = [
      ["steps", uncounted],
      ["rest", one],
    ] as const;
    const options = { ...OPTIONS, columns: Number.POSITIVE_INFINITY };
    const texts = parts.map(([part, made]) => render("text", "plan", made, { ...options, part }));
    return (await Promise.all(texts)).join("");
  });
  const inComment = {
    name: "infra@t",
    linkBase: null,
    whole: "`remit show` has all.",
    unreviewed: null,
    uncounted: [],
  };
  for (const room of [60_000, 5_000]) {
    statementContract(`comment of ${room} bytes`, subject, (one) =>
      renderPlanInComment({ ...inComment, view: viewOf(one, "people") }, room),
    );
  }
  statementContract("markdown of 6000 bytes", subject, (one) =>
    render("markdown", "plan", one, { ...OPTIONS, maxBytes: 6_000 }),
  );
});

function isOfPeople({ code }: Statement): boolean {
  return code.startsWith("people/");
}

/** Formats that know only lines and messages show what a run found by its message, under its own code. */
function lined<S extends { readonly statements: readonly Statement[] }>(form: string, subject: S): S {
  if (!["github", "sarif", "codequality", "junit"].includes(form)) return subject;
  const statements = subject.statements.map((one) => {
    const [first] = one.objects;
    return /^(?:error|warning|note)\[/.test(one.text) && first !== undefined
      ? { ...one, text: first.text.replace(/\. .*$/, "") }
      : one;
  });
  return { ...subject, statements };
}

const ENDED = withOutcomeStatements({
  ...PARTIAL,
  fault: {
    code: "state/changed",
    severity: "error",
    message: "another run changed the state",
    hint: "Wait.",
  },
  takesEffect: ["2 rules within an hour"],
  next: ["Plan again.", "Review it."],
  diagnostics: EVERYTHING.diagnostics,
});

const withoutEnding = (made: OutcomeReport, dropped: Statement): OutcomeReport => ({
  ...made,
  statements: made.statements.filter(({ code }) => code !== dropped.code),
  diagnostics: made.diagnostics.filter(({ code }) => code !== dropped.code),
  fault: made.fault?.code === dropped.code ? null : made.fault,
});

describe("an outcome with everything", () => {
  const subject = { report: ENDED, statements: ENDED.statements, without: withoutEnding };
  for (const form of FORM_NAMES.filter((name) => name !== "terraform" && name !== "summary")) {
    const options = { ...OPTIONS, columns: Number.POSITIVE_INFINITY, verbose: true };
    statementContract(form, lined(form, subject), (one) => render(form, "outcome", one, options));
  }
  const part = { as: "outcome", name: "infra@t", linkBase: null } as const;
  statementContract("comment", subject, (one) => renderComment([{ ...part, report: one }], 20_000));
});
