import { describe, expect, it } from "vitest";
import { renderNights } from "../../../../src/report/forms/comment/night.js";
import { renderPlanJson } from "../../../../src/report/forms/json.js";
import type { PlanReport, UnmanagedReport } from "../../../../src/report/plan/report.js";
import { withStatements } from "../../../../src/report/plan/statements.js";
import { readPlanReport } from "../../../../src/report/readReport.js";
import { bytesOf } from "../../../../src/report/text/budget.js";
import { nightOf } from "../../../../src/report/view/night.js";
import { automation, changed, report } from "../../plans.js";

const TODAY = "2026-11-22";
const drift = {
  ...changed({ type: "value", path: ["displayName"], before: "a", after: "b" }),
  cause: "drifted",
} as const;
const step = (name: string) =>
  automation({ address: { kind: "EntitlementAutomation", name }, changes: [drift] });

function unmanaged(names: readonly string[]): UnmanagedReport {
  const objects = names.map((name) => ({ key: `app/${name}`, name, app: "GitHub", lines: [] }));
  const counted = `${names.length} entitlement automations`;
  const kind = {
    kind: "EntitlementAutomation",
    counted,
    count: names.length,
    ignored: 0,
    within: null,
    isSure: true,
    objects,
  };
  return { isWhole: true, isRead: true, kinds: [kind] };
}

function night(steps: readonly ReturnType<typeof step>[], more: Partial<PlanReport> = {}) {
  const made = withStatements({ ...report([...steps]), hasState: true, unmanaged: unmanaged([]), ...more });
  return { name: "infra@tenant.example", report: made, linkBase: null };
}

const PEOPLE = {} as NonNullable<PlanReport["people"]>;

const text = (one: ReturnType<typeof night>, room = 60_000) =>
  renderNights([{ ...one, night: nightOf(one.report, TODAY) }], room);

