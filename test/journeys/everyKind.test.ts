import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { kindNamed, kinds } from "../../src/kinds/index.js";
import { formatAddress } from "../../src/model/address.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import type { Entry } from "../../src/state/snapshot.js";
import { makeCheckout } from "../fakes/checkout.js";
import { CASES } from "../fakes/everyKind.js";
import { hastyClock, runInside } from "../fakes/inside.js";
import type { Manifest, Spec } from "../fakes/project.js";

/** Each command that takes an object, with an object of every kind: a new kind is in it without a test of its own. */

const NAMES = kinds.map(({ name }) => name);
const fileOf = (kind: string) => `manifests/${kind}.yaml`;
const addressOf = (kind: string) => `${kind}/one`;
const ACKNOWLEDGED = ["nobody", "everyone", "unknown-current"].flatMap((guard) => ["--acknowledge", guard]);
const APPLY = ["apply", "--yes", ...ACKNOWLEDGED];
/** The kinds of which something changes. */
const EDITED = NAMES.filter((kind) => {
  const { spec, edit } = caseOf(kind);
  return Object.keys(edit).some((name) => spec[name] !== edit[name]);
});

/** A manifest that has each field that is edited, as it was before. */
function caseOf(kind: string): { readonly spec: Spec; readonly edit: Spec } {
  const { spec = {}, edit = {} } = CASES[kind] ?? {};
  const before = Object.keys(edit).map((name) => [name, spec[name] ?? "as it was"]);
  return { spec: { ...spec, ...Object.fromEntries(before) }, edit };
}

function written(one: Manifest): string {
  const { kind, name, spec } = one;
  return `${JSON.stringify({ apiVersion: "remit/v1", kind, metadata: { name }, spec }, null, 2)}\n`;
}

let sandbox: Sandbox;
beforeEach(async () => {
  const apps = [{ id: C1_APP_ID, displayName: "C1" }];
  sandbox = await startSandbox({ tenant: { ...EMPTY_TENANT, open: false, apps } });
});
afterEach(() => sandbox.close());

/** A checkout that describes an object of each kind, and what these name. */
function open(state = ".remit/state.json") {
  const checkout = makeCheckout({ ".gitignore": ".remit/\n" });
  const env = { ...checkout.env, REMIT_TOKEN: sandbox.token, REMIT_SERVER: sandbox.url, REMIT_STATE: state };
  const settings = (more = "") =>
    checkout.write(
      "remit.yaml",
      `manifests: [manifests]\nguards: { maxChangesPercent: 100, maxDeletes: 100 }\n${more}`,
    );
  settings();
  const beside = new Map(NAMES.flatMap((kind) => CASES[kind]?.beside ?? []).map((one) => [one.name, one]));
  checkout.write("manifests/beside.yaml", [...beside.values()].map(written).join("---\n"));
  const write = (kind: string, spec: Spec) =>
    checkout.write(fileOf(kind), written({ kind, name: "one", spec }));
  return {
    ...checkout,
    settings,
    writeOne: write,
    describe(edited: boolean) {
      for (const kind of NAMES) {
        const { spec, edit } = caseOf(kind);
        write(kind, edited ? { ...spec, ...edit } : spec);
      }
    },
    async remit(code: number, ...argv: readonly string[]): Promise<string> {
      const seen = await runInside(argv, { cwd: checkout.root, env, clock: hastyClock(100) });
      expect(seen.code, seen.stdout + seen.stderr).toBe(code);
      return seen.stdout + seen.stderr;
    },
    keyOf(kind: string): readonly string[] {
      const { entries } = JSON.parse(readFileSync(join(checkout.root, state), "utf8"));
      const all: readonly Entry[] = Object.values(entries);
      return all.find(({ address }) => formatAddress(address) === addressOf(kind))?.key ?? [];
    },
    read: (kind: string) => readFileSync(join(checkout.root, fileOf(kind)), "utf8"),
  };
}

async function applied() {
  const project = open();
  project.describe(false);
  project.commit();
  await project.remit(0, ...APPLY);
  return project;
}

const writes = () => sandbox.log.entries({ written: true }).map(({ operation }) => `${operation}`);

