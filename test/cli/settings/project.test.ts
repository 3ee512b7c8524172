import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { manifestPaths, openProject, valuesFilesOf } from "../../../src/cli/settings/project.js";
import { processWorld } from "../../../src/cli/world/process.js";
import type { World } from "../../../src/cli/world/world.js";
import { readVocabulary } from "../../../src/manifest/vocabulary.js";
import { guardNames } from "../../../src/plan/guards/guards.js";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "remit-cli-")));
});
afterEach(() => rmSync(root, { recursive: true }));

function worldAt(cwd: string): World {
  return { ...processWorld(), cwd, env: {} };
}

describe("a project", () => {
  it("is found from a folder below, up to the checkout's root, and its paths count from there", async () => {
    mkdirSync(join(root, ".git"));
    mkdirSync(join(root, "reviews/deep"), { recursive: true });
    writeFileSync(join(root, "remit.yaml"), "manifests: [reviews]\n");
    const world = worldAt(join(root, "reviews/deep"));
    const { value } = await openProject(world, {});
    expect(value.root).toBe(root);
    expect(manifestPaths(world, value, [])).toEqual([join(root, "reviews")]);
    expect(manifestPaths(world, value, ["a.yaml", "-"])).toEqual([join(root, "reviews/deep/a.yaml"), "-"]);
  });

  it("shows the line of its file that names values which are not there, also in a context", async () => {
    const text =
      "contexts:\n  one: { server: sandbox }\n  two:\n    values:\n      - there.yaml\n      - gone.yaml\n";
    writeFileSync(join(root, "remit.yaml"), text);
    writeFileSync(join(root, "there.yaml"), "apiVersion: remit/v1\nkind: Values\nspec: { one: 1 }\n");
    const { value: project } = await openProject(worldAt(root), { context: "two" });
    const { diagnostics } = await readVocabulary({ cwd: root, values: valuesFilesOf(project) });
    expect(diagnostics).toMatchObject([
      {
        code: "file/missing",
        message: "gone.yaml does not exist",
        span: { file: "remit.yaml", start: { line: 6, column: 9 } },
        excerpt: { text: "      - gone.yaml" },
      },
    ]);
  });

  it("is not looked for outside the checkout", async () => {
    writeFileSync(join(root, "remit.yaml"), "server: https://other\n");
    mkdirSync(join(root, "checkout/.git"), { recursive: true });
    const { value } = await openProject(worldAt(join(root, "checkout")), {});
    expect([value.root, value.settings.server.value]).toEqual([join(root, "checkout"), null]);
  });

  it.each([
    { state: "../other/state.json", isRefused: true },
    { state: "/srv/remit/state.json", isRefused: true },
    { state: "kept/state.json", isRefused: false },
    { state: "git:#prod", isRefused: false },
    { state: "s3://bucket/key", isRefused: false },
  ])("keeps no state outside its folder where remit.yaml names it: $state", async ({ state, isRefused }) => {
    writeFileSync(join(root, "remit.yaml"), `state: ${JSON.stringify(state)}\n`);
    const { diagnostics } = await openProject(worldAt(root), {});
    expect(diagnostics.map(({ code }) => code)).toEqual(isRefused ? ["file/outside"] : []);
    expect((await openProject(worldAt(root), { state })).diagnostics).toEqual([]);
  });

  it("may keep it where a settings file says so that the operator names", async () => {
    writeFileSync(join(root, "remit.yaml"), "manifests: [.]\n");
    writeFileSync(join(root, "settings.yaml"), "state: /srv/remit/state.json\n");
    const { diagnostics } = await openProject(worldAt(root), { settingsFrom: "./settings.yaml" });
    expect(diagnostics).toEqual([]);
  });
});

describe("an acknowledgement in the project file", () => {
  it("may name each guard", async () => {
    const until = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    const entries = guardNames.map(
      (guard) => `  - { guard: ${guard}, address: "*", until: ${until}, reason: agreed }\n`,
    );
    writeFileSync(join(root, "remit.yaml"), `acknowledge:\n${entries.join("")}`);
    const { value, diagnostics } = await openProject(worldAt(root), {});
    expect(diagnostics).toEqual([]);
    expect(value.settings.acknowledgements.value.map(({ guard }) => guard)).toEqual(guardNames);
  });
});
