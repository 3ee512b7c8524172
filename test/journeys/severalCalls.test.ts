import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed } from "../fakes/groups.js";
import type { Manifest } from "../fakes/project.js";

/**
 * A create of several calls whose first call was done and got no clear answer. Its object is the one that it made: an
 * apply finishes it, or a repeat of that apply.
 */

interface Created {
  readonly manifests: readonly Manifest[];
  /** The operation of the create, and of the call after it. */
  readonly first: string;
  readonly second: string;
  readonly there: (store: GroupScene["sandbox"]["store"]) => readonly JsonObject[];
}

const BY_HAND = { manual: { instructions: "Ask the desk.", assignee: { appOwners: {} } } };
const CREATES: Readonly<Record<string, Created>> = {
  Entitlement: {
    manifests: [
      resourceNamed("eng", "Engineering"),
      memberNamed("eng", "eng", { deprovisionerPolicy: BY_HAND }),
    ],
    first: "CreateEntitlement",
    second: "UpdateEntitlement",
    there: ({ entitlements }) => entitlements.all().filter(({ alias }) => alias === "eng"),
  },
  AccessProfile: {
    manifests: [
      {
        kind: "AccessProfile",
        name: "starter",
        spec: { displayName: "Starter", description: "For all.", published: true },
      },
    ],
    first: "CreateCatalog",
    second: "UpdateCatalog",
    there: ({ catalogs }) => catalogs.all().filter(({ displayName }) => displayName === "Starter") as never,
  },
  ResourceType: {
    manifests: [
      {
        kind: "ResourceType",
        name: "squad",
        spec: { appId: C1_APP_ID, resourceType: "CUSTOM", displayName: "Squad", traitIds: ["t".repeat(27)] },
      },
    ],
    first: "CreateResourceType",
    second: "UpdateResourceType",
    there: ({ resourceTypes }) => resourceTypes.all().filter(({ displayName }) => displayName === "Squad"),
  },
};

/** What may answer a create that was done. */
const ANSWERS: Readonly<Record<string, object>> = {
  "no reply": { fault: "lost" },
  500: { fault: "error", status: 500, written: true },
  503: { fault: "error", status: 503, written: true },
  409: { fault: "error", status: 409, written: true },
  "a page with 200": { fault: "html", status: 200 },
  "a page with 500": { fault: "html", status: 500, written: true },
  "half a reply": { fault: "truncated" },
  "an empty reply": { fault: "empty" },
};
const each = Object.keys(CREATES).flatMap((kind) =>
  Object.keys(ANSWERS).map((answer): [string, string] => [kind, answer]),
);

let scene: GroupScene;

beforeEach(async () => {
  scene = await openGroups();
});
afterEach(() => scene.close());

const said = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
  (stdout + stderr).replace(/\s+/g, " ");

/** A new type may be one that has another name now: a person says that it is new. */
const IS_NEW = ["--acknowledge", "unknown-current"];
const APPLY = ["apply", "--yes", ...IS_NEW];

async function plannedEffect(): Promise<string> {
  await scene.remit(0, "plan", ...IS_NEW, "--out", "plan.json");
  return JSON.parse(readFileSync(join(scene.project.cwd, "plan.json"), "utf8")).effect;
}

/** All is as wanted, and was made once. */
async function expectOne({ there, first }: Created): Promise<void> {
  await scene.remit(0, "plan", "--detailed-exitcode");
  expect(there(scene.sandbox.store)).toHaveLength(1);
  expect(
    scene.sandbox.log.entries({ written: true }).filter(({ operation }) => operation === first),
  ).toHaveLength(1);
}

describe("a create of several calls that was done", () => {
  it.each(each)("is finished: %s, answered with %s", async (kind, answer) => {
    const create = CREATES[kind] as Created;
    scene.project.write(create.manifests);
    scene.disturb(create.first, ANSWERS[answer] as object);
    const applied = await scene.run(...APPLY);
    expect([0, 3], said(applied)).toContain(applied.code);
    await scene.remit(0, ...APPLY);
    await expectOne(create);
  });

  it.each(each)("is finished by a repeat of the same effect: %s, answered with %s", async (kind, answer) => {
    const create = CREATES[kind] as Created;
    scene.project.write(create.manifests);
    const effect = await plannedEffect();
    const [first, second] = [create.first, create.second];
    const refused = { fault: "error", status: 403, operation: second, times: 1 };
    const rules = [{ ...ANSWERS[answer], operation: first, times: 1 }, refused] as never;
    scene.sandbox.faults.set({ seed: 1, rules });
    const applied = await scene.run(...APPLY, "--expect", effect);
    expect([1, 3], said(applied)).toContain(applied.code);
    await scene.remit(0, ...APPLY, "--expect", effect);
    await expectOne(create);
    expect(await scene.remit(0, ...APPLY, "--expect", effect)).toContain("Already applied");
  });
});

/** Creates of kinds whose names repeat, with the objects of one and of several calls. */
const LATE: Readonly<Record<string, Created>> = {
  Webhook: {
    manifests: [
      { kind: "Webhook", name: "desk", spec: { displayName: "Desk", url: "https://desk.example.com" } },
    ],
    first: "CreateWebhook",
    second: "UpdateWebhook",
    there: ({ webhooks }) => webhooks.all() as never,
  },
  Resource: {
    manifests: [resourceNamed("eng", "Engineering"), memberNamed("eng", "eng")],
    first: "CreateResource",
    second: "UpdateResource",
    there: ({ resources }) =>
      resources.all().filter(({ displayName }) => displayName === "Engineering") as never,
  },
  ...CREATES,
};

describe("a create that a later plan adopts, because its list was late", () => {
  it.each(Object.keys(LATE).filter((kind) => kind !== "ResourceType"))(
    "is part of the effect that was approved: %s",
    async (kind) => {
      const create = LATE[kind] as Created;
      scene.project.write(create.manifests);
      const effect = await plannedEffect();
      const late = { fault: "quirks", quirks: { listLag: 3_600_000 } };
      const rules = [{ fault: "lost", operation: create.first, times: 1 }, late] as never;
      scene.sandbox.faults.set({ seed: 1, rules });
      const applied = await scene.run(...APPLY, "--expect", effect);
      expect(applied.code, said(applied)).toBe(3);
      expect(said(applied)).toContain("1 uncertain");
      scene.sandbox.faults.set({ seed: 1, rules: [] });
      await scene.remit(0, ...APPLY, "--expect", effect);
      await expectOne(create);
    },
  );
});