describe("an object of every kind", () => {
  it("is accepted as another checkout changed it", async () => {
    const { remit, read, root } = await applied();
    const other = open();
    cpSync(join(root, ".remit"), join(other.root, ".remit"), { recursive: true });
    other.describe(true);
    await other.remit(0, ...APPLY);
    const drift = await remit(2, "plan", "--refresh-only", "--detailed-exitcode");
    for (const kind of EDITED) expect(drift).toContain(addressOf(kind));
    await remit(0, "accept", "--all-drift", "--yes");
    for (const kind of EDITED) {
      const edit = JSON.stringify(Object.values(caseOf(kind).edit)[0]).replaceAll(/[[\]{}]/g, "");
      expect(
        read(kind)
          .replaceAll(/[[\]{}]/g, "")
          .replaceAll(/\s+/g, ""),
        kind,
      ).toContain(edit.replaceAll(/\s+/g, ""));
    }
    const json = await remit(0, "plan", "--detailed-exitcode", "--format", "json");
    const { steps } = JSON.parse(json.slice(0, json.lastIndexOf("}") + 1));
    const titles = new Map<string, string>(
      steps.map(({ address, title }: Readonly<Record<string, string>>) => [address, title]),
    );
    for (const kind of EDITED) {
      const { spec, edit } = caseOf(kind);
      const { displayName } = { ...spec, ...edit };
      if (displayName !== undefined && kindNamed(kind)?.namesRepeat === true)
        expect(titles.get(addressOf(kind)), kind).toContain(displayName);
    }
  });

  it("gets back what it had before a run, and the history has both runs", async () => {
    const { describe: write, commit, remit } = await applied();
    write(true);
    commit();
    await remit(0, ...APPLY);
    for (const kind of EDITED) {
      expect(JSON.parse(await remit(0, "history", addressOf(kind), "--format", "json")).records).toHaveLength(
        2,
      );
    }
    await remit(0, "accept", "--restore", ...EDITED.map(addressOf), "--yes");
    await remit(0, ...APPLY);
    write(false);
    await remit(0, "plan", "--detailed-exitcode");
  });

  it("is deleted by its entry without a state, where its manifest stood in an earlier commit", async () => {
    const { root, settings, remit, keyOf } = await applied();
    const entries = kinds.map(({ name, verbs }) => {
      const what = `address: ${addressOf(name)}, key: ${keyOf(name).join("/")}`;
      return `  - { ${what}, then: ${verbs.full.includes("delete") ? "delete" : "forget"} }\n`;
    });
    rmSync(join(root, ".remit"), { recursive: true });
    for (const kind of NAMES) rmSync(join(root, fileOf(kind)));
    settings(`removed:\n${entries.join("")}`);
    const said = await remit(0, "plan", "--since", "main", ...ACKNOWLEDGED);
    for (const { name, verbs } of kinds)
      if (verbs.full.includes("delete")) expect(said).toMatch(new RegExp(`delete +${addressOf(name)}`));
    await remit(0, "apply", "--since", "main", ...APPLY.slice(1));
    await remit(0, "plan", "--since", "main", "--detailed-exitcode");
  });

  it("is forgotten and adopted again, its state moves, and an import brings it or its kind says that no list shows it", async () => {
    const { remit, writeOne, keyOf } = await applied();
    const sent = writes().length;
    // Where names repeat, a forgotten object is known by its id alone.
    for (const { name } of kinds.filter(({ namesRepeat }) => namesRepeat))
      writeOne(name, { ...caseOf(name).spec, id: keyOf(name).at(-1) ?? "" });
    await remit(0, "state", "forget", "*/one");
    expect(await remit(0, "plan", "--detailed-exitcode")).toContain(`${NAMES.length} to adopt`);
    await remit(0, ...APPLY);
    await remit(0, "state", "move", "moved.json");
    await remit(0, "plan", "--state", "moved.json", "--detailed-exitcode");
    const elsewhere = open("import.json");
    rmSync(join(elsewhere.root, "manifests"), { recursive: true });
    const said = await elsewhere.remit(0, "import");
    const [found = "", unseen = ""] = said.split("What remit cannot see");
    for (const { name, noun } of kinds)
      expect(found.includes(noun.one) || unseen.includes(`${name}: `), name).toBe(true);
    await elsewhere.remit(0, "plan", "--detailed-exitcode");
    expect(writes()).toHaveLength(sent);
  });
});
