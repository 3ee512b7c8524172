import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";

/** The life of an object whose id only the service chooses, and whose name other objects may have. */

const SPEC = { displayName: "Desk", url: "https://desk.example.com" };
const manifest = (spec: Manifest["spec"] = SPEC, name = "desk"): Manifest => ({
  kind: "Webhook",
  name,
  spec,
});

let sandbox: Sandbox;
let project: Project;

beforeEach(async () => {
  sandbox = await startSandbox({ tenant: { ...EMPTY_TENANT, open: false } });
  project = makeProject({ server: sandbox.url });
  project.write([manifest()]);
});
afterEach(async () => {
  await sandbox.close();
  project.close();
});

function remit(...argv: readonly string[]): Promise<Seen> {
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
  return runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
}

const text = ({ stdout, stderr }: Seen) => (stdout + stderr).replace(/\s+/g, " ");
const webhooks = () => sandbox.store.webhooks.all().filter(({ deletedAt }) => deletedAt === undefined);

/** A webhook that a person made. */
async function madeByHand(fields: object = SPEC): Promise<string> {
  const response = await fetch(`${sandbox.url}/api/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.token}` },
    body: JSON.stringify(fields),
  });
  const body = (await response.json()) as { readonly webhook: { readonly id: string } };
  return body.webhook.id;
}

async function expectCode(code: number, ...argv: readonly string[]): Promise<string> {
  const seen = await remit(...argv);
  expect(seen.code, text(seen)).toBe(code);
  return text(seen);
}

describe("a webhook", () => {
  it("is created, changed under its id, and deleted by an entry", async () => {
    await expectCode(0, "apply", "--yes");
    const [made] = webhooks();
    expect(made).toMatchObject({ ...SPEC, callbackTimeout: "691200s" });
    await expectCode(0, "plan", "--detailed-exitcode");

    project.write([manifest({ displayName: "Service desk", url: SPEC.url, callbackTimeout: "2d" })]);
    await expectCode(0, "apply", "--yes");
    expect(webhooks()).toMatchObject([
      { id: made?.id, displayName: "Service desk", callbackTimeout: "172800s" },
    ]);
    const [update] = sandbox.log.entries({ operation: "UpdateWebhook" });
    expect(update?.body).toMatchObject({ updateMask: "callbackTimeout,displayName" });
    await expectCode(0, "plan", "--detailed-exitcode");

    const other = manifest({ ...SPEC, displayName: "Other" }, "other");
    project.write([other]);
    expect(text(await remit("plan", "--prune"))).toContain("error[plan/rename-unclear]");
    writeFileSync(
      join(project.cwd, "remit.yaml"),
      `{ server: ${sandbox.url}, manifests: [manifests], removed: [{ address: Webhook/desk, then: delete }] }`,
    );
    await expectCode(0, "apply", "--yes", "--acknowledge", "max-changes");
    expect(webhooks()).toMatchObject([{ displayName: "Other" }]);
  });

  it("is shown as drift where someone edited it, and as deleted where someone deleted it", async () => {
    await expectCode(0, "apply", "--yes");
    const [made] = webhooks();
    if (made === undefined) throw new Error("there is no webhook");
    sandbox.store.webhooks.put(ROOT, made.id, { ...made, url: "https://other.example.com" });
    expect(await expectCode(2, "plan", "--refresh-only", "--detailed-exitcode")).toContain(
      "other.example.com",
    );
    sandbox.store.webhooks.put(ROOT, made.id, { ...made, deletedAt: "2026-01-01T00:00:00Z" });
    expect(await expectCode(2, "plan", "--detailed-exitcode")).toContain("1 to create");
  });

  it("blocks where an unmanaged one has its name, and says the line that adopts it", async () => {
    const id = await madeByHand();
    expect(await expectCode(4, "plan")).toContain(`write \`id: ${id}\``);
    await expectCode(3, "apply", "--yes");
    expect(webhooks()).toHaveLength(1);
    project.write([manifest({ ...SPEC, id })]);
    await expectCode(0, "apply", "--yes");
    await expectCode(0, "plan", "--detailed-exitcode");
    expect(webhooks()).toHaveLength(1);
    // The state knows it from now on.
    project.write([manifest()]);
    await expectCode(0, "plan", "--detailed-exitcode");
  });

  it("lists the candidates where several have its name", async () => {
    const ids = [await madeByHand(), await madeByHand()];
    const said = await expectCode(4, "plan");
    for (const id of ids) expect(said).toContain(id);
  });

  it("is refused where someone makes one of its name after the plan", async () => {
    await expectCode(0, "plan", "--out", "plan.json");
    await madeByHand();
    expect(await expectCode(1, "apply", "plan.json")).toContain("plan/namesake");
    expect(webhooks()).toHaveLength(1);
  });

  it.each([["lost"], ["truncated"], ["html"]])("is created once where the reply is %s", async (fault) => {
    sandbox.faults.set({ seed: 1, rules: [{ fault, operation: "CreateWebhook", times: 1 } as never] });
    await expectCode(0, "apply", "--yes");
    await expectCode(0, "plan", "--detailed-exitcode");
    expect(webhooks()).toHaveLength(1);
  });

  it("is imported with its id, and the next plan is empty", async () => {
    const ids = [await madeByHand(), await madeByHand({ ...SPEC, description: "Another" })];
    project.write([]);
    await expectCode(0, "import");
    const said = await expectCode(0, "plan");
    expect(said).toContain("2 to adopt");
    await expectCode(0, "apply", "--yes");
    await expectCode(0, "plan", "--detailed-exitcode");
    expect(webhooks().map(({ id }) => id)).toEqual(ids);
  });

  it("cannot be created where the interface is core", async () => {
    project.close();
    project = makeProject({ server: sandbox.url, interface: "core" });
    project.write([manifest()]);
    expect(await expectCode(4, "plan")).toContain("this interface cannot create a webhook");
  });

  it("does not belong to an app where it is not managed", async () => {
    await expectCode(0, "apply", "--yes");
    await madeByHand({ displayName: "Theirs", url: "https://theirs.example.com" });
    project.write([manifest({ ...SPEC, description: "New" })]);
    expect(text(await remit("plan"))).toContain("Without a manifest: 1 webhook (--unmanaged lists them)");
  });

  it("may not have the name of another one without an id", async () => {
    project.write([manifest(), manifest(SPEC, "other")]);
    expect(await expectCode(5, "validate")).toContain("have the same displayName");
  });
});
