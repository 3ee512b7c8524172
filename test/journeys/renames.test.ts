import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { kindNamed, kinds } from "../../src/kinds/index.js";
import { formatAddress } from "../../src/model/address.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { cases } from "../fakes/cases.js";
import { CASES, type KindCase as Case } from "../fakes/everyKind.js";
import { type GroupScene, openGroups } from "../fakes/groups.js";
import type { Manifest } from "../fakes/project.js";

/** A manifest that gets another name keeps its object, whatever its kind: nothing is deleted, and nothing made again. */

const isChosen = (name: string) => kindNamed(name)?.matches !== undefined;
const NAMES = kinds.map(({ name }) => name);
const APPLY = ["apply", "--yes", "--acknowledge", "nobody", "--acknowledge", "everyone"];
const ALL = [...APPLY, "--acknowledge", "unknown-current"];

let scene: GroupScene;
let settings: object = {};
beforeEach(async () => {
  scene = await openGroups();
  settings = { server: scene.sandbox.url, guards: { maxChangesPercent: 100 }, manifests: ["manifests"] };
});
afterEach(() => scene.close());

function keyOf(address: string): string | undefined {
  return Object.values(scene.project.state()?.entries ?? {})
    .find((entry) => entry.former !== true && formatAddress(entry.address) === address)
    ?.key.join("/");
}

/** The calls since then that delete an object or make one. */
function made(): readonly string[] {
  const operations = scene.sandbox.log.entries({ written: true }).map(({ operation }) => String(operation));
  return operations.filter((name) => /^(Create|Delete)/.test(name));
}

function set(more: object): void {
  writeFileSync(join(scene.project.cwd, "remit.yaml"), JSON.stringify({ ...settings, ...more }));
}

/** Applies the project with one manifest of a kind, and gives the key of its object and the calls that it took. */
async function begin(kind: string, name = "old"): Promise<{ readonly key: string; readonly sent: number }> {
  const { beside, spec } = CASES[kind] as Case;
  scene.project.write([...beside, { kind, name, spec }]);
  await scene.remit(0, ...ALL);
  const key = keyOf(`${kind}/${name}`);
  expect(key).toBeDefined();
  return { key: key ?? "", sent: made().length };
}

it("has a case for every kind", () => {
  expect(Object.keys(CASES).toSorted()).toEqual(NAMES.toSorted());
});

/** A run of tests has half of the kinds with `--prune` and the others without; the soak has each with both. */
const prunings = (kind: string) =>
  cases(1) > 1 ? [[], ["--prune"]] : [NAMES.indexOf(kind) % 2 === 0 ? [] : ["--prune"]];

describe.each(NAMES)("a renamed manifest of %s", (kind) => {
  const { beside, spec, edit, called = "displayName" } = CASES[kind] as Case;
  const write = (...manifests: readonly Omit<Manifest, "kind">[]) =>
    scene.project.write([...beside, ...manifests.map((one) => ({ kind, ...one }))]);

  describe.each(prunings(kind).map((prune) => ({ prune })))("with $prune", ({ prune }) => {
    it.each([
      ["keeps its object", {}],
      ["keeps its object where it is edited, too", edit],
    ])("%s", async (_, more) => {
      const { key, sent } = await begin(kind);
      write({ name: "new", spec: { ...spec, ...more } });
      await scene.remit(0, ...ALL, ...prune);
      expect([keyOf(`${kind}/new`), keyOf(`${kind}/old`)]).toEqual([key, undefined]);
      expect(made().slice(sent)).toEqual([]);
      await scene.remit(0, "plan", "--detailed-exitcode", ...prune);
    });

    it("keeps its object where it becomes a row, and where the row is called otherwise", async () => {
      const { key, sent } = await begin(kind);
      for (const name of ["shape[a]", "shape[b]"]) {
        const row = /\[(.)\]/.exec(name)?.[1] ?? "";
        const metadata = { name: "shape", row };
        scene.project.write(beside);
        appendFileSync(
          join(scene.project.cwd, "manifests", "all.yaml"),
          `---\n${JSON.stringify({ apiVersion: "remit/v1", kind, metadata, spec })}\n`,
        );
        await scene.remit(0, ...ALL, ...prune);
        expect(keyOf(`${kind}/${name}`)).toBe(key);
      }
      expect(made().slice(sent)).toEqual([]);
    });

    it("keeps its object beside a new manifest with the old name", async () => {
      if (!isChosen(kind)) return;
      const { key } = await begin(kind);
      const sent = made().length;
      write(
        { name: "new", spec },
        { name: "old", spec: { ...spec, [called]: "Other", alias: undefined } as never },
      );
      const told = await scene.run(...ALL, ...prune);
      expect(told.code, told.stdout + told.stderr).toBe(0);
      expect(keyOf(`${kind}/new`)).toBe(key);
      expect(keyOf(`${kind}/old`)).not.toBe(key);
      expect(
        made()
          .slice(sent)
          .filter((name) => name.startsWith("Delete")),
      ).toEqual([]);
      expect(made().slice(sent).length).toBe(1);
    });

    it("keeps its object with `moved:` where its displayName is edited, too; without, it deletes nothing", async () => {
      // A value of an attribute has nothing but its name, which no write changes.
      if (!isChosen(kind) || called === "value") return;
      const { key, sent } = await begin(kind);
      write({ name: "new", spec: { ...spec, displayName: "Edited" } });
      const plan = await scene.run("plan", ...prune);
      const move = `{ from: ${kind}/old, to: ${kind}/new }`;
      // An alias is unique in the tenant, so that it finds the object.
      if (spec.alias === undefined) expect((plan.stdout + plan.stderr).replace(/\s+/g, " ")).toContain(move);
      const { holdsOthers, isDeletedByEntry } = kindNamed(kind) ?? {};
      if (prune.length > 0 && holdsOthers === false && isDeletedByEntry !== true) {
        await scene.remit(3, ...ALL, ...prune);
        expect(made().slice(sent)).toEqual([]);
      }
      set({ moved: [{ from: `${kind}/old`, to: `${kind}/new` }] });
      await scene.remit(0, ...ALL, ...prune);
      expect(keyOf(`${kind}/new`)).toBe(key);
      expect(made().slice(sent)).toEqual([]);
    });

    // No list of the service shows templates and conflicts, so that a first run cannot see one.
    it.skipIf(["ReviewTemplate", "TemplateScope", "AccessConflict"].includes(kind))(
      "deletes and makes nothing without a state",
      async () => {
        const { sent } = await begin(kind);
        rmSync(join(scene.project.cwd, ".remit"), { recursive: true });
        write({ name: "new", spec });
        await scene.run(...APPLY, ...prune);
        expect(made().slice(sent)).toEqual([]);
      },
    );
  });
});

it("says which address an object has where the tenant and the manifest call it otherwise than the state", async () => {
  await begin("Webhook");
  const [row] = scene.sandbox.store.webhooks.all();
  scene.sandbox.store.webhooks.put(ROOT, row?.id ?? "", { ...row, displayName: "Theirs" } as never);
  const { spec } = CASES.Webhook as Case;
  scene.project.write([{ kind: "Webhook", name: "new", spec: { ...spec, displayName: "Theirs" } }]);
  const said = await scene.remit(4, "plan");
  expect(said).toContain(
    "the tenant has one webhook with this displayName, and it is Webhook/old in the state",
  );
  expect(said).toContain("add `{ from: Webhook/old, to: Webhook/new }` under `moved:`");
});