describe("the comment of a night", () => {
  it("has bars of who gains and loses where there is room for them", () => {
    const range = { low: 9, high: 12 };
    const values = [{ value: "Sales", gains: range, loses: { low: 0, high: 0 } }];
    const people = { ...PEOPLE, spread: [{ attribute: "department", values }] };
    const one = night([step("a")]);
    const nights = { ...one, report: { ...one.report, people } };
    expect(text(nights)).toContain("  Sales  ");
    expect(text(nights, 600)).not.toContain("  Sales  ");
  });

  it("lists drift, what is not managed, and what ends within 14 days, the first to end first", () => {
    const loosened = [
      {
        setting: "ignore.EntitlementAutomation/V*",
        value: "until 2026-12-06: Moved.",
        standard: null,
        from: "remit.yaml:9",
      },
      {
        setting: "acknowledge.max-deletes.*",
        value: "until 2026-11-22: AR-7",
        standard: null,
        from: "remit.yaml:3",
      },
      {
        setting: "acknowledge.everyone.*",
        value: "until 2026-12-07: AR-8",
        standard: null,
        from: "remit.yaml:5",
      },
    ];
    const one = night([step("drifted")], {
      unmanaged: unmanaged(["Rogue"]),
      settings: { from: null, differences: [], loosened },
    });
    const said = text(one);
    expect(nightOf(one.report, TODAY).line).toBe(
      "1 object drifted, 1 object not managed, 2 entries of remit.yaml end soon",
    );
    expect(said).toContain("EntitlementAutomation/drifted");
    expect(said).toContain("Rogue");
    expect(said.indexOf("2026-11-22")).toBeLessThan(said.indexOf("2026-12-06"));
    expect(said).not.toContain("everyone");
  });

  it("shows each field before and after and how many people it concerns, the dangerous objects first", () => {
    const { steps: made } = report([step("words"), step("few"), step("many"), step("open")]);
    const counted = (high: number | null) =>
      ({
        lines: [`at most ${high} gain it`],
        aside: "",
        brief: `at most +${high}`,
        mostLosing: 0,
        counts: {
          gains: { certainty: "at most", low: 0, high, assumed: null, assumptions: [], people: null },
        },
        unknown: [],
        review: null,
        holdings: null,
      }) as const;
    const rule = (before: string, after: string) =>
      [
        {
          path: "cel.expression",
          cause: "drifted",
          edit: null,
          line: null,
          file: null,
          difference: { type: "value", before, after },
        },
      ] as const;
    const found = made.map((one) => {
      const name = one.address.split("/")[1] ?? "";
      const isOpen = name === "open";
      if (name === "words") return one;
      const people = counted({ few: 3, many: 900, open: 40 }[name] ?? 0);
      return {
        ...one,
        people,
        risk: isOpen ? 6 : one.risk,
        fields: rule(`was-${name}`, isOpen ? "true" : `is-${name}`),
      };
    });
    const said = text(
      night([], { ...report([step("open")]), steps: found, hasState: true, unmanaged: unmanaged([]) }),
    );
    const rows = said
      .split("\n")
      .filter((line) => line.startsWith("| ") && line.includes("EntitlementAutomation"));
    expect(rows.map((row) => /\*\*(\w+)\*\*/.exec(row)?.[1])).toEqual(["open", "many", "few", "words"]);
    expect(rows[0]).toContain("| **at most +40** |");
    expect(rows[0]).toContain("⚠ <code>cel.expression</code>: <code>was-open</code> → <code>true</code>");
    expect(rows[1]).not.toContain("⚠");
    expect(rows[3]).toContain("<code>displayName</code>: <code>a</code> → <code>b</code>");
    expect(said).toContain("People: at most 40 gain it");
  });

  it("lists what has ended apart, also where it ended after the plan was made", () => {
    const entry = (setting: string, until: string) => ({
      setting,
      value: `until ${until}: AR-7`,
      standard: null,
      from: "remit.yaml:3",
    });
    const loosened = [entry("acknowledge.max-deletes.*", "2026-11-21"), entry("acknowledge.nobody.*", TODAY)];
    const ended = [entry("ignore.EntitlementAutomation/V*", "2026-10-01")];
    const one = night([], { settings: { from: null, differences: [], loosened, ended } });
    expect(nightOf(one.report, TODAY).line).toBe("1 entry of remit.yaml ends soon, 2 entries ended");
    const [, after = ""] = text(one).split("**Ended.**");
    expect(after).toMatch(/2026-10-01.*2026-11-21/s);
    expect(after).not.toContain("nobody");
    expect(readPlanReport(renderPlanJson(one.report)).value?.settings.ended).toEqual(ended);
  });

  it("says that nothing is left only where everything was looked for", () => {
    expect(text(night([]))).toContain("**Nothing to do.**");
    for (const more of [
      { unmanaged: null },
      { unmanaged: { ...unmanaged([]), isWhole: false } },
      { hasState: false },
      { unseen: [{ what: "template scopes", why: "no reads" }] },
    ] as const) {
      const said = text(night([], more));
      expect(said).toContain("Nothing found in what could be read");
      expect(said).toContain("**Not known**");
    }
  });

  it("stays within its room, and counts what it leaves out", () => {
    const many = night(
      Array.from({ length: 400 }, (_, place) => step(`drifted-${place}`)),
      { unmanaged: unmanaged(Array.from({ length: 4000 }, (_, place) => `Rogue ${place}`)) },
    );
    const said = text(many, 20_000);
    expect(bytesOf(said)).toBeLessThanOrEqual(20_000);
    expect(said).toMatch(/… and \d+ more$/m);
    expect(said).toContain("400 objects drifted, 4000 objects not managed");
  });

  it("makes no text of the tenant mark-up", () => {
    const said = text(night([], { unmanaged: unmanaged(["@ada <b>x</b> [y](z)"]) }));
    expect(said).not.toMatch(/<b>|@ada|\]\(z/);
  });

  it("reads back the report that a plan wrote, and nothing else", () => {
    const { report: made } = night([step("drifted")]);
    expect(readPlanReport(renderPlanJson(made)).value?.steps).toHaveLength(1);
    for (const wrong of ["", "{}", '{"formatVersion":2}'])
      expect(readPlanReport(wrong)).toMatchObject({
        value: null,
        diagnostics: [{ code: "report/malformed" }],
      });
  });
});
