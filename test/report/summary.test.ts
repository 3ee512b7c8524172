import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.js";
import { render, type Subjects } from "../../src/report/forms/table.js";
import { cases } from "../fakes/cases.js";
import { INTERRUPTED, PARTIAL } from "./endings.js";
import { BLOCKED, CREATED, DELETED, DRIFTED, EVERY_CHANGE, EVERY_GUARD, EVERY_REASON } from "./faces.js";
import { OPTIONS } from "./html/pages.js";
import { report } from "./plans.js";

const check = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
  JSON.parse(readFileSync("schemas/summary.json", "utf8")),
);

/** The summary of a result, which its schema allows and which is small enough. */
async function summaryOf<S extends keyof Subjects>(
  subject: S,
  value: Subjects[S],
  exitCode: number | null = null,
) {
  const text = await render("summary", subject, value, { ...OPTIONS, exitCode });
  const summary = JSON.parse(text);
  expect(check(summary) ? [] : check.errors).toEqual([]);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000);
  return { text, summary };
}

const PLAN = report([...EVERY_REASON, EVERY_CHANGE, DRIFTED, CREATED, DELETED, BLOCKED], {
  context: "eu",
  findings: EVERY_GUARD,
  commit: "a1b2c3",
});

describe("a summary", () => {
  it("of a plan has its effect, its counts and the first error by its code", async () => {
    const { summary } = await summaryOf("plan", { ...PLAN, hasState: true }, 4);
    expect(summary).toMatchObject({
      result: "plan",
      context: "eu",
      commit: "a1b2c3",
      effect: PLAN.effect,
      exitCode: 4,
      counts: PLAN.counts,
      drift: PLAN.steps.filter(({ isDrift }) => isDrift).length,
      people: null,
    });
    expect(summary.drift).toBeGreaterThan(0);
    expect(summary.diagnostic).toMatchObject({ code: expect.stringContaining("/"), severity: "error" });
  });

  it("of a plan without a state knows nothing of drift", async () => {
    const { summary } = await summaryOf("plan", PLAN, 0);
    expect(summary).toMatchObject({ result: "plan", exitCode: 0, drift: null });
  });

  it.each([
    ["a partial one", PARTIAL],
    ["one that a signal ended", INTERRUPTED],
  ])("of an outcome says how its steps ended: %s", async (_, outcome) => {
    const { summary } = await summaryOf("outcome", outcome, 3);
    expect(summary).toMatchObject({ result: "outcome", exitCode: 3, counts: outcome.outcomes, drift: null });
  });

  it("of a run without a result has the exit code that its report has", async () => {
    const failure = {
      formatVersion: 1,
      command: "plan",
      failure: "refused",
      exitCode: 4,
      server: "https://acme.example",
      commit: null,
      diagnostics: [{ code: "service/refused-token", severity: "error", message: "…" }],
    } as const;
    const { summary } = await summaryOf("failure", failure);
    expect(summary).toMatchObject({ exitCode: 4, diagnostic: { code: "service/refused-token" } });
  });

  it("is small and has no text of an author or the tenant, whatever stands in the result", async () => {
    const texts = fc
      .string({ unit: "binary", minLength: 12, maxLength: 5_000 })
      .map((text) => `SECRET${text}`);
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.array(fc.constantFrom("error", "warning", "note"), { maxLength: 40 }),
        async (text, severities) => {
          const diagnostics = severities.map(
            (severity): Diagnostic => ({ code: "reference/ambiguous", severity, message: text, hint: text }),
          );
          const made = report([CREATED], { findings: EVERY_GUARD });
          const steps = made.steps.map((one) => ({
            ...one,
            address: text,
            title: text,
            reason: text,
            diagnostics,
          }));
          const plan = { ...made, steps, server: text, diagnostics };
          const results = [
            await summaryOf("plan", plan),
            await summaryOf("diagnostics", diagnostics),
            await summaryOf("outcome", { ...PARTIAL, server: text, diagnostics, next: [text] }),
          ];
          for (const result of results) expect(result.text).not.toContain("SECRET");
        },
      ),
      { numRuns: cases(100) },
    );
  });
});
