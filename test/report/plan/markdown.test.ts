import { describe, expect, it } from "vitest";
import { renderPlanMarkdown } from "../../../src/report/forms/markdown/plan.js";
import { fence, inline, link, prose } from "../../../src/report/text/escape.js";
import {
  BLOCKED,
  CREATED,
  DELETED,
  DRIFTED,
  EVERY_CHANGE,
  EVERY_GUARD,
  EVERY_REASON,
  KEPT,
} from "../faces.js";
import { automation, changed, report } from "../plans.js";

const LINKS = { maxBytes: null, linkBase: "https://host.example/o/r/blob/main" };
const bytes = (text: string) => new TextEncoder().encode(text).length;

describe("a plan in a pull request", () => {
  it("has a line for each action and reason, the riskiest first", () => {
    const face = renderPlanMarkdown(report(EVERY_REASON), { maxBytes: null, linkBase: null });
    expect(face.split("\n").filter((line) => /^- <code>|^- unchanged/.test(line))).toMatchInlineSnapshot(
      `
      [
        "- <code>-</code> delete <code>ResourceType/type-11</code> <code>reviews/q4.yaml&#58;3</code><br>the manifest was removed, and &#96;removed&#58;&#96; in remit.yaml deletes it · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>!</code> blocked <code>ResourceType/type-17</code> <code>reviews/q4.yaml&#58;3</code><br>its current value is unknown, and the call would replace all of it · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>!</code> blocked <code>ResourceType/type-18</code> <code>reviews/q4.yaml&#58;3</code><br>no resource type has the id 2fsgTvxP0DVTsNXEUBI7hOe0l5E · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>!</code> blocked <code>ResourceType/type-19</code> <code>reviews/q4.yaml&#58;3</code><br>not in the tenant, and remit cannot create it · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>!</code> blocked <code>ResourceType/type-20</code> <code>reviews/q4.yaml&#58;3</code><br>remit could not read it · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>!</code> blocked <code>ResourceType/type-21</code> <code>reviews/q4.yaml&#58;3</code><br>remit could not look up a name in it · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>!</code> blocked <code>ResourceType/type-22</code> <code>reviews/q4.yaml&#58;3</code><br>the result of an earlier create is unknown, so remit does not send it again · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>!</code> blocked <code>ResourceType/type-23</code> <code>reviews/q4.yaml&#58;3</code><br>a step that it needs is blocked · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>!</code> blocked <code>ResourceType/type-24</code> <code>reviews/q4.yaml&#58;3</code><br>the manifest was removed, and remit cannot delete the object · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>&#126;</code> update <code>ResourceType/type-04</code> <code>reviews/q4.yaml&#58;3</code><br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>&#126;</code> update <code>ResourceType/type-05</code> <code>reviews/q4.yaml&#58;3</code><br>never applied by remit · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>+</code> create <code>ResourceType/type-00</code> <code>reviews/q4.yaml&#58;3</code><br>not in the tenant yet · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>+</code> create <code>ResourceType/type-01</code> <code>reviews/q4.yaml&#58;3</code><br>never applied by remit · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>+</code> create <code>ResourceType/type-02</code> <code>reviews/q4.yaml&#58;3</code><br>no longer in the tenant; remit creates it again · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>+</code> create <code>ResourceType/type-03</code> <code>reviews/q4.yaml&#58;3</code><br>changed since the last apply; the core interface can only create it again · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>=</code> adopt <code>ResourceType/type-06</code> <code>reviews/q4.yaml&#58;3</code><br>the tenant already has these values; remit only records them · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>=</code> adopt <code>ResourceType/type-07</code> <code>reviews/q4.yaml&#58;3</code><br>nothing changes in the tenant · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>=</code> adopt <code>ResourceType/type-08</code> <code>reviews/q4.yaml&#58;3</code><br>the manifest no longer writes some fields; nothing changes in the tenant · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>=</code> adopt <code>ResourceType/type-09</code> <code>reviews/q4.yaml&#58;3</code><br>only the protection changes; nothing changes in the tenant · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>=</code> adopt <code>ResourceType/type-10</code> <code>reviews/q4.yaml&#58;3</code><br>changed in the tenant since the last apply · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>×</code> forget <code>ResourceType/type-12</code> <code>reviews/q4.yaml&#58;3</code><br>⚠ **no longer managed; STAYS ACTIVE in the tenant** · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>×</code> forget <code>ResourceType/type-13</code> <code>reviews/q4.yaml&#58;3</code><br>⚠ **no longer in the tenant; remit removes it from the state** · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- <code>?</code> removed <code>ResourceType/type-14</code> <code>reviews/q4.yaml&#58;3</code><br>⚠ **the manifest was removed; STAYS ACTIVE in the tenant until you decide** · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "- unchanged <code>ResourceType/type-15</code> <code>reviews/q4.yaml&#58;3</code><br>another object of the service manages it, so remit leaves it unchanged · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
      ]
    `,
    );
  });

  it("folds each step's details, with each type of change and its cause", () => {
    const steps = [EVERY_CHANGE, DRIFTED, CREATED, DELETED, BLOCKED, KEPT];
    expect(renderPlanMarkdown(report(steps), LINKS)).toMatchInlineSnapshot(`
      "<!-- remit:plan -->
      **⛔ Blocked: 1 step blocked, 1 delete.**

      **No state: remit cannot tell who changed a field or which manifests were deleted.**

      **Plan: 1 to create, 2 to change (1 reverts drift), 1 to delete; 1 blocked; 1 unchanged.**

      People **none** · Reviews **none** · Objects **+1 <span>&#126;</span>2 −1**

      <code>https&#58;//tenant.example</code> · <code>sha256&#58;abababababababababababababababababababababababababababababababab</code>

      **Deleted in the tenant**

      - <code>-</code> delete <code>EntitlementAutomation/contractors</code><br>the manifest was removed, and pruning deletes it · GitHub › github-admin (2fsg…5D)

      **Other steps**

      - <code>!</code> blocked [<code>ResourceType/fresh</code>](https://host.example/o/r/blob/main/reviews/q4.yaml#L3)<br>a step that it needs is blocked · GitHub (2fsg…5C) › Fresh
      - <code>&#126;</code> update [<code>TemplateScope/q4-privileged-access</code>](https://host.example/o/r/blob/main/reviews/q4.yaml#L3)<br><code>scope.allUsers</code>, <code>scope.grantsByCriteria.daysSinceLastUsed</code>, <code>scope.principalTypeFilter</code>, <code>entitlements</code> and 1 more · 2fsgTvxP0DVTsNXEUBI7hOe0l5A
      - <code>+</code> create [<code>EntitlementAutomation/engineering-group</code>](https://host.example/o/r/blob/main/reviews/q4.yaml#L3)<br>not in the tenant yet · GitHub › github-admin (2fsg…5D)

      **Drift: the tenant was changed since the last apply. An apply reverts it.**

      - <code>&#126;</code> update [<code>ResourceType/github-team</code>](https://host.example/o/r/blob/main/reviews/q4.yaml#L3)<br>drift: <code>displayName</code> · GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E

      <details><summary><code>- delete EntitlementAutomation/contractors</code></summary>

      <code>GitHub › github-admin (2fsg…5D)</code> · the manifest was removed, and pruning deletes it

      \`\`\`diff
      - displayName: Contractors
      - cel.expression: subject.department == "Engineering"
      \`\`\`

      </details>

      <details><summary><code>&#126; update ResourceType/github-team</code></summary>

      <code>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E</code> · [<code>reviews/q4.yaml&#58;3</code>](https://host.example/o/r/blob/main/reviews/q4.yaml#L3) · changed in the tenant

      \`\`\`diff
      @@ displayName @@ drifted, line 4
      - Teams
      + Team
      \`\`\`

      </details>

      <details><summary><code>! blocked ResourceType/fresh</code></summary>

      <code>GitHub (2fsg…5C) › Fresh</code> · [<code>reviews/q4.yaml&#58;3</code>](https://host.example/o/r/blob/main/reviews/q4.yaml#L3) · a step that it needs is blocked

      **error** <code>plan/need-blocked</code>: it needs ResourceType/github-team, which is blocked<br>Fix that first.

      After <code>ResourceType/github-team</code>.

      </details>

      <details><summary><code>&#126; update TemplateScope/q4-privileged-access</code></summary>

      <code>2fsgTvxP0DVTsNXEUBI7hOe0l5A</code> · [<code>reviews/q4.yaml&#58;3</code>](https://host.example/o/r/blob/main/reviews/q4.yaml#L3) · edited in the manifest and changed in the tenant

      \`\`\`diff
      @@ scope.allUsers @@ edited, line 14
      ! users: allUsers instead of userCriteria
      - { userStatus: [ENABLED] }
      @@ scope.grantsByCriteria.daysSinceLastUsed @@ edited+drifted, line 16
      - 90d
      + 1d12h30m
      @@ scope.principalTypeFilter @@ line 2
      - PRINCIPAL_TYPE_FILTER_USERS
      @@ entitlements @@ edited, line 20
      - GitHub › old
      + GitHub › github-admin (2fsg…5D)
      # 1 unchanged
      # changed in the tenant since the last apply; remit reverts:
      @@ scope.celExpression.expression @@ drifted, line 22
      ! subject.department == "[-Engineering-]{+Sales+}"
          && subject.level > 3
      \`\`\`

      </details>

      <details><summary><code>+ create EntitlementAutomation/engineering-group</code></summary>

      <code>GitHub › github-admin (2fsg…5D)</code> · [<code>reviews/q4.yaml&#58;3</code>](https://host.example/o/r/blob/main/reviews/q4.yaml#L3) · not in the tenant yet

      \`\`\`diff
      + displayName: Engineering
      + cel.expression: subject.department == "Engineering"
      \`\`\`

      Calls: <code>POST /api/v1/apps/2fsgTvxP0DVTsNXEUBI7hOe0l5C/entitlements/2fsgTvxP0DVTsNXEUBI7hOe0l5D/automation/create</code>

      </details>
      "
    `);
  });

  it("names each guard with the flag that answers for it, and who did", () => {
    const face = renderPlanMarkdown(report([KEPT], { findings: EVERY_GUARD }), LINKS);
    expect(face).toMatchInlineSnapshot(`
      "<!-- remit:plan -->
      **⛔ Blocked: 3 guards to acknowledge, 3 findings acknowledged.**

      **No state: remit cannot tell who changed a field or which manifests were deleted.**

      **Nothing to do: 1 unchanged.**

      People **none** · Reviews **none** · Objects **+0 <span>&#126;</span>0 −0**

      <code>https&#58;//tenant.example</code> · <code>sha256&#58;abababababababababababababababababababababababababababababababab</code>

      **Guards**

      - **!** <code>max-deletes</code> 6 objects would be deleted; the limit is 5
      - ✓ <code>max-changes</code> 40 objects would be written; the limit is 30 · acknowledged by flag
      - **!** <code>protected</code> <code>EntitlementAutomation/contractors</code>: it is protected, and would be deleted
      - ✓ <code>scope-emptied</code> <code>TemplateScope/q4-privileged-access</code>: entitlements would be emptied · acknowledged in remit.yaml until 2026-07-01: reviewed in AR-7
      - **!** <code>everyone</code> <code>TemplateScope/q4-privileged-access</code>: scope.userCriteria would no longer restrict anything
      - ✓ <code>unknown-current</code> <code>ResourceType/github-team</code>: it would be written without looking at what is there now · acknowledged in remit.yaml until 2026-07-01, as every such finding: reviewed in AR-7


      <details><summary>Entries for these findings only</summary>

      \`\`\`yaml
      acknowledge:
        - guard: "max-deletes"
          of: sha256:0000000000000000000000000000000000000000000000000000000000000000
          until: YYYY-MM-DD
          reason: WHY
        - guard: "protected"
          address: "EntitlementAutomation/contractors"
          of: sha256:2222222222222222222222222222222222222222222222222222222222222222
          until: YYYY-MM-DD
          reason: WHY
        - guard: "everyone"
          address: "TemplateScope/q4-privileged-access"
          of: sha256:4444444444444444444444444444444444444444444444444444444444444444
          until: YYYY-MM-DD
          reason: WHY
        - guard: "unknown-current"
          address: "ResourceType/github-team"
          of: sha256:5555555555555555555555555555555555555555555555555555555555555555
          until: YYYY-MM-DD
          reason: WHY
      \`\`\`

      or for one apply: <code>--acknowledge max-deletes --acknowledge protected=EntitlementAutomation/contractors --acknowledge everyone=TemplateScope/q4-privileged-access</code>

      </details>
      "
    `);
  });
});

