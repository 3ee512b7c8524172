import { describe, expect, it } from "vitest";
import { renderNights } from "../../../../src/report/forms/comment/night.js";
import { renderPlanInComment } from "../../../../src/report/forms/comment/plan.js";
import { renderPlanHtml } from "../../../../src/report/forms/html/plan.js";
import { renderPlanJson } from "../../../../src/report/forms/json.js";
import { renderPlanMarkdown } from "../../../../src/report/forms/markdown/plan.js";
import { unappliedStatement } from "../../../../src/report/plan/words/unapplied.js";
import { readPlanReport } from "../../../../src/report/readReport.js";
import { sentencesOf } from "../../../../src/report/statement.js";
import { nightOf } from "../../../../src/report/view/night.js";
import { viewOf } from "../../../../src/report/view/view.js";
import { automation, report } from "../../plans.js";

const commit = (number: number) => String(number).repeat(40);
const commits = (...subjects: readonly string[]) =>
  subjects.map((subject, at) => ({ commit: commit(at + 1), subject }));
const after = commit(9);
const said = (report: Parameters<typeof unappliedStatement>[0]) =>
  unappliedStatement(report).flatMap((one) => sentencesOf(one));

describe("what was merged and not applied, in words", () => {
  it("names the oldest, keeps the number of a pull request, and counts the rest", () => {
    const long = `${"Raise the limit of the quarterly review of all ".repeat(2)}(#41)`;
    const unapplied = { after, commits: commits(long, "", "Add q4", "Four", "Five"), more: 2 };
    expect(said({ unapplied })).toEqual([
      'Merged after 999999999999, and not applied completely: 111111111111 "Raise the limit of the quarterly review of all Ra… (#41)", 222222222222, 333333333333 "Add q4", 444444444444 "Four", 555555555555 "Five" and 2 more',
    ]);
    expect(said({})).toEqual([]);
  });

  it("says that it is unknown where the checkout is cut off", () => {
    expect(said({ unapplied: { after, commits: null, more: 0 } })).toEqual([
      "Merged and not applied: unknown, because this checkout does not lead back to 999999999999, which was applied last.",
    ]);
  });

  it("stands once in every format, with nothing in it that a format would obey", () => {
    const hostile = '</script><img src=x onerror="1"> | `a` @team ::error::x \u001b[31m';
    const made = report([automation({ action: "create" })], {
      unapplied: { after, commits: commits(hostile), more: 0 },
    });
    const whole = {
      name: "infra@tenant",
      view: viewOf(made, "people"),
      night: nightOf(made, "2026-01-01"),
      linkBase: null,
      whole: "",
      unreviewed: null,
      uncounted: [],
    };
    const pages = [
      renderPlanMarkdown(viewOf(made, "people"), { maxBytes: null, linkBase: null }),
      renderPlanHtml(viewOf(made), { linkBase: null, packed: null, maxBytes: null }),
      renderPlanInComment(whole, 60_000),
      renderNights([whole], 60_000),
    ];
    for (const page of pages) {
      expect(page.split("Merged after 999999999999")).toHaveLength(2);
      expect(page).not.toContain("<img");
      expect(page).not.toContain("\u001b");
      // A page for a browser mentions no account.
      if (!page.startsWith("<!doctype")) expect(page).not.toContain(" @team");
    }
    const { value } = readPlanReport(renderPlanJson(made));
    expect(value?.unapplied).toEqual(made.unapplied);
    expect(whole.night.line).toBe("1 commit merged and not applied");
  });
});
