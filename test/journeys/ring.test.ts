import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed } from "../fakes/groups.js";
import type { Manifest, Spec } from "../fakes/project.js";

/**
 * Objects that do not exist yet and name each other: one is made without what names the others, and gets it once they
 * exist. It opens nothing in between, whatever ends the run there.
 */

const MANAGER = { manager: {} };
const asking = (...arms: readonly Spec[]) => ({ steps: arms.map((approval) => ({ approval })) });
const policy = (name: string, more: Spec): Manifest => ({
  kind: "Policy",
  name,
  spec: {
    displayName: name,
    policyType: "POLICY_TYPE_GRANT",
    policySteps: { grant: asking(MANAGER) },
    ...more,
  },
});

interface Ring {
  readonly manifests: readonly Manifest[];
  /** What is written, in order. */
  readonly writes: readonly string[];
  /** What is made first has nothing of this before the last write. */
  readonly meanwhile: (sent: JsonObject) => unknown;
  readonly closed: unknown;
}

const GROUP = { group: { appId: { name: "C1" }, appGroupId: { manifest: "eng" } } };
const RINGS: Readonly<Record<string, Ring>> = {
  "an app with the policy that is local to it": {
    manifests: [
      { kind: "App", name: "desk", spec: { displayName: "Desk", grantPolicyId: { manifest: "own" } } },
      policy("own", { scope: { appId: { manifest: "desk" } } }),
    ],
    writes: ["CreateApp", "CreatePolicy", "UpdateApp"],
    meanwhile: ({ grantPolicyId = "" }) => grantPolicyId,
    closed: "",
  },
  "an app whose request defaults name its local policy, too": {
    manifests: [
      {
        kind: "App",
        name: "desk",
        spec: {
          displayName: "Desk",
          grantPolicyId: { manifest: "own" },
          requestDefaults: { defaultsEnabled: true, requestPolicyId: { manifest: "own" } },
          usageControls: { notify: true, notifyAfterDays: 30 },
        },
      },
      policy("own", { scope: { appId: { manifest: "desk" } } }),
    ],
    writes: ["CreateApp", "SetAppUsageControls", "CreatePolicy", "UpdateApp", "SetAppRequestDefaults"],
    meanwhile: ({ grantPolicyId = "" }) => grantPolicyId,
    closed: "",
  },
  "a policy that asks the group of the entitlement that it decides for": {
    manifests: [
      resourceNamed("eng", "Engineering"),
      memberNamed("eng", "eng", { grantPolicyId: { manifest: "own" } }),
      policy("own", { policySteps: { grant: asking(MANAGER, GROUP) } }),
    ],
    writes: ["CreatePolicy", "CreateEntitlement", "UpdatePolicy"],
    meanwhile: ({ policySteps }) => policySteps,
    closed: { grant: { steps: [{ reject: {} }] } },
  },
};
const names = Object.keys(RINGS);
const NEW = ["--acknowledge", "unknown-current"];
const APPLY = ["apply", "--yes", ...NEW];

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
});
afterEach(() => scene.close());

/** What was written, but for the resource, which no ring orders. */
const written = () =>
  scene.sandbox.log.entries({ written: true }).filter(({ operation }) => operation !== "CreateResource");
const creates = () => written().filter(({ operation }) => operation?.startsWith("Create"));
const countOf = ({ writes }: Ring) => writes.filter((one) => one.startsWith("Create")).length;

async function plannedEffect(): Promise<string> {
  await scene.remit(0, "plan", ...NEW, "--out", "plan.json");
  return JSON.parse(readFileSync(join(scene.project.cwd, "plan.json"), "utf8")).effect;
}

