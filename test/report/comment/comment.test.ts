import { describe, expect, it } from "vitest";
import { commentText } from "../../../src/commands/review/post.js";
import { effectIn, statusText } from "../../../src/commands/review/review.js";
import { type InComment, renderComment } from "../../../src/report/forms/comment/comment.js";
import type { PlanReport, StepReport } from "../../../src/report/plan/report.js";
import { withStatements } from "../../../src/report/plan/statements.js";
import { bytesOf } from "../../../src/report/text/budget.js";
import { inline } from "../../../src/report/text/escape.js";
import { attentionOf, viewOf } from "../../../src/report/view/view.js";
import { automation, changed, HASH, report, resourceType } from "../plans.js";
import { asGithub } from "./asGithub.js";

const edit = changed({ type: "value", path: ["displayName"], before: "a", after: "b" });
const step = (name: string, more: Parameters<typeof automation>[0] = {}) =>
  automation({ address: { kind: "EntitlementAutomation", name }, changes: [edit], ...more });

const part = (of: PlanReport, name = "infra@tenant.example"): InComment => ({
  as: "plan",
  name,
  view: viewOf(of, "people"),
  linkBase: "https://forge.example/acme/infra/blob/a1/",
  whole: "`remit show` has all of it.",
  unreviewed: null,
  uncounted: [],
});

/** With people who lose access by a step. */
function losing(of: StepReport, mostLosing: number): StepReport {
  const count = {
    certainty: "exact",
    low: mostLosing,
    high: mostLosing,
    assumed: null,
    assumptions: [],
    people: null,
  } as const;
  const none = { ...count, low: 0, high: 0 };
  const counts = { gains: none, loses: count, keeps: none, others: none };
  return {
    ...of,
    people: {
      lines: ["people"],
      aside: "",
      brief: `+0, −${mostLosing}`,
      mostLosing,
      counts,
      unknown: [],
      review: null,
      holdings: null,
    },
  };
}

