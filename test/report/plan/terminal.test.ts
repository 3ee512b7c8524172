import { describe, expect, it } from "vitest";
import { ansi, plain } from "../../../src/report/text/paint.js";
import type { Block } from "../../../src/report/view/blocks.js";
import type { FieldView } from "../../../src/report/view/step.js";
import { viewOf } from "../../../src/report/view/view.js";
import { BLOCKED, CREATED, DELETED, DRIFTED, EVERY_CHANGE, EVERY_GUARD, KEPT } from "../faces.js";
import { APP, changed, plan, report, resourceType, scope } from "../plans.js";
import { printed } from "../printed.js";

const text = (...from: Parameters<typeof report>) => printed(report(...from));

describe("a plan at a terminal", () => {
  it("shows each type of change with its cause, and drift apart from intent", () => {
    const { meant, drifted } = viewOf(
      report([EVERY_CHANGE, DRIFTED, CREATED, DELETED, BLOCKED, KEPT]),
    ).changes;
    const facesOf = (blocks: readonly Block[]) => blocks.map(({ face }) => `${face.label} ${face.name}`);
    expect(facesOf(meant)).toEqual([
      "delete EntitlementAutomation/contractors",
      "blocked ResourceType/fresh",
      "update TemplateScope/q4-privileged-access",
      "create EntitlementAutomation/engineering-group",
    ]);
    expect(facesOf(drifted)).toEqual(["update ResourceType/github-team"]);
    const face = meant[2]?.face;
    const briefly = (fields: readonly FieldView[] = []) =>
      fields.map(({ path, difference, cause, line }) => [path, difference.type, cause, line]);
    expect(briefly(face?.fields)).toEqual([
      ["scope.allUsers", "choice", "edited", "line 14"],
      ["scope.grantsByCriteria.daysSinceLastUsed", "value", "edited+drifted", "line 16"],
      ["scope.principalTypeFilter", "value", "", "line 2"],
      ["entitlements", "set", "edited", "line 20"],
    ]);
    expect(briefly(face?.drifted.fields)).toEqual([
      ["scope.celExpression.expression", "text", "drifted", "line 22"],
    ]);
  });

  it("names each guard with the entry that answers for it, and who did", () => {
    const { findings, open, asking, answers, flags } = viewOf(
      report([KEPT], { findings: EVERY_GUARD }),
    ).guards;
    expect(findings.map(({ guard, isOpen, answer }) => [guard, isOpen, answer])).toEqual([
      ["max-deletes", true, null],
      ["protected", true, null],
      ["everyone", true, null],
      ["max-changes", false, "acknowledged by flag"],
      ["scope-emptied", false, "acknowledged in remit.yaml until 2026-07-01: reviewed in AR-7"],
      [
        "unknown-current",
        false,
        "acknowledged in remit.yaml until 2026-07-01, as every such finding: reviewed in AR-7",
      ],
    ]);
    expect([open, asking]).toEqual([3, 3]);
    expect(answers.filter((line) => line.includes("guard:"))).toEqual(
      ["max-deletes", "protected", "everyone"].map((guard) => `  - guard: ${guard}`),
    );
    const printedLines = text([KEPT], { findings: EVERY_GUARD }).split("\n");
    for (const line of answers) expect(printedLines).toContain(line);
    expect(flags.split(" --")).toHaveLength(3);
  });

  it("says at its end what it could not see, and its calls", () => {
    const lines = text([DELETED, KEPT], {
      commit: "a1b2c3d4e5f6a7b8c9d0",
      unseen: [{ what: "template scopes", why: "the core interface has no reads" }],
      calls: { made: { ResourceType: 4, app: 1 }, ahead: { EntitlementAutomation: 1200 } },
      estimate: { seconds: 300, width: 4 },
    })
      .trimEnd()
      .split("\n");
    expect(lines[1]).toBe("Plan for https://tenant.example · commit a1b2c3d4e5f6");
    expect(lines.slice(-3)).toEqual([
      "Not read: template scopes: the core interface has no reads",
      "Calls: 5 reads to plan",
      "Plan: 0 to create, 0 to change, 1 to delete; 1 unchanged.",
    ]);
  });

  it("counts with -v what is not compared", () => {
    const members = ["createdAt", "futureOwner", "lastRunStatus", "nextRunAt", "ownerId", "updatedAt"];
    const notCompared = [
      { kind: "EntitlementAutomation", objects: 12, members },
      { kind: "ResourceType", objects: 1, members: ["createdAt"] },
    ];
    const lines = (verbose: boolean) =>
      printed(report([KEPT], { notCompared }), { verbose })
        .split("\n")
        .filter((line) => /compared|more/.test(line));
    expect(lines(false)).toEqual([]);
    expect(lines(true)).toMatchInlineSnapshot(`
      [
        "Not compared: 6 members of 12 objects of EntitlementAutomation: createdAt,",
        "  futureOwner, lastRunStatus, nextRunAt, ownerId and 1 more",
        "Not compared: 1 member of 1 object of ResourceType: createdAt",
      ]
    `);
  });

  it("is short where there is nothing to do", () => {
    const state = { lineage: "l", serial: 1 };
    expect(text([KEPT], { state })).toBe("Nothing to do: 1 unchanged.\n");
    expect(text([], { state })).toBe("Nothing to do.\n");
  });

  it("says that an apply of drift alone only records it", () => {
    const mode = { ...plan([]).mode, refreshOnly: true };
    const drift = { ...DRIFTED, action: "adopt", reason: "drift only" } as const;
    const shown = printed(report([drift], { mode }), { columns: 120 });
    expect(shown).toContain("This plan changes nothing; --record records it.");
  });

  it("prints a plan in two parts where its people are counted later", () => {
    const part = (part: "steps" | "rest") => printed(report([CREATED]), { legend: true, part });
    expect(part("steps")).toContain("+ create");
    expect(part("steps")).toContain("Symbols");
    expect(part("steps")).not.toContain("Plan: ");
    expect(part("rest")).not.toContain("+ create");
    expect(part("rest")).toMatch(/Plan: [^\n]*\n$/);
  });

  it("explains the symbols where asked, with or without a state, and never for a plan without steps", () => {
    const options = { columns: 80, paint: plain, verbose: false, legend: true, part: "whole" as const };
    for (const hasState of [true, false])
      expect(printed({ ...report([CREATED]), hasState }, options)).toContain("Symbols: + create");
    expect(printed(report([]), options)).not.toContain("Symbols");
    expect(printed(report([CREATED]), options)).not.toMatch(/[+~±=×?!-]\n {2}\S/);
  });

  it("folds long sets with counts", () => {
    const added = Array.from({ length: 41 }, (_, number) => ({
      appId: APP,
      appEntitlementId: `id-${number}`,
    }));
    const set = {
      type: "set",
      path: ["entitlements"],
      before: [],
      after: added,
      added,
      removed: [],
    } as const;
    const shown = text([scope({ changes: [changed(set)] })]);
    expect(shown.match(/\+ GitHub › id-/g)).toHaveLength(10);
    expect(shown).toContain("… and 31 more");
  });

  it("does not break a line inside short braces", () => {
    const value = (text: string) => ({ value: text });
    const choice = {
      type: "choice",
      path: ["scope"],
      group: "users_scope",
      from: "allUsers",
      to: "userCriteria",
      opens: false,
      before: null,
      after: { divisions: ["Clinical", "Technology", "Finance", "Operations"].map(value) },
    } as const;
    const shown = text([scope({ changes: [changed(choice)] })]);
    expect(shown).toMatch(/\{ value: Technology \},\n/);
    expect(shown).not.toMatch(/\{$|^ *\}|value:$/m);
  });

  it("has the places of its steps in one column, and the line of a field behind it", () => {
    const long = { ...CREATED.address, name: "engineering-group-of-the-second-office" };
    const all = report([EVERY_CHANGE, CREATED, { ...CREATED, address: long }, DRIFTED]);
    for (const columns of [80, 120, Number.POSITIVE_INFINITY]) {
      const shown = printed(all, { columns }).split("\n");
      const places = shown.flatMap((line) => /^(. \w+ .* {2})\S+\.yaml:\d+$/.exec(line)?.[1]?.length ?? []);
      expect(places.length).toBeGreaterThan(2);
      expect(new Set(places).size).toBe(1);
      expect(shown.filter((line) => / {2}:\d+$/.test(line)).length).toBeGreaterThan(4);
    }
  });

  it("says the same with colours and without", () => {
    const all = report([EVERY_CHANGE, DRIFTED, CREATED, DELETED, BLOCKED], { findings: EVERY_GUARD });
    const coloured = printed(all, { paint: ansi });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences.
    expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(printed(all));
  });

  it("shows fields that are given back", () => {
    expect(
      text([resourceType({ action: "adopt", reason: "given back", recorded: { givenBack: ["traitIds"] } })]),
    ).toContain("no longer managed, stays as it is in the tenant: traitIds");
  });
});