describe("what is in the way of an apply", () => {
  it("counts guards, however many findings each has", () => {
    const [finding] = EVERY_GUARD.filter(({ guard }) => guard === "protected");
    if (finding === undefined) throw new Error("every guard is there");
    const face = renderPlanMarkdown(report([KEPT], { findings: [finding, finding] }), LINKS);
    expect(face).toContain("**⛔ Blocked: 1 guard to acknowledge.**");
  });
});

describe("a budget", () => {
  const long = "word ".repeat(60);
  const steps = Array.from({ length: 40 }, (_, number) =>
    automation({
      address: { kind: "EntitlementAutomation", name: `step-${String(number).padStart(2, "0")}` },
      action: number === 39 ? "delete" : "update",
      before: { description: long },
      changes: [changed({ type: "text", path: ["description"], before: null, after: `${long}é漢` })],
    }),
  );
  const face = (maxBytes: number) => renderPlanMarkdown(report(steps), { maxBytes, linkBase: null });
  const rows = (text: string) => text.match(/^- <code>/gm)?.length ?? 0;
  const briefs = (text: string) => text.match(/^[~-] EntitlementAutomation/gm)?.length ?? 0;
  const details = (text: string) => text.match(/^<details><summary><code>/gm)?.length ?? 0;

  it.each([700, 1000, 3000, 8000, 12000, 20000, 65536])("of %i bytes is kept", (maxBytes) => {
    expect(bytes(face(maxBytes))).toBeLessThanOrEqual(maxBytes);
  });

  it("keeps a line for every step while it can, and says whose details are left out", () => {
    const fitted = face(12000);
    expect(rows(fitted)).toBe(40);
    expect(details(fitted)).toBeGreaterThan(0);
    expect(fitted).toContain(`Shortened to fit: ${40 - details(fitted)} objects without details.`);
    expect(fitted).toContain("<summary><code>- delete EntitlementAutomation/step-39</code></summary>");
  });

  it("shows the riskiest in full and shortens the others where not all rows fit", () => {
    const fitted = face(4000);
    expect(rows(fitted)).toBeGreaterThan(3);
    expect(rows(fitted) + briefs(fitted)).toBe(40);
    expect(fitted.indexOf("step-39")).toBeLessThan(fitted.indexOf("step-00"));
    expect(fitted).toContain(`${briefs(fitted)} objects in short form`);
  });

  it("keeps the riskiest lines where not all fit, and says what is left out", () => {
    const fitted = face(2600);
    expect(rows(fitted)).toBe(1);
    expect(briefs(fitted)).toBeGreaterThan(0);
    expect(fitted).toContain("step-39");
    const left = 39 - briefs(fitted);
    expect(fitted).toContain(
      `**${left} objects more are not shown here** (0 to create, ${left} to change, 0 to delete)`,
    );
  });

  it("of a comment is room for a line of each of a thousand steps", () => {
    const thousand = Array.from({ length: 1000 }, (_, number) =>
      automation({
        address: { kind: "EntitlementAutomation", name: `automation-of-a-group-${number}` },
        action: "update",
      }),
    );
    const fitted = renderPlanMarkdown(report(thousand), {
      maxBytes: 65536,
      linkBase: `https://host.example/owner/repository/blob/${"0".repeat(40)}/`,
    });
    expect(bytes(fitted)).toBeLessThanOrEqual(65536);
    for (const { address } of thousand) expect(fitted).toMatch(new RegExp(`/${address.name}\\b`));
  });

  it("leaves a plan alone that fits", () => {
    expect(face(65536)).toBe(renderPlanMarkdown(report(steps), { maxBytes: null, linkBase: null }));
  });
});

