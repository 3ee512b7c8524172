import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/plan/step.js";
import { type Block, blocksOf } from "../../../src/report/view/blocks.js";
import type { StepPart } from "../../plan/stepPart.js";
import { automation, changed, report } from "../plans.js";
import { printed } from "../printed.js";

const KINDS = ["Resource", "Entitlement", "EntitlementAutomation"] as const;

function row(kind: string, name: string, more: StepPart = {}): Step {
  const value = `${name} of ${kind}`;
  return automation({
    address: { kind, name: `shape[${name}]` },
    key: null,
    action: "create",
    reason: "not in tenant",
    changes: [changed({ type: "value", path: ["displayName"], before: null, after: value }, "first")],
    ...more,
  });
}

const rowsOf = (count: number, kinds: readonly string[]) =>
  Array.from({ length: count }, (_, at) => kinds.map((kind) => row(kind, `row-${at}`))).flat();

const linesOf = (steps: readonly Step[]) => printed(report(steps)).trimEnd().split("\n");

/** The addresses of a block, in its order. */
function addressesIn(block: Block): readonly string[] {
  return block.steps.map(({ address }) => address);
}

describe("the rows of a shape", () => {
  it("are one block with a line each", () => {
    expect(linesOf(rowsOf(12, KINDS)).length).toBeLessThanOrEqual(40);
    expect(linesOf(rowsOf(60, ["EntitlementAutomation"])).length).toBeLessThanOrEqual(110);
    const named = linesOf(rowsOf(60, KINDS)).filter((line) => /^ {4}row-\d+$/.test(line));
    expect(named).toEqual(Array.from({ length: 60 }, (_, at) => `    row-${at}`));
  });

  it("stand first and alone where they differ in more than their own values", () => {
    const odd = row("EntitlementAutomation", "odd", {
      changes: [changed({ type: "value", path: ["description"], before: null, after: "x" }, "first")],
    });
    const blocks = blocksOf(report([...rowsOf(4, ["EntitlementAutomation"]), odd]).steps);
    expect(blocks.map(addressesIn)).toEqual([
      ["EntitlementAutomation/shape[odd]"],
      [0, 1, 2, 3].map((at) => `EntitlementAutomation/shape[row-${at}]`),
    ]);
  });

  it("show what they have in common, and `…` for what each has of its own", () => {
    const [block] = blocksOf(report(rowsOf(3, ["EntitlementAutomation"])).steps);
    if (block?.as !== "rows") throw new Error("no rows");
    expect(block.shapes.map(({ address }) => address)).toEqual(["3 × EntitlementAutomation/shape[…]"]);
    expect(block.shapes[0]?.fields.map(({ difference }) => difference)).toEqual([
      { type: "value", before: null, after: "row-… of EntitlementAutomation" },
    ]);
  });
});

describe("the blocks of a plan", () => {
  it("name a cause before what it blocks", () => {
    const need = { kind: "Resource", name: "team" };
    const fault = { code: "plan/blocked", severity: "error", message: "refused" } as const;
    const cause = automation({
      address: need,
      action: "blocked",
      reason: "refused by the service",
      diagnostics: [fault],
    });
    const consequence = (name: string) =>
      automation({
        address: { kind: "Entitlement", name },
        action: "blocked",
        reason: "need blocked",
        needs: [need],
      });
    const steps = [consequence("a"), consequence("b"), cause];
    expect(blocksOf(report(steps).steps).map(addressesIn)).toEqual([
      ["Resource/team", "Entitlement/a", "Entitlement/b"],
    ]);
    expect(linesOf(steps)).toContain("  and 2 that need it: Entitlement/a, Entitlement/b");
  });

  it("stand behind what they need, in whatever order the plan has them", () => {
    const rank = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(rank, (made) => {
        const named = (at: number) => ({ kind: "Resource", name: `r${9 - at}` });
        const steps = made.map(([need, isAlone], at) =>
          automation({ address: named(at), needs: at === 0 || isAlone ? [] : [named(need % at)] }),
        );
        const order = blocksOf(report(steps.toReversed()).steps).flatMap(addressesIn);
        for (const { address, needs } of report(steps).steps)
          for (const need of needs) expect(order.indexOf(need)).toBeLessThan(order.indexOf(address));
      }),
      { numRuns: 50 },
    );
  });

  it("have each step once, whatever the plan is", () => {
    const steps = fc.uniqueArray(
      fc.record({
        kind: fc.constantFrom(...KINDS),
        name: fc.constantFrom("a", "b", "s[1]", "s[2]", "s[3]", "t[1]", "t[2]", "t[3]"),
        action: fc.constantFrom("create", "update", "delete", "blocked", "adopt", "forget"),
        path: fc.constantFrom("displayName", "description"),
      }),
      { selector: ({ kind, name }) => `${kind}/${name}`, maxLength: 20 },
    );
    fc.assert(
      fc.property(steps, fc.nat(), (made, seed) => {
        const all = made.map(({ kind, name, action, path }, at) => {
          const need = made[(seed + at * 7) % Math.max(1, at)];
          return automation({
            address: { kind, name },
            action: action as Step["action"],
            reason: action === "blocked" ? "need blocked" : "differs",
            needs: at === 0 || need === undefined ? [] : [{ kind: need.kind, name: need.name }],
            changes: [changed({ type: "value", path: [path], before: null, after: name })],
          });
        });
        const { steps: shown } = report(all);
        const order = blocksOf(shown).flatMap(addressesIn);
        expect(order.toSorted()).toEqual(shown.map(({ address }) => address).toSorted());
      }),
      { numRuns: 200 },
    );
  });
});
