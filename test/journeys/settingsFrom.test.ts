import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProjectCheckout, type ProjectCheckout } from "../fakes/projectCheckout.js";

const ADDRESS = "EntitlementAutomation/engineering";
const MANIFEST = "manifests/engineering-group.yaml";
const TODAY = new Date();
const SOON = new Date(TODAY.getTime() + 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

let checkout: ProjectCheckout;
beforeEach(async () => {
  checkout = makeProjectCheckout("examples/quickstart");
  const { code } = await checkout.remit("apply", "--yes", "--settings-from", "HEAD");
  expect(code).toBe(0);
  checkout.git("checkout", "-q", "-b", "change");
});
afterEach(() => checkout.close());

const append = (path: string, text: string) => checkout.write(path, `${checkout.read(path)}${text}`);
const merge = () => {
  checkout.git("checkout", "-q", "main");
  checkout.git("merge", "-q", "--no-ff", "-m", "merge", "change");
};
const managed = async () => (await checkout.remit("state", "list", "--settings-from", "main")).stdout;
/** A text without its line breaks and columns. */
const flat = (text: string) => text.replaceAll(/\s+/g, " ");
const effectOf = (file: string): string => JSON.parse(readFileSync(join(checkout.root, file), "utf8")).effect;

describe("a pull request that deletes a manifest and decides on its object", () => {
  beforeEach(() => {
    checkout.remove(MANIFEST);
    append("remit.yaml", `removed:\n  - { address: ${ADDRESS}, then: delete }\n`);
    checkout.commit();
  });

  it("plans the delete, shows the decision first, and the merge applies it", async () => {
    const planned = await checkout.remit("plan", "--settings-from", "main", "--out", "plan.json");
    expect([planned.code, planned.stderr]).toEqual([0, ""]);
    const [first = ""] = flat(planned.stdout).split(" C1 › ");
    expect(first).toMatch(
      / Decided by this change, .* removed\.\S+: not set → delete remit\.yaml:7 - delete /,
    );
    const effect = effectOf("plan.json");
    merge();
    const { code, stdout } = await checkout.remit(
      ...["apply", "--yes", "--settings-from", "HEAD", "--expect", effect],
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 deleted")]);
    expect(await managed()).not.toContain(ADDRESS);
    const again = await checkout.remit("plan", "--settings-from", "HEAD", "--detailed-exitcode");
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("Nothing to do")]);
    expect(again.stdout).not.toContain("Decided by this change");
  });

  it("applies the saved plan after the merge, and not before", async () => {
    await checkout.remit("plan", "--settings-from", "main", "--out", "plan.json");
    const early = await checkout.remit("apply", "plan.json", "--settings-from", "main");
    expect([early.code, early.stderr]).toEqual([4, expect.stringContaining("error[apply/other-intent]")]);
    expect(early.stderr).toContain(`removed.${ADDRESS}`);
    expect(await managed()).toContain(ADDRESS);
    merge();
    expect((await checkout.remit("apply", "plan.json", "--settings-from", "HEAD")).code).toBe(0);
    expect(await managed()).not.toContain(ADDRESS);
  });
});

