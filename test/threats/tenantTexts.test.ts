import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hidesText } from "../../src/manifest/format/unseen.js";
import { FORM_NAMES } from "../../src/report/forms/table.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";

import { cases } from "../fakes/cases.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed, ruleNamed } from "../fakes/groups.js";
import type { Spec } from "../fakes/project.js";

// A text of the tenant is data: never a reference, a pending id or a command of a log, and a reader of a manifest sees all of it.

const PENDING = ["Webhook/w", "Entitlement/eng-member", "Resource/eng"].map(
  (address) => `‹id of ${address}›`,
);
const COMMANDS = [
  "a\n::set-output name=x::y",
  "::error::x",
  "a\r\n##[error]x",
  "##vso[task.x]y",
  "a\n\t::add-mask::b",
];
const UNSEEN = ["a\u202eb", "a\n\u2066b\nc", "one\u2028two\nthree", "a\ufeff\nb", "a\u0007b", "\u{e0041}\nb"];
const SYNTAX = [
  "---\nkind: x\n",
  "{ $value: x }",
  "*anchor",
  "!!map {}",
  "<script>alert(1)</script>\n|",
  "# a\n  b: c",
  "%",
];
const HOSTILE = [...PENDING, ...COMMANDS, ...UNSEEN, ...SYNTAX];

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
});
afterEach(() => scene.close());

const hook = (spec: Spec = {}) => ({
  kind: "Webhook",
  name: "w",
  spec: { displayName: "W", url: "https://a.example", ...spec },
});
const FLAGS = ["--acknowledge", "nobody", "--acknowledge", "max-changes"];

/** What is printed, where no line of it is a command of a log and nothing of it is hidden. */
function expectTame(printed: string): void {
  const lines = printed.split("\n");
  const isOurs = (line: string) => /^::(?:notice|warning|error) /.test(line);
  expect(lines.filter((line) => /^\s*::|##\w*\[/.test(line) && !isOurs(line))).toEqual([]);
  expect(lines.filter((line) => hidesText(line) || line.includes("\r"))).toEqual([]);
}

/** Every text of the tenant that no manifest owns becomes this one. */
function describeAll(description: string): void {
  const { entitlements, automations, resources } = scene.sandbox.store;
  for (const one of entitlements.all().filter((row) => row.isManuallyManaged === true))
    entitlements.put(one.appId, one.id, { ...one, description } as never);
  for (const one of automations.all())
    automations.put(one.appId, one.appEntitlementId, { ...one, description } as never);
  for (const one of resources.all()) resources.put(one.appId, one.id, { ...one, description } as never);
}

function descriptions(): readonly unknown[] {
  const { entitlements, automations, resources } = scene.sandbox.store;
  const made = entitlements.all().filter((row) => row.isManuallyManaged === true);
  return [...made, ...automations.all(), ...resources.all()].map(({ description }) => description);
}

const hostile = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  fc
    .array(fc.constantFrom(...HOSTILE, "\n", " ", ": ", "'", '"'), { minLength: 1, maxLength: 4 })
    .map((all) => all.join("")),
);

/** A law over texts: those that are known to hurt, and made-up ones. */
function forEveryText(law: (text: string) => Promise<void>): Promise<void> {
  return fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      await scene.close();
      scene = await openGroups();
      await law(text);
    }),
    { numRuns: HOSTILE.length + cases(6), examples: HOSTILE.map((text) => [text] as [string]) },
  );
}

describe("a text of the tenant", () => {
  it("stays as it is in a half that no manifest owns, through a saved plan that creates what it names", async () => {
    await forEveryText(async (text) => {
      const group = [resourceNamed("eng", "Engineering"), memberNamed("eng-member", "eng")];
      scene.project.write([...group, ruleNamed("eng", "eng-member", { displayName: "Members" })]);
      await scene.remit(0, "apply", "--yes", ...FLAGS);
      describeAll(text);
      const provisionPolicy = { webhook: { webhookId: { manifest: "w" } } };
      scene.project.write([
        resourceNamed("eng", "Engineers"),
        memberNamed("eng-member", "eng", { provisionPolicy }),
        ruleNamed("eng", "eng-member", { displayName: "All members" }),
        hook(),
      ]);
      await scene.remit(0, "plan", "--out", "plan.json", ...FLAGS);
      await scene.remit(0, "apply", "plan.json", ...FLAGS);
      const kept = text.replace(/\r\n?/g, "\n");
      expect(descriptions().map((one) => String(one).replace(/\r\n?/g, "\n"))).toEqual([kept, kept, kept]);
      await scene.remit(0, "plan", "--detailed-exitcode");
    });
  }, 120_000);

  it("is accepted into a manifest as the same text, which a reader sees, and prints no command in any form", async () => {
    await forEveryText(async (text) => {
      scene.project.write([hook({ description: "Ours.\nTwo lines." })]);
      await scene.remit(0, "apply", "--yes");
      const [row] = scene.sandbox.store.webhooks.all();
      const theirs = { ...row, displayName: `W ${text}`, description: text };
      scene.sandbox.store.webhooks.put(ROOT, String(row?.id), theirs as never);
      await scene.run("plan", "--out", "plan.json");
      for (const form of FORM_NAMES) {
        expectTame((await scene.run("plan", "--format", form)).stdout);
        expectTame((await scene.run("show", "plan.json", "--format", form)).stdout);
      }
      expectTame((await scene.run("get", "Webhook/w")).stdout);
      await scene.remit(0, "accept", "--all-drift", "--yes");
      const file = readFileSync(join(scene.project.cwd, "manifests/all.yaml"), "utf8");
      expect(hidesText(file)).toBe(false);
      await scene.remit(0, "validate");
      await scene.remit(0, "plan", "--detailed-exitcode");
    });
  }, 240_000);

  it("is imported as the same text, which a reader sees", async () => {
    await forEveryText(async (text) => {
      scene.project.write([hook({ description: "Ours." })]);
      await scene.remit(0, "apply", "--yes");
      const [row] = scene.sandbox.store.webhooks.all();
      const theirs = { ...row, displayName: `W ${text}`, description: text };
      scene.sandbox.store.webhooks.put(ROOT, String(row?.id), theirs as never);
      scene.project.write([]);
      const imported = await scene.run("import", "--state", "other.json");
      expectTame(imported.stdout + imported.stderr);
      const folder = join(scene.project.cwd, "manifests", "webhook");
      mkdirSync(folder, { recursive: true });
      const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
      expect(files.length, imported.stdout + imported.stderr).toBe(1);
      expect(files.filter(hidesText)).toEqual([]);
      await scene.remit(0, "validate");
      await scene.remit(0, "plan", "--state", "other.json", "--detailed-exitcode");
    });
  }, 120_000);
});
