import { expect, it } from "vitest";
import { apply } from "../../src/apply/run.js";
import type { JsonObject } from "../../src/model/json.js";
import type { Planned } from "../../src/plan/plan.js";
import { hashesOf } from "../../src/plan/saved/effect.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { withPart } from "../plan/stepPart.js";
import { guards, planned, type SessionScene, sessionScene } from "./sessionScene.js";

/** An apply of a saved plan reads the policies that its steps lead to again: the plan decides nothing about them. */

const ID = "policy000000000000000000001";
const APP_ID = "app000000000000000000000001";
const stepsOf = (step: JsonObject) => ({ grant: { steps: [step] } });
const ASKS = stepsOf({ approval: { manager: {} } });
const ACCEPTS = stepsOf({ accept: { acceptMessage: "Fine." } });
const APP = `apiVersion: remit/v1
kind: App
metadata: { name: own }
spec: { id: ${APP_ID}, displayName: Own, grantPolicyId: ${ID} }
`;
const POLICY = `---
apiVersion: remit/v1
kind: Policy
metadata: { name: kept }
spec:
  id: ${ID}
  displayName: Kept
  policyType: POLICY_TYPE_GRANT
  policySteps: { grant: { steps: [{ accept: { acceptMessage: Fine. } }] } }
`;

const row = (policySteps: JsonObject) => ({
  id: ID,
  displayName: "Kept",
  policyType: "POLICY_TYPE_GRANT",
  policySteps,
});

function sceneOf(policySteps: JsonObject) {
  const tenant = {
    ...EMPTY_TENANT,
    policies: [row(policySteps)],
    apps: [{ id: APP_ID, displayName: "Own" }],
  };
  return sessionScene("full", { sandbox: { tenant } });
}

async function applied({ session, order, request }: SessionScene, text: string, plan: Planned) {
  const { as, diagnostics } = await apply(
    order(request(text), { plan: { plan, ...hashesOf(plan) } }),
    session,
  );
  return { as, codes: diagnostics.map(({ code }) => code) };
}

const REFUSED = { as: "refused", codes: ["guard/auto-approval"] };

it("asks about a policy of another hand that lets everyone through since", async () => {
  const scene = await sceneOf(ASKS);
  const plan = await planned(scene, APP);
  expect(guards(plan)).toEqual([]);
  scene.sandbox.store.policies.put(ROOT, ID, row(ACCEPTS));
  expect(await applied(scene, APP, plan)).toEqual(REFUSED);
  scene.sandbox.store.policies.put(ROOT, ID, row(ASKS));
  expect(await applied(scene, APP, plan)).toMatchObject({ as: "applied" });
});

it("takes no plan's word for what a policy asks", async () => {
  const scene = await sceneOf(ACCEPTS);
  const plan = await planned(scene, APP);
  expect(guards(plan)).toEqual(["auto-approval"]);
  const asking = { policyType: "POLICY_TYPE_GRANT", policySteps: ASKS };
  const blind = { ...plan.interface.kinds.Policy, interface: "core", source: "recorded", why: null } as const;
  const { policies: _, ...silent } = plan;
  const forged: readonly Planned[] = [
    { ...plan, policies: { [ID]: asking } },
    { ...plan, policies: { [ID]: null } },
    silent,
    { ...plan, interface: { ...plan.interface, kinds: { ...plan.interface.kinds, Policy: blind } } },
  ];
  for (const [place, one] of forged.entries())
    expect(await applied(scene, APP, { ...one, findings: [] }), `${place}`).toEqual(REFUSED);
});

it("takes no step's word for a policy that it does not write", async () => {
  const scene = await sceneOf(ACCEPTS);
  const plan = await planned(scene, APP + POLICY);
  expect(guards(plan)).toEqual(["auto-approval"]);
  const asking = { displayName: "Kept", policySteps: ASKS };
  const ways = [{}, { recorded: { driftedFrom: asking } }] as const;
  for (const [place, way] of ways.entries()) {
    const steps = plan.steps.map((step) =>
      step.address.kind === "Policy" ? withPart(step, { before: asking, after: asking, ...way }) : step,
    );
    const forged = { ...plan, policies: {}, findings: [], steps };
    expect(await applied(scene, APP + POLICY, forged), `${place}`).toEqual(REFUSED);
  }
});
