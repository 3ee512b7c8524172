import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { customEntitlement } from "../../src/kinds/customEntitlement.js";
import { resource } from "../../src/kinds/resource.js";
import { reviewTemplate } from "../../src/kinds/reviewTemplate.js";
import { webhook } from "../../src/kinds/webhook.js";
import type { JsonObject } from "../../src/model/json.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed } from "../fakes/groups.js";
import type { Manifest } from "../fakes/project.js";
import { idOf } from "../sandbox/visit.js";

/** A token that may not see fields gets them blank. What is blank is unknown: nothing is decided from it. */

const ALL: readonly Manifest[] = [
  resourceNamed("eng", "Engineering", { description: "Builders" }),
  memberNamed("member", "eng", { description: "Members" }),
  { kind: "Webhook", name: "desk", spec: { displayName: "Desk", url: "https://a.example/" } },
  { kind: "ReviewTemplate", name: "review", spec: { displayName: "Quarterly", ownerIds: [idOf("ana")] } },
];
const ADDRESSES = ALL.map(({ kind, name }) => `${kind}/${name}`);
const BLANK = ["displayName", "description", "url"];

const NEW = ["--acknowledge", "unknown-current"];

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
  scene.project.write(ALL);
  await scene.remit(0, "apply", "--yes");
  hide(...BLANK);
});
afterEach(() => scene.close());

/** Replies show these fields blank from now on; without one, everything as it is. */
function hide(...hiddenFields: readonly string[]): void {
  scene.sandbox.faults.set({ seed: 1, rules: [{ fault: "quirks", quirks: { hiddenFields } }] });
}

/** What a later run writes to the tenant. */
async function writesOf(run: () => Promise<unknown>): Promise<readonly string[]> {
  const { length } = scene.sandbox.log.entries();
  await run();
  const entries = scene.sandbox.log.entries().slice(length);
  return entries.map(({ operation }) => operation ?? "").filter((name) => !/^(Get|List|Search)/.test(name));
}

async function steps(...argv: readonly string[]): Promise<readonly JsonObject[]> {
  const { stdout } = await scene.run("plan", "--format", "json", ...argv);
  return (JSON.parse(stdout) as { readonly steps: readonly JsonObject[] }).steps;
}

describe("an object that is shown without a field that each has", () => {
  it("is not drift: its step is blocked, and says why", async () => {
    const said = await scene.remit(4, "plan");
    for (const words of [
      "the service shows the resource without its `displayName`",
      "the service shows the webhook without its `displayName` and `url`",
      "the service shows the entitlement without its `displayName`",
      "the service shows the review template without its `displayName`",
      "What a token may not see is shown blank.",
    ])
      expect(said).toContain(words);
    expect((await steps()).map(({ address, action }) => `${action} ${address}`).sort()).toEqual(
      ADDRESSES.map((address) => `blocked ${address}`).sort(),
    );
    expect(await writesOf(() => scene.remit(3, "apply", "--yes"))).toEqual([]);
    hide();
    await scene.remit(0, "plan", "--detailed-exitcode");
  });

  it("is not created again where the manifest may leave its name out", async () => {
    const made = { appId: C1_APP_ID, displayName: "Seat", resourceType: "CUSTOM" };
    scene.project.write([...ALL, { kind: "ResourceType", name: "seat", spec: made }]);
    hide();
    await scene.remit(0, "apply", "--yes", ...NEW);
    hide(...BLANK);
    const said = await scene.remit(
      4,
      "plan",
      "--state",
      "other.json",
      "--target",
      "ResourceType/seat",
      ...NEW,
    );
    expect(said).toContain("blank, which may be the one that is meant");
  });

  it("is not accepted", async () => {
    const before = readFileSync(manifests(), "utf8");
    for (const address of ADDRESSES)
      expect(await scene.remit(4, "accept", address, "--yes"), address).toContain("without its");
    await scene.remit(4, "accept", "--all-drift", "--yes");
    expect(readFileSync(manifests(), "utf8")).toBe(before);
    hide();
    await scene.remit(0, "plan", "--detailed-exitcode");
  });

  it("is not deleted", async () => {
    const kept = { ...ALL[2], name: "other", spec: { displayName: "Other", url: "https://b.example/" } };
    hide();
    scene.project.write([...ALL, kept as Manifest]);
    await scene.remit(0, "apply", "--yes");
    hide(...BLANK);
    scene.project.write([kept as Manifest]);
    scene.decide(Object.fromEntries(ADDRESSES.map((address) => [address, "delete" as const])));
    const actions = (await steps()).filter(({ address }) => ADDRESSES.includes(String(address)));
    expect(actions.map(({ action }) => action)).toEqual(["blocked", "blocked", "blocked", "blocked"]);
    expect(await writesOf(() => scene.remit(3, "apply", "--yes"))).toEqual([]);
  });

  it("is not imported, and the import says so", async () => {
    const campaign = { id: "c", displayName: "Q1", accessReviewTemplateId: templateId() };
    scene.sandbox.store.campaigns.put(ROOT, "c", { ...campaign, entitlements: [] });
    scene.project.write([]);
    const said = await scene.remit(3, "import", "--state", "other.json");
    for (const { one } of [resource.noun, webhook.noun, customEntitlement.noun, reviewTemplate.noun])
      expect(said).toContain(`the service shows the ${one} without its`);
    expect(readdirSync(join(scene.project.cwd, "manifests"))).toEqual(["all.yaml", "template-scope"]);
  });

  it("may have the name of a new one, which is then not created", async () => {
    const twin: Manifest = {
      kind: "Webhook",
      name: "twin",
      spec: { displayName: "Twin", url: "https://c.example/" },
    };
    scene.project.write([...ALL, twin]);
    const [step] = (await steps("--target", "Webhook/twin")).filter(
      ({ address }) => address === "Webhook/twin",
    );
    expect(step).toMatchObject({ action: "blocked" });
    expect(await scene.remit(4, "plan", "--target", "Webhook/twin")).toContain(
      "the service shows 1 webhook blank, which may be the one that is meant",
    );
  });

  it("counts as written where only the replies to writes are blank", async () => {
    hide();
    scene.project.write(ALL.map((one) => ({ ...one, spec: { ...one.spec, displayName: "New" } })));
    const writes = ["UpdateResource", "UpdateEntitlement", "UpdateWebhook", "UpdateTemplate"];
    const rules = writes.map((operation) => ({
      fault: "quirks",
      operation,
      quirks: { hiddenFields: BLANK },
    }));
    scene.sandbox.faults.set({ seed: 1, rules: rules as never });
    await scene.remit(0, "apply", "--yes");
    await scene.remit(0, "plan", "--detailed-exitcode");
  });
});

function manifests(): string {
  return join(scene.project.cwd, "manifests", "all.yaml");
}

function templateId(): string {
  return String(scene.sandbox.store.templates.all()[0]?.id);
}