describe("a ring of objects that do not exist yet", () => {
  it.each(names)("is made in one apply, closed in between, and the plan says so: %s", async (name) => {
    const ring = RINGS[name] as Ring;
    scene.project.write(ring.manifests);
    expect(await scene.remit(0, "plan", ...NEW)).toMatch(/made (without|so that it refuses)/);
    await scene.remit(0, ...APPLY);
    expect(written().map(({ operation }) => operation)).toEqual(ring.writes);
    const [last = ""] = ring.writes.slice(-1);
    const first = written().find(
      ({ operation }) => operation?.slice(6) === last.slice(6) || operation === "CreateApp",
    );
    expect(ring.meanwhile(first?.body as JsonObject)).toEqual(ring.closed);
    await scene.remit(0, "plan", "--detailed-exitcode");
  });

  it.each(names)("goes on after each call that failed or whose reply was lost: %s", async (name) => {
    const ring = RINGS[name] as Ring;
    scene.project.write(ring.manifests);
    const effect = await plannedEffect();
    for (const operation of ring.writes) {
      const fault = operation.startsWith("Create") ? { fault: "error", status: 403 } : { fault: "lost" };
      scene.disturb(operation, fault);
      await scene.run(...APPLY, "--expect", effect);
      scene.sandbox.faults.set({ seed: 1, rules: [] });
    }
    await scene.remit(0, ...APPLY, "--expect", effect);
    expect(creates().filter(({ status }) => status === 200)).toHaveLength(countOf(ring));
    await scene.remit(0, "plan", "--detailed-exitcode");
  });

  it.each(names)("is finished by a new plan, and by the saved one: %s", async (name) => {
    const ring = RINGS[name] as Ring;
    for (const isSaved of [false, true]) {
      scene.project.write(ring.manifests);
      await scene.remit(0, "plan", ...NEW, "--out", "plan.json");
      const [, second = ""] = ring.writes.filter((one) => one.startsWith("Create"));
      scene.disturb(second, { fault: "error", status: 403 });
      const apply = isSaved ? ["apply", "plan.json", "--yes", ...NEW] : APPLY;
      const failed = await scene.run(...apply);
      expect(failed.code, failed.stderr).not.toBe(0);
      await scene.remit(0, ...apply);
      await scene.remit(0, "plan", "--detailed-exitcode");
      expect(creates().filter(({ status }) => status === 200)).toHaveLength(countOf(ring));
      await scene.close();
      scene = await openGroups();
    }
  });
});

/** Who names whom: by their places, and by nothing where a number is too large. */
interface Tangle {
  readonly apps: readonly number[];
  readonly policies: readonly { readonly scope: number; readonly group: number; readonly rule: number }[];
  readonly members: readonly number[];
  /** What fails the first time. */
  readonly fails: string;
}

const place = fc.nat({ max: 3 });
const tangles: fc.Arbitrary<Tangle> = fc.record({
  apps: fc.array(place, { minLength: 1, maxLength: 2 }),
  policies: fc.array(fc.record({ scope: place, group: place, rule: place }), { minLength: 1, maxLength: 3 }),
  members: fc.array(place, { maxLength: 2 }),
  fails: fc.constantFrom("CreateApp", "UpdateApp", "CreatePolicy", "UpdatePolicy", "CreateEntitlement"),
});

function manifestsOf({ apps, policies, members }: Tangle): readonly Manifest[] {
  const named = (list: readonly unknown[], at: number, prefix: string, field: string): Spec =>
    at < list.length ? { [field]: { manifest: `${prefix}${at}` } } : {};
  const asked = (group: number) =>
    group < members.length
      ? [{ group: { appId: { name: "C1" }, appGroupId: { manifest: `m${group}` } } }]
      : [];
  return [
    ...apps.map((at, place) => {
      const spec = { displayName: `App ${place}`, ...named(policies, at, "p", "grantPolicyId") };
      return { kind: "App", name: `a${place}`, spec };
    }),
    ...members.flatMap((at, place) => [
      resourceNamed(`m${place}`, `Group ${place}`),
      memberNamed(`m${place}`, `m${place}`, named(policies, at, "p", "grantPolicyId")),
    ]),
    ...policies.map(({ scope, group, rule }, place) => {
      const local = scope < apps.length ? { scope: named(apps, scope, "a", "appId") } : {};
      // The service refuses policies that name each other in a ring.
      const rules =
        rule < place
          ? [{ condition: "subject.department == 'Tax'", policyId: { manifest: `p${rule}` } }]
          : [];
      return policy(`p${place}`, {
        policySteps: { grant: asking(MANAGER, ...asked(group)) },
        ...local,
        ...(rules.length > 0 && { rules }),
      });
    }),
  ];
}

describe("any objects that name each other", () => {
  it("are made once, whatever fails, and are then as wanted", async () => {
    await fc.assert(
      fc.asyncProperty(tangles, async (tangle) => {
        const own = await openGroups();
        try {
          own.project.write(manifestsOf(tangle));
          own.disturb(tangle.fails, { fault: "error", status: 403 });
          await own.run(...APPLY);
          own.sandbox.faults.set({ seed: 1, rules: [] });
          const seen = await own.remit(0, ...APPLY);
          const made = own.sandbox.log
            .entries({ written: true })
            .filter(({ operation, status }) => operation?.startsWith("Create") && status === 200);
          expect(made, seen).toHaveLength(
            tangle.apps.length + tangle.policies.length + 2 * tangle.members.length,
          );
          await own.remit(0, "plan", "--detailed-exitcode");
        } finally {
          await own.close();
        }
      }),
      { numRuns: Number(process.env.RINGS ?? 12) },
    );
  });
});
