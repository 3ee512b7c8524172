import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";

/** `state settle`: a person says which object a create of unknown result made. */

const ADDRESS = "ReviewTemplate/quarterly";
const STRANGER = "a".repeat(27);
const [ANA, POLICY] = ["b".repeat(27), "c".repeat(27)];
const quarterly: Manifest = {
  kind: "ReviewTemplate",
  name: "quarterly",
  spec: { displayName: "Quarterly", ownerIds: [ANA], policyId: POLICY, accessReviewDuration: "14d" },
};
const TENANT = {
  ...EMPTY_TENANT,
  open: false,
  users: [{ id: ANA, displayName: "Ana Ruiz", email: "ana@example.test", status: "ENABLED" }],
  policies: [{ policyType: "POLICY_TYPE_CERTIFY", id: POLICY, displayName: "Manager review" }],
};

let sandbox: Sandbox;
let project: Project;

beforeEach(async () => {
  sandbox = await startSandbox({ tenant: TENANT });
  project = makeProject({ server: sandbox.url });
  project.write([quarterly]);
});
afterEach(async () => {
  await sandbox.close();
  project.close();
});

function remit(...argv: readonly string[]): Promise<Seen> {
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
  return runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
}

async function expectCode(code: number, ...argv: readonly string[]): Promise<string> {
  const seen = await remit(...argv);
  const text = (seen.stdout + seen.stderr).replace(/\s+/g, " ");
  expect(seen.code, text).toBe(code);
  return text;
}

const templates = () => sandbox.store.templates.all();

/** An apply that creates the template and hears nothing of it: no list shows which one it made. */
async function lose(...flags: readonly string[]): Promise<string> {
  sandbox.faults.set({ seed: 1, rules: [{ fault: "lost", operation: "CreateTemplate", times: 1 }] });
  const said = await expectCode(3, "apply", "--yes", ...flags);
  expect(said).toContain(`If it is there, \`remit state settle ${ADDRESS} --key ID\` records it.`);
  expect(templates()).toHaveLength(1);
  return String(templates()[0]?.id);
}

const state = async () => JSON.parse((await remit("state", "list", "--format", "json")).stdout);
const settle = (code: number, key: string, address = ADDRESS) =>
  expectCode(code, "state", "settle", address, "--key", key);

describe("a create of unknown result", () => {
  it("is settled with the object that it made: the next plan has nothing to do", async () => {
    const id = await lose();
    expect(await expectCode(4, "plan")).toContain(`state settle ${ADDRESS} --key ID`);
    const said = await settle(0, id);
    expect(said).toContain(`${ADDRESS} is ${id} now: "Quarterly", made on 2`);
    const planned = await expectCode(0, "plan", "--detailed-exitcode");
    expect(planned).not.toContain("remit did not create");
    await expectCode(0, "apply", "--yes");
    expect(templates()).toHaveLength(1);
    expect(await expectCode(0, "history", ADDRESS)).toContain("settled by hand");
  });

  it.each([
    ["one call", {}],
    ["several calls", { slackChannel: { name: "reviews" } }],
  ])("and is settled goes on with the effect that was approved: a create of %s", async (_, more) => {
    project.write([{ ...quarterly, spec: { ...quarterly.spec, ...more } }]);
    await expectCode(0, "plan", "--out", "plan.json");
    const { effect } = JSON.parse(readFileSync(join(project.cwd, "plan.json"), "utf8"));
    const id = await lose("--expect", effect);
    await expectCode(4, "apply", "--yes", "--expect", effect);
    await settle(0, id);
    await expectCode(0, "apply", "--yes", "--expect", effect);
    await expectCode(0, "plan", "--detailed-exitcode");
    await expectCode(0, "apply", "--yes", "--expect", effect);
    expect(templates()).toHaveLength(1);
  });

  it("is settled with an object that has other values: the next plan changes them", async () => {
    const id = await lose();
    const [made] = templates();
    if (made === undefined) throw new Error("the create was lost");
    sandbox.store.templates.put(ROOT, id, { ...made, displayName: "Renamed" });
    await settle(0, id);
    expect(await expectCode(2, "plan", "--detailed-exitcode")).toContain("1 to change");
  });

  it("is settled where no manifest means it any more: the plan then shows it as removed", async () => {
    const id = await lose();
    project.write([{ kind: "Webhook", name: "desk", spec: { displayName: "Desk", url: "https://d.test" } }]);
    await settle(0, id);
    expect(await expectCode(0, "plan")).toContain(ADDRESS);
  });

  const nothingChanged = async (before: unknown) => {
    expect(await state()).toEqual(before);
    expect(sandbox.log.entries({ written: true })).toHaveLength(1);
  };

  it.each([
    ["an object that the service does not have", STRANGER, "state/gone"],
    ["too many ids", `${STRANGER}/${STRANGER}`, "state/other-ids"],
    ["no id", "", "state/other-ids"],
    ["an id that would change the address of a request", "..", "state/other-ids"],
  ])("is not settled with %s", async (_, key, code) => {
    await lose();
    const before = await state();
    expect(await settle(1, key)).toContain(`error[${code}]`);
    await nothingChanged(before);
  });

  it("is not settled with an object that another manifest declares", async () => {
    const id = await lose();
    project.write([quarterly, { ...quarterly, name: "other", spec: { id, displayName: "Other" } }]);
    const before = await state();
    const said = await settle(4, id);
    expect(said).toContain(
      `error[state/taken]: ReviewTemplate:${id} is the object of ReviewTemplate/other (`,
    );
    await nothingChanged(before);
  });

  it("is not settled with an object that the state has by another address", async () => {
    const other = { ...quarterly, name: "first", spec: { ...quarterly.spec, displayName: "First" } };
    project.write([other]);
    await expectCode(0, "apply", "--yes");
    const first = String(templates()[0]?.id);
    project.write([other, quarterly]);
    sandbox.faults.set({ seed: 1, rules: [{ fault: "lost", operation: "CreateTemplate", times: 1 }] });
    await expectCode(3, "apply", "--yes");
    expect(await settle(4, first)).toContain(`is the object of ReviewTemplate/first`);
    const made = templates().find(({ id }) => id !== first);
    await settle(0, String(made?.id));
    await expectCode(0, "plan", "--detailed-exitcode");
  });

  it("is not settled while a manifest cannot be read: it may declare the object", async () => {
    const id = await lose();
    project.write([quarterly, { kind: "ReviewTemplate", name: "other", spec: { nonsense: id } }]);
    const before = await state();
    await settle(1, id);
    await nothingChanged(before);
  });
});

describe("an address without a create of unknown result", () => {
  it.each(["ReviewTemplate/other", "other", "__proto__"])("is refused: %s", async (address) => {
    await lose();
    expect(await settle(1, STRANGER, address)).toContain("error[state/not-uncertain]");
  });

  it("is refused where the object is managed already", async () => {
    await expectCode(0, "apply", "--yes");
    const id = String(templates()[0]?.id);
    expect(await settle(1, id)).toContain("error[state/not-uncertain]");
  });

  it("is refused without a state", async () => {
    expect(await settle(1, STRANGER)).toContain("error[state/not-uncertain]");
  });
});
