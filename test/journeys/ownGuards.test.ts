import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProjectCheckout, type ProjectCheckout } from "../fakes/projectCheckout.js";

const MANIFEST = "manifests/engineering-group.yaml";
const ABOUT = "EntitlementAutomation/engineering";
const FILE = "guards/rules.yaml";

const guard = (name: string, trips: string, level = "deny") => `apiVersion: remit/v1
kind: Guard
metadata: { name: ${name} }
spec:
  on: { kinds: [EntitlementAutomation] }
  trips: '${trips}'
  message: A rule of ours says ${name}.
  level: ${level}
`;
const RENAMED = guard("renamed", '"displayName" in step.changed');
const OTHER = guard("other", 'step.action == "delete"');

let checkout: ProjectCheckout;
beforeEach(async () => {
  checkout = makeProjectCheckout("examples/quickstart");
  checkout.write("remit.yaml", `${checkout.read("remit.yaml")}guards: { own: [guards] }\n`);
  checkout.write(FILE, `${RENAMED}---\n${OTHER}`);
  checkout.commit();
  const applied = await checkout.remit("apply", "--yes", "--settings-from", "HEAD");
  expect([applied.code, applied.stderr]).toEqual([0, ""]);
  checkout.git("checkout", "-q", "-b", "change");
  checkout.write(MANIFEST, checkout.read(MANIFEST).replace("displayName: ", "displayName: The "));
});
afterEach(() => checkout.close());

const merge = () => {
  checkout.git("checkout", "-q", "main");
  checkout.git("merge", "-q", "--no-ff", "-m", "merge", "change");
};

/** The change with these guards, as the pull request's job plans it. */
async function proposed(guards: string) {
  checkout.write(FILE, guards);
  checkout.commit();
  const argv = ["plan", "--settings-from", "main", "--format"];
  const { code, stdout, stderr } = await checkout.remit(...argv, "json");
  const { findings, settings } = JSON.parse(stdout);
  const { stdout: text } = await checkout.remit(...argv, "text");
  return { code, stderr, findings, settings, text: text.replaceAll(/\s+/g, " ") };
}

describe("a pull request that changes the guards of a team", () => {
  it("is blocked by them where it leaves them as they are, and where it only moves them", async () => {
    const { code, findings, settings, text } = await proposed(`${OTHER}---\n${RENAMED}`);
    expect([code, settings.differences]).toEqual([4, []]);
    expect(findings).toMatchObject([{ guard: "own/renamed", address: ABOUT, flag: null, proposed: [] }]);
    expect(text).toContain(
      `! own/renamed ${ABOUT}: A rule of ours says renamed. = It cannot be acknowledged`,
    );
  });

  it.each([
    ["removes", OTHER, null],
    ["loosens", `${OTHER}---\n${guard("renamed", '"displayName" in step.changed', "note")}`, "note: "],
  ])("%s one, and is shown as proposed until it is merged", async (_, guards, workingTree) => {
    const { code, stderr, findings, settings, text } = await proposed(guards);
    // What a guard of the working tree only says is said beside it.
    const note = `note[own/renamed]: ${ABOUT}: A rule of ours says renamed.`;
    expect([code, stderr.includes(note)]).toEqual([0, workingTree !== null]);
    const setting = "guards.own.renamed";
    expect(findings).toMatchObject([{ guard: "own/renamed", proposed: [{ setting }] }]);
    expect(settings.differences).toMatchObject([
      {
        ...{ setting, effect: "loosens", inForce: 'deny: "displayName" in step.changed' },
        workingTree: workingTree === null ? null : expect.stringMatching(workingTree),
      },
    ]);
    expect(text).toContain(`own/renamed ${ABOUT}: A rule of ours says renamed. Answered by ${setting}`);
    const early = await checkout.remit("apply", "--yes", "--settings-from", "main");
    expect([early.code, early.stderr]).toEqual([4, expect.stringContaining("error[own/renamed]")]);
    merge();
    const applied = await checkout.remit("apply", "--yes", "--settings-from", "HEAD");
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("1 updated")]);
  });

  it("writes one otherwise that still trips, and both block it", async () => {
    const { code, findings, text } = await proposed(
      `${OTHER}---\n${guard("renamed", '"displayName" in step.changed', "acknowledge")}`,
    );
    expect(code).toBe(4);
    const levels = findings.map(({ flag, proposed }: { flag: unknown; proposed: readonly unknown[] }) => [
      flag === null,
      proposed.length,
    ]);
    expect(levels.sort()).toEqual([
      [false, 0],
      [true, 0],
    ]);
    expect(text).toContain("guards.own.renamed: deny: ");
    // A flag does not say which of the two it means.
    const flag = ["--acknowledge", `own/renamed=${ABOUT}`];
    const flagged = await checkout.remit("apply", "--yes", "--settings-from", "main", ...flag);
    expect(flagged.stderr.match(/error\[own\/renamed\]/g)).toHaveLength(2);
  });

  it("adds one, which is in force at once", async () => {
    const added = guard("added", 'step.name == "engineering"', "acknowledge");
    const { code, findings, settings, text } = await proposed(`${RENAMED}---\n${OTHER}---\n${added}`);
    expect(code).toBe(4);
    expect(findings).toMatchObject([
      { guard: "own/added", proposed: [], flag: `--acknowledge own/added=${ABOUT}` },
      { guard: "own/renamed", proposed: [] },
    ]);
    expect(settings.differences).toMatchObject([
      { setting: "guards.own.added", effect: "tightens", inForce: null },
    ]);
    expect(text).toContain("guards.own.added: not set → acknowledge: ");
  });
});

