import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { automation } from "../apply/sessionScene.js";
import { runInside } from "../fakes/inside.js";
import { folder } from "../manifest/folder.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const [ONE, TWO] = ["manifests/red/one.yaml", "manifests/blue/two.yaml"];

/** A project with two applied automations, in a folder each, and ways to look at what is left of them. */
async function begin(settings: "with remit.yaml" | "without remit.yaml" = "with remit.yaml") {
  const sandbox: Sandbox = await startSandbox({ interface: "full" });
  onTestFinished(() => sandbox.close());
  const cwd = folder({});
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  };
  if (settings === "with remit.yaml") write("remit.yaml", "manifests: [manifests]\n");
  write(ONE, automation("one", 'subject.department == "Red"', 1));
  write(TWO, automation("two", 'subject.department == "Blue"', 2));
  const env = { REMIT_TOKEN: sandbox.token, REMIT_SERVER: sandbox.url };
  const remit = (...argv: readonly string[]) => runInside(argv, { cwd, env });
  const first = settings === "with remit.yaml" ? [] : [ONE, TWO];
  expect((await remit("apply", "--yes", ...first)).code).toBe(0);
  return {
    remit,
    write,
    remove: (file: string) => rmSync(join(cwd, file), { recursive: true }),
    inTenant: () =>
      [1, 2].filter((number) => {
        const row = sandbox.store.automations.get(APP, `entitlement000000000000000${number}`);
        return row !== undefined && (row.deletedAt ?? null) === null;
      }),
    inState: () =>
      Object.keys(JSON.parse(readFileSync(join(cwd, ".remit/state.json"), "utf8")).entries).length,
  };
}

describe("a path", () => {
  it.each([[[ONE]], [["--prune", "manifests/red"]], [["--prune", ONE]]])(
    "selects from the project, and removes nothing: apply %j",
    async (argv) => {
      const { remit, inTenant, inState, write } = await begin();
      write(ONE, automation("one", 'subject.department == "Crimson"', 1));
      const { code, stdout } = await remit("apply", "--yes", ...argv);
      expect([code, stdout]).toEqual([0, expect.stringContaining("1 updated")]);
      expect([inTenant(), inState()]).toEqual([[1, 2], 2]);
    },
  );

  it("removes nothing without a remit.yaml", async () => {
    const { remit, inTenant, inState } = await begin("without remit.yaml");
    const { code, stdout } = await remit("apply", "--yes", "--prune", ONE);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("two")]);
    expect([inTenant(), inState()]).toEqual([[1, 2], 2]);
  });

  it("meets an error elsewhere in the project as a warning", async () => {
    const { remit, write } = await begin();
    write(TWO, "apiVersion: remit/v1\nkind: EntitlementAutomation\nmetadata: {\n");
    expect((await remit("plan", ONE)).code).toBe(0);
    expect((await remit("plan", "--target", "EntitlementAutomation/one")).code).toBe(0);
    const { stderr } = await remit("plan", ONE);
    expect(stderr).toMatch(/warning\[yaml\//);
    expect((await remit("plan")).code).toBe(5);
  });
});

describe("a manifest that leaves the project", () => {
  it("leaves its object removed until someone decides, and --prune deletes it later", async () => {
    const { remit, remove, inTenant, inState } = await begin();
    remove(TWO);
    expect((await remit("apply", "--yes")).stdout).toContain("1 removed from the project, still active");
    expect([inTenant(), inState()]).toEqual([[1, 2], 2]);
    expect((await remit("plan", "--detailed-exitcode")).code).toBe(0);
    expect((await remit("apply", "--yes", "--prune")).code).toBe(0);
    expect([inTenant(), inState()]).toEqual([[1], 1]);
  });

  it("is not what an empty or missing folder means", async () => {
    const { remit, remove, inTenant, inState, write } = await begin();
    remove("manifests");
    expect((await remit("apply", "--yes", "--prune")).code).toBe(5);
    write("manifests/README.md", "nothing here");
    expect((await remit("apply", "--yes", "--prune")).code).toBe(5);
    write("manifests/empty.yaml", "");
    expect((await remit("apply", "--yes", "--prune")).code).toBe(5);
    expect([inTenant(), inState()]).toEqual([[1, 2], 2]);
  });
});

const remitYaml = (more: string) => `manifests: [manifests]\n${more}`;
const TWO_IS_KEPT = "removed: [{ address: EntitlementAutomation/two, then: forget }]\n";
const TWO_GOES = "removed: [{ address: EntitlementAutomation/two, then: delete }]\n";
const KEY = `${APP}/entitlement0000000000000002`;

