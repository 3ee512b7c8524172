import { createHash } from "node:crypto";
import fc from "fast-check";
import { type ParserError, parse } from "parse5";
import { describe, expect, it } from "vitest";
import { packPlan, unpackPlan } from "../../../../src/cli/run/savedPlan.js";
import { writePlan } from "../../../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../../../src/plan/saved/read.js";
import { html } from "../../../../src/report/forms/html/html.js";
import { render } from "../../../../src/report/forms/table.js";
import { cases } from "../../../fakes/cases.js";
import { HOSTILE } from "../../diagnostics/diagnostic.js";
import { PARTIAL } from "../../endings.js";
import { EVERY_GUARD } from "../../faces.js";
import { EVERYTHING, OPTIONS, pageFor, planOf } from "../../html/pages.js";
import { automation, plan, report } from "../../plans.js";

/** The faults that a browser's parser finds. */
function faultsIn(page: string): readonly string[] {
  const faults: string[] = [];
  parse(page, {
    onParseError: ({ code, startLine }: ParserError) => void faults.push(`${code}:${startLine}`),
  });
  return faults;
}

/** The elements of a page, by their names. */
function elementsIn(page: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const walk = (node: { readonly nodeName: string; readonly childNodes?: readonly never[] }): void => {
    counts[node.nodeName] = (counts[node.nodeName] ?? 0) + 1;
    for (const child of node.childNodes ?? []) walk(child);
  };
  walk(parse(page) as never);
  return counts;
}

describe("a page", () => {
  it("has no fault for a parser, whatever it shows", async () => {
    const diagnostics = [{ code: "a/b", severity: "error", message: "<b>" }] as const;
    const failure = {
      formatVersion: 1,
      command: "apply",
      failure: "refused",
      exitCode: 4,
      server: null,
      commit: null,
    } as const;
    const pages = [
      await pageFor(EVERYTHING),
      await pageFor(plan([])),
      await render("html", "outcome", PARTIAL, OPTIONS),
      await render("html", "failure", { ...failure, diagnostics }, OPTIONS),
      await render("html", "diagnostics", diagnostics, OPTIONS),
    ];
    for (const page of pages) expect(faultsIn(page)).toEqual([]);
  });

  it("shows the lines to paste as lines", async () => {
    const page = (await pageFor(EVERYTHING)).replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, "");
    expect(page).toMatch(/<pre>acknowledge:&#10; {2}- guard: /);
    expect(page).not.toContain("\\n");
  });

  it("is the same for the same plan", async () => {
    expect(await pageFor(EVERYTHING)).toBe(await pageFor(EVERYTHING));
  });

  it("permits its own style and script by their hashes, and nothing else", async () => {
    const page = await pageFor(EVERYTHING);
    const [, policy = ""] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
    for (const element of ["style", "script"]) {
      const [, text = ""] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(page) ?? [];
      const sum = createHash("sha256").update(text).digest("base64");
      expect(policy).toContain(`${element}-src 'sha256-${sum}'`);
    }
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toContain("unsafe");
    expect(page).not.toMatch(/\b(?:src|srcset|action|on\w+)=/);
  });

  it("gets no element from a text", async () => {
    const named = (name: string) =>
      render(
        "html",
        "plan",
        report([automation({ address: { kind: "EntitlementAutomation", name } })]),
        OPTIONS,
      );
    const usual = elementsIn(await named("x"));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary" })), async (text) => {
        expect(elementsIn(await named(text))).toEqual(usual);
      }),
      { numRuns: cases(20) },
    );
  });

  it.each([
    ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    ['" onmouseover="x', "&quot; onmouseover=&quot;x"],
    ["&lt;b&gt; && a&b", "&amp;lt;b&amp;gt; && a&amp;b"],
    ["a\u202eb\u0007", "a\\u202eb\\x07"],
  ])("shows %j as it is written", (text, shown) => {
    expect(html`<p title="${text}">${text}</p>`.html).toBe(`<p title="${shown}">${shown}</p>`);
  });

  it.each([
    [4_000, null],
    [400, 60_000],
    [400, 30_000],
  ])(
    "of %i changes stays within %j bytes (null: 3 MB), and says what it leaves out",
    async (changes, maxBytes) => {
      const [guard] = EVERY_GUARD.filter((one) => one.guard === "unknown-current");
      if (guard === undefined) throw new Error("no such guard");
      const findings = Array.from({ length: changes }, (_, place) => ({
        ...guard,
        acknowledged: null,
        address: { kind: "EntitlementAutomation", name: `team-${place}` },
      }));

      const page = await render("html", "plan", report(planOf(changes).steps, { findings }), {
        ...OPTIONS,
        maxBytes,
      });
      expect(Buffer.byteLength(page)).toBeLessThanOrEqual(maxBytes ?? 3_000_000);
      const lines = page.match(/<details class="s /g)?.length ?? 0;
      const more = [...page.matchAll(/… and ([\d,]+) more: changes that/g)];
      const unlisted = more.reduce((sum, [, count = ""]) => sum + Number(count.replace(",", "")), 0);
      expect(lines + unlisted).toBe(changes);
      const bare = page.match(/<div class="b o"/g)?.length ?? 0;
      const [, left = "0"] = /The details of (\d+) changes with the least risk are left out/.exec(page) ?? [];
      expect(bare + changes - lines).toBe(Number(left));
      // A page without room for lines has none; it still says what stops the plan.
      expect(page).toContain("until these are acknowledged");
    },
  );
});

describe("the plan in a page", () => {
  it("is the plan, with its seal", async () => {
    const text = unpackPlan(await pageFor(EVERYTHING));
    expect(text).toBe(writePlan(EVERYTHING).text);
    expect(readSavedPlan(text ?? "").diagnostics.map(({ code }) => code)).not.toContain("plan/unreadable");
  });

  it.each([
    ["another text", "{}"],
    ["a page without a plan", "<!doctype html><p>x</p>"],
    [
      "a page whose plan is cut",
      `<!doctype html><script type=application/gzip id="remit-plan">H4sIAAAA</script>\n<script>x</script>`,
    ],
  ])("is absent in %s", (_what, text) => {
    expect(unpackPlan(text)).toBeNull();
  });

  it("is read from the end: a text of a step that looks like a plan is escaped", async () => {
    const forged = `<script type=application/gzip id="remit-plan">${packPlan("{}")}</script><script>`;
    const page = await pageFor(
      plan([automation({ address: { kind: "EntitlementAutomation", name: forged } })]),
    );
    expect(unpackPlan(page)).toContain('"formatVersion"');
  });
});
