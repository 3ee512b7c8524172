import { describe, expect, it } from "vitest";
import {
  type Ignored,
  ignoredFault,
  isIgnored,
  withoutIgnored,
} from "../../../src/plan/unmanaged/ignored.js";
import type { UnmanagedObject } from "../../../src/plan/unmanaged/unmanaged.js";

const TERM = { today: "2026-06-01", limits: { acknowledgeDays: 90 } };
const object = (name: string, ...key: string[]): UnmanagedObject => ({ key, name, app: "C1", lines: [] });
const entry = (objects: string, until = "2026-07-01"): Ignored => ({
  objects,
  until,
  reason: "x",
  span: null,
});
const vendors = object("Vendors EU", "app1", "entitlement1");

describe("an entry under ignore:", () => {
  it.each([
    ["a kind", "EntitlementAutomation", true],
    ["any object of a kind", "EntitlementAutomation/*", true],
    ["a name", "EntitlementAutomation/Vendors EU", true],
    ["a pattern of names", "EntitlementAutomation/Vendors*", true],
    ["an id", "EntitlementAutomation/entitlement1", true],
    ["all ids", "EntitlementAutomation/app1/entitlement1", true],
    ["a pattern of ids", "EntitlementAutomation/app1/*", true],
    ["another kind", "ResourceType/Vendors EU", false],
    ["another name", "EntitlementAutomation/Vendors", false],
    ["an app alone", "EntitlementAutomation/app1", false],
  ])("with %s", (_title, objects, isMeant) => {
    expect(isIgnored(entry(objects), "EntitlementAutomation", vendors)).toBe(isMeant);
  });

  it("leaves out what it means, and counts it", () => {
    const kinds = [
      {
        kind: "EntitlementAutomation",
        objects: [vendors, object("Other", "app1", "e2")],
        within: null,
        isSure: true,
        ignored: 0,
      },
    ];
    expect(withoutIgnored(kinds, [entry("EntitlementAutomation/Vendors*")])).toMatchObject([
      { objects: [{ name: "Other" }], ignored: 1 },
    ]);
    expect(withoutIgnored(kinds, [])).toEqual(kinds);
  });

  it.each([
    ["2026-06-01", null],
    ["2026-08-30", null],
    ["2026-05-31", "ignore/expired"],
    ["2026-12-31", "ignore/until"],
    ["2026-02-30", "ignore/until"],
  ])("that ends on %s", (until, code) => {
    expect(ignoredFault(entry("ResourceType/Team", until), TERM)?.code ?? null).toBe(code);
  });
});
