import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { DEFAULT_LIMITS } from "../../src/plan/guards/settings.js";
import type { Mode } from "../../src/plan/plan.js";
import { cases } from "../fakes/cases.js";
import { folder } from "../manifest/folder.js";
import { automation, type SessionScene, sessionScene } from "./sessionScene.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const NAMES = ["a", "b", "c", "d", "e", "f"] as const;
type Name = (typeof NAMES)[number];
const address = (name: string) => `EntitlementAutomation/${name}`;
const idOf = (name: Name) => `entitlement000000000000000${NAMES.indexOf(name)}`;
const LIMITS = { ...DEFAULT_LIMITS, maxDeletes: 100, maxChangesPercent: 100 };

/** What happens to one manifest and its object between two applies. */
interface Fate {
  readonly file: 0 | 1 | 2;
  readonly team: "red" | "blue";
  readonly manifest: "as it was" | "edited" | "removed" | "broken";
  readonly isDrifted: boolean;
}

const fate: fc.Arbitrary<Fate> = fc.record({
  file: fc.constantFrom(0, 1, 2),
  team: fc.constantFrom("red", "blue"),
  manifest: fc.constantFrom("as it was", "edited", "removed", "broken"),
  isDrifted: fc.boolean(),
});
const names = fc.subarray([...NAMES]);
const selections = fc.record({
  files: fc.oneof(fc.constant(null), fc.subarray([0, 1, 2], { minLength: 1 })),
  targets: fc.oneof(fc.constant([] as Name[]), names),
  team: fc.constantFrom(null, "red", "blue"),
  prune: fc.boolean(),
});
type Selection = typeof selections extends fc.Arbitrary<infer T> ? T : never;

function isSelecting({ files, targets, team }: Selection): boolean {
  return files !== null || targets.length > 0 || team !== null;
}

function isSelected(name: Name, { file, team, manifest }: Fate, selection: Selection): boolean {
  const isNamed = selection.targets.length === 0 || selection.targets.includes(name);
  if (manifest === "removed")
    return selection.files === null && selection.team === null && selection.targets.includes(name);
  const isInFile = selection.files === null || selection.files.includes(file);
  return isNamed && isInFile && (selection.team === null || selection.team === team);
}

function manifestOf(name: Name, { team, manifest }: Fate): string {
  if (manifest === "removed") return "";
  const text = automation(
    name,
    `subject.department == "${manifest === "edited" ? "Sales" : "Support"}"`,
    NAMES.indexOf(name),
  );
  const labelled = text.replace("{ name", `{ labels: { team: ${team} }, name`);
  return `${manifest === "broken" ? labelled.replace("displayName:", "displayNames:") : labelled}---\n`;
}

/** What the tenant and the state have of one object. */
function known({ sandbox, contents }: SessionScene, name: Name): unknown {
  const key = `EntitlementAutomation:${APP}/${idOf(name)}`;
  const row = sandbox.store.automations.get(APP, idOf(name));
  return structuredClone([row, contents.snapshot?.entries[key]]);
}

function drift({ sandbox }: SessionScene, name: Name): void {
  const row = sandbox.store.automations.get(APP, idOf(name));
  if (row !== undefined)
    sandbox.store.automations.put(APP, idOf(name), {
      ...row,
      description: "by hand",
      displayName: "By hand",
    });
}

async function applyAll(scene: SessionScene, cwd: string, paths: readonly string[], mode: Partial<Mode>) {
  const nothing = {
    offline: false,
    refreshOnly: false,
    prune: false,
    cascade: [],
    targets: [],
    selector: null,
  };
  const request = scene.request("", {
    manifests: { project: ["."], paths, cwd },
    mode: { ...nothing, ...mode },
    limits: LIMITS,
    acknowledgements: ["max-changes", "unknown-current"].map((guard) => ({
      by: "flag",
      guard,
      address: null,
    })),
  });
  return apply(scene.order(request), scene.session);
}

function write(cwd: string, fates: Readonly<Record<Name, Fate>>): void {
  for (const file of [0, 1, 2]) {
    const text = NAMES.filter((name) => fates[name].file === file).map((name) =>
      manifestOf(name, fates[name]),
    );
    writeFileSync(join(cwd, `${file}.yaml`), text.join("") === "" ? "# empty\n" : text.join(""));
  }
}

describe("a selection", () => {
  it("never changes an object outside of it, in the tenant or in the state", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ a: fate, b: fate, c: fate, d: fate, e: fate, f: fate }),
        selections.filter(isSelecting),
        async (fates, selection) => {
          const scene = await sessionScene();
          const cwd = folder({});
          write(
            cwd,
            mapped(fates, (one) => ({ ...one, manifest: "as it was" })),
          );
          expect((await applyAll(scene, cwd, [], {})).as).toBe("applied");
          write(cwd, fates);
          for (const name of NAMES) if (fates[name].isDrifted) drift(scene, name);
          const outside = NAMES.filter((name) => !isSelected(name, fates[name], selection));
          const before = outside.map((name) => known(scene, name));

          const { files, targets, team, prune } = selection;
          await applyAll(
            scene,
            cwd,
            (files ?? []).map((file) => `${file}.yaml`),
            {
              targets: targets.map(address),
              selector: team === null ? null : `team=${team}`,
              prune,
            },
          );
          expect(outside.map((name) => known(scene, name))).toEqual(before);
        },
      ),
      { numRuns: cases(10) },
    );
  }, 120_000);
});

function mapped<T>(fates: Readonly<Record<Name, T>>, change: (one: T) => T): Readonly<Record<Name, T>> {
  const { a, b, c, d, e, f } = fates;
  return { a: change(a), b: change(b), c: change(c), d: change(d), e: change(e), f: change(f) };
}

describe("a need outside of the selection", () => {
  const type = `apiVersion: remit/v1
kind: ResourceType
metadata: { name: team }
spec: { appId: ${APP}, displayName: New team, resourceType: CUSTOM }
---
`;
  const other = `apiVersion: remit/v1
kind: ResourceType
metadata: { name: other }
spec: { appId: ${APP}, id: { name: New team }, traitIds: [] }
`;

  it("blocks the step, and names the target to add", async () => {
    const scene = await sessionScene();
    const targets = ["ResourceType/other"];
    const mode = { offline: false, refreshOnly: false, prune: false, cascade: [], targets, selector: null };
    const { value, diagnostics } = await plan(scene.request(`${type}${other}`, { mode }), scene.session);
    expect(diagnostics).toEqual([]);
    expect(value?.steps).toMatchObject([
      {
        action: "blocked",
        diagnostics: [
          {
            code: "reference/not-selected",
            hint: "Add --target ResourceType/team, or apply it first.",
          },
        ],
      },
    ]);
  });
});
