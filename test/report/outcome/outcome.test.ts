import { describe, expect, it } from "vitest";
import { renderOutcomeMarkdown } from "../../../src/report/outcome/markdown.js";
import type { OutcomeReport } from "../../../src/report/outcome/report.js";
import { renderOutcomeText } from "../../../src/report/outcome/terminal.js";
import { plain } from "../../../src/report/text/paint.js";
import { INTERRUPTED, PARTIAL, refusal, UNCERTAIN, WHOLE } from "../endings.js";

const text = (outcome: OutcomeReport) => renderOutcomeText(outcome, { columns: 80, paint: plain });

describe("the outcome of an apply", () => {
  it("is short where all went well", () => {
    expect(text(WHOLE)).toMatchInlineSnapshot(`
      "cost  4 calls in 2 s
      Applied: 1 deleted, 1 created, 1 updated, 1 set.
      "
    `);
  });

  it("shows each failure with its manifest line, the server's words and what to do", () => {
    expect(text(PARTIAL)).toMatchInlineSnapshot(`
      "✗ failed    EntitlementAutomation/engineering-group            reviews/q4.yaml:3
        create · GitHub › github-admin (2fsg…5D)
          error[apply/failed] the service refused it: "the entitlement has an
            automation already" (request 7f3c)
          = Change the manifest as the service asks, and apply again.

      ! refused   TemplateScope/q4-privileged-access                 reviews/q4.yaml:3
        set · 2fsgTvxP0DVTsNXEUBI7hOe0l5A
          error[plan/stale] it has changed since the plan was made, so it is left as
            it is
          = Plan again, and look at what changed.

      ↷ skipped   EntitlementAutomation/contractors
        delete · GitHub › github-admin (2fsg…5D)
          error[apply/skipped] it needs another, which is failed
          = Mend that, and apply again.

      ✓ done      ResourceType/github-team                           reviews/q4.yaml:3
        update · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E
          warning[apply/rewritten] the service keeps \`displayName\` otherwise than it
            was sent
          = Later plans count it.

      cost  7 calls in 2 s, 3 retries, 2 min lost to throttling
      next  What was refused has moved since the plan was made: plan again, and look
            at it.
      next  What is left is a plan of its own: \`remit apply rest.json\`.
      Applied in part: 1 done, 1 failed, 1 refused, 1 skipped.
      "
    `);
  });

  it.each([null, "rest.json"])("says once what to do where all was refused, with %s left", (remaining) => {
    expect(refusal(remaining).next).toEqual([
      "What was refused has moved since the plan was made: plan again, and look at it.",
    ]);
    expect(text(refusal(remaining))).toMatch(/look\n {6}at it\.\nNot applied: 4 refused\.\n$/);
  });

  it("puts what is uncertain first", () => {
    expect(text(UNCERTAIN)).toMatchInlineSnapshot(`
      "? uncertain EntitlementAutomation/engineering-group            reviews/q4.yaml:3
        create · GitHub › github-admin (2fsg…5D)
          error[apply/uncertain] its create was sent, and nobody could learn whether
            it worked
          = Look for it in the service.

      cost  4 calls in 2 s
      next  What is uncertain is never sent again by itself: look for it in the
            service first.
      Applied in part: 3 done, 1 uncertain.
      "
    `);
  });

  it("says what an interrupt left, and why a run stopped before its end", () => {
    expect(text(INTERRUPTED)).toMatchInlineSnapshot(`
      "· left      EntitlementAutomation/contractors
        delete · GitHub › github-admin (2fsg…5D)
          warning[apply/left] it was not begun: SIGINT came first
          = Apply again.

      · left      EntitlementAutomation/engineering-group            reviews/q4.yaml:3
        create · GitHub › github-admin (2fsg…5D)
          warning[apply/left] it was not begun: SIGINT came first
          = Apply again.

          error[state/changed] the state was changed meanwhile by another run

      cost  4 calls in 2 s
      next  Plan and apply again for the rest; \`--out-remaining FILE\` keeps it as a
            plan of its own.
      Interrupted by SIGINT: 2 done, 2 left.
      "
    `);
  });

  it("folds what was left, and never a failure", () => {
    const many = (outcome: "left" | "failed") => {
      const [step] = INTERRUPTED.steps;
      const steps = Array.from({ length: 30 }, () =>
        step === undefined ? [] : [{ ...step, outcome }],
      ).flat();
      return text({ ...INTERRUPTED, steps });
    };
    expect(many("left")).toContain("… and 25 steps more left");
    expect(many("failed").match(/✗ failed/g)).toHaveLength(30);
  });

  it("is told in a pull request", () => {
    expect(
      renderOutcomeMarkdown(PARTIAL, { maxBytes: null, linkBase: "https://h/o/r/blob/s/" }),
    ).toMatchInlineSnapshot(`
      "<!-- remit:apply -->
      **Applied in part: 1 done, 1 failed, 1 refused, 1 skipped.** 7 calls in 2 s, 3 retries, 2 min lost to throttling. <code>https&#58;//tenant.example</code><br><code>sha256&#58;abababababababababababababababababababababababababababababababab</code>

      | | resource | what |
      |---|---|---|
      | ✗ failed | [<code>EntitlementAutomation/engineering-group</code>](https://h/o/r/blob/s/reviews/q4.yaml#L3) | create · <code>GitHub › github-admin (2fsg…5D)</code><br><code>apply/failed</code> the service refused it: "the entitlement has an automation already" (request 7f3c)<br>→ Change the manifest as the service asks, and apply again. |
      | ! refused | [<code>TemplateScope/q4-privileged-access</code>](https://h/o/r/blob/s/reviews/q4.yaml#L3) | set · <code>2fsgTvxP0DVTsNXEUBI7hOe0l5A</code><br><code>plan/stale</code> it has changed since the plan was made, so it is left as it is<br>→ Plan again, and look at what changed. |
      | ↷ skipped | <code>EntitlementAutomation/contractors</code> | delete · <code>GitHub › github-admin (2fsg…5D)</code><br><code>apply/skipped</code> it needs another, which is failed<br>→ Mend that, and apply again. |
      | ✓ done | [<code>ResourceType/github-team</code>](https://h/o/r/blob/s/reviews/q4.yaml#L3) | update · <code>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E</code><br><code>apply/rewritten</code> the service keeps <code>displayName</code> otherwise than it was sent<br>→ Later plans count it. |

      - What was refused has moved since the plan was made: plan again, and look at it.
      - What is left is a plan of its own: <code>remit apply rest.json</code>.
      "
    `);
  });

  it("keeps to a budget there, and says what is left out", () => {
    const face = renderOutcomeMarkdown(PARTIAL, { maxBytes: 1400, linkBase: null });
    expect(new TextEncoder().encode(face).length).toBeLessThanOrEqual(1400);
    expect(face).toContain("steps more, left out to stay within 1400 bytes");
  });
});
