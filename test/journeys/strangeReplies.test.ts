import { afterEach, describe, expect, it } from "vitest";
import type { FaultPlan } from "../../src/sandbox/faults/plan.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { idOf } from "../fakes/many.js";
import type { Manifest } from "../fakes/project.js";
import { ANSWERS, openStage, type Stage, text } from "./worldsStage.js";

/** A service that answers a write with 200 and another body, or with a status after which anything may be true. */

const automation: Manifest = {
  kind: "EntitlementAutomation",
  name: "engineers",
  spec: {
    appId: C1_APP_ID,
    appEntitlementId: idOf("group", 1),
    displayName: "Engineers",
    cel: { expression: "true == subject.isStaff" },
  },
};
const team: Manifest = {
  kind: "ResourceType",
  name: "team",
  spec: { appId: idOf("app", 1), id: idOf("team", 1), displayName: "Team", traitIds: [idOf("trait", 1)] },
};
const review: Manifest = {
  kind: "TemplateScope",
  name: "review",
  spec: {
    templateId: idOf("review", 1),
    scope: { specificResources: {}, allUsers: {} },
    entitlements: [{ appId: idOf("app", 1), appEntitlementId: idOf("role", 1) }],
  },
};

let stage: Stage;
afterEach(() => stage.close());

const flat = (value: string) => value.replace(/\s+/g, " ");
const creates = () => stage.sandbox.log.count({ operation: "CreateAutomation" });

async function run(...argv: readonly string[]) {
  const seen = await stage.run(...argv, ...ANSWERS);
  return { code: seen.code, said: flat(text(seen)) };
}

describe.each(["core", "full"] as const)("on %s, a write that is answered with 200 and {}", (spoken) => {
  it.each([automation, team, review])("is accepted: $kind", async (wanted) => {
    stage = await openStage(spoken);
    stage.project.write([wanted]);
    stage.trouble([{ fault: "empty", method: "POST", path: "/api/*" }]);
    const applied = await run("apply", "--yes");
    expect(applied.code, applied.said).toBe(0);
    expect(applied.said).not.toMatch(/delete it/);
    if (spoken === "core") expect(applied.said).toContain("warning[apply/strange-reply]");
    stage.trouble([]);
    const planned = await run("plan", "--detailed-exitcode");
    expect(planned.code, planned.said).toBe(0);
  });
});

const UNCLEAR: readonly (readonly [string, FaultPlan["rules"][number]])[] = [
  ["408", { fault: "error", status: 408 }],
  ["499", { fault: "error", status: 499 }],
  ["409 with the code of an abort", { fault: "error", status: 409 }],
];

describe.each([false, true])("on core, a create (carried out: %s) that is answered with", (written) => {
  it.each(UNCLEAR)("%s is uncertain, and is sent once", async (_, rule) => {
    stage = await openStage("core");
    stage.project.write([automation]);
    stage.trouble([{ ...rule, operation: "CreateAutomation", times: 1, ...(written ? { written } : {}) }]);
    const applied = await run("apply", "--yes");
    expect(applied.code, applied.said).toBe(3);
    expect(applied.said).toContain("uncertain");
    const again = await run("apply", "--yes");
    expect(again.code, again.said).not.toBe(0);
    expect(again.said).toContain("remit sent its create on 2");
    expect(creates()).toBe(1);
  });
});
