import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { automation } from "../apply/sessionScene.js";
import { checkoutAt, emptyCheckout } from "../fakes/checkout.js";
import { runInside } from "../fakes/inside.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const [WHOLE, BROKEN] = ["manifests/a.yaml", "manifests/b.yaml"];
const NUMBERS = [1, 2, 3];
const PROJECT = "manifests: [.]\n";
const manifest = (number: number) => automation(`n${number}`, `subject.department == "D${number}"`, number);
const TEXT = `${manifest(2)}---\n${manifest(3)}`;

const NOT_UNDERSTOOD = "manifest/not-understood";
const OTHER_TOOL = "services:\n  web: { image: nginx }\n";
const asItem = (text: string) => `- ${text.trimEnd().replaceAll("\n", "\n  ")}\n`;

/** Everything that can become of a file with manifests while it is still there, and what remit says of it. */
const BREAKS: readonly (readonly [what: string, text: string | Uint8Array, code: string])[] = [
  [
    "a pointer of git-LFS",
    `version https://git-lfs.github.com/spec/v1\noid sha256:${"4d".repeat(32)}\nsize 12345\n`,
    NOT_UNDERSTOOD,
  ],
  ["cut to nothing", "", NOT_UNDERSTOOD],
  ["cut inside a document", TEXT.slice(0, TEXT.lastIndexOf("spec")), "schema/required"],
  ["cut inside a document's first word", TEXT.slice(0, TEXT.indexOf("---") + 9), NOT_UNDERSTOOD],
  [
    "encrypted by git-crypt",
    new Uint8Array([0, ...Buffer.from("GITCRYPT\0"), 200, 31, 7, 92, 240, 0, 5]),
    "file/not-utf8",
  ],
  [
    "encrypted by SOPS",
    "apiVersion: ENC[AES256_GCM,data:aGVsbG8=,tag:eA==]\nkind: ENC[AES256_GCM,data:eA==]\nsops: {}\n",
    NOT_UNDERSTOOD,
  ],
  ["encrypted by Ansible Vault", "$ANSIBLE_VAULT;1.1;AES256\n6438396463613035\n32613439\n", NOT_UNDERSTOOD],
  ["without its apiVersion", TEXT.replaceAll("apiVersion: remit/v1\n", ""), "schema/required"],
  [
    "without its apiVersion, with a mistyped kind",
    manifest(2).replace("apiVersion: remit/v1\nkind: Ent", "kind: Emt"),
    "manifest/version",
  ],
  ["with another apiVersion", TEXT.replaceAll("remit/v1", "rmit/v1"), NOT_UNDERSTOOD],
  ["a list of its documents", asItem(manifest(2)) + asItem(manifest(3)), "manifest/list"],
  ["a List of Kubernetes", `apiVersion: v1\nkind: List\nitems:\n${asItem(manifest(2))}`, NOT_UNDERSTOOD],
  ["with an anchor that is gone", TEXT.replaceAll("remit/v1", "*version"), NOT_UNDERSTOOD],
  ["with all its lines as comments", TEXT.replace(/^/gm, "# "), NOT_UNDERSTOOD],
  ["in UTF-16", Buffer.from(`\uFEFF${TEXT}`, "utf16le"), "file/not-utf8"],
  ["another tool's", OTHER_TOOL, NOT_UNDERSTOOD],
  ["another tool's in one document", `${manifest(2)}---\n${OTHER_TOOL}`, NOT_UNDERSTOOD],
];

/** The ways in which a removal is decided: what stands in remit.yaml, the flags, and whether the state is here. */
const WAYS: Readonly<Record<"--prune" | "prune: true" | "--since" | "removed:", Way>> = {
  "--prune": { settings: "", flags: ["--prune"], hasState: true },
  "prune: true": { settings: "prune: true\n", flags: [], hasState: true },
  "--since": { settings: "", flags: ["--since", "main", "--prune"], hasState: false },
  "removed:": {
    settings: `removed:\n${NUMBERS.slice(1)
      .map((number) => `  - { address: EntitlementAutomation/n${number}, then: delete }\n`)
      .join("")}`,
    flags: [],
    hasState: true,
  },
};

interface Way {
  readonly settings: string;
  readonly flags: readonly string[];
  readonly hasState: boolean;
}

/** What each case begins with, and copies: three applied automations of two files, and a branch that is checked out. */
let applied: Awaited<ReturnType<typeof prepare>>;
beforeAll(async () => {
  applied = await prepare();
});
afterAll(() => applied.close());

