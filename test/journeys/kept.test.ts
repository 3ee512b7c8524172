import { afterEach, describe, expect, it } from "vitest";
import type { Quirks } from "../../src/sandbox/http/exchange.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { idOf } from "../fakes/many.js";
import type { Manifest } from "../fakes/project.js";
import { ANSWERS, openStage, type Stage, text } from "./worldsStage.js";

/** A service that keeps something else than it was sent: never green, until one of the two sides changes. */

const [APP, GROUP, REVIEW, TEAM] = [idOf("app", 1), idOf("group", 1), idOf("review", 1), idOf("team", 1)];
const automation = (description: string): Manifest => ({
  kind: "EntitlementAutomation",
  name: "engineers",
  spec: {
    appId: C1_APP_ID,
    appEntitlementId: GROUP,
    displayName: "Engineers",
    description,
    cel: { expression: 'subject.department  ==  "R&D"' },
  },
});
const review: Manifest = {
  kind: "TemplateScope",
  name: "review",
  spec: {
    templateId: REVIEW,
    scope: { specificResources: {}, allUsers: {} },
    entitlements: [1, 2].map((number) => ({ appId: APP, appEntitlementId: idOf("role", number) })),
  },
};
const team: Manifest = {
  kind: "ResourceType",
  name: "team",
  spec: { appId: APP, id: TEAM, displayName: "Team" },
};

let stage: Stage;
afterEach(() => stage.close());

const quirk = (quirks: Quirks) => [{ fault: "quirks", quirks }] as const;
const flat = (value: string) => value.replace(/\s+/g, " ");

interface Case {
  readonly what: string;
  readonly quirks: Quirks;
  readonly wanted: Manifest;
  readonly field: string;
  /** How a plan shows it. */
  readonly shown: string;
}

const CASES: readonly Case[] = [
  {
    what: "ignores a field",
    quirks: { ignoredFields: ["displayName"] },
    wanted: team,
    field: "displayName",
    shown: "displayName",
  },
  {
    what: "stores another choice",
    quirks: { otherChoice: true },
    wanted: review,
    field: "scope.",
    shown: "instead of",
  },
  {
    what: "leaves out a row",
    quirks: { missingRows: true },
    wanted: review,
    field: "entitlements",
    shown: "entitlements",
  },
];

describe.each(["full", "core"] as const)("on %s, a service that", (spoken) => {
  it.each(CASES)(
    "$what is reported by the apply and by every later plan",
    async ({ quirks, wanted, field, shown }) => {
      stage = await openStage(spoken);
      const { project, run, trouble } = stage;
      project.write([wanted]);
      trouble(quirk(quirks));
      const address = `${wanted.kind}/${wanted.name}`;
      for (let time = 1; time <= 2; time += 1) {
        const applied = await run("apply", "--yes", ...ANSWERS);
        expect(applied.code, `apply ${time}: ${text(applied)}`).toBe(3);
        expect(flat(text(applied))).toContain(address);
        expect(flat(text(applied))).toContain(`keeps \`${field}`);
        const planned = await run("plan", "--detailed-exitcode", ...ANSWERS);
        expect(planned.code, `plan ${time}: ${text(planned)}`).toBe(2);
        expect(flat(text(planned))).toContain("the service keeps another value than remit sent");
        expect(text(planned)).toContain(shown);
      }
      trouble([]);
      expect((await run("apply", "--yes", ...ANSWERS)).code).toBe(0);
      expect((await run("plan", "--detailed-exitcode", ...ANSWERS)).code).toBe(0);
    },
  );

  it("spells an expression in its own way is in sync, and only -v says so", async () => {
    stage = await openStage(spoken);
    const { project, run, trouble } = stage;
    project.write([automation("All engineers.")]);
    trouble(quirk({ rewriteExpressions: true }));
    const applied = await run("apply", "--yes", ...ANSWERS);
    expect(applied.code, text(applied)).toBe(0);
    expect(text(applied)).not.toContain("warning");
    const planned = await run("plan", "--detailed-exitcode", ...ANSWERS);
    expect(planned.code, text(planned)).toBe(0);
    expect(text(planned)).not.toContain("cel.expression");
    const more = await run("plan", "-v", ...ANSWERS);
    expect(flat(text(more))).toContain("EntitlementAutomation/engineers: cel.expression");
  });
});