describe("an entry under removed:", () => {
  it.each([
    ["delete", TWO_GOES, [1]],
    ["forget", TWO_IS_KEPT, [1, 2]],
  ] as const)("decides for its object alone: %s", async (_, text, left) => {
    const { remit, remove, write, inTenant, inState } = await begin();
    write("manifests/red/more.yaml", automation("three", 'subject.department == "Green"', 3));
    await remit("apply", "--yes");
    remove(TWO);
    remove("manifests/red/more.yaml");
    write("remit.yaml", remitYaml(text));
    expect((await remit("apply", "--yes")).code).toBe(0);
    expect([inTenant(), inState()]).toEqual([left, 2]);
    const { code, stderr, stdout } = await remit("plan");
    expect([code, stderr]).toEqual([0, expect.stringContaining("This line can go.")]);
    expect(stdout).toContain("1 removed from the project, still active");
  });

  it("needs a key where its address is in the project", async () => {
    const { remit, write, inState } = await begin();
    write("remit.yaml", remitYaml(TWO_GOES));
    const { code, stderr } = await remit("apply", "--yes");
    expect([code, stderr]).toEqual([5, expect.stringContaining("plan/removal-needs-key")]);
    expect(inState()).toBe(2);
  });

  it("needs a key without a state, and deletes by it", async () => {
    const { remit, write, remove, inTenant } = await begin();
    remove(TWO);
    remove(".remit");
    write("remit.yaml", remitYaml(TWO_GOES));
    expect((await remit("apply", "--yes")).stderr).toContain("plan/removal-needs-key");
    write("remit.yaml", remitYaml(TWO_GOES.replace("two,", `two, key: ${KEY},`)));
    expect((await remit("apply", "--yes")).code).toBe(0);
    expect(inTenant()).toEqual([1]);
  });

  it("is only a note where a manifest has the key again", async () => {
    const { remit, write, inTenant } = await begin();
    write("remit.yaml", remitYaml(TWO_GOES.replace("two,", `two, key: ${KEY},`)));
    const { code, stderr } = await remit("apply", "--yes");
    expect([code, stderr]).toEqual([0, expect.stringContaining("note[plan/removal-idle]")]);
    expect(inTenant()).toEqual([1, 2]);
  });
});

describe("--prune", () => {
  it("is refused without a state; prune: true only warns", async () => {
    const { remit, write, remove, inTenant } = await begin();
    remove(TWO);
    remove(".remit");
    const { code, stderr } = await remit("apply", "--yes", "--prune");
    expect([code, stderr]).toEqual([4, expect.stringContaining("error[plan/prune-no-state]")]);
    write("remit.yaml", remitYaml("prune: true\n"));
    const standing = await remit("apply", "--yes");
    expect([standing.code, standing.stderr]).toEqual([
      0,
      expect.stringContaining("warning[plan/prune-no-state]"),
    ]);
    expect(inTenant()).toEqual([1, 2]);
  });

  it("may stand in remit.yaml", async () => {
    const { remit, write, remove, inTenant } = await begin();
    remove(TWO);
    write("remit.yaml", remitYaml("prune: true\n"));
    expect((await remit("apply", "--yes")).code).toBe(0);
    expect(inTenant()).toEqual([1]);
  });
});

describe("the limits on decisions", () => {
  const limits = (text: string) => remitYaml(`guards: { maxForgets: 0, maxDeletes: 0 }\n${text}`);

  it.each([
    ["max-forgets", TWO_IS_KEPT, [1, 2]],
    ["max-deletes", TWO_GOES, [1]],
    ["max-deletes", "prune: true\n", [1]],
  ] as const)("%s counts what a decision does, in a plan and in an apply", async (guard, text, left) => {
    const { remit, write, remove, inTenant, inState } = await begin();
    remove(TWO);
    write("remit.yaml", limits(text));
    const planned = await remit("plan");
    expect([planned.code, planned.stdout]).toEqual([4, expect.stringContaining(`! ${guard}`)]);
    const applied = await remit("apply", "--yes");
    expect([applied.code, applied.stderr]).toEqual([4, expect.stringContaining(`guard/${guard}`)]);
    expect([inTenant(), inState()]).toEqual([[1, 2], 2]);
    expect((await remit("apply", "--yes", "--acknowledge", guard)).code).toBe(0);
    expect([inTenant(), inState()]).toEqual([left, 1]);
  });

  it("do not count a removed object that is undecided", async () => {
    const { remit, write, remove } = await begin();
    remove(TWO);
    write("remit.yaml", limits(""));
    for (const command of [["plan"], ["apply", "--yes"]]) {
      const { code, stdout } = await remit(...command);
      expect([code, stdout]).toEqual([0, expect.not.stringContaining("max-")]);
    }
  });
});

describe("a protected object", () => {
  const protect = (text: string) => text.replace("{ name", '{ annotations: { remit/protect: "true" }, name');

  it("is deleted or no longer managed only with an acknowledgement", async () => {
    const { remit, write, remove, inTenant, inState } = await begin();
    write(TWO, protect(automation("two", 'subject.department == "Blue"', 2)));
    expect((await remit("apply", "--yes")).code).toBe(0);
    remove(TWO);
    expect((await remit("plan")).code).toBe(0);
    for (const text of [TWO_GOES, TWO_IS_KEPT]) {
      write("remit.yaml", remitYaml(text));
      const { code, stderr } = await remit("apply", "--yes");
      expect([code, stderr]).toEqual([4, expect.stringContaining("guard/protected")]);
    }
    expect([inTenant(), inState()]).toEqual([[1, 2], 2]);
    expect((await remit("apply", "--yes", "--acknowledge", "protected=EntitlementAutomation/two")).code).toBe(
      0,
    );
    expect([inTenant(), inState()]).toEqual([[1, 2], 1]);
  });
});
