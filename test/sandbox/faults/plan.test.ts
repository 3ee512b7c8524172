import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readFaults } from "../../../src/sandbox/faults/plan.js";
import { BadFile } from "../../../src/sandbox/tenant/document.js";

const validate = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync("schemas/faults.json", "utf8")),
);

describe("a file of faults", () => {
  const EVERY = `
seed: 7
rules:
  - { fault: latency, milliseconds: 20, method: POST }
  - { fault: latency, between: [10, 200] }
  - { fault: latency, median: 40, p99: 900 }
  - { fault: throttle, retryAfter: 2, probability: 0.1 }
  - { fault: throttle, retryAfter: "Wed, 21 Oct 2026 07:28:00 GMT" }
  - { fault: bucket, rate: 50, burst: 10 }
  - { fault: error, status: 503, written: true, times: 1 }
  - { fault: reset, path: "/api/v1/apps/*" }
  - { fault: lost, operation: CreateAutomation }
  - { fault: slow, milliseconds: 500 }
  - { fault: truncated }
  - { fault: error, status: 403, path: "/api/v1/apps/*" }
  - { fault: error, status: 499, written: true }
  - { fault: html }
  - { fault: html, status: 404 }
  - { fault: empty }
  - { fault: late, milliseconds: 5000 }
  - { fault: late, requests: 2, status: 408 }
  - { fault: expired }
  - fault: quirks
    quirks:
      searchLag: 2000
      rewriteExpressions: true
      shuffleLists: true
      unknownFields: true
      unknownEnums: true
      pages: short
      repeatPageToken: true
      softDeleted: shown
      existingAutomation: replace
      spacing: true
      listLag: 2000
      ownersLag: 120000
      ownedBy: user1
      unlistedAutomations: true
      volatileFields: true
      laterVersion: true
      ignoredFields: [scope, cel]
      otherChoice: true
      missingRows: true
      shiftingPages: true
      connectorSyncs: true
      keptEdits: true
      sharedAliases: true
      defaultsRun: RUNNING
      builtInActions: refused
      cutRules: true
      signatures: true
      hiddenFields: [displayName]
      clockAhead: -60000
`;

  it("may hold every fault", () => {
    expect(readFaults(EVERY, "faults.yaml")).toEqual(parse(EVERY));
    expect(validate(parse(EVERY))).toBe(true);
  });

  it("may be empty", () => {
    expect(readFaults("", "faults.yaml")).toEqual({ seed: 1, rules: [] });
  });

  it.each([
    ["seed: -1", 1, "seed must be a number 0 or more"],
    ["rules: {}", 1, "rules must be a list"],
    ["rules:\n  - { probability: 1 }", 2, "rules[0].fault must be one of latency"],
    ["rules:\n  - fault: lost\n    times: 0", 3, "rules[0].times must be a number 1 or more"],
    ["rules:\n  - { fault: lost, status: 500 }", 2, "rules[0].status is not known here"],
    ["rules:\n  - { fault: latency, between: [1] }", 2, "rules[0].between must be two values"],
    ["rules:\n  - { fault: latency, median: 1 }", 2, "rules[0].p99 must be a number"],
    ["rules:\n  - { fault: bucket, rate: 1 }", 2, "rules[0].burst must be a number"],
    ["rules:\n  - { fault: quirks }", 2, "rules[0].quirks must be an object"],
  ])("that says %j is refused, and says where", (source, line, words) => {
    let thrown: unknown;
    try {
      readFaults(source, "faults.yaml");
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BadFile);
    const [diagnostic, ...others] = (thrown as BadFile).diagnostics;
    expect(others).toEqual([]);
    expect(diagnostic).toMatchObject({ code: "sandbox/bad-file", span: { start: { line } } });
    expect(diagnostic?.message).toContain(words);
    expect(validate(parse(source))).toBe(false);
  });
});
