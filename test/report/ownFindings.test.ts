import { describe, expect, it } from "vitest";
import { kindNamed } from "../../src/kinds/index.js";
import type { Finding } from "../../src/plan/plan.js";
import { renderPlanInComment } from "../../src/report/forms/comment/plan.js";
import { FORM_NAMES, type Form, render } from "../../src/report/forms/table.js";
import { describePlan } from "../../src/report/plan/describe.js";
import type { PlanReport } from "../../src/report/plan/report.js";
import { viewOf } from "../../src/report/view/view.js";
import { CREATED } from "./faces.js";
import { OPTIONS } from "./html/pages.js";
import { HASH, plan } from "./plans.js";

const { address } = CREATED;
const found = (level: "deny" | "acknowledge", about: Finding["address"] = address): Finding => ({
  guard: `own/${level}-it`,
  address: about,
  message: `A rule of ours: ${level} this.`,
  hash: HASH,
  acknowledged: null,
  proposed: [],
  own: { level, definition: HASH },
});
const ASKED = found("acknowledge");
const FLAG = { by: "flag", until: null, reason: null, of: null } as const;

const reportOf = (...findings: readonly Finding[]): PlanReport =>
  describePlan(plan([CREATED], { findings }), HASH, kindNamed);
/** A form as text, in which no escape or line break stands between words. */
const bare = (text: string) =>
  text
    .replaceAll(/&(?:#58|#x3a);/g, ":")
    .replaceAll(/<\/?[a-z][^>]*>|[*`]/g, "")
    .replaceAll(/\s+/g, " ");

const FORMS: readonly (readonly [name: string, made: (report: PlanReport) => Promise<string>])[] = [
  // GitLab's report of Terraform has three numbers and no room for a finding.
  ...FORM_NAMES.filter((name) => name !== "terraform" && name !== "summary").map(
    (name: Form) =>
      [name, (report: PlanReport) => render(name, "plan", report, { ...OPTIONS, columns: 400 })] as const,
  ),
  [
    "comment",
    async (report) =>
      renderPlanInComment(
        {
          name: "infra@t",
          linkBase: null,
          whole: "",
          unreviewed: null,
          uncounted: [],
          view: viewOf(report, "people"),
        },
        60_000,
      ),
  ],
];

describe.each(FORMS)("findings of a team's guards as %s", (form, made) => {
  const whole = (...findings: readonly Finding[]) => made(reportOf(...findings));
  const shown = async (...findings: readonly Finding[]) => bare(await whole(...findings));

  it("have their names and messages, about a step and about the plan", async () => {
    for (const finding of [ASKED, found("deny"), found("deny", null), { ...ASKED, acknowledged: FLAG }]) {
      expect(await whole(finding)).toContain(finding.guard);
      expect(await shown(finding)).toContain(finding.message);
    }
  });

  it("say how an open one is answered, and that a denied one cannot be", async () => {
    const flag = form === "comment" ? `of: ${HASH}` : "--acknowledge own/acknowledge-it=";
    const never = form === "json" ? '"flag": null' : "cannot be acknowledged";
    const [open, denied, both] = [
      await shown(ASKED),
      await shown(found("deny")),
      await shown(ASKED, found("deny")),
    ];
    expect([open.includes(flag), open.includes(never)]).toEqual([true, false]);
    expect([denied.includes(never), denied.includes("--acknowledge")]).toEqual([true, false]);
    expect([both.includes(flag), both.includes(never)]).toEqual([true, true]);
    expect(denied).not.toMatch(/until these are acknowledged|to acknowledge/);
  });
});
