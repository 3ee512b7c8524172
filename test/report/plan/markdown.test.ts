import { describe, expect, it } from "vitest";
import { renderPlanMarkdown } from "../../../src/report/forms/markdown/plan.js";
import { fence, inline, link, prose } from "../../../src/report/text/escape.js";
import { viewOf } from "../../../src/report/view/view.js";
import { BLOCKED, CREATED, DRIFTED, EVERY_CHANGE, EVERY_GUARD, EVERY_REASON, KEPT } from "../faces.js";
import { automation, changed, report } from "../plans.js";

const LINKS = { maxBytes: null, linkBase: "https://host.example/o/r/blob/main" };
const bytes = (text: string) => new TextEncoder().encode(text).length;

describe("a plan in a pull request", () => {
  const face = (...from: Parameters<typeof report>) =>
    renderPlanMarkdown(viewOf(report(...from), "people"), LINKS);

  it("has a row for each step, and a fold that begins with the same name", () => {
    const text = face(EVERY_REASON);
    const shown = report(EVERY_REASON).steps.map(({ address }) => address.replace("ResourceType/", ""));
    const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
    expect(named(/^\| .*?\*\*(type-\d+)\*\*<br>ResourceType/gm).toSorted()).toEqual(shown.toSorted());
    expect(named(/<summary>.*?ResourceType\/(type-\d+)</g).toSorted()).toEqual(shown.toSorted());
  });

  it("shows in a row both sides of what is short, and of drift both sides of all", () => {
    const rows = face([EVERY_CHANGE, DRIFTED, CREATED, BLOCKED])
      .split("\n")
      .filter((line) => line.startsWith("| ✏️"));
    expect(rows[0]).toContain("<code>scope.grantsByCriteria.daysSinceLastUsed</code>: 90d → 1d12h30m");
    expect(rows[0]).toContain("<code>entitlements</code>: +1 −1");
    expect(rows[1]).toContain("<code>displayName</code>: <code>Teams</code> → <code>Team</code>");
  });

  it("folds the lines of each field below its path, its cause and its line", () => {
    const text = face([EVERY_CHANGE, CREATED]);
    expect(text).toContain("@@ scope.principalTypeFilter @@ line 2\n- PRINCIPAL_TYPE_FILTER_USERS\n");
    expect(text).toContain("@@ entitlements @@ edited, line 20\n- GitHub › old\n+ GitHub › github-admin");
    expect(text).toContain('! subject.department == "[-Engineering-]{+Sales+}"\n');
    expect(text).toContain("\n+ displayName: Engineering\n");
  });

  it("folds the entries that answer its findings and no others", () => {
    const text = face([KEPT], { findings: EVERY_GUARD });
    const guards = [...text.matchAll(/^ {2}- guard: (.*)$/gm)].map(([, name]) => name);
    expect(guards).toEqual(["max-deletes", "protected", "everyone", "unknown-current"]);
    expect(text.match(/^- (\*\*!\*\*|✓) /gm)).toHaveLength(EVERY_GUARD.length);
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
