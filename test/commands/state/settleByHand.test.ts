import { expect, it } from "vitest";
import { apply } from "../../../src/apply/run.js";
import { settleByHand } from "../../../src/commands/state/settleByHand.js";
import { ACKNOWLEDGED_ALL, automation, planned, sessionScene } from "../../apply/sessionScene.js";

it("takes up what a killed run left open, and settles it at once", async () => {
  const scene = await sessionScene("core");
  const text = automation("one");
  const request = scene.request(text, { acknowledgements: ACKNOWLEDGED_ALL });
  const listener = async ({ type }: { readonly type: string }) => {
    if (type === "step finished") throw new Error("killed");
  };
  await apply(scene.order(request, { listener }), scene.session).catch(() => undefined);
  scene.contents.lock = null;
  scene.contents.journal = scene.contents.journal.slice(0, 2);
  expect(scene.contents.journal.map((line) => JSON.parse(line).type)).toEqual(["run", "intended"]);
  scene.contents.snapshot = null;

  const key = ["2fsgTvxP0DVTsNXEUBI7hOe0l5A", "entitlement0000000000000001"];
  const order = { address: "EntitlementAutomation/one", key, ...request };
  const { owner } = scene.order(request);
  const by = { run: "by hand", project: null, owner, clock: scene.session.clock };
  expect(await settleByHand(order, scene.session, by, 0)).toBeNull();

  expect(scene.contents.journal).toEqual([]);
  expect(scene.contents.snapshot).toMatchObject({ uncertain: {} });
  const { steps } = await planned(scene, text);
  expect(steps.map(({ action }) => action)).toEqual(["keep"]);
  expect(scene.writes()).toBe(1);
});
