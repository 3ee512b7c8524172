import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InComment, renderComment } from "../../../src/report/forms/comment/comment.js";
import type { PlanReport } from "../../../src/report/plan/report.js";
import { viewOf } from "../../../src/report/view/view.js";
import { missingChromium, startChromium } from "../../fakes/chromium.js";
import { HOSTILE } from "../diagnostics/diagnostic.js";
import { EVERYTHING, planOf } from "../html/pages.js";
import { automation, plan, report } from "../plans.js";
import { asGithub } from "./asGithub.js";

const missing = missingChromium();

const part = (made: PlanReport): InComment => ({
  as: "plan",
  name: "infra@tenant.example",
  view: viewOf(made, "people"),
  linkBase: "https://forge.example/acme/infra/blob/a1/",
  whole: "`remit show` has all of it.",
  unreviewed: null,
  uncounted: [],
});

/** The elements that a comment of remit is made of. */
const KNOWN = [
  ...[
    "A",
    "BR",
    "CODE",
    "DETAILS",
    "EM",
    "H3",
    "H4",
    "HR",
    "LI",
    "OL",
    "P",
    "PRE",
    "SPAN",
    "STRONG",
    "SUMMARY",
  ],
  ...["TABLE", "TBODY", "TD", "TH", "THEAD", "TR", "UL"],
];

describe.skipIf(missing !== null)(`a comment in a browser${missing === null ? "" : ` (${missing})`}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  /** A page of each width: a comment takes the place of the one before. */
  const pages = new Map<number, Promise<Page>>();
  async function shown(made: PlanReport, width: number): Promise<Page> {
    const opened = pages.get(width) ?? browser.newPage({ viewport: { width, height: 900 } });
    pages.set(width, opened);
    const page = await opened;
    await page.setContent(asGithub(renderComment([part(made)], 65_000)));
    return page;
  }

  /** What a browser makes of a comment at a width: its elements, its summaries, and whether it is wider than the page. */
  async function seen(made: PlanReport, width: number) {
    const page = await shown(made, width);
    const found: {
      readonly names: readonly string[];
      readonly summaries: readonly string[];
      readonly links: readonly string[];
      readonly overflow: number;
      readonly text: string;
    } = await page.evaluate(`({
      names: [...new Set([...document.body.querySelectorAll("*")].map((one) => one.nodeName))],
      summaries: [...document.querySelectorAll("details > summary")].map((one) => one.textContent),
      links: [...document.querySelectorAll("a")].map((one) => one.href),
      overflow: document.documentElement.scrollWidth - innerWidth,
      text: document.body.innerText,
    })`);
    return found;
  }

  it.each([1000, 390])("shows everything within %i pixels, each step in a fold of its own", async (width) => {
    const { names, summaries, links, overflow, text } = await seen(
      report(EVERYTHING.steps, { findings: EVERYTHING.findings }),
      width,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    expect(names.filter((name) => !KNOWN.includes(name))).toEqual([]);
    expect(summaries.length).toBeGreaterThan(10);
    expect(links.every((link) => link.startsWith("https://forge.example/acme/infra/blob/a1/"))).toBe(true);
    // What is written as an entity or as a fence is not seen as such.
    expect(text).not.toMatch(/&#\d+;|```|<\/?details>/);
  });

  it.each([390, 1000])(
    "cuts nothing off at %i pixels: only a table and the text of a change scroll",
    async (width) => {
      const name = "the-rule-of-a-group-with-a-name-as-long-as-some-teams-write-them-in-their-manifests";
      const [step] = report([automation({ address: { kind: "EntitlementAutomation", name } })]).steps;
      if (step === undefined) throw new Error("the plan has no step");
      const count = {
        certainty: "at most",
        low: 0,
        high: 38,
        assumed: null,
        assumptions: [],
        people: null,
      } as const;
      const people = {
        ...{
          lines: ["people"],
          aside: "",
          brief: "+0, at most −38",
          mostLosing: 38,
          counts: { loses: count },
        },
        ...{ unknown: [], review: null, holdings: null },
      };
      const made = { ...report([], { findings: EVERYTHING.findings }), steps: [{ ...step, people }] };
      const page = await shown(made, width);
      const cut: readonly string[] = await page.evaluate(`[...document.querySelectorAll("body *")]
      .filter((one) => !one.closest("pre, thead, tbody") || one.matches("td:nth-child(-n + 3)"))
      .filter((one) => one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.outerHTML)`);
      const text: string = await page.evaluate("document.body.innerText");
      expect(cut).toEqual([]);
      expect(text).toContain("at most −38");
      // A hash stands once, outside what is folded.
      expect(text.match(/sha256:/g)).toHaveLength(1);
    },
  );

  it("is whole with 1,000 changes: no fold and no fence stays open", async () => {
    const { steps } = planOf(1000);
    const { names, overflow, text } = await seen(report(steps), 1000);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(names.filter((name) => !KNOWN.includes(name))).toEqual([]);
    expect(text).not.toContain("```");
    expect(text).toMatch(/1,?000 to change/);
  });

  it("shows hostile texts as they are written", async () => {
    for (const text of HOSTILE) {
      const made = plan([automation({ address: { kind: "EntitlementAutomation", name: text } })]);
      const { names, links } = await seen(report(made.steps), 390);
      expect(names.filter((name) => !KNOWN.includes(name))).toEqual([]);
      expect(links.every((link) => link.startsWith("https://forge.example/acme/infra/blob/a1/"))).toBe(true);
    }
  });
});