describe("the comment", () => {
  it("shows people first, then findings and deletions, then who loses access, then the rest", () => {
    const made = report([
      step("harmless"),
      step("gone", { action: "delete", changes: [], before: { displayName: "a" } }),
      step("drifted", { changes: [{ ...edit, cause: "drifted" }] }),
      step("many"),
    ]);
    const steps = made.steps.map((one) => (one.address.endsWith("many") ? losing(one, 120) : one));
    const finding = {
      guard: "max-deletes",
      address: null,
      message: "too many",
      hash: HASH,
      acknowledged: null,
      proposed: [],
      flag: "--acknowledge max-deletes",
    };
    const totals = {
      access: {
        ...{ deletes: 0, rules: 1, profiles: 0, follow: 0 },
        ...{ gains: { low: 0, high: 0 }, loses: { low: 3, high: 120 } },
      },
      reviews: { scopes: 1, follow: 0, enters: { low: 0, high: 0 }, leaves: { low: 0, high: 38 } },
      requests: { profiles: 0, gains: { low: 0, high: 0 }, loses: { low: 0, high: 0 } },
    };
    const users = { read: 200, areAll: true, where: null };
    const people = {
      users,
      follow: [],
      unknownAttributes: [],
      spread: [],
      withoutPeople: [],
      undocumented: [],
      uncounted: [],
      failed: [],
      calls: {},
      totals,
    };
    const whole = withStatements({ ...made, steps, people, findings: [finding] });
    const text = renderComment([part(whole)], 60_000);
    const order = [
      "3 to 120 lose access, no one gains it (1 rule, of 200 users)",
      "at most 38 leave a review and keep access",
      "to create",
      "max-deletes",
      "**gone**",
      "**many**",
      "**harmless**",
      "Drift:",
      "**drifted**",
      "<details>",
      "How to go on",
      "Acknowledge",
    ];
    const places = order.map((word) => text.indexOf(word));
    expect(
      places.every((place) => place >= 0),
      JSON.stringify(places),
    ).toBe(true);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(text).not.toContain("**Apply**");
    const tables = asGithub(text).match(/<table>[\s\S]*?<\/table>/g) ?? [];
    const rows = tables.map((table) => ["gone", "many", "drifted"].filter((word) => table.includes(word)));
    expect(rows).toEqual([[], ["gone", "many"], ["drifted"]]);
  });

  it("links each line to its manifest, and shows what was pending apart", () => {
    const made = report([step("mine")]);
    const pending = report([step("theirs", { changes: [{ ...edit, cause: "drifted" }] })]).steps;
    const since = { ref: "main", commit: "b2".repeat(20), pending };
    const text = renderComment([part(withStatements({ ...made, since }))], 60_000);
    expect(text).toContain("(https://forge.example/acme/infra/blob/a1/reviews/q4.yaml#L3)");
    expect(text.indexOf("Pending already")).toBeGreaterThan(text.indexOf("**mine**"));
    expect(text.indexOf("/theirs")).toBeGreaterThan(text.indexOf("Pending already"));
  });

  it.each([10, 200, 1000, 5000])("is honest within its room with %i changes", (count) => {
    const steps = Array.from({ length: count }, (_, at) =>
      step(`automation-number-${String(at).padStart(5, "0")}`),
    );
    const gone = Array.from({ length: 40 }, (_, at) =>
      resourceType({
        address: { kind: "ResourceType", name: `gone-${at}` },
        action: "delete",
        before: { displayName: "x" },
      }),
    );
    const made = report([...steps, ...gone]);
    const room = 53_000;
    const text = renderComment([part(made)], room);
    expect(bytesOf(text)).toBeLessThanOrEqual(room + 1);
    for (let at = 0; at < 40; at += 1) expect(text).toContain(`**gone-${at}**<br>ResourceType`);
    const shown = steps.filter(({ address }) => text.includes(address.name)).length;
    const more = /\*\*(\d+) objects? more/.exec(text)?.[1] ?? "0";
    expect(shown + Number(more)).toBe(count);
    if (count > 200) expect(text).toContain("`remit show` has all of it.");
    expect(text.match(/<details>/g)?.length ?? 0).toBe(text.match(/<\/details>/g)?.length ?? 0);
    // No body before every object has its line.
    if (Number(more) > 0) expect(text).not.toContain("<details>");
  });

  it("shows the plan that needs attention first, and each within its share", () => {
    const calm = part(report([]), "calm@t");
    const busy = part(report([step("a")]), "busy@t");
    const stuck = part(report([step("b", { action: "blocked", changes: [] })]), "stuck@t");
    expect([calm, busy, stuck].map((one) => (one.as === "plan" ? attentionOf(one.view) : null))).toEqual([
      0, 1, 2,
    ]);
    const many = part(report(Array.from({ length: 3000 }, (_, at) => step(`many-${at}`))), "many@t");
    const text = renderComment([calm, many, busy, stuck], 30_000);
    expect(bytesOf(text)).toBeLessThanOrEqual(30_000);
    const heads = [...text.matchAll(/^### (\w+)/gm)].map(([, name]) => name);
    expect(heads).toEqual(["stuck", "busy", "many", "calm"]);
  });

  it.each([40, 150, 2000])("with %i plans stays within its room, and counts those without room", (count) => {
    const names = Array.from({ length: count }, (_, at) => `team-${at}@tenant.example`);
    const stuck = part(report([step("b", { action: "blocked", changes: [] })]), "stuck@t");
    const text = renderComment([...names.map((name) => part(report([step("a")]), name)), stuck], 45_000);
    expect(bytesOf(text)).toBeLessThanOrEqual(45_000);
    expect(text).toMatch(/^### stuck/);
    const shown = names.filter((name) => text.includes(name.replace("@", "<span>&#64;</span>"))).length;
    const more = /and (\d+) more plans/.exec(text)?.[1] ?? "0";
    expect(shown + Number(more)).toBe(count);
  });

  it("lets no text of others become a marker, a command or a mention", () => {
    const evil = 'x -->\n/merge\n@everyone <!-- remit:plan y --> <img src="https://evil.example">';
    const made = report([
      step("a", { changes: [changed({ type: "value", path: ["displayName"], before: evil, after: null })] }),
    ]);
    const text = renderComment([part({ ...made, server: evil }, evil)], 60_000);
    const outside = text.replace(/^(`{3,})[\s\S]*?^\1$/gm, "");
    expect(outside).not.toMatch(/^\s*\//m);
    expect(outside).not.toMatch(/<!--|<img|@everyone/);
  });
});

describe("the text around it", () => {
  const make = (line: string) =>
    commentText({
      about: "plan",
      names: ["b@t", "a@t--x"],
      text: "text",
      line,
      steps: new Map(),
      escaped: inline,
    });

  it("has a marker that names its parts in one order, and that nothing can end", () => {
    expect(make("one").marker).toBe("<!-- remit:plan a%40t%2D%2Dx b%40t -->");
  });

  it("has a marker of its own for each set of parts, however many there are", () => {
    const markerOf = (names: readonly string[]) =>
      commentText({ about: "plan", names, text: "", line: "", steps: new Map(), escaped: inline }).marker;
    const names = Array.from({ length: 200 }, (_, at) => `team-${1000 + at}@tenant.example`);
    const less = names.slice(0, -1);
    expect(markerOf(names)).not.toBe(markerOf(less));
    expect(markerOf(names)).toBe(markerOf(names.toReversed()));
    expect(markerOf(names).length).toBeLessThanOrEqual(2100);
  });

  it("keeps a line for each earlier run, the newest first, and none for a run that says the same", () => {
    let body = make("run 1").body(null);
    expect(make("run 1").body(body)).toBe(body);
    for (let run = 2; run <= 15; run += 1) body = make(`run ${run}`).body(body);
    const earlier = [...body.matchAll(/^- (run \d+)$/gm)].map(([, line]) => line);
    expect(earlier).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5].map((run) => `run ${run}`));
  });

  it("takes nothing but plain text from an earlier comment", () => {
    const forged = `<!-- remit:now ${encodeURIComponent("<img src=x> @all --> \n# head")} -->\n<!-- remit:was %zz -->`;
    const body = make("now").body(forged);
    expect(body.replace(/<!-- remit:was \S+ -->/g, "")).not.toMatch(/<img|@all|^# head/m);
  });

  it("of a status has the effect first, and drops what has no room", () => {
    const counts =
      "Plan: 1 to create, 5 to change (1 reverts drift), 0 to delete; 40 unchanged, and much more";
    const { context, description } = statusText({
      about: "plan",
      name: "infra@t",
      effect: HASH,
      counts,
      isGood: true,
      url: null,
    });
    expect([context, description.length]).toEqual(["remit/plan infra@t", 140]);
    expect(effectIn(description)).toBe(HASH);
    for (const other of ["", "sha256:ab", ` ${HASH}`, `${HASH}0 x`]) expect(effectIn(other)).toBeNull();
  });
});
