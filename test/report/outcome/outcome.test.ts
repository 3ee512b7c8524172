import { describe, expect, it } from "vitest";
import { renderOutcomeMarkdown } from "../../../src/report/forms/markdown/outcome.js";
import { renderOutcomeText } from "../../../src/report/forms/terminal/outcome.js";
import type { OutcomeReport } from "../../../src/report/outcome/report.js";
import { plain } from "../../../src/report/text/paint.js";
import { wordsOf } from "../../contracts/statements.js";
import { ending, INTERRUPTED, PARTIAL, refusal, summary, UNCERTAIN, WHOLE } from "../endings.js";
import { CREATED, DELETED, EVERY_CHANGE } from "../faces.js";

const text = (outcome: OutcomeReport) =>
  renderOutcomeText(outcome, { columns: 80, paint: plain, verbose: false });

/** How each step ended, in the order of the report. */
const ends = ({ steps }: OutcomeReport) => steps.map(({ outcome, address }) => `${outcome} ${address}`);
const codes = ({ statements }: OutcomeReport) => statements.map(({ code }) => code);

describe("the outcome of an apply", () => {
  it("has a line for each step where all went well, and the result at its end", () => {
    expect(codes(WHOLE)).toEqual(["apply/cost", "apply/in-effect"]);
    const lines = text(WHOLE).trimEnd().split("\n");
    expect(lines.slice(0, 4)).toEqual(WHOLE.steps.map((step) => expect.stringContaining(step.address)));
    expect(lines.at(-1)).toBe("Applied: 1 deleted, 1 created, 2 updated.");
  });

  it("names what was done, and folds what is too long for a terminal", () => {
    const [step] = WHOLE.steps;
    const steps = Array.from({ length: 120 }, () => (step === undefined ? [] : [step])).flat();
    const long = { ...WHOLE, steps };
    expect(text(long).match(/✓ deleted/g)).toHaveLength(100);
    expect(text(long)).toContain("… and 20 steps more done (all with -v)");
    const verbose = renderOutcomeText(long, { columns: 80, paint: plain, verbose: true });
    expect(verbose.match(/✓ deleted/g)).toHaveLength(120);
  });

  it("says in one line what was only recorded, and names each with `-v`", () => {
    const [step] = WHOLE.steps;
    if (step === undefined) throw new Error("an apply has a step");
    const steps = Array.from({ length: 12 }, () => ({ ...step, action: "adopt" as const }));
    expect(text({ ...WHOLE, steps })).toContain("✓ adopted     12 objects match: only recorded\n");
    expect(text({ ...WHOLE, steps })).not.toContain(step.address);
    expect(text({ ...WHOLE, steps: steps.slice(1, 2) })).toContain(`✓ adopted     ${step.address}`);
    const verbose = renderOutcomeText({ ...WHOLE, steps }, { columns: 80, paint: plain, verbose: true });
    expect(verbose.match(/✓ adopted/g)).toHaveLength(12);
  });

  it("never says created, updated or deleted of what was so before", () => {
    const isSo = (step: typeof CREATED) =>
      ({
        address: step.address,
        action: step.action,
        outcome: "done",
        isAlreadySo: true,
        diagnostics: [],
      }) as const;
    const found = ending({ summary: summary({ notable: [CREATED, DELETED, EVERY_CHANGE].map(isSo) }) });
    expect(found.done).toEqual({ adopt: 1, forget: 1, keep: 1, update: 1 });
    expect(text(found)).toMatch(/Applied: 1 updated, 1 adopted, 1 no longer managed, 1 unchanged\.\n$/);
    expect(text(found)).not.toMatch(/created|deleted/);
  });

  it("shows each failure with its manifest line, the server's words and what to do", () => {
    expect(ends(PARTIAL)).toEqual([
      "failed EntitlementAutomation/engineering-group",
      "refused TemplateScope/q4-privileged-access",
      "skipped EntitlementAutomation/contractors",
      "done ResourceType/github-team",
    ]);
    const shown = text(PARTIAL);
    for (const { severity, code, message, hint } of PARTIAL.steps.flatMap((step) => step.diagnostics))
      expect(wordsOf(shown)).toContain(wordsOf(`${severity}[${code}] ${message} = ${hint}`));
    expect(shown.match(/^[✗!↷✓] .*$/gm)?.map((line) => line.endsWith("reviews/q4.yaml:3"))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(codes(PARTIAL)).toEqual(["apply/cost", "apply/next"]);
    expect(shown).toMatch(/\nApplied in part: 1 done, 1 failed, 1 refused, 1 skipped\.\n$/);
  });

  it.each([null, "rest.json"])("says once what to do where all was refused, with %s left", (remaining) => {
    expect(refusal(remaining).next).toEqual([
      "An object that was refused has changed since the plan was made: plan again and review it.",
    ]);
    expect(text(refusal(remaining))).toMatch(/review it\.\nNot applied: 4 refused\.\n$/);
  });

  it("puts what is uncertain first", () => {
    expect(ends(UNCERTAIN)[0]).toBe("uncertain EntitlementAutomation/engineering-group");
    expect(UNCERTAIN.next).toHaveLength(1);
    expect(text(UNCERTAIN)).toMatch(/\nApplied in part: 3 done, 1 uncertain\.\n$/);
  });

  it("says what an interrupt left, and why a run stopped before its end", () => {
    expect(codes(INTERRUPTED)).toEqual(["state/changed", "apply/cost", "apply/in-effect", "apply/next"]);
    expect(text(INTERRUPTED)).toContain("\n\nerror[state/changed]: the state was changed meanwhile");
    expect(text(INTERRUPTED)).toMatch(/\nInterrupted: 2 done, 2 not started \(Ctrl-C\)\.\n$/);
  });

  it("only counts what was not started, and shows every failure", () => {
    const many = (outcome: "left" | "failed") => {
      const [step] = INTERRUPTED.steps;
      const steps = Array.from({ length: 30 }, () =>
        step === undefined ? [] : [{ ...step, outcome }],
      ).flat();
      return text({ ...INTERRUPTED, steps });
    };
    expect(many("left")).not.toContain(INTERRUPTED.steps[0]?.address);
    expect(many("failed").match(/✗ failed/g)).toHaveLength(30);
  });

  it("is shown in a pull request", () => {
    const base = "https://h/o/r/blob/s/";
    const shown = renderOutcomeMarkdown(PARTIAL, { maxBytes: null, linkBase: base });
    const rows = shown.split("\n").filter((line) => /^\| [✗!↷✓]/.test(line));
    expect(rows).toHaveLength(PARTIAL.steps.length);
    for (const [at, { address, place, diagnostics }] of PARTIAL.steps.entries()) {
      const row = rows[at] ?? "";
      const name = `<code>${address}</code>`;
      expect(row).toContain(place === null ? ` ${name} ` : `[${name}](${base}${place.file}#L${place.line})`);
      for (const { code, message, hint } of diagnostics)
        expect(wordsOf(row)).toContain(wordsOf(`${code} ${message}→ ${hint}`));
    }
  });

  it("keeps to a budget there, and says what is left out", () => {
    const face = renderOutcomeMarkdown(PARTIAL, { maxBytes: 1400, linkBase: null });
    expect(new TextEncoder().encode(face).length).toBeLessThanOrEqual(1400);
    expect(face).toContain("steps more, left out to stay within 1400 bytes");
  });
});
