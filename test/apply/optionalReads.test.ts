import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { getObjects } from "../../src/commands/get/objects.js";
import { importObjects } from "../../src/commands/import/objects.js";
import { type Call, formatCallPath } from "../../src/model/call.js";
import { outlookOf } from "../../src/plan/guards/guards.js";
import type { Planned } from "../../src/plan/plan.js";
import { hashesOf } from "../../src/plan/saved/effect.js";
import { EVERYTHING } from "../commands/import/importing.js";
import { checkedClient, refusal } from "../fakes/checkedClient.js";
import { fakeClock } from "../fakes/clock.js";
import { directClient } from "../fakes/directClient.js";
import { memorySession } from "./memorySession.js";
import { COUNTING } from "./people.js";
import { requestFor } from "./request.js";

const { tenant } = readSeed(readFileSync("examples/brownfield/seed.yaml", "utf8"), "seed.yaml");

/** A service that refuses every call whose path ends so, and counts what it refused. */
function serviceThatRefuses(end: string | null) {
  const clock = fakeClock();
  const { client, writes } = directClient({ tenant }, clock);
  let refused = 0;
  const check = (call: Call) => {
    const path = formatCallPath(call);
    if (end === null || !path.endsWith(end)) return;
    refused += 1;
    throw refusal(call, 403, `${call.method} ${path}: answered 403`);
  };
  const refusing = checkedClient(client, check);
  const session = memorySession(refusing, clock);
  return { session, writes, refused: () => refused };
}

const C1 = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const auditors = tenant.automations.find(({ displayName }) => displayName === "Auditors")?.appEntitlementId;
const idOf = (name: string) => tenant.templates.find(({ displayName }) => displayName === name)?.id;

/** A changed rule and a changed scope, all by ids, so that no read is needed for a name. */
const CHANGES = `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: auditors }
spec:
  appId: ${C1}
  appEntitlementId: ${auditors}
  cel: { expression: 'subject.department == "Finance"' }
---
apiVersion: remit/v1
kind: TemplateScope
metadata: { name: oslo }
spec:
  templateId: ${idOf("Oslo office")}
  scope: { appAccess: {}, userCriteria: { userStatus: [DISABLED] } }
`;

async function planned(end: string | null) {
  const { session, refused, writes } = serviceThatRefuses(end);
  const { value, diagnostics } = await plan(requestFor(CHANGES, { counting: COUNTING }), session);
  expect(writes).toEqual([]);
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return {
    plan: value,
    refused: refused(),
    severities: new Set(diagnostics.map(({ severity }) => severity)),
  };
}

const decided = (made: Planned) => [hashesOf(made).effect, outlookOf(made), made.findings, made.steps];

describe("a plan whose optional reads are refused", () => {
  it.each([
    "/api/v1/users",
    "/grants",
    "/exclusions",
    "/introspect",
    "/app_users",
    "/access_reviews",
    "/search/entitlements",
  ])("decides the same without %s", async (end) => {
    const whole = await planned(null);
    const cut = await planned(end);
    expect(decided(cut.plan)).toEqual(decided(whole.plan));
    expect(cut.severities.has("error")).toBe(false);
    // What is missing is said, unless nothing was asked there or it only saves other reads.
    if (cut.refused > 0 && end !== "/introspect") {
      const told = JSON.stringify(cut.plan.impact);
      expect(told).toContain("answered 403");
    }
  });
});

describe("an import and a get whose optional reads are refused", () => {
  const reads = [
    "/api/v1/automations",
    "/search/users",
    "/catalogs",
    "/risk_levels",
    "/compliance_frameworks",
  ];
  it.each(reads)("find the same objects without %s, or name the list that was not read", async (end) => {
    const choice = { ...EVERYTHING, patterns: [{ kind: "TemplateScope", name: "*" }] };
    const { session, refused, writes } = serviceThatRefuses(end);
    const request = requestFor(null);
    const order = {
      request,
      choice,
      taken: () => new Set<string>(),
      schema: () => null,
      progress: () => undefined,
    };
    const imported = await importObjects(order, session);
    const isWhole = end !== "/api/v1/automations";
    expect(imported.value?.manifests).toHaveLength(isWhole ? 29 : 28);
    expect(imported.value?.unknown.map(({ why }) => why)).toEqual([expect.stringContaining("answered 403")]);

    const objects = [{ kind: "TemplateScope", only: null }];
    const got = await getObjects(
      { request, choice: { objects, lists: [], values: [] }, progress: () => undefined },
      session,
    );
    let texts = 0;
    for await (const _ of got.value?.texts() ?? []) texts += 1;
    expect(texts).toBeGreaterThanOrEqual(isWhole ? 29 : 28);
    expect(got.value?.unknown().map(({ why }) => why)).toEqual([expect.stringContaining("answered 403")]);
    expect([refused() > 0, writes]).toEqual([true, []]);
  });
});