describe("escaping", () => {
  it.each([
    ["<b>&amp;", "&#60;b&#62;&#38;amp;"],
    [
      "!12 $3 %4 &5 ~bug GH-6 gl-7 8!",
      "<span>!</span>12 <span>&#36;</span>3 <span>%</span>4 <span>&#38;</span>5 <span>&#126;</span>bug <span>GH</span>-6 <span>gl</span>-7 8!",
    ],
    ["@team see #12", "<span>&#64;</span>team see <span>&#35;</span>12"],
    ["https://x www.x", "https&#58;//x www&#46;x"],
    ["a: b", "a: b"],
    ["[x](y)", "&#91;x&#93;(y)"],
    ["one\ntwo", "one&#92;ntwo"],
  ])("of %j gives %j", (text, escaped) => {
    expect(inline(text)).toBe(escaped);
  });

  it("takes what stands between back-ticks for names", () => {
    expect(prose("write `a|b` or `")).toBe("write <code>a&#124;b</code> or &#96;");
  });

  it("fences with more back-ticks than there are within", () => {
    expect(fence(["+ ````x"], "diff")).toBe("`````diff\n+ ````x\n`````");
  });

  it.each([
    ["reviews/q4 (1).yaml", "[x](https://h/b/reviews/q4%20%281%29.yaml#L3)"],
    ["a\\b.yaml", "[x](https://h/b/a/b.yaml#L3)"],
    ["-", "x"],
    ["/etc/x.yaml", "x"],
    ["../x.yaml", "x"],
  ])("links %j as %j", (file, linked) => {
    expect(link("x", { file, line: 3 }, "https://h/b/")).toBe(linked);
  });
});
