import { describe, expect, it } from "vitest";
import { renderPlanMarkdown } from "../../../src/report/forms/markdown/plan.js";
import { fence, inline, link, prose } from "../../../src/report/text/escape.js";
import { viewOf } from "../../../src/report/view/view.js";
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
    const face = renderPlanMarkdown(viewOf(report(EVERY_REASON), "people"), {
      maxBytes: null,
      linkBase: null,
    });
    expect(face.split("\n").filter((line) => /^\| [^o]*\|.*ResourceType/.test(line))).toMatchInlineSnapshot(
      `
      [
        "| ➖ | **type-11**<br>ResourceType · delete |  | the manifest was removed, and &#96;removed&#58;&#96; in remit.yaml deletes it<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ⛔ | **type-17**<br>ResourceType · blocked |  | its current value is unknown, and the call would replace all of it<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ⛔ | **type-18**<br>ResourceType · blocked |  | no resource type has the id 2fsgTvxP0DVTsNXEUBI7hOe0l5E<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ⛔ | **type-19**<br>ResourceType · blocked |  | not in the tenant, and remit cannot create it<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ⛔ | **type-20**<br>ResourceType · blocked |  | remit could not read it<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ⛔ | **type-21**<br>ResourceType · blocked |  | remit could not look up a name in it<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ⛔ | **type-22**<br>ResourceType · blocked |  | the result of an earlier create is unknown, so remit does not send it again<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ⛔ | **type-23**<br>ResourceType · blocked |  | a step that it needs is blocked<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ⛔ | **type-24**<br>ResourceType · blocked |  | the manifest was removed, and remit cannot delete the object<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ✏️ | **type-04**<br>ResourceType · update |  | GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ✏️ | **type-05**<br>ResourceType · update |  | never applied by remit<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ➕ | **type-00**<br>ResourceType · create |  | not in the tenant yet<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ➕ | **type-01**<br>ResourceType · create |  | never applied by remit<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ➕ | **type-02**<br>ResourceType · create |  | no longer in the tenant; remit creates it again<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ➕ | **type-03**<br>ResourceType · create |  | changed since the last apply; the core interface can only create it again<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| = | **type-06**<br>ResourceType · adopt |  | the tenant already has these values; remit only records them<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| = | **type-07**<br>ResourceType · adopt |  | nothing changes in the tenant<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| = | **type-08**<br>ResourceType · adopt |  | the manifest no longer writes some fields; nothing changes in the tenant<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| = | **type-09**<br>ResourceType · adopt |  | only the protection changes; nothing changes in the tenant<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| = | **type-10**<br>ResourceType · adopt |  | changed in the tenant since the last apply<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| × | **type-12**<br>ResourceType · forget |  | ⚠ **no longer managed; STAYS ACTIVE in the tenant**<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| × | **type-13**<br>ResourceType · forget |  | ⚠ **no longer in the tenant; remit removes it from the state**<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "| ? | **type-14**<br>ResourceType · removed |  | ⚠ **the manifest was removed; STAYS ACTIVE in the tenant until you decide**<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
        "|  | **type-15**<br>ResourceType · unchanged |  | another object of the service manages it, so remit leaves it unchanged<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | <code>reviews/q4.yaml&#58;3</code> |",
      ]
    `,
    );
  });

  it("folds each step's details, with each type of change and its cause", () => {
    const steps = [EVERY_CHANGE, DRIFTED, CREATED, DELETED, BLOCKED, KEPT];
    expect(renderPlanMarkdown(viewOf(report(steps), "people"), LINKS)).toMatchInlineSnapshot(`
      "<!-- remit:plan -->
      **⛔ Blocked: 1 step blocked, 1 delete.**

      **No state: remit cannot tell who changed a field or which manifests were deleted.**

      | People | Reviews | Objects |
      | --- | --- | --- |
      | **none** | **none** | **+1 <span>&#126;</span>2 −1**<br>1 to create, 2 to change (1 reverts drift), 1 to delete; 1 blocked; 1 unchanged. |

      <code>https&#58;//tenant.example</code> · <code>sha256&#58;abababababababababababababababababababababababababababababababab</code>

      |  | object | people | what | line |
      | :-: | --- | --: | --- | --- |
      | ➖ | **contractors**<br>EntitlementAutomation · delete |  | the manifest was removed, and pruning deletes it<br>GitHub › github-admin (2fsg…5D) |  |
      | ⛔ | **fresh**<br>ResourceType · blocked |  | a step that it needs is blocked<br>GitHub (2fsg…5C) › Fresh | [<code>q4.yaml&#58;3</code>](https://host.example/o/r/blob/main/reviews/q4.yaml#L3) |
      | ✏️ | **q4-privileged-access**<br>TemplateScope · update |  | <code>scope.allUsers</code><br><code>scope.grantsByCriteria.daysSinceLastUsed</code>: 90d → 1d12h30m<br><code>scope.principalTypeFilter</code>: PRINCIPAL&#95;TYPE&#95;FILTER&#95;USERS → unset<br><code>entitlements</code>: +1 −1<br>and 1 more<br>2fsgTvxP0DVTsNXEUBI7hOe0l5A | [<code>q4.yaml&#58;3</code>](https://host.example/o/r/blob/main/reviews/q4.yaml#L3) |
      | ➕ | **engineering-group**<br>EntitlementAutomation · create |  | not in the tenant yet<br>GitHub › github-admin (2fsg…5D) | [<code>q4.yaml&#58;3</code>](https://host.example/o/r/blob/main/reviews/q4.yaml#L3) |

      **Drift: the tenant was changed since the last apply. An apply reverts it.**

      |  | object | people | what | line |
      | :-: | --- | --: | --- | --- |
      | ✏️ | **github-team**<br>ResourceType · update |  | drift: <code>displayName</code>: Teams → Team<br>GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E | [<code>q4.yaml&#58;3</code>](https://host.example/o/r/blob/main/reviews/q4.yaml#L3) |

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
    const face = renderPlanMarkdown(viewOf(report([KEPT], { findings: EVERY_GUARD }), "people"), LINKS);
    expect(face).toMatchInlineSnapshot(`
      "<!-- remit:plan -->
      **⛔ Blocked: 3 guards to acknowledge, 3 findings acknowledged.**

      **No state: remit cannot tell who changed a field or which manifests were deleted.**

      | People | Reviews | Objects |
      | --- | --- | --- |
      | **none** | **none** | **+0 <span>&#126;</span>0 −0**<br>Nothing to do: 1 unchanged. |

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
        - guard: max-deletes
          address: "*"
          of: sha256:0000000000000000000000000000000000000000000000000000000000000000
          until: YYYY-MM-DD
          reason: why it is right
        - guard: protected
          address: EntitlementAutomation/contractors
          of: sha256:2222222222222222222222222222222222222222222222222222222222222222
          until: YYYY-MM-DD
          reason: why it is right
        - guard: everyone
          address: TemplateScope/q4-privileged-access
          of: sha256:4444444444444444444444444444444444444444444444444444444444444444
          until: YYYY-MM-DD
          reason: why it is right
        - guard: unknown-current
          address: ResourceType/github-team
          of: sha256:5555555555555555555555555555555555555555555555555555555555555555
          until: YYYY-MM-DD
          reason: why it is right
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
    const face = renderPlanMarkdown(
      viewOf(report([KEPT], { findings: [finding, finding] }), "people"),
      LINKS,
    );
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
  const face = (maxBytes: number) =>
    renderPlanMarkdown(viewOf(report(steps), "people"), { maxBytes, linkBase: null });
  const rows = (text: string) => text.match(/^\| .* \*\*step/gm)?.length ?? 0;
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
    const fitted = renderPlanMarkdown(viewOf(report(thousand), "people"), {
      maxBytes: 65536,
      linkBase: `https://host.example/owner/repository/blob/${"0".repeat(40)}/`,
    });
    expect(bytes(fitted)).toBeLessThanOrEqual(65536);
    for (const { address } of thousand) expect(fitted).toMatch(new RegExp(`[/*]${address.name}\\b`));
  });

  it("leaves a plan alone that fits", () => {
    expect(face(65536)).toBe(
      renderPlanMarkdown(viewOf(report(steps), "people"), { maxBytes: null, linkBase: null }),
    );
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
