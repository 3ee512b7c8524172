import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
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

/** A name that a text of the tenant may mention, and others beside it. */
const named = (name: string, at: number) => (at === 0 ? name : `${name}-${at}`);
const hook = (at: number, spec: Spec = {}) => ({
  kind: "Webhook",
  name: named("w", at),
  spec: { displayName: `W ${at}`, url: "https://a.example", ...spec },
});
const FLAGS = ["--acknowledge", "nobody", "--acknowledge", "max-changes"];

/** What is printed, where no line of it is a command of a log and nothing of it is hidden. */
function expectTame(printed: string): void {
  const lines = printed.split("\n");
  const isOurs = (line: string) => /^::(?:notice|warning|error) /.test(line);
  expect(lines.filter((line) => /^\s*::|##\w*\[/.test(line) && !isOurs(line))).toEqual([]);
  expect(lines.filter((line) => hidesText(line) || line.includes("\r"))).toEqual([]);
}

/** What the tenant has that people may describe, each beside the number of its group. */
function described({ sandbox }: GroupScene) {
  const { entitlements, automations, resources } = sandbox.store;
  const groups = resources.all();
  const members = entitlements.all().filter((row) => row.isManuallyManaged === true);
  const groupOf = (member: unknown) => {
    const row = members.find(({ id }) => id === member);
    return groups.findIndex(({ id }) => id === row?.appResourceId);
  };
  return [
    ...groups.map((one, at) => ({ at, one, put: (row: never) => resources.put(one.appId, one.id, row) })),
    ...members.map((one) => ({
      ...{ at: groupOf(one.id), one },
      put: (row: never) => entitlements.put(one.appId, one.id, row),
    })),
    ...automations.all().map((one) => ({
      ...{ at: groupOf(one.appEntitlementId), one },
      put: (row: never) => automations.put(one.appId, one.appEntitlementId, row),
    })),
  ];
}

/** Gives each webhook of the tenant one of the texts as its name and its description. */
function rename({ sandbox }: GroupScene, texts: readonly string[]): void {
  const { webhooks } = sandbox.store;
  for (const row of webhooks.all()) {
    const text = texts[Number(String(row.displayName).slice(2))];
    webhooks.put(ROOT, String(row.id), { ...row, displayName: `W ${text}`, description: text } as never);
  }
}

const hostile = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  fc
    .array(fc.constantFrom(...HOSTILE, "\n", " ", ": ", "'", '"'), { minLength: 1, maxLength: 4 })
    .map((all) => all.join("")),
);

/** A law over the texts of one tenant: all that are known to hurt, and made-up ones. */
function forTexts(law: (texts: readonly string[], scene: GroupScene) => Promise<void>): Promise<void> {
  return fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 6 }), async (texts) => {
      const scene = await openGroups();
      await law(texts, scene).finally(scene.close);
    }),
    { numRuns: 1 + cases(1), examples: [[HOSTILE]] },
  );
}

describe("a text of the tenant", () => {
  it("stays as it is in a half that no manifest owns, through a saved plan that creates what it names", async () => {
    await forTexts(async (texts, scene) => {
      const write = (group: string, rule: string, more: Spec) => {
        const manifests = texts.flatMap((_, at) => {
          const [eng, member] = [named("eng", at), named("eng-member", at)];
          const made = [resourceNamed(eng, `${group} ${at}`), memberNamed(member, eng, more)];
          return [...made, ruleNamed(eng, member, { displayName: `${rule} ${at}` })];
        });
        scene.project.write([...manifests, ...("provisionPolicy" in more ? [hook(0)] : [])]);
      };
      write("Engineering", "Members", {});
      await scene.remit(0, "apply", "--yes", ...FLAGS);
      for (const { at, one, put } of described(scene)) put({ ...one, description: texts[at] } as never);
      write("Engineers", "All members", { provisionPolicy: { webhook: { webhookId: { manifest: "w" } } } });
      await scene.remit(0, "plan", "--out", "plan.json", ...FLAGS);
      await scene.remit(0, "apply", "plan.json", ...FLAGS);
      const kept = described(scene);
      expect(kept.length).toBe(3 * texts.length);
      const lined = (text: unknown) => String(text).replace(/\r\n?/g, "\n");
      for (const { at, one } of kept) expect(lined(one.description)).toBe(lined(texts[at]));
      await scene.remit(0, "plan", "--detailed-exitcode");
    });
  }, 120_000);

  it("is accepted into a manifest as the same text, which a reader sees, and prints no command in any form", async () => {
    await forTexts(async (texts, scene) => {
      scene.project.write(texts.map((_, at) => hook(at, { description: "Ours.\nTwo lines." })));
      await scene.remit(0, "apply", "--yes", ...FLAGS);
      rename(scene, texts);
      await scene.run("plan", "--out", "plan.json");
      for (const form of FORM_NAMES) {
        expectTame((await scene.run("plan", "--format", form)).stdout);
        expectTame((await scene.run("show", "plan.json", "--format", form)).stdout);
      }
      expectTame((await scene.run("get", "Webhook")).stdout);
      await scene.remit(0, "accept", "--all-drift", "--yes");
      const file = readFileSync(join(scene.project.cwd, "manifests/all.yaml"), "utf8");
      expect([hidesText(file), file.includes("Ours.")]).toEqual([false, false]);
      await scene.remit(0, "validate");
      await scene.remit(0, "plan", "--detailed-exitcode");
    });
  }, 240_000);

  it("is imported as the same text, which a reader sees", async () => {
    await forTexts(async (texts, scene) => {
      scene.project.write(texts.map((_, at) => hook(at, { description: "Ours." })));
      await scene.remit(0, "apply", "--yes", ...FLAGS);
      rename(scene, texts);
      scene.project.write([]);
      const imported = await scene.run("import", "--state", "other.json");
      expectTame(imported.stdout + imported.stderr);
      const folder = join(scene.project.cwd, "manifests", "webhook");
      mkdirSync(folder, { recursive: true });
      const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
      expect(files.length, imported.stdout + imported.stderr).toBe(texts.length);
      expect(files.filter(hidesText)).toEqual([]);
      await scene.remit(0, "validate");
      await scene.remit(0, "plan", "--state", "other.json", "--detailed-exitcode");
    });
  }, 120_000);
});