describe("a pull request that adds the acknowledgement that it needs", () => {
  beforeEach(() => {
    const manifest = checkout.read(MANIFEST);
    checkout.write(MANIFEST, manifest.replace(/expression: .*(?:\n {6}.*)*/, 'expression: "true"'));
    const entry = `{ guard: everyone, address: ${ADDRESS}, until: ${SOON}, reason: agreed in SEC-7 }`;
    append("remit.yaml", `acknowledge:\n  - ${entry}\n`);
    checkout.commit();
  });

  it("shows the finding as proposed and exits 0, and the merge accepts it", async () => {
    const planned = await checkout.remit("plan", "--settings-from", "main", "--out", "plan.json");
    expect([planned.code, planned.stderr]).toEqual([0, ""]);
    expect(flat(planned.stdout)).toMatch(
      /Guards that this change answers once it is merged everyone \S+: cel\.expression would be true for everyone\. Answered by acknowledge\.everyone\.\S+ remit\.yaml:7 ~ update/,
    );
    expect(planned.stdout).not.toContain("--acknowledge");
    const unmerged = await checkout.remit("apply", "--yes", "--settings-from", "main");
    expect([unmerged.code, unmerged.stderr]).toEqual([4, expect.stringContaining("error[guard/everyone]")]);
    const early = await checkout.remit("apply", "plan.json", "--settings-from", "main");
    expect([early.code, early.stderr]).toEqual([4, expect.stringContaining("error[guard/everyone]")]);
    merge();
    const applied = await checkout.remit(
      ...["apply", "--yes", "--settings-from", "HEAD", "--expect", effectOf("plan.json")],
    );
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("1 updated")]);
  });

  it("exits 4 where another finding is open", async () => {
    checkout.write("remit.yaml", checkout.read("remit.yaml").replace(ADDRESS, "EntitlementAutomation/other"));
    const { code, stdout } = await checkout.remit("plan", "--settings-from", "main");
    expect([code, stdout]).toEqual([4, expect.stringContaining("nothing is applied until")]);
  });

  it("shows the same in Markdown, in JSON and in the saved plan, which its seal covers", async () => {
    const argv = ["--settings-from", "main", "--out", "plan.json", "--format"];
    const { stdout: markdown } = await checkout.remit("plan", ...argv, "markdown");
    expect(markdown).toContain("**Guards that this change answers once it is merged**");
    expect(markdown).toContain("- Settings in force: main (");
    expect(markdown).not.toContain("to acknowledge.");
    const { stdout } = await checkout.remit("plan", ...argv, "json");
    const report = JSON.parse(stdout);
    const place = { file: "remit.yaml", line: 7 };
    const setting = `acknowledge.everyone.${ADDRESS}`;
    expect(report.findings).toMatchObject([{ acknowledged: null, proposed: [{ setting, place }] }]);
    expect(report.settings).toMatchObject({
      from: { named: "main", commit: checkout.git("rev-parse", "main") },
      differences: [{ setting, effect: "loosens", inForce: null, place }],
      loosened: [],
    });
    const shown = await checkout.remit("show", "plan.json");
    expect(shown.stdout).toContain("Guards that this change answers once it is merged");
    checkout.write("plan.json", checkout.read("plan.json").replace('"loosens"', '"intent"'));
    expect((await checkout.remit("show", "plan.json")).stderr).toContain("error[plan/tampered]");
  });
});

describe("an apply at a terminal of what the working tree decides", () => {
  beforeEach(() => {
    checkout.remove(MANIFEST);
    append("remit.yaml", "prune: true\n");
  });

  it.each([[["--yes"]], [[]], [["plan.json"]]])("asks before it applies, with %o", async (argv) => {
    await checkout.remit("plan", "--settings-from", "main", "--out", "plan.json");
    const apply = ["apply", ...argv, "--settings-from", "main"];
    const no = await checkout.remitIn({ answer: "no" }, ...apply);
    expect([no.code, no.stderr]).toEqual([
      4,
      expect.stringContaining("The working tree decides otherwise than the settings in force:\n  prune\n"),
    ]);
    expect(await managed()).toContain(ADDRESS);
    expect((await checkout.remitIn({ answer: "yes" }, ...apply)).code).toBe(0);
    expect(await managed()).not.toContain(ADDRESS);
  });
});

it("a merge that changes no setting leaves no trace of one", async () => {
  append(MANIFEST, "# a remark\n");
  checkout.commit();
  const { code, stdout } = await checkout.remit("plan", "--settings-from", "main");
  expect(code).toBe(0);
  expect(stdout).not.toContain("this change");
  expect(existsSync(join(checkout.root, ".remit/state.json"))).toBe(true);
});
