import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import { kinds } from "../../src/kinds/index.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import { formatAddress } from "../../src/model/address.js";
import { absent, current, entry, type Fact, line, planOf, present, snapshot, wish } from "./worlds.js";

const APP = "app1";
const ids = ["a", "b", "c", "d"];

describe("the order of steps", () => {
  const world = {
    kinds,
    desired: [
      wish(templateScope, "t", { templateId: "t", entitlements: [{ appId: APP, appEntitlementId: "a" }] }),
      wish(entitlementAutomation, "b", { appId: APP, appEntitlementId: "b", displayName: "B" }),
      wish(entitlementAutomation, "a", { appId: APP, appEntitlementId: "a", displayName: "A" }),
      wish(resourceType, "r", { appId: APP, id: "r", displayName: "R" }),
    ],
    current: current(kinds, "full", [
      [templateScope, ["t"], present(["t"], {})],
      [entitlementAutomation, [APP, "a"], absent],
      [entitlementAutomation, [APP, "b"], absent],
      [resourceType, [APP, "r"], present([APP, "r"], {})],
    ]),
  };

  it("goes from resource types to automations to templates, by name within", () => {
    expect(planOf(world).steps.map(({ address }) => formatAddress(address))).toEqual([
      "ResourceType/r",
      "EntitlementAutomation/a",
      "EntitlementAutomation/b",
      "TemplateScope/t",
    ]);
  });

  it("makes a step need only the writes it points at", () => {
    expect(planOf(world).steps.map(({ needs }) => needs.map(({ name }) => name))).toEqual([
      [],
      [],
      [],
      ["a"],
    ]);
  });

  it("blocks what needs an object that cannot come to be", () => {
    const uncertain = {
      "EntitlementAutomation/a": {
        address: { kind: "EntitlementAutomation", name: "a" },
        key: [APP, "a"],
        applied: {},
        at: "2026-01-01T00:00:00Z",
        why: "no reply came",
      },
    };
    const desired = [
      wish(templateScope, "t", {
        templateId: "t",
        scope: null,
        entitlements: [{ appId: APP, appEntitlementId: "a" }],
      }),
      ...world.desired.slice(2, 3),
    ];
    const blind = current(kinds, "core", []);
    expect(
      planOf({ kinds, desired, current: blind, snapshot: snapshot([], { uncertain }) }).steps.map(line),
    ).toEqual([
      "blocked EntitlementAutomation/a: outcome uncertain",
      "blocked TemplateScope/t: need blocked",
    ]);
  });

  it("deletes an automation only when the template that shows it no longer does", () => {
    const shown = { entitlements: [{ appId: APP, appEntitlementId: "a" }] };
    const plan = planOf({
      kinds,
      desired: [wish(templateScope, "t", { templateId: "t", entitlements: [] })],
      current: current(kinds, "full", [
        [templateScope, ["t"], present(["t"], shown)],
        [entitlementAutomation, [APP, "a"], present([APP, "a"], {})],
      ]),
      snapshot: snapshot([
        entry(entitlementAutomation, "a", [APP, "a"], {}),
        entry(templateScope, "t", ["t"], shown),
      ]),
      mode: { prune: true },
    });
    expect(plan.steps.map((step) => [line(step), step.needs.map(({ name }) => name)])).toEqual([
      ["set TemplateScope/t: differs", []],
      ["delete EntitlementAutomation/a: manifest removed", ["t"]],
    ]);
  });

  it("never places a step before what it needs", () => {
    const refs = fc.subarray(ids).map((some) => some.map((id) => ({ appId: APP, appEntitlementId: id })));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("s", "t", "u"), refs),
        fc.subarray(ids),
        (templates, automated) => {
          const desired = [
            ...Object.entries(templates).map(([id, entitlements]) =>
              wish(templateScope, id, { templateId: id, entitlements }),
            ),
            ...automated.map((id) =>
              wish(entitlementAutomation, id, { appId: APP, appEntitlementId: id, displayName: id }),
            ),
          ];
          const facts = [
            ...Object.keys(templates).map((id): Fact => [templateScope, [id], present([id], {})]),
            ...ids.map((id): Fact => [entitlementAutomation, [APP, id], absent]),
          ];
          const { steps } = planOf({ kinds, desired, current: current(kinds, "full", facts) });
          const places = new Map(steps.map(({ address }, place) => [formatAddress(address), place]));
          for (const { address, needs } of steps) {
            for (const need of needs) {
              expect(places.get(formatAddress(need))).toBeLessThan(places.get(formatAddress(address)) ?? -1);
            }
          }
        },
      ),
    );
  });
});
