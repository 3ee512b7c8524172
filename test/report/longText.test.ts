import { beforeAll, describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import { kindNamed } from "../../src/kinds/index.js";
import { formatAddress } from "../../src/model/address.js";
import type { Diagnostic } from "../../src/model/diagnostic.js";
import { FORM_NAMES, type FormOptions, render } from "../../src/report/forms/table.js";
import { describePlan } from "../../src/report/plan/describe.js";
import { ansi } from "../../src/report/text/paint.js";
import { tameLines, visible } from "../../src/report/text/visible.js";
import { cases } from "../fakes/cases.js";
import { current, planOf, present, wish } from "../plan/worlds.js";

const KEY = ["app1", "ent1"] as const;
const OPTIONS: FormOptions = {
  columns: 80,
  paint: ansi,
  legend: true,
  part: "whole",
  verbose: true,
  maxBytes: null,
  linkBase: null,
  folder: "",
  packed: null,
  version: "1.0.0",
  exitCode: null,
};

/** A plan in which every text is that long: the name of the object, of its app, its fields before and after. */
function planWith(text: string) {
  const [before, after] = [`a ${text}`, `b ${text}`];
  const spec = { appId: KEY[0], appEntitlementId: KEY[1], displayName: after, description: after };
  const made = planOf({
    desired: [wish(entitlementAutomation, text, { ...spec, cel: { expression: after } })],
    current: {
      ...current("full", [
        [
          entitlementAutomation,
          KEY,
          present(KEY, { displayName: before, description: before, cel: { expression: before } }),
        ],
      ]),
      names: new Map([["app:app1", text]]),
    },
  });
  return describePlan(made, "sha256:0", kindNamed);
}

/** The second is four times the first; what a form prints of both is as long. A slow form ends with the time of its test. */
const SIZES = [100_000, 400_000] as const;
/** A run of tests tries the two that are hardest to measure; the soak tries all. */
const UNITS: readonly (readonly [string, string])[] = (
  [
    ["wide characters", "漢"],
    ["joined characters", "👩‍👩‍👧‍👦"],
    ["one word", "x"],
    ["words", "word "],
  ] as const
).slice(0, cases(2));

/** The length of what each form prints of a plan and of a problem in which every text is that long. */
async function printedOf(text: string): Promise<Readonly<Record<string, number>>> {
  const report = planWith(text);
  const message = `${formatAddress({ kind: "EntitlementAutomation", name: text })}: ${text}`;
  const problem: Diagnostic = { code: "a/b", severity: "error", message, hint: text };
  const lengths: Record<string, number> = {};
  for (const form of FORM_NAMES) {
    lengths[`plan ${form}`] = (await render(form, "plan", report, OPTIONS))?.length ?? 0;
    lengths[`diagnostics ${form}`] = (await render(form, "diagnostics", [problem], OPTIONS))?.length ?? 0;
  }
  return lengths;
}

describe("of a text of any length a form prints as much:", () => {
  it.each(UNITS)("%s", async (_, unit) => {
    const [short = {}, long = {}] = [
      await printedOf(unit.repeat(SIZES[0] / unit.length)),
      await printedOf(unit.repeat(SIZES[1] / unit.length)),
    ];
    // The number of characters that are left out has one digit more.
    const longer = Object.entries(long).filter(([form, length]) => length > (short[form] ?? 0) * 1.01);
    expect(longer).toEqual([]);
  });
});

/** Characters of a text that a tenant may choose; more than any form prints. */
const HUGE = 3_000_000;

describe("every form", () => {
  const name = "x".repeat(HUGE);
  let report: ReturnType<typeof planWith>;
  beforeAll(() => {
    report = planWith(name);
  });

  it.each(FORM_NAMES)("prints only the beginning of a name of megabytes as %s", async (form) => {
    const plan = await render(form, "plan", report, OPTIONS);
    const problem: Diagnostic = { code: "a/b", severity: "error", message: name, hint: name };
    const diagnostics = await render(form, "diagnostics", [problem], OPTIONS);
    const piped = await render(form, "plan", report, { ...OPTIONS, columns: Number.POSITIVE_INFINITY });
    expect([plan, diagnostics ?? "", piped].filter((text) => (text ?? "").length > HUGE)).toEqual([]);
  });

  // What expands most is a character that is spelled out.
  it.each([
    ["letters", "x"],
    ["controls", "\u001b"],
    ["hidden pairs", "\u{e0041}"],
  ])("prints no more of one text than the bound: %s", (_, unit) => {
    const shown = visible(unit.repeat(HUGE / 10)).replace(/… \(\d+ more characters\)$/, "");
    expect(shown.length).toBeLessThanOrEqual(10_000);
    expect(shown.length).toBeGreaterThan(9_000);
    const [line = ""] = tameLines(unit.repeat(HUGE / 10));
    expect(line.length).toBeLessThanOrEqual(10_100);
  });
});
