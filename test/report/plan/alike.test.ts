import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/plan/step.js";
import { type StepPart, withPart } from "../../plan/stepPart.js";
import { automation, report } from "../plans.js";
import { printed } from "../printed.js";

function adopted(count: number, more: StepPart = {}): readonly Step[] {
  return Array.from({ length: count }, (_, at) =>
    automation({
      address: { kind: "EntitlementAutomation", name: `group-${String(at).padStart(2, "0")}` },
      action: "adopt",
      reason: "already as wanted",
      ...more,
    }),
  );
}

const text = (steps: readonly Step[]) => printed(report(steps));

describe("steps that only record something", () => {
  it("are shown one by one where they are few and not adopted", () => {
    const told = text(adopted(3, { action: "forget", reason: "manifest removed" }));
    expect(told.match(/× forget/g)).toHaveLength(3);
  });

  it("are one line where they are objects that only match", () => {
    const told = text(adopted(12));
    expect(told).toContain("= adopt   12 objects match: only recorded\n");
    expect(told).not.toContain("group-");
    expect(told).toContain("; 12 to adopt.\n");
  });

  it("are shown together where they are many, the first of them by name", () => {
    const told = text(adopted(12, { action: "forget", reason: "manifest removed" }));
    expect(told).toContain("12 resources\n");
    expect(told).toContain("    EntitlementAutomation/group-09 ");
    expect(told).not.toContain("group-10");
    expect(told).toContain("    … and 2 more\n");
  });

  it("say a note of many objects once, with how many have it", () => {
    const note = {
      code: "plan/create-only-unknown",
      severity: "note",
      message: "`resourceType` cannot be compared",
    };
    const noted = adopted(6, { diagnostics: [{ ...note, severity: "note", hint: "It is not needed." }] });
    const told = text([
      ...adopted(2),
      ...noted.map((step, at) => ({ ...step, address: { ...step.address, name: `noted-${at}` } })),
    ]);
    expect(told).toContain("= adopt   8 objects match: only recorded");
    expect(told.match(/create-only-unknown/g)).toHaveLength(1);
    expect(told).toMatch(/EntitlementAutomation\/noted-0 and 5 others:\s+`resourceType` cannot/);
  });

  it("stand alone where there is more to say of one than of the others", () => {
    const [first, ...others] = adopted(5);
    const told = text([
      ...(first === undefined ? [] : [withPart(first, { recorded: { givenBack: ["description"] } })]),
      ...others,
    ]);
    expect(told).toContain("EntitlementAutomation/group-00 ");
    expect(told).toContain("no longer managed, stays as it is in the tenant: description");
    expect(told).toContain("= adopt   4 objects match");
  });
});
