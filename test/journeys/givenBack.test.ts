import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { automation } from "../apply/sessionScene.js";
import { runInside } from "../fakes/inside.js";
import { folder } from "../manifest/folder.js";

const FILE = "manifests/groups/one.yaml";
const OLD = automation("one", 'subject.department == "Old"').replace(
  "displayName: one",
  'displayName: "no: 1"',
);
const NEW = automation("one", 'subject.department == "New"');

/** An automation that was in the tenant before remit first managed it, and that remit changed. */
async function begin() {
  const sandbox = await startSandbox({ interface: "full" });
  onTestFinished(() => sandbox.close());
  const cwd = folder({
    "remit.yaml": "manifests: [manifests]\n",
    "manifests/other.yaml": automation("other", "true", 2),
  });
  mkdirSync(join(cwd, "manifests/groups"));
  const env = { REMIT_TOKEN: sandbox.token, REMIT_SERVER: sandbox.url };
  const remit = (...argv: readonly string[]) => runInside(argv, { cwd, env });
  const write = (text: string) => writeFileSync(join(cwd, FILE), text);
  write(OLD);
  expect((await remit("apply", "--yes", "--acknowledge", "everyone")).code).toBe(0);
  rmSync(join(cwd, ".remit"), { recursive: true });
  write(NEW);
  expect((await remit("apply", "--yes")).code).toBe(0);
  const shown = () => {
    const [row] = sandbox.store.automations
      .all()
      .filter(({ appEntitlementId }) => appEntitlementId.endsWith("1"));
    return [row?.displayName, JSON.stringify(row?.cel)];
  };
  return { remit, write, cwd, shown, remove: () => rmSync(join(cwd, FILE)) };
}

it("a field that is given back is printed as the line that restores it, and that line restores it", async () => {
  const { remit, write, shown } = await begin();
  const without = NEW.replace("  displayName: one\n", "");
  write(without);
  const { code, stdout } = await remit("plan");
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("This change undoes nothing in the tenant: 1 object stays as it is."),
  ]);
  const [, line = ""] = /to restore it, write:\n +(.*)\n/.exec(stdout) ?? [];
  expect(line).toBe('displayName: "no: 1"');
  expect((await remit("plan", "--format", "markdown")).stdout).toContain(`\`\`\`yaml\n${line}\n\`\`\``);
  const json = JSON.parse((await remit("plan", "--format", "json")).stdout);
  expect([json.undoesNothing, json.steps[0].remarks[0].lines]).toEqual([1, [line]]);

  write(`${without}  ${line}\n`);
  expect((await remit("plan")).stdout).not.toContain("undoes nothing");
  expect((await remit("apply", "--yes")).code).toBe(0);
  expect(shown()[0]).toBe("no: 1");
});

it("a removed object is shown with its last file, and with what was there before remit", async () => {
  const { remit, remove, write, cwd, shown } = await begin();
  remove();
  const { stdout } = await remit("plan");
  expect(stdout).toContain("This change undoes nothing in the tenant: 1 object stays as it is.");
  expect(stdout).toContain(`was in ${FILE}`);
  const json = JSON.parse((await remit("plan", "--format", "json")).stdout);
  expect(json.steps[0]).toMatchObject({ action: "removed" });
  expect(json.steps[0].remarks[1]).toMatchObject({ code: "remark/last-file", names: [FILE] });
  expect(json.steps[0].remarks[0].lines).toContain('displayName: "no: 1"');
  expect((await remit("plan", "--format", "markdown")).stdout).toContain(`was in <code>${FILE}</code>`);

  const [head = ""] = NEW.split("  displayName");
  write(head + json.steps[0].remarks[0].lines.map((line: string) => `  ${line}\n`).join(""));
  expect((await remit("apply", "--yes")).code).toBe(0);
  expect(shown()).toEqual(["no: 1", expect.stringContaining("Old")]);
  expect(readFileSync(join(cwd, ".remit/state.json"), "utf8")).toContain('"original"');
});

it("nothing needs to be restored where the tenant has that value, and a delete restores nothing", async () => {
  const { remit, write, remove } = await begin();
  write(OLD);
  expect((await remit("apply", "--yes")).code).toBe(0);
  remove();
  const undecided = await remit("plan");
  expect(undecided.stdout).not.toContain("to restore");
  const pruned = await remit("plan", "--prune");
  expect(pruned.stdout).not.toContain("undoes nothing");
  expect(pruned.stdout).toContain(`was in ${FILE}`);
});
