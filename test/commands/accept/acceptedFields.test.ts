import { describe, expect, it } from "vitest";
import { correctionsOf } from "../../../src/commands/accept/edit/corrections.js";
import { writeAccepted } from "../../../src/commands/accept/edit/write.js";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import type { Kind } from "../../../src/kinds/kind.js";
import { templateScope } from "../../../src/kinds/templateScope.js";
import { readManifests } from "../../../src/manifest/manifests.js";
import { NO_VOCABULARY } from "../../../src/manifest/vocabulary.js";
import type { JsonObject } from "../../../src/model/json.js";

const ID = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

/** What an accept of everything makes of the spec of one manifest. */
function accepted(kind: Kind, spec: JsonObject, current: JsonObject) {
  const header = `apiVersion: remit/v1\nkind: ${kind.name}\nmetadata: { name: one }\n`;
  const source = { file: "one.yaml", text: `${header}spec: ${JSON.stringify(spec)}\n`, named: true };
  const [read] = readManifests(source, NO_VOCABULARY).members;
  if (read === undefined) throw new Error("the manifest is not valid");
  const { resource } = read;
  const corrections = correctionsOf(resource.spec, {}, current, kind.shape, () => null);
  const entry = { resource, current, corrections, meanings: {} };
  const { text, unwritten } = writeAccepted(source, [entry], [], NO_VOCABULARY);
  const [after] = readManifests({ ...source, text: text ?? "" }, NO_VOCABULARY).members;
  return {
    spec: after?.resource.spec,
    unwritten: unwritten.map(({ field, fault }) => [field, fault.message]),
  };
}

const AUTOMATION = { appId: ID, appEntitlementId: ID };

describe("accepting an automation that lost its condition", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["a rule", { cel: { expression: 'subject.email != ""' } }, { cel: null }],
    ["a simple rule", { basic: { expression: 'subject.email != ""' } }, { basic: null }],
    ["entitlements", { entitlements: { entitlementRefs: [{ appId: ID, id: ID }] } }, { entitlements: null }],
    ["the marker for no condition", { none: {} }, { cel: null }],
    ["the marker beside a null", { none: {}, basic: null }, { basic: null }],
  ])("writes it for %s, and the other fields with it", (_, condition, left) => {
    const { spec, unwritten } = accepted(
      entitlementAutomation,
      { ...AUTOMATION, displayName: "Old", ...condition },
      { displayName: "New" },
    );
    expect(unwritten).toEqual([]);
    expect(spec).toEqual({ ...AUTOMATION, displayName: "New", ...left });
  });
});

describe("accepting a field that no manifest can have", () => {
  it("refuses that one, and writes the others", () => {
    const scope = (since: string, status: string) => ({
      scope: { grantsByCriteria: { daysSinceLastUsed: since }, userCriteria: { userStatus: [status] } },
    });
    const { spec, unwritten } = accepted(
      templateScope,
      { templateId: ID, ...scope("90d", "ENABLED") },
      scope("soon", "DISABLED"),
    );
    expect(unwritten).toEqual([["scope.grantsByCriteria.daysSinceLastUsed", '"soon" is not a duration']]);
    expect(spec).toEqual({ templateId: ID, ...scope("90d", "DISABLED") });
  });
});
