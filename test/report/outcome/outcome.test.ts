import { describe, expect, it } from "vitest";
import { renderOutcomeMarkdown } from "../../../src/report/forms/markdown/outcome.js";
import { renderOutcomeText } from "../../../src/report/forms/terminal/outcome.js";
import type { OutcomeReport } from "../../../src/report/outcome/report.js";
import { plain } from "../../../src/report/text/paint.js";
import { ending, INTERRUPTED, PARTIAL, refusal, summary, UNCERTAIN, WHOLE } from "../endings.js";
import { CREATED, DELETED, EVERY_CHANGE } from "../faces.js";

const text = (outcome: OutcomeReport) =>
  renderOutcomeText(outcome, { columns: 80, paint: plain, verbose: false });

describe("the outcome of an apply", () => {
  it("is short where all went well", () => {
    expect(text(WHOLE)).toMatchInlineSnapshot(`
      "✓ deleted     EntitlementAutomation/contractors
      ✓ created     EntitlementAutomation/engineering-group
      ✓ updated     ResourceType/github-team
      ✓ updated     TemplateScope/q4-privileged-access

      Calls: 4 writes in 2 s
      In effect: 1 rule within an hour (the service runs rules hourly)
      In effect: 1 scope from the next campaign on
      Applied: 1 deleted, 1 created, 2 updated.
      "
    `);
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
    expect(text(PARTIAL)).toMatchInlineSnapshot(`
      "✗ failed      EntitlementAutomation/engineering-group  reviews/q4.yaml:3
        create · GitHub › github-admin (2fsg…5D)
          error[apply/failed] the service refused it: "the entitlement has an
            automation already" (request 7f3c)
          = Change the manifest as the service asks, and apply again.

      ! refused     TemplateScope/q4-privileged-access       reviews/q4.yaml:3
        update · 2fsgTvxP0DVTsNXEUBI7hOe0l5A
          error[plan/stale] the object has changed since the plan was made, so remit
            did not write it
          = Plan again, and look at what changed.

      ↷ skipped     EntitlementAutomation/contractors
        delete · GitHub › github-admin (2fsg…5D)
          error[apply/skipped] it needs another, which is failed
          = Fix that, and apply again.

      ✓ updated     ResourceType/github-team
        update · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E
          warning[apply/rewritten] the service keeps \`displayName\` with another
            value than remit sent
          = Later plans count it.

      Calls: 4 writes in 2 s, 3 retries, waited 2 min because the service asked to
        slow down
      Next: An object that was refused has changed since the plan was made: plan
        again and review it.
      Next: To apply the rest, run \`remit apply rest.json\`.
      Applied in part: 1 done, 1 failed, 1 refused, 1 skipped.
      "
    `);
  });

  it.each([null, "rest.json"])("says once what to do where all was refused, with %s left", (remaining) => {
    expect(refusal(remaining).next).toEqual([
      "An object that was refused has changed since the plan was made: plan again and review it.",
    ]);
    expect(text(refusal(remaining))).toMatch(/review it\.\nNot applied: 4 refused\.\n$/);
  });

  it("puts what is uncertain first", () => {
    expect(text(UNCERTAIN)).toMatchInlineSnapshot(`
      "✓ deleted     EntitlementAutomation/contractors
      ✓ updated     ResourceType/github-team
      ✓ updated     TemplateScope/q4-privileged-access

      ? uncertain   EntitlementAutomation/engineering-group  reviews/q4.yaml:3
        create · GitHub › github-admin (2fsg…5D)
          error[apply/uncertain] its create was sent, and nobody could learn whether
            it worked
          = Look for it in the service.

      Calls: 4 writes in 2 s
      In effect: 1 scope from the next campaign on
      Next: remit does not send an uncertain create again: follow the hint at its
        step.
      Applied in part: 3 done, 1 uncertain.
      "
    `);
  });

  it("says what an interrupt left, and why a run stopped before its end", () => {
    expect(text(INTERRUPTED)).toMatchInlineSnapshot(`
      "✓ updated     ResourceType/github-team
      ✓ updated     TemplateScope/q4-privileged-access

      error[state/changed]: the state was changed meanwhile by another run

      Calls: 4 writes in 2 s
      In effect: 1 scope from the next campaign on
      Next: To apply the rest, plan and apply again. \`--out-remaining FILE\` saves
        the rest as a plan.
      Interrupted: 2 done, 2 not started (Ctrl-C).
      "
    `);
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
    expect(
      renderOutcomeMarkdown(PARTIAL, { maxBytes: null, linkBase: "https://h/o/r/blob/s/" }),
    ).toMatchInlineSnapshot(`
      "<!-- remit:apply -->
      **Applied in part: 1 done, 1 failed, 1 refused, 1 skipped.** <code>https&#58;//tenant.example</code><br><code>sha256&#58;abababababababababababababababababababababababababababababababab</code>

      | | resource | what |
      |---|---|---|
      | ✗ failed | [<code>EntitlementAutomation/engineering-group</code>](https://h/o/r/blob/s/reviews/q4.yaml#L3) | create · <code>GitHub › github-admin (2fsg…5D)</code><br><code>apply/failed</code> the service refused it: "the entitlement has an automation already" (request 7f3c)<br>→ Change the manifest as the service asks, and apply again. |
      | ! refused | [<code>TemplateScope/q4-privileged-access</code>](https://h/o/r/blob/s/reviews/q4.yaml#L3) | update · <code>2fsgTvxP0DVTsNXEUBI7hOe0l5A</code><br><code>plan/stale</code> the object has changed since the plan was made, so remit did not write it<br>→ Plan again, and look at what changed. |
      | ↷ skipped | <code>EntitlementAutomation/contractors</code> | delete · <code>GitHub › github-admin (2fsg…5D)</code><br><code>apply/skipped</code> it needs another, which is failed<br>→ Fix that, and apply again. |
      | ✓ updated | [<code>ResourceType/github-team</code>](https://h/o/r/blob/s/reviews/q4.yaml#L3) | update · <code>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E</code><br><code>apply/rewritten</code> the service keeps <code>displayName</code> with another value than remit sent<br>→ Later plans count it. |

      - Calls: 4 writes in 2 s, 3 retries, waited 2 min because the service asked to slow down
      - ⚠ Next: An object that was refused has changed since the plan was made: plan again and review it.
      - ⚠ Next: To apply the rest, run <code>remit apply rest.json</code>.
      "
    `);
  });

  it("keeps to a budget there, and says what is left out", () => {
    const face = renderOutcomeMarkdown(PARTIAL, { maxBytes: 1400, linkBase: null });
    expect(new TextEncoder().encode(face).length).toBeLessThanOrEqual(1400);
    expect(face).toContain("steps more, left out to stay within 1400 bytes");
  });
});