describe("guards about people that only a pull request has", () => {
  const DEPARTMENTS = Array.from({ length: 18 }, (_, at) => `Department ${at}`);
  const asks = (at: number, name: string) =>
    guard(`asks-${at}`, `people.${at % 2 === 0 ? "gain" : "lose"}.exists(p, p.department == "${name}")`);

  it("are not asked, but named; those about steps alone are asked", async () => {
    // The last one always trips where it is asked.
    const always = guard("asks-always", "size(people.gain) >= 0");
    const about = [...DEPARTMENTS.map((name, at) => asks(at, name)), always];
    const added = guard("added", 'step.name == "engineering"', "acknowledge");
    const { findings, settings, text, stderr } = await proposed(
      [RENAMED, OTHER, added, ...about].join("---\n"),
    );
    expect(findings.map((one: { guard: string }) => one.guard)).toEqual(["own/added", "own/renamed"]);
    expect(stderr).not.toContain("own/asks-");
    const differences: readonly { setting: string; workingTree: string }[] = settings.differences;
    const named = differences.filter(({ setting }) => setting.startsWith("guards.own.asks-"));
    expect(named).toHaveLength(19);
    for (const { workingTree } of named) expect(workingTree).toMatch(/\(asked after the merge\)$/);
    expect(text).toContain("(asked after the merge)");
    merge();
    const { code, stdout } = await checkout.remit("plan", "--settings-from", "HEAD", "--format", "json");
    expect(code).toBe(4);
    expect(stdout).toContain("own/asks-always");
  });
});

describe("a guard of the reviewed branch that cannot be read", () => {
  it("stops every plan, like a broken remit.yaml, until the repair is the commit of the settings", async () => {
    const whole = checkout.read(FILE);
    for (const [path, broken] of [
      [FILE, whole.replace("step.changed", "step.chaged")],
      ["remit.yaml", checkout.read("remit.yaml").replace("[guards]", "3")],
    ] as const) {
      const right = checkout.read(path);
      checkout.write(path, broken);
      checkout.commit();
      checkout.write(path, right);
      checkout.commit();
      const planned = await checkout.remit("plan", "--settings-from", "HEAD^");
      expect([path, planned.code, planned.stdout]).toEqual([path, 5, ""]);
      expect(planned.stderr).toMatch(/error\[(?:guard\/expression|schema\/\w+)\]/);
      expect((await checkout.remit("plan", "--settings-from", "HEAD")).code).toBe(4);
    }
  });
});