async function prepare() {
  const sandbox = await startSandbox({ interface: "full" });
  const home = realpathSync(mkdtempSync(join(tmpdir(), "remit-broken-")));
  const root = join(home, "checkout");
  cpSync(emptyCheckout(), root, { recursive: true });
  const { write, commit, git, env: own } = checkoutAt(root, home);
  const files = { "remit.yaml": PROJECT, ".gitignore": ".remit/\n", [WHOLE]: manifest(1), [BROKEN]: TEXT };
  for (const [file, text] of Object.entries(files)) write(file, text);
  commit();
  const env = { REMIT_TOKEN: sandbox.token, REMIT_SERVER: sandbox.url };
  const { code, stderr } = await runInside(["apply", "--yes"], { cwd: root, env: { ...own, ...env } });
  expect(code, stderr).toBe(0);
  git("checkout", "-q", "-b", "change");
  const rows = NUMBERS.map((number) => sandbox.store.automations.get(APP, entitlement(number)));
  async function close(): Promise<void> {
    rmSync(home, { recursive: true });
    await sandbox.close();
  }
  return { sandbox, root, env, rows, close };
}

const entitlement = (number: number) => `entitlement000000000000000${number}`;

async function begin(way: keyof typeof WAYS) {
  const { sandbox, rows } = applied;
  for (const row of rows)
    if (row !== undefined) sandbox.store.automations.put(APP, row.appEntitlementId, row);
  const home = realpathSync(mkdtempSync(join(tmpdir(), "remit-broken-")));
  onTestFinished(() => rmSync(home, { recursive: true }));
  cpSync(applied.root, join(home, "checkout"), { recursive: true });
  const checkout = checkoutAt(join(home, "checkout"), home);
  const env = { ...checkout.env, ...applied.env };
  const remit = (...argv: readonly string[]) => runInside(argv, { cwd: checkout.root, env });
  const { settings, flags, hasState } = WAYS[way];
  if (!hasState) rmSync(join(checkout.root, ".remit"), { recursive: true });
  checkout.write("remit.yaml", `${PROJECT}${settings}`);
  return {
    ...checkout,
    remit,
    /** Only --since reads what is committed. */
    commit: () => (hasState ? null : checkout.commit()),
    apply: () => remit("apply", "--yes", ...flags, "--acknowledge", "max-changes"),
    inTenant: () =>
      NUMBERS.filter((number) => {
        const row = sandbox.store.automations.get(APP, entitlement(number));
        return row !== undefined && (row.deletedAt ?? null) === null;
      }),
  };
}

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])("with %s", (way) => {
  it.each(BREAKS)("nothing of a file is removed that is %s", async (_, text, code) => {
    const { root, apply, inTenant, commit } = await begin(way);
    writeFileSync(join(root, BROKEN), text);
    commit();
    const { flags } = WAYS[way];
    const { code: exit, stdout, stderr } = await apply();
    const isRefused = code !== NOT_UNDERSTOOD || flags.includes("--prune");
    expect([inTenant(), exit]).toEqual([NUMBERS, isRefused ? 5 : 0]);
    expect(`${stdout}${stderr}`).toContain(`${isRefused ? "error" : "warning"}[${code}]`);
    expect(`${stdout}${stderr}`).toContain(BROKEN);
  });

  it.each<[string, string | null, readonly number[]]>([
    ["one document of a file", manifest(2), [1, 2]],
    ["a whole file", null, [1]],
  ])("%s may be removed where all of the project is understood", async (_, text, left) => {
    const { apply, inTenant, commit, write, remove } = await begin(way);
    if (way === "removed:" && text !== null)
      write("remit.yaml", `${PROJECT}removed: [{ address: EntitlementAutomation/n3, then: delete }]\n`);
    if (text === null) remove(BROKEN);
    else write(BROKEN, text);
    write("docker-compose.yml", OTHER_TOOL);
    commit();
    expect([(await apply()).code, inTenant()]).toEqual([0, left]);
  });
});

it("an apply records where a manifest stands that was moved, and the new file is then not to be emptied", async () => {
  const { remit, git, write, inTenant, apply } = await begin("--prune");
  git("mv", BROKEN, "manifests/c.yaml");
  const moved = await apply();
  expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining("Nothing to do: 3 unchanged")]);
  write("manifests/c.yaml", "# soon\n");
  const { code, stdout, stderr } = await remit("plan", "--prune");
  expect([code, `${stdout}${stderr}`]).toEqual([5, expect.stringContaining("manifests/c.yaml")]);
  expect(inTenant()).toEqual(NUMBERS);
});

it("an ignored file is left out, so its objects count as removed", async () => {
  const { apply, write, inTenant } = await begin("--prune");
  write(BROKEN, OTHER_TOOL);
  write(".remitignore", `${BROKEN}\n`);
  expect([(await apply()).code, inTenant()]).toEqual([0, [1]]);
});

it("a file whose manifests all stand elsewhere may be emptied", async () => {
  const { apply, write, inTenant } = await begin("--prune");
  write(BROKEN, "# all in c.yaml\n");
  write("manifests/c.yaml", TEXT);
  write(WHOLE, "# nothing\n");
  write("manifests/d.yaml", manifest(1));
  expect([(await apply()).code, inTenant()]).toEqual([0, NUMBERS]);
});
