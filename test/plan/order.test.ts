import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { customEntitlement } from "../../src/kinds/customEntitlement.js";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import { kinds } from "../../src/kinds/index.js";
import type { Kind } from "../../src/kinds/kind.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import { formatAddress } from "../../src/model/address.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import type { Step } from "../../src/plan/step.js";
import type { Desired } from "../../src/tenant/known.js";
import { absent, current, entry, type Fact, line, planOf, present, snapshot, wish } from "./worlds.js";

const APP = "app1";
const ids = ["a", "b", "c", "d"];
const shown = { entitlements: [{ appId: APP, appEntitlementId: "a" }] };
/** The id of an automation is its entitlement's; an entitlement has its own, and is pointed at itself. */
const automation = (name: string) =>
  wish(entitlementAutomation, name, { appId: APP, appEntitlementId: name, displayName: name });
const entitlement = (name: string) =>
  wish(customEntitlement, name, { appId: APP, id: name, displayName: name });

/** A template points at an object that may or may not exist. */
const unclear = (object: Desired) => ({
  desired: [wish(templateScope, "t", { templateId: "t", scope: null, ...shown }), object],
  current: current("core", []),
  snapshot: snapshot([], {
    uncertain: {
      [formatAddress(object.resource.address)]: {
        address: object.resource.address,
        key: [APP, "a"],
        applied: {},
        at: "2026-01-01T00:00:00Z",
        why: "no reply came",
        sent: true,
      },
    },
  }),
});

/** An object has lost its manifest, and its template no longer shows it. */
const pruned = (kind: Kind) => ({
  desired: [wish(templateScope, "t", { templateId: "t", entitlements: [] })],
  current: current("full", [
    [templateScope, ["t"], present(["t"], shown)],
    [kind, [APP, "a"], present([APP, "a"], {})],
  ]),
  snapshot: snapshot([entry(kind, "a", [APP, "a"], {}), entry(templateScope, "t", ["t"], shown)]),
  removals: {
    decisions: [{ address: `${kind.name}/a`, key: null, decision: "delete" as const, span: null }],
    isPruneStanding: false,
  },
});

const edges = (step: Step) => [
  line(step),
  ...[step.needs, step.follows].map((some) => some.map(({ name }) => name)),
];

describe("the order of steps", () => {
  const world = {
    kinds,
    desired: [
      wish(templateScope, "t", { templateId: "t", entitlements: [{ appId: APP, appEntitlementId: "a" }] }),
      automation("b"),
      automation("a"),
      wish(resourceType, "r", { appId: APP, id: "r", displayName: "R" }),
    ],
    current: current("full", [
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

  it("lets a step follow only the writes it points at", () => {
    expect(planOf(world).steps.map(({ follows }) => follows.map(({ name }) => name))).toEqual([
      [],
      [],
      [],
      ["a"],
    ]);
  });

  it("makes a step need no automation: the entitlement it points at is there without", () => {
    expect(planOf(world).steps.flatMap(({ needs }) => needs)).toEqual([]);
    expect(planOf(unclear(automation("a"))).steps.map(edges)).toEqual([
      ["blocked EntitlementAutomation/a: outcome uncertain", [], []],
      ["set TemplateScope/t: never applied", [], []],
    ]);
  });

  it("deletes an automation only after the write of the template that shows it", () => {
    expect(planOf(pruned(entitlementAutomation)).steps.map(edges)).toEqual([
      ["set TemplateScope/t: differs", [], []],
      ["delete EntitlementAutomation/a: manifest removed", [], ["t"]],
    ]);
  });

  describe("around what is pointed at itself", () => {
    it("makes a step need the creates it points at, and follow other writes", () => {
      const desired = [...world.desired.slice(0, 1), entitlement("a")];
      const { steps } = planOf({
        desired,
        current: current("full", [
          [templateScope, ["t"], present(["t"], {})],
          [customEntitlement, [APP, "a"], absent],
        ]),
      });
      expect(steps.at(-1)).toMatchObject({ needs: [{ name: "a" }], follows: [] });
      const there = current("full", [
        [templateScope, ["t"], present(["t"], {})],
        [customEntitlement, [APP, "a"], present([APP, "a"], {})],
      ]);
      const again = planOf({ desired, current: there });
      expect(again.steps.at(-1)).toMatchObject({ needs: [], follows: [{ name: "a" }] });
    });

    it("blocks what needs an object that cannot come to be", () => {
      expect(planOf(unclear(entitlement("a"))).steps.map(edges)).toEqual([
        ["blocked Entitlement/a: outcome uncertain", [], []],
        ["blocked TemplateScope/t: need blocked", ["a"], []],
      ]);
    });

    it("blocks a replacement of what cannot come to be, and a file with it can be read", () => {
      const world = unclear(entitlement("a"));
      const { uncertain } = world.snapshot;
      const plan = planOf({
        ...world,
        snapshot: snapshot([entry(templateScope, "t", ["before"], shown)], { uncertain }),
      });
      expect(plan.steps[1]).toMatchObject({ action: "blocked", replaces: null, sight: { unseen: null } });
      expect(readSavedPlan(writePlan(plan).text)).toMatchObject({ diagnostics: [] });
    });

    it("deletes it only when what points at it no longer does", () => {
      expect(planOf(pruned(customEntitlement)).steps.map(edges)).toEqual([
        ["set TemplateScope/t: differs", [], []],
        ["delete Entitlement/a: manifest removed", ["t"], []],
      ]);
    });
  });

  it("never places a step before what it needs or follows", () => {
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
          const { steps } = planOf({ desired, current: current("full", facts) });
          const places = new Map(steps.map(({ address }, place) => [formatAddress(address), place]));
          for (const { address, needs, follows } of steps) {
            for (const first of [...needs, ...follows]) {
              expect(places.get(formatAddress(first))).toBeLessThan(places.get(formatAddress(address)) ?? -1);
            }
          }
        },
      ),
    );
  });
});
