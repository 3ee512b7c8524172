import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/sandbox/faults/plan.js";
import { typeIdOf } from "../../src/sandbox/tenant/builtin.js";
import { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import type { Client } from "../../src/tenant/client/client.js";
import { ApiError, NO_REPLY } from "../../src/tenant/client/error.js";
import { resource } from "../plan/worlds.js";
import { actions, automation, codes, newType, outcomes, scope, setScene, type } from "./scene.js";

const TYPE = "2fsgTvxP0DVTsNXEUBI7hOe0l5E";
const TRAIT = "2fsgTvxP0DVTsNXEUBI7hOe0l5F";
const wanted = [automation(1)];
const { address } = automation(1);
const GROUP = { appId: C1_APP_ID, appResourceTypeId: typeIdOf("GROUP"), id: "r".repeat(27) };
const WITH_GROUP = {
  ...EMPTY_TENANT,
  open: false,
  apps: [{ id: C1_APP_ID, displayName: "C1" }],
  resources: [{ ...GROUP, displayName: "Group" }],
};
const struck = (rule: object): Rule => ({ operation: "CreateAutomation", times: 1, ...rule }) as Rule;

describe("a create without a good reply, where it can be read back", () => {
  const cases: readonly {
    readonly what: string;
    readonly rule: object;
    readonly outcome: string;
    readonly says: readonly string[];
    readonly asked: number;
  }[] = [
    {
      what: "done, and its reply lost",
      rule: { fault: "lost" },
      outcome: "done",
      says: ["apply/settled"],
      asked: 1,
    },
    {
      what: "done, and half a reply",
      rule: { fault: "truncated" },
      outcome: "done",
      says: ["apply/settled"],
      asked: 1,
    },
    {
      what: "done, and a web page",
      rule: { fault: "html" },
      outcome: "done",
      says: ["apply/settled"],
      asked: 1,
    },
    {
      what: "done, and a 500",
      rule: { fault: "error", status: 500, written: true },
      outcome: "done",
      says: ["apply/settled"],
      asked: 1,
    },
    {
      what: "done, and a 504",
      rule: { fault: "error", status: 504, written: true },
      outcome: "done",
      says: ["apply/settled"],
      asked: 1,
    },
    { what: "lost on the way", rule: { fault: "reset" }, outcome: "done", says: [], asked: 1 },
    {
      what: "not done, and a 503",
      rule: { fault: "error", status: 503 },
      outcome: "done",
      says: [],
      asked: 1,
    },
    {
      what: "not done, and a 500",
      rule: { fault: "error", status: 500 },
      outcome: "failed",
      says: ["apply/failed"],
      asked: 0,
    },
    {
      what: "lost on the way, whenever it is sent",
      rule: { fault: "reset", times: 99 },
      outcome: "failed",
      says: ["apply/failed"],
      asked: 0,
    },
  ];
  it.each(cases)("$what, is $outcome", async ({ rule, outcome, says, asked }) => {
    const { plan, apply, sandbox, snapshot } = await setScene({ rules: [struck(rule)] });
    const run = await apply(await plan(wanted));
    expect(outcomes(run)).toEqual({ "EntitlementAutomation/automation-1": outcome });
    expect(codes(run, address)).toEqual(says);
    expect(sandbox.log.creates().map(({ done }) => done)).toEqual(asked === 0 ? [] : [1]);
    expect(Object.keys((await snapshot()).entries)).toHaveLength(asked);
    expect(sandbox.log.count({ operation: "CreateAutomation" })).toBeLessThanOrEqual(2);
    sandbox.faults.set({ seed: 1, rules: [] });
    await apply(await plan(wanted));
    expect(actions(await plan(wanted))).toEqual([]);
    expect(sandbox.log.creates().map(({ done }) => done)).toEqual([1]);
  });

  it("is not counted as created where the service refused it, because it was there as desired", async () => {
    const { plan, apply } = await setScene();
    const planned = await plan(wanted);
    await apply(planned);
    const run = await apply(planned);
    expect(codes(run, address)).toEqual(["apply/already-so"]);
    expect(run.summary.notable).toMatchObject([{ outcome: "done", isAlreadySo: true }]);
  });

  it("is followed by the rest of its calls once it is found", async () => {
    const { plan, apply, sandbox } = await setScene({
      rules: [{ operation: "CreateResourceType", fault: "lost", times: 1 }],
    });
    const world = [newType("team", "Team", [TRAIT])];
    const run = await apply(await plan(world));
    expect(outcomes(run)).toEqual({ "ResourceType/team": "done" });
    expect(sandbox.store.resourceTypes.all().find(({ displayName }) => displayName === "Team")).toMatchObject(
      {
        traitIds: [TRAIT],
      },
    );
    expect(actions(await plan(world))).toEqual([]);
  });
});

/** A client whose first create is done, and is answered as if the object existed. */
function conflicting(client: Client): Client {
  let isFirst = true;
  return {
    ...client,
    async send(call, options) {
      if (call.effect !== "once" || !isFirst) return client.send(call, options);
      isFirst = false;
      await options?.leaving?.();
      await client.send(call);
      throw new ApiError("answered 409", {
        ...NO_REPLY,
        ...{ call, attempts: 1, next: "find out", progress: "replied" },
        ...{ status: 409, code: 6, own: true, fault: "own" },
      });
    },
  };
}

describe("a create of several calls that is answered with a 409 that says that its object exists", () => {
  const calls = { manual: { instructions: "Ask.", assignee: { appOwners: {} } } };
  const member = resource(
    { kind: "Entitlement", name: "member" },
    {
      ...{ appId: C1_APP_ID, appResourceTypeId: typeIdOf("GROUP"), appResourceId: "r".repeat(27) },
      ...{ displayName: "Member", deprovisionerPolicy: calls },
    },
  );

  it("made it, where names repeat and it is new: the rest of the calls follows", async () => {
    const { plan, apply, client, sandbox } = await setScene({ sandbox: { tenant: WITH_GROUP } });
    const run = await apply(await plan([member]), { service: conflicting(client) });
    expect(outcomes(run)).toEqual({ "Entitlement/member": "done" });
    expect(sandbox.log.count({ operation: "UpdateEntitlement" })).toBe(1);
    expect(actions(await plan([member]))).toEqual([]);
  });

  it("may not have made it, where a name tells it from others: nothing more is sent, and it is not recorded", async () => {
    const { plan, apply, client, sandbox, snapshot } = await setScene();
    const world = [newType("team", "Team", [TRAIT])];
    const run = await apply(await plan(world), { service: conflicting(client) });
    expect(codes(run, { kind: "ResourceType", name: "team" })).toEqual(["apply/different"]);
    expect(sandbox.log.count({ operation: "UpdateResourceType" })).toBe(0);
    expect((await snapshot()).entries).toEqual({});
  });
});

describe("a create whose second call fails", () => {
  it("is remembered as it is, and finished by the next apply without another create", async () => {
    const { plan, apply, sandbox, snapshot } = await setScene({
      rules: [{ operation: "UpdateResourceType", fault: "error", status: 500, times: 1 }],
    });
    const world = [newType("team", "Team", [TRAIT])];
    const run = await apply(await plan(world));
    expect(codes(run, { kind: "ResourceType", name: "team" })).toEqual(["apply/failed", "apply/unfinished"]);
    expect(Object.values((await snapshot()).entries)).toMatchObject([
      { applied: { displayName: "Team", traitIds: null } },
    ]);
    const next = await plan(world);
    expect(actions(next)).toEqual(["update ResourceType/team"]);
    expect(outcomes(await apply(next))).toEqual({ "ResourceType/team": "done" });
    expect(actions(await plan(world))).toEqual([]);
    expect(sandbox.log.count({ operation: "CreateResourceType" })).toBe(1);
  });
});

describe("a create without a good reply, where nothing can be read", () => {
  const faults = [
    { what: "its reply lost", rule: { fault: "lost" } },
    { what: "lost on the way", rule: { fault: "reset" } },
    { what: "a 500", rule: { fault: "error", status: 500 } },
  ];
  it.each(faults)("$what, is uncertain, and is never sent again by itself", async ({ rule }) => {
    const { plan, apply, sandbox, snapshot } = await setScene({ on: "core", rules: [struck(rule)] });
    const first = await plan(wanted);
    const run = await apply(first);
    expect(outcomes(run)).toEqual({ "EntitlementAutomation/automation-1": "uncertain" });
    expect((await snapshot()).uncertain["EntitlementAutomation/automation-1"]).toMatchObject({
      applied: { displayName: "automation 1" },
    });
    const next = await plan(wanted);
    expect(next.steps.map(({ reason }) => reason)).toEqual(["outcome uncertain"]);
    expect(outcomes(await apply(next))).toEqual({ "EntitlementAutomation/automation-1": "left" });
    expect(codes(await apply(first), address)).toEqual(["apply/uncertain"]);
    expect(sandbox.log.count({ operation: "CreateAutomation" })).toBe(1);
  });

  it("with a refusal of the service is failed, and may be sent again", async () => {
    const { plan, apply, snapshot, lock } = await setScene({ on: "core" });
    await apply(await plan(wanted));
    const known = await snapshot();
    await lock.save({ ...known, serial: known.serial + 1, entries: {} });
    const run = await apply(await plan(wanted));
    expect(outcomes(run)).toEqual({ "EntitlementAutomation/automation-1": "failed" });
    expect(run.summary.notable[0]?.diagnostics[0]?.message).toContain("answered 409");
    expect(actions(await plan(wanted))).toEqual(["create EntitlementAutomation/automation-1"]);
  });
});

describe("a repeatable write of unknown outcome, where nothing can be read", () => {
  it("is written again, though the manifest says again what it said before", async () => {
    const { plan, apply, sandbox } = await setScene({ on: "core" });
    await apply(await plan([type("team", TYPE, "Old")]));
    sandbox.faults.plant({ fault: "error", status: 500, written: true, times: 1 });
    const run = await apply(await plan([type("team", TYPE, "New")]));
    expect(outcomes(run)).toEqual({ "ResourceType/team": "failed" });
    expect(actions(await plan([type("team", TYPE, "Old")]))).toEqual(["update ResourceType/team"]);
    await apply(await plan([type("team", TYPE, "Old")]));
    expect(sandbox.store.resourceTypes.all().find(({ id }) => id === TYPE)?.displayName).toBe("Old");
  });

  it("never leads to a half being wiped that only the service knew", async () => {
    const { plan, apply, sandbox } = await setScene({ on: "core" });
    await apply(await plan([scope(1)]));
    sandbox.faults.plant({ fault: "error", status: 500, written: true, times: 1 });
    const one = scope(1, { scope: { appAccess: {} } });
    await apply(await plan([one]));
    const half = { ...one, spec: { templateId: one.spec.templateId ?? "", entitlements: [] } };
    const next = await plan([half]);
    expect(next.steps.map(({ action, reason }) => [action, reason])).toEqual([
      ["blocked", "current unknown"],
    ]);
  });
});
